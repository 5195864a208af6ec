/**
 * Puts credentials until it is killed or done, for tests. Arguments: home, name prefix, count. Prints a number after each
 * put that returned; every value is the number of its put, long enough to be torn.
 */
import { secretMaker } from '../../../secret.ts'
import { provider, secret } from '../../../testing/samples.ts'
import { credentialFiles, FileCredentialStore } from '../file-store.ts'

const [, , home = '', prefix = '', count = '0'] = process.argv
const store = new FileCredentialStore(
  credentialFiles(home),
  secretMaker(() => {}),
  60_000,
)
for (let index = 1; index <= Number(count); index++) {
  const value = secret(`${index};`.repeat(20_000))
  const name = prefix === 'latest' ? 'latest' : `${prefix}${index}`
  const credential = {
    provider_id: provider('openai'),
    name,
    kind: 'api_key',
    secret: value,
    created_at: index,
  } as const
  await store.put(credential)
  process.stdout.write(`${index};\n`)
}
