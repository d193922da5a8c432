// The client: one method for each line of the generated table, and `request` for everything else.
import { unexpectedReply } from './errors.ts'
import type { ApiPromise, ApiResponse, CallOptions, RateLimit, RawRequest, StreamOptions } from './operation.ts'
import { table } from './operations.generated.ts'
import { listAll } from './paging.ts'
import { openStream } from './stream.ts'
import { createTransport, type Incoming, type Outgoing, type TandemOptions, type Transport } from './transport.ts'
import type { Operations } from './types.generated.ts'

/** A client; the names below it are the ids of the endpoints: `tandem.messages.sms.send`. */
export type Tandem = Operations & {
  /** Sends any request and returns the whole body, envelope included: JSON parsed, other text as it is. */
  request<Reply = unknown>(request: RawRequest): ApiPromise<Reply>
}

type Fields = Record<string, unknown>

/** How a reply is wrapped: `{success, …}`, `{data}`, a page, not at all; or a stream of events, or a file. */
type Envelope = 's' | 'd' | 'p' | 'n' | 'e' | 'f'

type OperationRow = {
  id: string
  method: string
  path: string
  envelope: Envelope
  hasBody: boolean
  takesKey: boolean
  isPublic: boolean
  hasCursor: boolean
  /** Name of the records of a list, else empty. */
  items: string
  /** Query fields, listed only where a body is sent too. */
  query: readonly string[]
  /** Type of a body that is a file. */
  fileType: string | undefined
}

/** @throws TypeError when `baseUrl` is no address */
export function createTandem(options: TandemOptions = {}): Tandem {
  const transport = createTransport(options)
  const client: Fields = { request: (request: RawRequest) => send(transport, ...rawRequest(request)) }
  for (const row of rows) {
    const names = row.id.split('.')
    const last = names.pop() as string
    let place = client
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Fields
    }
    place[last] = methodOf(transport, row)
  }
  return client as Tandem
}

/** One line an operation: id, method, path, flags (the envelope first), items, query, type of a file. */
const rows: readonly OperationRow[] = table.split('\n').map(line => {
  const [id = '', method = '', path = '', flags = '', items = '', query = '', fileType] = line.split(' ')
  return {
    id,
    method,
    path,
    envelope: flags[0] as Envelope,
    hasBody: flags.includes('b'),
    takesKey: flags.includes('k'),
    isPublic: flags.includes('u'),
    hasCursor: flags.includes('c'),
    items,
    query: query.split(','),
    fileType,
  }
})

function methodOf(transport: Transport, row: OperationRow): unknown {
  if (row.envelope === 'e')
    return (params?: Fields, options?: StreamOptions) => openStream(transport, () => outgoing(row, params), options)
  const call = (params?: Fields, options: CallOptions = {}) =>
    send(transport, () => withKey(transport, row, outgoing(row, params), options), options, row.envelope)
  if (row.items === '') return call
  const all = (params?: Fields, options?: CallOptions) => listAll(row, fields => call(fields, options), params)
  return Object.assign(call, { all })
}

/** @throws TypeError for a field of the path that is missing, or would lead to another path */
function outgoing(row: OperationRow, params: Fields = {}): Outgoing {
  const rest = { ...params }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${rest[name] ?? ''}`
    delete rest[name]
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${row.id}: ${name} is missing or not an id: "${value}"`)
    return encodeURIComponent(value)
  })
  const inQuery = (name: string) => !row.hasBody || row.query.includes(name)
  const names = Object.keys(rest)
  const pick = (list: string[]) => Object.fromEntries(list.map(name => [name, rest[name]]))
  return {
    method: row.method,
    path: path + queryText(pick(names.filter(inQuery))),
    ...(row.fileType === undefined
      ? { body: row.hasBody ? pick(names.filter(name => !inQuery(name))) : undefined }
      : { body: rest['file'], fileType: row.fileType }),
    isRepeatable: row.method !== 'POST' && row.method !== 'PATCH',
    isPublic: row.isPublic,
    ...(row.envelope === 'f' ? { isFile: true } : {}),
  }
}

