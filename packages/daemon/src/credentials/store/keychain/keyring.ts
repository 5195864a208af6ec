/** The part of `@napi-rs/keyring` that we use, loaded only if it is installed. */

export interface KeyringEntry {
  setPassword(password: string): Promise<void>
  getPassword(): Promise<string | null | undefined>
  deleteCredential(): Promise<boolean>
}

export interface Keyring {
  readonly AsyncEntry: new (service: string, account: string) => KeyringEntry
  findCredentialsAsync(service: string): Promise<readonly { readonly account: string; readonly password: string }[]>
}

/** Imports a module by name; tests give their own. */
export type Importer = (name: string) => Promise<unknown>

const PACKAGE = '@napi-rs/keyring'

/** Codes of "it is not here" and of "its binary for this platform is not here or does not load". */
const NOT_INSTALLED: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'])

export type LoadedKeyring =
  | { readonly keyring: Keyring; readonly problem: null }
  | { readonly keyring: null; readonly problem: string }

export async function loadKeyring(importer: Importer): Promise<LoadedKeyring> {
  try {
    const loaded = await importer(PACKAGE)
    if (isKeyring(loaded)) return { keyring: loaded, problem: null }
    return { keyring: null, problem: `the installed ${PACKAGE} is not of a version that we know` }
  } catch (error) {
    // Expected: the package is optional, and its loader throws an error without a code where no binary fits.
    const code = error instanceof Error && 'code' in error ? error.code : null
    const missing = code === null || (typeof code === 'string' && NOT_INSTALLED.has(code))
    if (!(error instanceof Error) || !missing) throw error
    return { keyring: null, problem: `${PACKAGE} is not installed or has no binary for this system` }
  }
}

function isKeyring(loaded: unknown): loaded is Keyring {
  if (typeof loaded !== 'object' || loaded === null) return false
  return (
    'AsyncEntry' in loaded &&
    typeof loaded.AsyncEntry === 'function' &&
    'findCredentialsAsync' in loaded &&
    typeof loaded.findCredentialsAsync === 'function'
  )
}
