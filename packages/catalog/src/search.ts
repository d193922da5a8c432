// Search over the catalog, the same in server and portal: three passes, from strict to forgiving, so that what was typed
// exactly comes first and a typo still finds something. Words people use for a thing stand beside those the catalog uses.
import MiniSearch, { type Query, type QueryCombination } from 'minisearch'
import { topicOf } from './topics.ts'

/** What is searched: name, address, method, category and version of an endpoint. */
export type SearchEntry = {
  id: string
  name: string
  path: string
  method: string
  category: string
  version: string
}

/** What people type, and what the catalog says. */
const synonyms: Record<string, string[]> = {
  text: ['sms', 'message'],
  texting: ['sms', 'message'],
  texts: ['messages'],
  phone: ['call', 'voice'],
  dial: ['call'],
  ring: ['call'],
  bill: ['invoice'],
  billing: ['invoice'],
  pay: ['payment'],
  paid: ['payment'],
  signin: ['login'],
  signout: ['logout'],
  prospect: ['lead'],
  customer: ['lead'],
  token: ['login', 'refresh', 'key'],
  apikey: ['key'],
  log: ['requests'],
  logs: ['requests'],
  history: ['events', 'requests'],
  account: ['organization', 'user'],
  company: ['organization'],
  person: ['user'],
  employee: ['user'],
  team: ['users'],
  errors: ['problems'],
  error: ['problems'],
  docs: ['catalog', 'openapi'],
  swagger: ['openapi'],
  remove: ['delete'],
  undelete: ['restore'],
  update: ['change', 'patch'],
  edit: ['update', 'change', 'patch'],
  modify: ['update', 'change', 'patch'],
  add: ['create'],
  new: ['create'],
  make: ['create'],
  show: ['get'],
  read: ['get'],
  fetch: ['get'],
  all: ['list'],
  stats: ['analytics'],
  statistics: ['analytics'],
}

/** Words that say nothing about which endpoint is meant. */
const fillers = new Set('a an the of my to for with how do i can in on by is'.split(' '))

const articles = new Set(['a', 'an', 'the'])

const splitter = /[\s/{}\-_.:?&=]+/
const split = (text: string) => text.split(splitter).filter(Boolean)

/** Path words of camelCase count as one and as its parts: `messageId`, `message`, `Id`. */
function tokenize(text: string): string[] {
  return split(text).flatMap(word => {
    const parts = word.split(/(?<=[a-z\d])(?=[A-Z])/)
    return parts.length === 1 ? parts : [word, ...parts]
  })
}

const edits = (term: string) => (term.length >= 7 ? 2 : term.length >= 3 ? 1 : 0)

/**
 * An index over the entries. The function it gives takes what was typed and answers the entries that match, best first;
 * those of a category when its name was typed; all of them in their own order when nothing was typed. Made once (some milliseconds for 500 entries), a query then
 * takes about one.
 */
export function createSearch<E extends SearchEntry>(entries: readonly E[]): (query: string) => E[] {
  const index = new MiniSearch<E>({
    idField: 'id',
    fields: ['name', 'path', 'method', 'category', 'version'],
    // The name of a parameter says again what stands before it, and would count twice.
    tokenize: (text, field) => tokenize(field === 'path' ? text.replaceAll(/\{\w+\}/g, '') : text),
    processTerm: term => term.toLowerCase(),
    searchOptions: {
      tokenize: split,
      boost: { name: 4, path: 3, method: 1.2, category: 1.5, version: 1 },
      boostDocument: id => weights.get(String(id)) ?? 1,
    },
  })
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const weights = new Map(entries.map(entry => [entry.id, wantedness(entry)]))
  const verbs = twoWordVerbs(entries)
  index.addAll(entries)

  return query => {
    const typed = query.trim()
    if (typed === '') return [...entries]
    const named = entries.filter(({ category }) => category.toLowerCase() === typed.toLowerCase())
    const words = wordsOf(typed)
    const topic = topicOf(words)
    // Of a catalog in part, such as what a role may call, some may be missing.
    const near = topic?.ids.flatMap(id => byId.get(id) ?? []) ?? []
    const meant = [...addressed(typed, entries), ...named, ...near, ...joinedVerbs(words, verbs)]
    const hits = topic?.alone === true ? [] : findWords(index, words).map(id => byId.get(id) as E)
    return [...new Set([...meant, ...hits])]
  }
}

/** How often people look for what there is of a category: records every day, figures and who may do what now and then. */
const dailyUse: Readonly<Record<string, number>> = {
  CRM: 1.5,
  Finance: 1.5,
  User: 0.7,
  Organization: 0.7,
  Analytics: 0.7,
}

/** The same of a noun, by the first part of its ids, where it is another than of the rest of its category. */
const nounUse: Readonly<Record<string, number>> = {
  calls: 1.5,
  api_keys: 1.5,
  organization: 1.2,
  problems: 1.5,
  // What people do in the portal, once in a while.
  imports: 0.6,
  batches: 0.6,
  apps: 0.5,
  authorizations: 0.6,
  invitations: 0.7,
  own_organizations: 0.5,
  own_sessions: 0.5,
  // What is for those who run the installation.
  operators: 0.5,
  operator_organizations: 0.5,
  organization_codes: 0.5,
}

