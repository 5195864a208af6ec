export type Encoding = 'identity' | 'gzip' | 'br'

const PREFERENCE: readonly Encoding[] = ['br', 'gzip', 'identity']

/**
 * The encoding to answer in: the highest quality that the client accepts, ours first where they are equal. A client that
 * accepts nothing gets the plain bytes.
 */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity'
  const quality = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    quality.set(name, q === undefined ? 1 : Number(q) || 0)
  }
  const of = (encoding: Encoding) => quality.get(encoding) ?? quality.get('*') ?? (encoding === 'identity' ? 0.001 : 0)
  const accepted = PREFERENCE.filter((encoding) => of(encoding) > 0)
  return accepted.reduce((best, encoding) => (of(encoding) > of(best) ? encoding : best), accepted[0] ?? 'identity')
}
