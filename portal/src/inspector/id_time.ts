// The time inside a v2 id: its first ten digits are milliseconds since 1970 in Crockford's base32 (the ULID layout).

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** Milliseconds since 1970; NaN when the id has no such digits. */
export function timeOfId(id: string): number {
  let ms = 0
  for (const digit of id.slice(-26, -16)) {
    const value = digits.indexOf(digit)
    if (value === -1) return Number.NaN
    ms = ms * 32 + value
  }
  return ms
}
