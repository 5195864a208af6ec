/** One string per `(source, provider)`, unambiguous whatever the ids hold; null is not the empty string. */
export function recordKey(source_id: string, provider_id: string | null): string {
  return JSON.stringify([source_id, provider_id])
}
