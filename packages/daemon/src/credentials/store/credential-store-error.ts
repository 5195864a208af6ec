/** What can go wrong with stored credentials, in our own words: a parser's message holds pieces of what it read. */
export const STORE_PROBLEMS = {
  unreadable:
    'stored credentials cannot be decrypted; nothing is written until they can, and what is stored stays as it is',
  too_large: 'stored credentials are larger than they may be; they were left as they are',
  unwritable: 'stored credentials cannot be written: the disk is full or read-only, or something is in the way',
  busy: 'another process is writing stored credentials and does not finish',
  unavailable: 'the keychain of this system does not answer; unlock it, or store credentials in a file',
  bad_name:
    'a credential’s name has 1 to 64 letters, digits, ".", "_", "@", "+" and "-", and starts with a letter or digit',
} as const
export type StoreProblem = keyof typeof STORE_PROBLEMS

export class CredentialStoreError extends Error {
  readonly problem: StoreProblem

  /** No cause, on purpose. */
  constructor(problem: StoreProblem) {
    super(STORE_PROBLEMS[problem])
    this.name = 'CredentialStoreError'
    this.problem = problem
  }
}
