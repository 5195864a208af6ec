const encoder = new TextEncoder()

/**
 * Order of two strings by their UTF-8 bytes. JavaScript's own `<` compares UTF-16 units, which differs above U+FFFF:
 * a surrogate (0xD800…) sorts before U+E000, its UTF-8 form after.
 */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const bothSurrogateFree = x < 0xd800 && y < 0xd800
    return bothSurrogateFree ? x - y : compareEncoded(a, b)
  }
  return a.length - b.length
}

function compareEncoded(a: string, b: string): number {
  const x = encoder.encode(a)
  const y = encoder.encode(b)
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}
