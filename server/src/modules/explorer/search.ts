// Search over the catalog: three passes, from strict to forgiving, so that what was typed exactly comes first and a typo
// still finds something. Words people use for a thing stand beside the words the catalog uses.
import MiniSearch from 'minisearch'
import { type Endpoint, fullPath } from '../../kernel/endpoint.ts'

export type CatalogSearch = (query: string) => string[]

/** What people type, and what the catalog says. */
const synonyms: Record<string, string[]> = {
  text: ['sms', 'message'],
  texting: ['sms', 'message'],
  phone: ['call', 'voice'],
  dial: ['call'],
  ring: ['call'],
  bill: ['invoice'],
  billing: ['invoice'],
  pay: ['payment'],
  signin: ['login'],
  'sign-in': ['login'],
  prospect: ['lead'],
  customer: ['lead'],
  token: ['login', 'refresh', 'key'],
  apikey: ['key'],
  log: ['requests'],
  logs: ['requests'],
  account: ['organization', 'user'],
  team: ['users'],
  errors: ['problems'],
  error: ['problems'],
  docs: ['catalog', 'openapi'],
  swagger: ['openapi'],
  webhook: ['event'],
  webhooks: ['events'],
  remove: ['delete'],
  edit: ['update', 'change'],
  new: ['create'],
  make: ['create'],
}

const splitter = /[\s/{}\-_.:?&=]+/

type Entry = { id: string; name: string; path: string; method: string; category: string; version: string }

/** An index over the catalog; a query answers endpoint ids, best first. */
export function createCatalogSearch(catalog: readonly Endpoint[]): CatalogSearch {
  const index = new MiniSearch<Entry>({
    idField: 'id',
    fields: ['name', 'path', 'method', 'category', 'version'],
    tokenize: text => text.split(splitter).filter(Boolean),
    processTerm: term => term.toLowerCase(),
    searchOptions: { boost: { name: 4, path: 3, method: 1.2, category: 1.5, version: 1 } },
  })
  const entries = catalog.map(definition => ({
    id: definition.id,
    name: definition.name,
    path: fullPath(definition),
    method: definition.method,
    category: definition.category,
    version: definition.version,
  }))
  index.addAll(entries)
  const byAddress = new Map(entries.map(entry => [`${entry.method} ${entry.path}`.toLowerCase(), entry.id]))

  return query => {
    const words = query.toLowerCase().split(splitter).filter(Boolean)
    if (words.length === 0) return entries.map(entry => entry.id)
    const asked = {
      combineWith: 'AND' as const,
      queries: words.map(word => ({ combineWith: 'OR' as const, queries: [word, ...(synonyms[word] ?? [])] })),
    }
    const passes = [
      { ...asked, prefix: true },
      { ...asked, prefix: true, fuzzy: (term: string) => (term.length >= 7 ? 2 : term.length >= 3 ? 1 : 0) },
      { combineWith: 'OR' as const, queries: words, prefix: true, fuzzy: (term: string) => (term.length >= 3 ? 1 : 0) },
    ]
    for (const pass of passes) {
      const hits = index.search(pass).map(hit => String(hit.id))
      if (hits.length > 0) return exactFirst(hits, query, byAddress, entries)
    }
    return []
  }
}

/** An address typed in full, with or without its method, comes before everything else. */
function exactFirst(hits: string[], query: string, byAddress: Map<string, string>, entries: Entry[]): string[] {
  const typed = query.trim().toLowerCase()
  const exact = byAddress.get(typed)
  const first =
    exact === undefined ? entries.filter(entry => entry.path.toLowerCase() === typed).map(entry => entry.id) : [exact]
  return [...first, ...hits.filter(id => !first.includes(id))]
}
