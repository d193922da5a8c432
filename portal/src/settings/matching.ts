// Which settings a word is about.
import type { ScreenEntry } from '../navigation/screen.ts'

/** Those in whose name, description, group or words each word that was typed begins a word; all where nothing was typed. */
export function matching(screens: readonly ScreenEntry[], typed: string): readonly ScreenEntry[] {
  const wanted = wordsOf(typed)
  return screens.filter(({ name, hint = '', setting = '', words = '' }) => {
    const has = wordsOf(`${name} ${hint} ${setting} ${words}`)
    return wanted.every(word => has.some(other => other.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
