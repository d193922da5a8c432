// The same request through @tandem/sdk: the method named like the endpoint's id, and one object with the fields of path,
// query and body together.
import type { Endpoint } from '../model.ts'
import { literal } from './literals.ts'
import { quoteJs } from './quote.ts'
import { exactJson, headerOf, type RequestValue } from './request.ts'

/** `invoices.number_audit` → `invoices.numberAudit`. */
export function sdkMethod(id: string): string {
  return id
    .split('.')
    .map(part => part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('.')
}

/**
 * TypeScript with @tandem/sdk, or undefined when the client cannot send this request as it is: another address or method
 * than the endpoint's, a body that is no JSON object, names that path, query and body share.
 * @param token name of the environment variable that holds the token; without one it is written out
 */
export function sdkSample(request: RequestValue, endpoint: Endpoint, token: string | undefined): string | undefined {
  const fields = fieldsOf(request, endpoint)
  if (fields === undefined) return undefined
  const bearer = /^Bearer +(.+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]
  const settings = [`baseUrl: ${quoteJs(new URL(request.url).origin)}`]
  if (bearer !== undefined) settings.push(`token: ${token === undefined ? quoteJs(bearer) : `process.env.${token}`}`)
  const options = callOptions(request)
  const hasFields = Object.keys(fields).length > 0
  const written = [
    ...(hasFields || options !== undefined ? [literal(fields, 'js')] : []),
    ...(options === undefined ? [] : [literal(options, 'js')]),
  ].join(', ')
  const call = `tandem.${sdkMethod(endpoint.id)}(${written})`
  const isStream = endpoint.replies[0]?.contentType.startsWith('text/event-stream') === true
  const shown = endpoint.envelope === 'file' ? 'result.type, result.size' : 'result'
  return `import { createTandem } from '@tandem/sdk'

const tandem = createTandem({ ${settings.join(', ')} })
${isStream ? `for await (const event of ${call}) {\n  console.log(event)\n}` : `const result = await ${call}\nconsole.log(${shown})`}
`
}

function fieldsOf({ method, url, body }: RequestValue, endpoint: Endpoint): Record<string, unknown> | undefined {
  // The protocol has clients of its own: openid-client, oauth4webapi.
  if (endpoint.version === 'oauth') return undefined
  if (method !== endpoint.method || !URL.canParse(url)) return undefined
  const { pathname, searchParams } = new URL(url)
  const inPath = pathFields(pathname, endpoint)
  const json =
    endpoint.fileBody !== null ? { value: { file: body ?? '' } } : body === undefined ? { value: {} } : exactJson(body)
  if (inPath === undefined || json === undefined || typeof json.value !== 'object' || json.value === null)
    return undefined
  if (Array.isArray(json.value)) return undefined
  const inQuery = [...searchParams].map(([name, text]): [string, unknown] => [
    name,
    typed(endpoint, 'query', name, text),
  ])
  const all = [...inPath, ...inQuery, ...Object.entries(json.value)]
  return new Set(all.map(([name]) => name)).size === all.length ? Object.fromEntries(all) : undefined
}

function pathFields(pathname: string, endpoint: Endpoint): [string, unknown][] | undefined {
  const wanted = endpoint.path.split('/')
  const given = pathname.split('/')
  if (wanted.length !== given.length) return undefined
  const fields: [string, unknown][] = []
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const text = decoded(given[index] as string)
    if (name === undefined && text !== part) return undefined
    if (name !== undefined) fields.push([name, typed(endpoint, 'path', name, text)])
  }
  return fields
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Texts of the address as the types of the client want them; what does not fit stays text. */
function typed(endpoint: Endpoint, place: 'path' | 'query', name: string, text: string): unknown {
  const schema = endpoint.parameters.find(field => field.in === place && field.name === name)?.schema
  const types = [schema?.type ?? []].flat()
  if ((types.includes('integer') || types.includes('number')) && String(Number(text)) === text) return Number(text)
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}

function callOptions(request: RequestValue): Record<string, unknown> | undefined {
  const known: Record<string, string> = { 'idempotency-key': 'idempotencyKey', 'if-match': 'ifMatch' }
  const options: Record<string, unknown> = {}
  const others: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase()
    if (Object.hasOwn(known, lower)) options[known[lower] as string] = value
    else if (!['authorization', 'content-type', 'accept', 'content-length', 'host'].includes(lower))
      others[name] = value
  }
  if (Object.keys(others).length > 0) options['headers'] = others
  return Object.keys(options).length === 0 ? undefined : options
}
