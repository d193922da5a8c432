// Patterns of `like`.

/** What matches this text alone, its signs as they are. */
export function whole(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

/** What matches every text that contains this one, its signs as they are. */
export function containing(text: string): string {
  return `%${whole(text)}%`
}
