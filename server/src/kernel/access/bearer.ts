// The bearer credential of a request (RFC 6750), and how one is asked for.

/** RFC 6750 §2.1. */
export function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const match = /^Bearer +(\S+) *$/i.exec(header)
  return match?.[1]
}

/** Headers of an answer that asks a person to prove again who they are (RFC 9470 §3). */
export function stepUpChallenge(grade: 'login' | 'factor', maxAgeSeconds: number) {
  const acr = grade === 'factor' ? ', acr_values="factor"' : ''
  const why = 'error="insufficient_user_authentication", error_description="a fresh proof of who you are is needed"'
  return { headers: { 'www-authenticate': `Bearer realm="tandem", ${why}, max_age="${maxAgeSeconds}"${acr}` } }
}

/** Headers of an answer that asks for a credential. */
export function challenge() {
  return { headers: { 'www-authenticate': 'Bearer realm="tandem"' } }
}
