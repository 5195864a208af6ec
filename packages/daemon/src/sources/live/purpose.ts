/** What a model is for. Embedding and reranking models are never offered for chat (CAT-222). */

export type Purpose = 'chat' | 'embedding' | 'reranking' | 'other'

/** Providers' own words for a kind of model. A word that is not here says nothing. */
const PURPOSE_OF_WORD: ReadonlyMap<string, Purpose> = new Map<string, Purpose>([
  ['chat', 'chat'],
  ['language', 'chat'],
  ['code', 'chat'],
  ['llm', 'chat'],
  ['vlm', 'chat'],
  ['completion', 'chat'],
  ['embedding', 'embedding'],
  ['embeddings', 'embedding'],
  ['rerank', 'reranking'],
  ['reranking', 'reranking'],
  ['reranker', 'reranking'],
  ['image', 'other'],
  ['image_generation', 'other'],
  ['video', 'other'],
  ['audio', 'other'],
  ['speech', 'other'],
  ['transcribe', 'other'],
  ['transcription', 'other'],
  ['audio_transcription', 'other'],
  ['audio_speech', 'other'],
  ['moderation', 'other'],
])

export function purposeOfWord(word: unknown): Purpose | null {
  return typeof word === 'string' ? (PURPOSE_OF_WORD.get(word.toLowerCase()) ?? null) : null
}

/** Families of models that do nothing else, by how their ids begin a word. Asked only where nothing is stated. */
const PURPOSE_OF_ID: readonly (readonly [pattern: RegExp, purpose: Purpose])[] = [
  [/rerank/i, 'reranking'],
  [/(?:^|[^a-z])embed/i, 'embedding'],
  [/(?:^|[^a-z0-9])(?:bge|gte)-/i, 'embedding'],
  [/(?:^|[^a-z0-9])e5-(?:small|base|large|mistral)/i, 'embedding'],
  [/(?:^|[^a-z])(?:all-minilm|paraphrase-multilingual)/i, 'embedding'],
  [/(?:^|[/.])(?:whisper|dall-e|gpt-image|omni-moderation|text-moderation|sora|tts-1)(?:-|$)/i, 'other'],
]

/** Null, the usual answer, is no reason to leave a model out. */
export function purposeOfId(id: string): Purpose | null {
  return PURPOSE_OF_ID.find(([pattern]) => pattern.test(id))?.[1] ?? null
}

/** What produces no text cannot chat. Null where the list is missing or empty. */
export function purposeOfOutputs(outputs: readonly string[] | null): Purpose | null {
  if (outputs === null || outputs.length === 0) return null
  const words = outputs.map((word) => word.toLowerCase())
  // Rerankers on Bedrock say TEXT, so text by itself states nothing.
  if (words.includes('text')) return null
  return words.some((word) => word.startsWith('embedding')) ? 'embedding' : 'other'
}
