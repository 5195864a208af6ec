import { storeCases } from '../store.cases.ts'
import { MemoryStore } from './memory-store.ts'

storeCases('the memory engine', () => {
  const store = new MemoryStore()
  return { store, reopen: () => store, dispose: () => store.close() }
})
