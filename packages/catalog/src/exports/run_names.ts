// What the ids of a run are called as variables, and where answers hold them.
import type { Endpoint } from '../model.ts'
import { singularOf } from '../plural.ts'

/**
 * Names of the variables of ids, for every collection that has records.
 * `/v2/voice/client-calls` → `clientCallId`. Of two collections with the same last word the second one says also what it belongs to:
 * `/v2/organization/domains` → `organizationDomainId`.
 */
export function namesOf(endpoints: readonly Endpoint[]): (collection: string) => string {
  const collections = new Set(
    endpoints.flatMap(({ path }) => [...path.matchAll(/\/\{\w+\}/g)].map(({ index }) => path.slice(0, index))),
  )
  const names = new Map<string, string>()
  const named = [...collections].map(collection => ({ collection, words: wordsOf(collection) }))
  // Those that belong to nothing first: they have no other name.
  for (const { collection, words } of named.sort((a, b) => Number(a.words.length > 2) - Number(b.words.length > 2))) {
    const [owner = '', own = ''] = words.slice(-2).map(word => camel(singularOf(word)))
    const name = `${own}Id`
    // Both versions have users.
    const isTaken = owner !== '' && [...names.values()].includes(name)
    names.set(collection, isTaken ? `${owner}${own.slice(0, 1).toUpperCase()}${own.slice(1)}Id` : name)
  }
  return collection => names.get(collection) as string
}

const wordsOf = (collection: string) =>
  collection
    .replace(/^\/(v1\/api|v2)\//, '/')
    .split('/')
    .filter(word => !word.startsWith('{'))

const camel = (word: string) => word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Where a successful answer has the id: of itself, or of the first entry of a list. */
export function placeOf({ replies }: Endpoint, parameter: string, collection: string): string | undefined {
  const answer = replies[0]?.examples[0]?.value
  const [many = ''] = collection.split('/').slice(-1)
  const one = singularOf(many)
  const places = ['', 'data.', 'data.0.', `data.${many}.0.`, `${one}.`, `${many}.0.`].map(
    place => `${place}${parameter}`,
  )
  // Where a path has several ids, each has a name of its own; records call theirs `id`.
  if (parameter === `${one}Id`) places.push(`${one}.id`, `${many}.0.id`)
  return places.find(place => valueAt(answer, place) !== undefined)
}

function valueAt(value: unknown, place: string): unknown {
  return place.split('.').reduce((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value)
}
