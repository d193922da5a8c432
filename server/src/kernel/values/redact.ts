// Takes secrets out of what is about to be kept for reading: fields whose name says that they hold one, and text that is
// shaped like a credential of ours or a JWT, wherever it stands. Pure; works before anything is cut, so that no half of a
// secret stays.

export const redacted = '[redacted]'

/** Names in small letters without `_` and `-`, of which a field's name is one or has one as its end. */
const secretEnds =
  /(?:passwords?|passwd|passphrase|secrets?|token|apikeys?|privatekey|credentials?|authorization|cookies?|otp|codeverifier)\d{0,2}$|^(?:pwd|pin|bearer|jwt)$/

/** Names of secrets in text whose form is not known, such as JSON that does not parse. */
const secretWords =
  /pass(?:word|wd|phrase)|\bpwd\b|secret|token|api[-_]?key|private[-_]?key|credential|authorization|cookie/i

/**
 * API keys (also mistyped ones), webhook secrets, JWTs, and whatever follows Bearer or Basic. Each begins with what is rare
 * in other text, and a JWT where a word does, so that looking for them is one pass over any text.
 */
const secretShapes =
  /tdm_(?:live|test)_[0-9A-Za-z]{8,}|whsec_[\w+/=-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)*|\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g

/** Whether a field of this name holds a secret: `password`, `newPassword`, `access_token`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  return secretEnds.test(name.replaceAll(/[-_\s]/g, '').toLowerCase())
}

/** Whether a text speaks of secrets at all. */
export function mentionsSecrets(text: string): boolean {
  return secretWords.test(text)
}

/** The text with everything in it that is shaped like a secret taken out. */
export function redactText(text: string): string {
  return text.replaceAll(secretShapes, redacted)
}

/** A JSON value as text, without its secrets: those in fields with such names at any depth, and those that look like one. */
export function redactJson(value: unknown): string {
  const known = new Map<string, boolean>()
  const text = JSON.stringify(value, (name, member: unknown) => {
    // Places in lists, too, come by as names.
    if (member === null || member === '' || isPlace(name)) return member
    let isSecret = known.get(name)
    if (isSecret === undefined) {
      isSecret = isSecretName(name)
      known.set(name, isSecret)
    }
    return isSecret ? redacted : member
  })
  return redactText(text)
}

/** Whether a name is that of the whole, or an index. */
function isPlace(name: string): boolean {
  return name === '' || (isDigit(name.charCodeAt(0)) && isDigit(name.charCodeAt(name.length - 1)))
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** A query string as it was sent, without its secrets. */
export function redactQuery(query: string): string {
  return query
    .split('&')
    .map(part => {
      const at = part.indexOf('=')
      if (at === -1) return redactText(part)
      const value = decoded(part.slice(at + 1))
      const holdsSecret = isSecretName(decoded(part.slice(0, at))) || redactText(value) !== value
      return holdsSecret && value !== '' ? `${part.slice(0, at)}=${redacted}` : part
    })
    .join('&')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
