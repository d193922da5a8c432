// The initials of a name, and the colour that goes with it.

/** How many colours there are for people: `--person-1` and so on. */
export const personTones = 8

/** "Grace Brewster Hopper" → "GH", "Northwind" → "N", "ada@example.com" → "A"; one letter where there is one word. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*$/, '')
    .split(/[\s,]+/)
    .map(word => word.replace(/^[^\p{L}\p{N}]+/u, ''))
    .filter(word => word !== '')
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map(word => [...(word ?? '')][0]).join('') || '?'
}

/** From 1 to `personTones`, always the same for a name. */
export function toneOfName(name: string): number {
  let hash = 2_166_136_261
  for (const character of name.trim().toLowerCase())
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return ((hash >>> 0) % personTones) + 1
}
