// Which nouns a source names, in its identifiers and texts, its comments aside.

/** `apiKeys` and `API_KEYS` are `api_key`. */
export const nounIn = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** Those of these nouns, in singular or plural, that a text names, sorted. */
export function nounsNamedIn(text: string, nouns: readonly string[]): string[] {
  const pattern = new RegExp(`(?:^|_)(${nouns.join('|')})s?(?:_|$)`)
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
  const found = [...code.matchAll(/[A-Za-z]\w*/g)].map(([name]) => pattern.exec(nounIn(name))?.[1])
  return [...new Set(found.filter(noun => noun !== undefined))].sort()
}
