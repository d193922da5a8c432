// Keeps credentials out of everything that outlives the page: drafts, history, saved requests, share links. What looks
// like a secret of ours, and every secret the page holds right now, is replaced before it is written.

const REMOVED = '<removed>'

// No word boundary in front: in an address `%3D` may stand there.
const SHAPES: readonly RegExp[] = [
  /tdm_[a-z]+_[A-Za-z0-9._~+/=-]{12,}/g, // API keys and refresh tokens
  /whsec_[A-Za-z0-9+/=_-]{12,}/g, // webhook signing secrets
]
// JWS and JWE (RFC 7515 §7.1, RFC 7516 §7.1), whatever stands in front. Looked for once in each run of their characters, and only where a
// dot follows: from every `eyJ` on, a long text of nothing else would take minutes.
const JOSE =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{4,}\.)([A-Za-z0-9_-]*?)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){1,3}/g
const SCHEME = /\b(Bearer|Basic|Digest|DPoP)(\s+|%20)(?!<removed>)[A-Za-z0-9._~+/=%-]{8,}/gi

// Fields whose value is a secret whatever it looks like. The value may be a string with escapes.
const SECRET_FIELD =
  /("(?:[A-Za-z]*_?)?(?:password|passwd|passphrase|secret|client_secret|clientSecret|access_?token|refresh_?token|id_?token|api_?key|private_?key|authorization)"\s*:\s*)"(?:[^"\\\n]|\\.)*"/gi
const SECRET_NAME =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|password|passwd|secret|client[-_]?secret|(?:access|refresh|id|auth)?[-_]?token|code_verifier)$/i

// The same in a form or an address; what only names a variable is harmless.
const SECRET_PAIR =
  /((?:^|[?&\s])(?:client_secret|(?:access_|refresh_|id_)?token|code|code_verifier|device_code|password)=)(?!\{\{|<removed>)[^&\s"'#]+/gi

/**
 * The text with everything that looks like a credential replaced by `<removed>`. `known` are secrets in use (any shape);
 * those shorter than 8 characters are left, for replacing them would tear ordinary text.
 */
export function scrubText(text: string, known: readonly string[] = []): string {
  let clean = text
  for (const secret of known) {
    if (secret.length < 8) continue
    clean = clean.replaceAll(secret, REMOVED)
    const encoded = encodeURIComponent(secret)
    if (encoded !== secret) clean = clean.replaceAll(encoded, REMOVED)
  }
  for (const shape of SHAPES) clean = clean.replace(shape, REMOVED)
  clean = clean.replace(JOSE, `$1${REMOVED}`)
  clean = clean.replace(SECRET_PAIR, `$1${REMOVED}`)
  clean = clean.replace(SCHEME, (_, scheme: string, space: string) => `${scheme}${space}${REMOVED}`)
  return clean.replace(SECRET_FIELD, (whole, head: string) => (isVariable(whole, head) ? whole : `${head}"${REMOVED}"`))
}

// "password": "{{password}}" is a reference, and harmless.
function isVariable(whole: string, head: string): boolean {
  return /^"\{\{[A-Za-z_][\w.-]*\}\}"$/.test(whole.slice(head.length))
}

/** The value of a header, query parameter or variable: wholly removed when its name says that it is a secret. */
export function scrubNamed(name: string, value: string, known: readonly string[] = []): string {
  if (value === '' || /^\{\{[A-Za-z_][\w.-]*\}\}$/.test(value)) return value
  if (SECRET_NAME.test(name.trim())) return REMOVED
  return scrubText(value, known)
}

/** Whether a variable of this name holds a secret, as the server sees it: `apiKey`, `partner_token`. */
export function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_.\s]/g, '').toLowerCase()
  const ends =
    /(?:passwords?|passwd|passphrase|secrets?|token|apikeys?|privatekey|credentials?|authorization|cookies?|otp|codeverifier)\d{0,2}$|^(?:pwd|pin|bearer|jwt)$/
  return ends.test(plain)
}

/** Whether anything in the text would be removed. */
export function holdsSecret(text: string, known: readonly string[] = []): boolean {
  return scrubText(text, known) !== text
}
