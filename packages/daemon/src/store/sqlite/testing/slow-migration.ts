import { MIGRATIONS } from '../migrations.ts'

export const STEPS = 6

const step = (number: number) => `
  SELECT tell(${number});
  INSERT INTO grown SELECT value, randomblob(400) FROM (
    WITH RECURSIVE n(value) AS (VALUES (${number} * 100000) UNION ALL SELECT value + 1 FROM n LIMIT 4000) SELECT value FROM n
  );
  UPDATE lists SET failed = 1;
`

/** One version more than ours, reached in a few megabytes, with a `tell(step)` that the runner must provide. */
export const SLOW_MIGRATIONS: readonly string[] = [
  ...MIGRATIONS,
  [
    'CREATE TABLE grown (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;',
    ...Array.from({ length: STEPS }, (_, i) => step(i)),
  ].join(''),
]