/** Undefined and null are left out, lists are joined with commas, dates become ISO 8601. */
function queryText(fields: Readonly<Fields>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value != null) search.set(name, value instanceof Date ? value.toISOString() : String(value))
  return `${search}` === '' ? '' : `?${search}`
}

function withKey(transport: Transport, row: OperationRow, request: Outgoing, options: CallOptions): Outgoing {
  if (!row.takesKey) return request
  const mayRetry = (options.maxRetries ?? transport.maxRetries) > 0
  const idempotencyKey = options.idempotencyKey ?? (mayRetry ? newIdempotencyKey() : undefined)
  return { ...request, idempotencyKey, isRepeatable: idempotencyKey !== undefined }
}

/** A key for `idempotencyKey`: 128 random bits. Not crypto.randomUUID: browsers have it on secure origins only, and a server may stand in a LAN. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

function rawRequest(request: RawRequest): [() => Outgoing, CallOptions] {
  const { method = 'GET', path, query = {}, body, idempotencyKey, ...options } = request
  const make = (): Outgoing => {
    // Glued to the host without a slash it could become part of another host's name.
    if (!path.startsWith('/')) throw new TypeError(`path must begin with a slash: "${path}"`)
    const isRepeatable = (method !== 'POST' && method !== 'PATCH') || idempotencyKey !== undefined
    return { method, path: path + queryText(query), body, idempotencyKey, isRepeatable, isPublic: false }
  }
  return [make, options]
}

/** Without an envelope the body is returned as it came. */
function send<Reply>(
  transport: Transport,
  make: () => Outgoing,
  options: CallOptions,
  envelope?: Envelope,
): ApiPromise<Reply> {
  const run = async (): Promise<ApiResponse<Reply>> => {
    const request = make()
    const incoming = await transport.exchange(request, options)
    const { response, retries } = incoming
    const { status, headers } = response
    return {
      data: (envelope === undefined ? leniently(incoming) : unwrap(incoming, envelope)) as Reply,
      status,
      headers,
      requestId: headers.get('x-request-id') ?? undefined,
      rateLimit: rateLimitOf(headers),
      retries,
      idempotencyKey: request.idempotencyKey,
      replayed: headers.get('idempotent-replayed') === 'true',
    }
  }
  const response = run()
  const data = response.then(answer => answer.data)
  return Object.assign(data, {
    withResponse() {
      // The caller has taken the other promise: a fault is reported there, not twice.
      data.catch(() => {})
      return response
    },
  })
}

function leniently({ body }: Incoming): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** @throws TandemError `unexpected_reply` */
function unwrap({ response, body, file }: Incoming, envelope: Envelope): unknown {
  if (envelope === 'f') return file
  let json: Fields & { data?: unknown; meta?: { pagination?: Fields } }
  try {
    json = JSON.parse(body)
    if (envelope === 'n') return json
    if (envelope === 'd' && json.data !== undefined) return json.data
    if (envelope === 'p' && Array.isArray(json.data)) return { items: json.data, ...json.meta?.pagination }
    const { success, ...rest } = json
    if (envelope === 's' && success === true) return rest
  } catch (cause) {
    throw unexpectedReply(response, body, cause)
  }
  throw unexpectedReply(response, body)
}

/** From `RateLimit: "key";r=998;t=60` and `RateLimit-Policy: "key";q=1000;w=60`. */
function rateLimitOf(headers: Headers): RateLimit | undefined {
  const number = (header: string, name: string) => {
    const text = new RegExp(`;\\s*${name}=(\\d+)`).exec(headers.get(header) ?? '')?.[1]
    return text === undefined ? undefined : Number(text)
  }
  const [limit, remaining, resetSeconds] = [
    number('ratelimit-policy', 'q'),
    number('ratelimit', 'r'),
    number('ratelimit', 't'),
  ]
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined
  return { limit, remaining, resetSeconds }
}
