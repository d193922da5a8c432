// Bodies of several parts (RFC 2046 §5.1, RFC 5621): of those in SIP, as SIP-I has them (ITU-T Q.1912.5), only the description of
// the session is ours to read.

/** As long as a boundary may be (RFC 2046 §5.1.1). */
const maxBoundary = 70

/** The first part of a type (`application/sdp`), as text; undefined where there is none. */
export function partOf(body: Buffer, boundary: string, type: string): string | undefined {
  if (boundary === '' || boundary.length > maxBoundary) return undefined
  const marker = `\n--${boundary}`
  // Behind the preamble, up to the marker with two dashes; what has none is cut off, and read as far as it is there.
  const parts = `\n${body.toString('latin1')}`.split(marker).slice(1)
  for (const part of parts) {
    if (part.startsWith('--')) return undefined
    const end = /\r?\n\r?\n/.exec(part)
    if (end === null) continue
    if (typeOf(part.slice(0, end.index)) !== type) continue
    return Buffer.from(`${part.slice(end.index + end[0].length).trimEnd()}\r\n`, 'latin1').toString('utf8')
  }
  return undefined
}

/** The media type that a part's headers name, in small letters. */
function typeOf(headers: string): string | undefined {
  return /\n(?:content-type|c)[ \t]*:[ \t]*([^;\s]+)/i.exec(headers)?.[1]?.toLowerCase()
}
