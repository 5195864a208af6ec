/** Migrates to the schema of `slow-migration.ts`, and prints the number of each step as it is reached. Arguments: file. */
import { writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrate } from '../migrations.ts'
import { SLOW_MIGRATIONS } from './slow-migration.ts'

const [file = ''] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.function('tell', (step) => writeSync(1, `${step}\n`))
migrate(db, SLOW_MIGRATIONS)
writeSync(1, 'done\n')
// Killed here, not ended: the new schema is then only in the -wal.
process.kill(process.pid, 'SIGKILL')
