/** `full`: no space left. `read_only`: the disk or the file takes no writes. `io`: the engine could not write for another reason. */
export type WriteFault = 'full' | 'read_only' | 'io'

/** A commit that did not happen: nothing of it is stored, and what was stored before stays. Trying again later may work. */
export class StoreWriteError extends Error {
  readonly reason: WriteFault

  constructor(reason: WriteFault, options?: ErrorOptions) {
    super(WRITE_PROBLEM[reason], options)
    this.name = 'StoreWriteError'
    this.reason = reason
  }
}

/** What to tell a person. */
export const WRITE_PROBLEM: Readonly<Record<WriteFault, string>> = {
  full: 'the disk is full: rows are not persisted',
  read_only: 'the catalog file or its disk is read-only: rows are not persisted',
  io: 'the catalog file cannot be written: rows are not persisted',
}