/**
 * What a thing begins with is looked for more often than what is done to one of them: its list, and making one; what has a
 * short name more often than what needs a long one.
 */
function wantedness(entry: SearchEntry): number {
  const parameters = entry.path.split('{').length - 1
  const words = split(entry.name.toLowerCase()).filter(word => !fillers.has(word))
  const [noun = ''] = entry.id.split('.')
  const use = nounUse[noun] ?? dailyUse[entry.category] ?? 1
  return 1.35 ** -parameters * use * 1.06 ** -words.length
}

function wordsOf(typed: string): string[] {
  const words = joinedPairs(split(withoutOrigin(typed).toLowerCase()))
  const reporting = words.filter(word => !fillers.has(word))
  return reporting.length === 0 ? words : reporting
}

/** Two words that are one in the list of synonyms become that one: "sign in" is "signin". */
function joinedPairs(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const pair = `${joined.at(-1) ?? ''}${word}`
    if (joined.length > 0 && Object.hasOwn(synonyms, pair)) joined[joined.length - 1] = pair
    else joined.push(word)
  }
  return joined
}

type TwoWordVerb<E> = { entry: E; first: string; joined: string }

/** Entries whose verb may be two words, which are typed as one: "login" for "log in"; the shortest first. */
function twoWordVerbs<E extends SearchEntry>(entries: readonly E[]): TwoWordVerb<E>[] {
  return entries
    .flatMap(entry => {
      const [first = '', second = ''] = split(entry.name.toLowerCase())
      return articles.has(second) ? [] : [{ entry, first, joined: `${first}${second}` }]
    })
    .sort((a, b) => a.entry.name.length - b.entry.name.length)
}

/** Those of them that begin with the one word typed: "logi" is the beginning of "log in". */
function joinedVerbs<E>([word = '', ...more]: readonly string[], verbs: readonly TwoWordVerb<E>[]): E[] {
  if (more.length > 0) return []
  return verbs
    .filter(({ first, joined }) => word.length > first.length && joined.startsWith(word))
    .map(({ entry }) => entry)
}

function findWords<E>(index: MiniSearch<E>, words: readonly string[]): string[] {
  if (words.length === 0) return []
  // Two words may be one in the catalog: "log out".
  const joined = words.length === 2 ? [words.join('')] : []
  const ask = (spellings: (word: string) => string[]): QueryCombination => ({
    combineWith: 'OR',
    queries: [
      {
        combineWith: 'AND',
        queries: words.map(word => ({ combineWith: 'OR', queries: [...spellings(word), ...synonymsOf(word)] })),
      },
      ...joined,
    ],
  })
  const passes: Query[] = [
    { ...ask(word => [word]), prefix: true },
    // The beginning of a word is not found with a typo in it: its plural at least is.
    { ...ask(word => (word.length > 3 ? [word, `${word}s`] : [word])), prefix: true, fuzzy: edits },
    { combineWith: 'OR', queries: words.flatMap(word => [word, ...synonymsOf(word)]), prefix: true, fuzzy: edits },
  ]
  for (const pass of passes) {
    const hits = index.search(pass).map(hit => String(hit.id))
    if (hits.length > 0) return hits
  }
  return []
}

function synonymsOf(word: string): string[] {
  return Object.hasOwn(synonyms, word) ? (synonyms[word] as string[]) : []
}

/** The path (and query) of a whole URL; anything else as it is. */
function withoutOrigin(typed: string): string {
  return typed.replace(/https?:\/\/[^\s/]+/i, '')
}

/**
 * Entries whose address was typed, with or without method, host and query: written as in the catalog first, then with
 * values in place of the parameters, then in part (`messages/sms`).
 */
function addressed<E extends SearchEntry>(typed: string, entries: readonly E[]): E[] {
  const byId = entries.filter(entry => entry.id.toLowerCase() === typed.toLowerCase())
  const bare = withoutOrigin(typed)
    .replace(/[?#].*$/s, '')
    .trim()
  const [, method, path = ''] = /^(?:(get|post|put|patch|delete)\s+)?(\S*\/\S*)$/i.exec(bare) ?? []
  if (path === '' || path === '/') return byId
  const wanted = path.toLowerCase().replace(/(?<=.)\/$/, '')
  const taken = entries.filter(entry => method === undefined || entry.method === method.toUpperCase())
  const whole = taken.filter(entry => entry.path.toLowerCase() === wanted)
  const filled = taken.filter(entry => entry.path.includes('{') && filledPattern(entry.path).test(wanted))
  const parts = taken.filter(entry => entry.path.toLowerCase().includes(wanted))
  // Of addresses that begin or go on alike, the one that ends where the typing ended is the likelier.
  parts.sort((a, b) => Number(b.path.toLowerCase().endsWith(wanted)) - Number(a.path.toLowerCase().endsWith(wanted)))
  return [...byId, ...whole, ...filled, ...parts]
}

function filledPattern(path: string): RegExp {
  const source = path
    .toLowerCase()
    .split(/\{\w+\}/)
    .map(part => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
    .join('[^/]+')
  return new RegExp(`^${source}$`)
}
