// Schemas that say more in the documents than to the validator: where something of its own reads a part of a body, its
// endpoint takes that part loosely, and the documents name the schemas it is read by. What they say is kept under a symbol,
// which copies of a schema keep, and which neither validator nor serialiser sees.

type Json = Record<string, unknown>

/** Schemas by the names under which `#/components/schemas/` has them. */
export type Components = Readonly<Record<string, object>>

type Documented = { keywords: Json; components: () => Components }

const documented = Symbol('documented')

/** Where a named schema is found from the root of a document. */
export const componentAddress = (name: string): string => `#/components/schemas/${name}`

/**
 * A schema that the documents show with other keywords; one that is undefined is left out.
 * @param components all the schemas that the keywords name, and those that these name
 */
export function documentedAs<S extends object>(schema: S, keywords: Json, components: () => Components): S {
  return { ...schema, [documented]: { keywords, components } satisfies Documented }
}

/** A schema as the documents show it. The schemas it names are added to `named`. */
export function shownSchema(schema: object, named: Map<string, object>): Json {
  return shown(schema, named) as Json
}

function shown(value: unknown, named: Map<string, object>): unknown {
  if (Array.isArray(value)) return value.map(item => shown(item, named))
  if (typeof value !== 'object' || value === null) return value
  const mark = (value as { [documented]?: Documented })[documented]
  if (mark === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, shown(own, named)]))
  for (const [name, schema] of Object.entries(mark.components())) named.set(name, schema)
  return Object.fromEntries(Object.entries({ ...value, ...mark.keywords }).filter(([, own]) => own !== undefined))
}

/** Values of these are no schemas. */
const opaque = new Set(['example', 'examples', 'default', 'enum', 'const', 'x-problems'])

/**
 * A document in words that other tools know: what is ours is named `x-…`, and patterns are those that ECMAScript and Python
 * read alike. A pattern of letters of all scripts has no such spelling: there the server checks alone, and the words say what.
 */
export function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable)
  if (typeof value !== 'object' || value === null) return value
  const shown = Object.entries(value).flatMap(([name, own]): [string, unknown][] => {
    if (opaque.has(name)) return [[name, own]]
    // Names of fields, which may be any.
    if (name === 'properties' && typeof own === 'object' && own !== null)
      return [[name, Object.fromEntries(Object.entries(own).map(([field, inner]) => [field, portable(inner)]))]]
    if (typeof own !== 'string') return [[name, portable(own)]]
    if (name === 'errorMessage') return [['x-error-message', own]]
    if (name !== 'pattern') return [[name, own]]
    const pattern = own.replaceAll('\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f')
    return /\\[pP]\{|\\u\{|\(\?<[a-zA-Z]/.test(pattern) ? [] : [[name, pattern]]
  })
  return Object.fromEntries(shown)
}
