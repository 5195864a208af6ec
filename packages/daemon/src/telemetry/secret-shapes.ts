/**
 * Text that looks like a secret, whatever its name. A table: each pattern finds one known form in rendered text, and
 * `keep` names the part in front that stays readable. Every pattern takes time linear in the text: what can repeat
 * without bound cannot also start the match.
 */
export const REDACTED = '[redacted]'

interface SecretShape {
  readonly name: string
  /** Global. The first group, where there is one, is kept in front of the mark. */
  readonly pattern: RegExp
  /** Further proof where the form alone is ambiguous; gets the text after the kept part. */
  readonly isSecret?: (found: string) => boolean
}

/** Not inside a word; an escaped line feed or a percent-encoded character in front is no part of the word. */
const START = String.raw`(?:(?<![\w-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9a-fA-F]{2}))`
const word = (form: string) => new RegExp(START + form, 'g')

/** Words that follow "Bearer" in prose and in challenges. */
const AFTER_BEARER =
  'tokens?|auth|authentication|authorization|credentials?|schemes?|headers?|keys?|is|was|are|or|and|for|from|in|of|on|to|not|must|missing|required|expired|invalid'

export const SECRET_SHAPES: readonly SecretShape[] = [
  { name: 'private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\\\s:,-]*/g },
  { name: 'sk- key (OpenAI, Anthropic, OpenRouter, …)', pattern: word(String.raw`(?:sk|csk)-[\w-]{8,}`) },
  { name: 'sk_ key (Stripe, ElevenLabs, …)', pattern: word(String.raw`(?:sk|rk|gsk|vck|psk)_\w{16,}`) },
  { name: 'GitHub token', pattern: word(String.raw`(?:gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\w{16,})`) },
  { name: 'GitLab token', pattern: word(String.raw`gl[a-z]{2,5}-[\w-]{16,}`) },
  { name: 'Slack token', pattern: word(String.raw`(?:xox[a-z]|xapp)-[\w-]{8,}`) },
  { name: 'Google key', pattern: word(String.raw`AIza[\w-]{20,}`) },
  {
    name: 'Google OAuth token, refresh token, client secret',
    pattern: word(String.raw`(?:ya29\.|1//0|GOCSPX-)[\w.-]{16,}`),
  },
  { name: 'AWS access key id', pattern: word('(?:AKIA|ASIA)[A-Z0-9]{16}') },
  {
    name: 'Hugging Face, npm, Replicate, xAI, NVIDIA, Perplexity key',
    pattern: word('(?:hf_|npm_|r8_|xai-|nvapi-|pplx-)[A-Za-z0-9_]{20,}'),
  },
  { name: 'JSON Web Token', pattern: word(String.raw`eyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*){0,3}`) },
  {
    name: 'Bearer credential',
    pattern: new RegExp(
      String.raw`(\bBearer(?:\s{1,4}|%20|\+))(?!(?:${AFTER_BEARER})(?![\w.~+/=-])|(?:realm|scope|error)=)[\w.~+/=%-]+`,
      'gi',
    ),
  },
  {
    name: 'Basic credential',
    pattern: /(\bBasic(?:\s{1,4}|%20|\+))[\w+/-]{4,}(?:=|%3[dD]){0,2}/gi,
    isSecret: (found) => found.length >= 24 || Buffer.from(decodeURIComponent(found), 'base64').includes(':'),
  },
  { name: 'user and password in a URL', pattern: /(:\\{0,4}\/\\{0,4}\/)[^\s/?#"'<>\\]+(?=@)/g },
  {
    name: 'secret in a query',
    pattern:
      /((?:[?&]|\\u0026)(?:key|code|sig|signature|x-amz-signature|x-amz-credential|x-goog-signature)=)[^\s&#"'<>\\]+/gi,
  },
  {
    // Error codes are written the same way: those are short or all capitals.
    name: 'OAuth code',
    pattern: /((?<![\w-])code=)(?![A-Z_]+(?![\w./-]))[\w./~%-]{12,}/g,
  },
]

export function redactShapes(text: string): string {
  return SECRET_SHAPES.reduce(
    (rest, { pattern, isSecret = () => true }) =>
      rest.replace(pattern, (found: string, ...groups: unknown[]) => {
        const kept = typeof groups[0] === 'string' ? groups[0] : ''
        return isSecret(found.slice(kept.length)) ? kept + REDACTED : found
      }),
    text,
  )
}
