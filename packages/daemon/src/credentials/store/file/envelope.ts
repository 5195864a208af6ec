/** Encryption of the credentials file: AES-256-GCM, a fresh nonce for every write, the header authenticated too. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { CredentialStoreError } from '../credential-store-error.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32
const HEADER = { format: 'signalbox-credentials', version: 1, cipher: CIPHER } as const
const ADDITIONAL_DATA = Buffer.from(JSON.stringify(HEADER))

const bytes = (length: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((decoded) => decoded.length === length)
const Envelope = z.strictObject({
  format: z.literal(HEADER.format),
  version: z.literal(HEADER.version),
  cipher: z.literal(HEADER.cipher),
  nonce: bytes(NONCE_BYTES),
  tag: bytes(TAG_BYTES),
  data: z.base64(),
})

export function seal(plain: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(ADDITIONAL_DATA)
  const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  const parts = { nonce: nonce.toString('base64'), tag: cipher.getAuthTag().toString('base64') }
  return `${JSON.stringify({ ...HEADER, ...parts, data: data.toString('base64') })}\n`
}

/** Anything but what `seal` made with this key is `unreadable`. */
export function unseal(sealed: Buffer, key: Buffer): string {
  try {
    const { nonce, tag, data } = Envelope.parse(JSON.parse(sealed.toString('utf8')))
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(ADDITIONAL_DATA).setAuthTag(tag)
    return Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString('utf8')
  } catch {
    // Expected: not JSON, not our form, another key, or changed bytes. For the caller all of them are one thing, and
    // none of their messages may be told.
    throw new CredentialStoreError('unreadable')
  }
}
