import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../telemetry/redact.ts'
import { Secret, secretMaker } from './secret.ts'
import { secret } from './testing/samples.ts'

/** Random enough never to be in what is printed by chance. */
const anyValue = fc.string({ minLength: 4, maxLength: 60, unit: 'binary' }).map((tail) => `canary-${tail}-canary`)

const thrownBy = (run: () => unknown): string => {
  try {
    return inspect(run())
  } catch (error) {
    // Expected: this is what the test is about.
    return error instanceof Error
      ? `${error.message}\n${error.stack}\n${inspect(error, { depth: null })}`
      : String(error)
  }
}

/** Every way in which a value becomes text. */
const PRINTED: Readonly<Record<string, (holder: Secret) => string>> = {
  template: (holder) => `${holder}`,
  concatenation: (holder) => `x${String(holder)}${[holder].join()}`,
  JSON: (holder) => JSON.stringify({ holder, list: [holder] }),
  inspect: (holder) => inspect({ holder }, { depth: null, showHidden: true, showProxy: true, getters: true }),
  'inspect without custom printing': (holder) => inspect(holder, { customInspect: false, showHidden: true }),
  format: (holder) => format('%s %o %O %j %d', holder, holder, holder, holder, holder),
  keys: (holder) =>
    inspect([Reflect.ownKeys(holder), Object.entries(holder), { ...holder }, Object.assign({}, holder)]),
  'an error message': (holder) =>
    thrownBy(() => {
      throw new Error(`bad ${holder}`, { cause: holder })
    }),
  'a type error': (holder) => thrownBy(() => Object.defineProperty(holder, 'reveal', { value: null })),
  'a wrong call': (holder) => thrownBy(() => Reflect.apply(Secret.prototype.reveal, {}, [holder])),
  structuredClone: (holder) => thrownBy(() => structuredClone(holder)),
  'a failed structuredClone': (holder) => thrownBy(() => structuredClone({ holder, run: () => {} })),
  serialize: (holder) => serialize(holder).toString('latin1') + serialize(holder).toString('utf16le'),
}

describe('a secret', () => {
  for (const [way, print] of Object.entries(PRINTED)) {
    it(`is not in ${way} (SEL-240)`, () => {
      fc.assert(
        fc.property(anyValue, (value) => {
          const printed = print(secret(value))
          expect(printed).not.toContain(value)
          expect(printed).not.toContain('canary')
        }),
      )
    })
  }

  it('says that something was there', () => {
    expect(`${secret('hunter2hunter2')}`).toBe('[redacted]')
    expect(JSON.stringify([secret('hunter2hunter2')])).toBe('["[redacted]"]')
    expect(inspect(secret('hunter2hunter2'))).toBe('[redacted]')
  })

  it('comes out by reveal alone, and as it went in', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => secret(value).reveal() === value))
  })

  it('is hidden in everything that is told from the moment it exists (SEL-240)', () => {
    const secrets = createSecrets()
    const make = secretMaker(secrets.add)
    expect(secrets.redact('key: plain-value-1234')).toContain('plain-value-1234')
    make('plain-value-1234')
    expect(secrets.redact('it was plain-value-1234')).toBe('it was [redacted]')
  })

  it('cannot be changed, and equals another of the same value only', () => {
    expect(Object.isFrozen(secret('a'))).toBe(true)
    expect(secret('same').equals(secret('same'))).toBe(true)
    expect(secret('same').equals(secret('other'))).toBe(false)
  })
})
