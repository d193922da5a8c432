// Plurals and articles of nouns, in one place for server, portal, SDK and scripts: `company` and `companies`, `opt_out` and `opt_outs`. Words may
// be joined by `_`, `-` or blanks; the last one is changed, or the last before a clause: `mails that came in`.

/** Words that are their own plural, or end with an s in the singular. */
const unchanged = /(?:^|[_\- ])(?:sms|news|series|status|jwks|analytics|address|access|process)$/

export function pluralOf(noun: string): string {
  if (/(?:^|[_\- ])(?:sms|news|series|analytics)$/.test(noun)) return noun
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

export function singularOf(plural: string): string {
  const clause = plural.indexOf(' that ')
  if (clause > 0) return singularOf(plural.slice(0, clause)) + plural.slice(clause)
  if (unchanged.test(plural)) return plural
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  if (/(?:ss|x|z|ch|sh|us)es$/.test(plural)) return plural.slice(0, -2)
  return /[^s]s$/.test(plural) ? plural.slice(0, -1) : plural
}

/** `a company`, `an invoice`, `a user`, `an API key`: by how the first word is spoken. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!s|ni))/i.test(noun) ? 'an' : 'a'} ${noun}`
}
