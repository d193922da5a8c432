// JSON for columns of the type json. PostgreSQL takes any escape there when it is written, and refuses the whole document when a part of it
// is read, where a NUL or half of a surrogate pair is in it: such as a name that was cut inside an emoji.

const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/g

/** The text of a value without NULs, and with U+FFFD for halves of surrogate pairs; in names of fields too. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return text.replace(escapes, (found, refused?: string) => {
    if (refused === undefined) return found
    return refused === '0000' ? '' : '\ufffd'
  })
}
