// Which settings a word is about.

export type Findable = { name: string; hint: string; group: string; words: string }

/** Those in whose name, description, group or words each word that was typed begins a word; all where nothing was typed. */
export function matching<Setting extends Findable>(settings: readonly Setting[], typed: string): readonly Setting[] {
  const wanted = wordsOf(typed)
  return settings.filter(({ name, hint, group, words }) => {
    const has = wordsOf(`${name} ${hint} ${group} ${words}`)
    return wanted.every(word => has.some(other => other.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
