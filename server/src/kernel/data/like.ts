// Patterns of `like`.

/** What matches every text that contains this one, its signs as they are. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
