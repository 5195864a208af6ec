/** Commits for ever, and prints each number once its commit returned. Arguments: file. */
import { writeSync } from 'node:fs'
import { list, published, row, source, status } from '../../store.samples.ts'
import { openStore } from '../open.ts'

const [file = ''] = process.argv.slice(2)
const { store, setAside, problem } = openStore(file, 0)
if (setAside !== null || problem !== null) throw new Error(`opened with ${setAside?.problem ?? problem}`)

for (let seq = Number(store.note('seq') ?? 0) + 1; ; seq++) {
  const rows = Array.from({ length: 200 }, (_, i) =>
    row(`m${i}`, { display_name: 'x'.repeat(seq % 300), context_window: seq }),
  )
  store.commit({
    lists: [
      list('models_dev', `p${seq % 7}`, rows, { refreshed_at: seq }),
      list('models_dev', 'latest', rows, { refreshed_at: seq }),
    ],
    statuses: [status('models_dev', null, { last_refresh: seq })],
    memories: [{ source_id: source('models_dev'), provider_id: null, memory: { seq } }],
    published: [published('latest', String(seq).repeat(5_000))],
    notes: { seq: String(seq) },
  })
  writeSync(1, `${seq};\n`)
}
