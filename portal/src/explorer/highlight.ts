// Which parts of a found text to mark: what was typed where it stands as typed, and the whole word where only a typo away.

/** A piece of a text; `hit` pieces are shown as marked. */
export type Piece = { text: string; hit: boolean }

/** What was typed as words in lower case, split as the search splits it. */
export function typedWords(typed: string): string[] {
  return typed
    .toLowerCase()
    .split(/[\s/{}\-_.:?&=]+/)
    .filter(Boolean)
}

/** How many typos the search forgives in a word. */
const forgiven = (word: string) => (word.length >= 7 ? 2 : word.length >= 3 ? 1 : 0)

/** The text in pieces; one without hits when nothing of it was typed. */
export function pieces(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return [{ text, hit: false }]
  const found: Piece[] = []
  const add = (part: string, hit: boolean) => {
    const last = found.at(-1)
    if (part === '') return
    if (last !== undefined && last.hit === hit) last.text += part
    else found.push({ text: part, hit })
  }
  // Words of a path are camelCase: `messageId` is found by "id" too.
  for (const part of text.split(/([A-Z]{2,}(?![a-z])|[A-Za-z][a-z\d]*)/)) {
    const length = hitLength(part.toLowerCase(), words)
    add(part.slice(0, length), true)
    add(part.slice(length), false)
  }
  return found
}

function hitLength(part: string, words: readonly string[]): number {
  if (part === '') return 0
  const begun = words.filter(word => part.startsWith(word))
  if (begun.length > 0) return Math.max(...begun.map(word => word.length))
  return words.some(word => isTypo(part, word)) ? part.length : 0
}

/** Whether every word is in the text, as the beginning of a word of it or a typo away from that. */
export function isNear(text: string, words: readonly string[]): boolean {
  const parts = typedWords(text)
  return words.every(word => parts.some(part => part.startsWith(word) || isTypo(part, word)))
}

/** Whether `word` is the part, or its beginning, but for the typos that are forgiven. */
function isTypo(part: string, word: string): boolean {
  const most = forgiven(word)
  if (most === 0) return false
  for (let length = word.length - most; length <= word.length + most; length++) {
    if (length > 1 && length <= part.length && distance(part.slice(0, length), word) <= most) return true
  }
  return false
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
