/** A process that reports its signals and does not stop by itself, for `signals.test.ts`. */
import { onShutdownSignal } from './signals.ts'

const subscription = onShutdownSignal((signal) => process.send?.(signal))
process.on('message', (message) => {
  if (message === 'dispose') subscription[Symbol.dispose]()
  process.send?.('done')
})
process.send?.('ready')
