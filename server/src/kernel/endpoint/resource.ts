// Which object a request made or touched, for the request log: read from its path, or for a creation from its answer. It
// follows from the endpoint's declaration, so nothing is written down twice.
import { singularOf } from '@tandem/catalog/plural'
import type { Endpoint } from './endpoint.ts'

/** The resource of one request, such as `msg_01k9…` or `lead:12`; null when there is none. `answer` is its body as sent. */
export type ResourceReader = (params: Record<string, unknown>, answer: string | undefined) => string | null

const none: ResourceReader = () => null
const readers = new WeakMap<Endpoint, ResourceReader>()

/** How the resource of an endpoint's requests is found. */
export function resourceReader(definition: Endpoint): ResourceReader {
  let reader = readers.get(definition)
  if (reader === undefined) {
    reader = fromPath(definition) ?? fromAnswer(definition) ?? none
    readers.set(definition, reader)
  }
  return reader
}

const prefixedId = /^[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const integerId = /^[1-9]\d{0,15}$/

/** `/api/leads/{id}/restore`: the last parameter, and before it what it is one of. */
function fromPath({ path }: Endpoint): ResourceReader | undefined {
  const match = /([\w-]+)\/\{(\w+)\}(?!.*\{)/.exec(path)
  if (match === null) return undefined
  const noun = singularOf((match[1] as string).replaceAll('-', '_'))
  const name = match[2] as string
  return params => resourceId(noun, String(params[name] ?? ''))
}

function resourceId(noun: string, value: string): string | null {
  if (prefixedId.test(value)) return value
  return integerId.test(value) ? `${noun}:${value}` : null
}

type ObjectSchema = { type?: string; properties?: Record<string, ObjectSchema> }

/**
 * A creation answers with what it made: `{messageId, …}`, or `{lead: {id, …}}`. Looked up in the text that was sent, where
 * members stand in the order of the schema: nothing a caller put into a field can stand before it or look like it.
 */
function fromAnswer({ method, reply }: Endpoint): ResourceReader | undefined {
  if (method !== 'POST') return undefined
  const [first] = Object.entries((reply as ObjectSchema).properties ?? {}).filter(
    ([name, schema]) =>
      (name.endsWith('Id') && schema.type === 'string') || schema.properties?.['id']?.type === 'integer',
  )
  if (first === undefined) return undefined
  const [name, schema] = first
  if (schema.type === 'string') return (_params, answer) => resourceId('', behind(answer, `"${name}":"`, '"'))
  return (_params, answer) => resourceId(name, behind(answer, `"${name}":{"id":`, ','))
}

function behind(text: string | undefined, mark: string, end: string): string {
  const at = text === undefined ? -1 : text.indexOf(mark)
  if (text === undefined || at === -1) return ''
  const from = at + mark.length
  return text.slice(from, text.indexOf(end, from))
}
