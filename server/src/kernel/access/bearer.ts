// The bearer credential of a request (RFC 6750), and how one is asked for.

/** RFC 6750 §2.1. */
export function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const match = /^Bearer +(\S+) *$/i.exec(header)
  return match?.[1]
}

/** Headers of an answer that asks for a credential. */
export function challenge() {
  return { headers: { 'www-authenticate': 'Bearer realm="tandem"' } }
}
