// An endpoint is one value. Routing, validation, serialisation, limits, idempotency, the catalog, OpenAPI and the contract
// tests are all functions of it; nothing about an endpoint is written a second time.
import type { Static, TObject, TSchema } from 'typebox'
import type { Clock } from './clock.ts'
import type { Db, Tx } from './db.ts'
import type { Idempotency, Replay } from './idempotency.ts'
import type { Limiter } from './limit.ts'
import type { Log } from './log.ts'
import type { ObjectStores } from './object_store.ts'
import type { Outages } from './outage.ts'
import type { Outbound } from './outbound.ts'
import { type Permission, type Rights, roles, rolesWith } from './permission.ts'
import type { Authenticator, Principal } from './principal.ts'
import type { FieldFault, ProblemCode } from './problem.ts'
import type { FairQueue, Shares, TestPace } from './quota.ts'
import type { Streams } from './stream.ts'
import type { Tokens } from './tokens.ts'

export const categories = [
  'Authentication',
  'User',
  'Organization',
  'CRM',
  'Finance',
  'Messaging',
  'Voice',
  'Video',
  'Contact Center',
  'AI',
  'Analytics',
  'Billing',
  'Developer',
] as const
export type Category = (typeof categories)[number]

export type Version = 'v1' | 'v2'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How the reply is wrapped.
 * - `success` (v1): `{success: true, …reply}`
 * - `data` (v2): `{status, data: reply, meta}`
 * - `page` (v2 lists): the handler returns a `Page`; `{status, data: items, meta: {…, pagination}}`
 * - `none`: the reply as it is
 * - `stream` (text/event-stream): the handler returns a `StreamSource`; the reply schema is that of one message as
 *   `{event, id?, data}`
 * - `file`: the handler returns a `FileReply`, whose bytes are the answer, whole or in part; `mediaType` says what they
 *   are, and the reply schema is `FileBytes`
 */
export type Envelope = 'success' | 'data' | 'page' | 'none' | 'stream' | 'file'

/** Where SIP and the sound of calls listen, and what carriers are told of it. */
export type SipSettings = {
  /** To bind. */
  address: string
  /** Of UDP and TCP; 0 takes any. */
  port: number
  /** Without a certificate there is no TLS from outside. The texts are PEM. */
  tls: { port: number; key: string; cert: string } | null
  /** The address carriers reach this process at, where that is not the one it binds. */
  advertise: string | null
  /** Phones register with it and are called by it: `sip:<user>@<domain>`. */
  domain: string
  /** Ways in which phones prove a password, best first. */
  digests: readonly ('SHA-256' | 'MD5')[]
  /** Ranges of proxies whose word on where a request came from is taken. */
  trustedProxies: readonly string[]
  rtp: { minPort: number; maxPort: number }
}

/** Where phones in browsers reach this process with their sound. */
export type WebrtcSettings = {
  /** To bind. */
  address: string
  /** The address browsers reach this process at beside those of its own. */
  advertise: string | null
  ports: { minPort: number; maxPort: number }
  /** STUN and TURN servers that browsers are told of. */
  iceServers: readonly string[]
  /** What passwords for those TURN servers are made of. */
  turnSecret: string | null
}

/** What speaks in calls: programs found in the folders of `path`, and an OpenAI-compatible endpoint where there is one. */
export type SpeechSettings = {
  path: string
  endpoint: { url: string; key: string | null; model: string; voice: string } | undefined
}

/** What the process offers to handlers beside the transaction. */
export type Services = {
  db: Db
  log: Log
  /** Whether the database can be reached and written to. */
  outages: Outages
  clock: Clock
  tokens: Tokens
  pepper: Buffer
  authenticator: Authenticator
  limiter: Limiter
  /** Requests under way on this node. */
  connections: Shares
  /** Whose turn it is to take in very many records at once. */
  batches: FairQueue
  /** How fast tests go while live mode is at work here. */
  testPace: TestPace
  /** The open event streams of this node. */
  streams: Streams
  /** Which addresses callbacks may reach although they are private. */
  egress: { allow: readonly string[]; allowHttp: boolean }
  /** Calls to addresses that customers named. */
  outbound: Outbound
  /** What speaks in calls. */
  speech: SpeechSettings
  /** Where SIP listens. */
  sip: SipSettings
  /** Where phones in browsers reach this server. */
  webrtc: WebrtcSettings
  /** Where large things are kept, such as recordings. */
  objects: ObjectStores
  /** Days after which a recording is deleted; 0 keeps them. */
  recordingDays: number
  /** Days after the end of a call at which its SIP messages are deleted. */
  callTraceDays: number
  /** Tells the workers of this process that a queue has new rows; call it after the commit. */
  wake(queue: string): void
  /** Has something done whenever this is woken, here or by the other process of this server; answers what ends that. */
  onWake(queue: string, action: () => void): () => void
}

export type Context<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  /** The caller; reading it in a public endpoint is a programmer's error. */
  principal: Principal
  /** The request's transaction; reading it when `transaction` is 'none' is a programmer's error. */
  tx: Tx
  /** Milliseconds since 1970: the one "now" of this request. */
  now: number
  requestId: string
  /** Client address, behind trusted proxies the one they report. */
  ip: string
  /** Version named in If-Match, when sent. */
  ifMatch: number | undefined
  /** A request header, lower-case name. */
  header(name: string): string | undefined
  /** Sets the ETag of the answer to this version of the record. */
  setVersion(version: number): void
  /**
   * Names what the request would give to somebody, and refuses it when the caller does not hold all of it. `field` is
   * the field of the request that asks for it.
   * @throws Problem `live_mode_required` or `scope_not_held`
   */
  handOut(rights: Rights, field: string): void
  /** Runs after the transaction committed, before the answer leaves. */
  afterCommit(action: () => void): void
  services: Services
  /** For `transaction: 'none'`: the Idempotency-Key, which the handler must store with its effect. */
  idempotency: Idempotency | undefined
  /** For `transaction: 'none'`: the complete answer body for a reply, as it will be sent and may be stored. */
  serialize(reply: unknown): string
}

/** Returned by a handler that found its request answered before. */
export type Replayed = { replay: Replay }

/**
 * A reply that PostgreSQL has written as JSON already, in the form the schema says; it is sent as it is. For lists so hot
 * that reading and writing their rows again would be most of their cost; nothing is left out here, so the SQL must name
 * what it shows.
 */
export type JsonText = { readonly jsonText: string }

export type Sample = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  reply: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a catalog holds endpoints of every shape
export type Endpoint = EndpointDefinition<any, any, any, any>

export type EndpointDefinition<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema> = {
  /** `noun.verb`, as in `leads.create`; the address of the endpoint in the Explorer. */
  id: string
  version: Version
  category: Category
  method: Method
  /** Below the version prefix, parameters in braces: `/api/leads/{id}`. Paths starting with `/.well-known` stand as they are. */
  path: string
  /** A short imperative title: "Create a lead". */
  name: string
  /** What it does, for whom, and what happens besides. */
  description: string
  permission: Permission | 'public'
  params?: P
  query?: Q
  body?: B
  /** Headers of its own that the handler reads and checks, for the documentation. */
  headers?: TObject
  reply: R
  envelope: Envelope
  /** Of an endpoint that answers with a file: `audio/wav`. */
  mediaType?: string
  /** HTTP status of success, 200 when not said. */
  status?: 200 | 201
  /** Problems beyond those that follow from the declaration (validation, credentials, limits, …). */
  problems?: readonly ProblemCode[]
  sample: Sample
  /** 'write' (default for all but GET), 'read' (default for GET), or 'none' for handlers that commit in groups. */
  transaction?: 'read' | 'write' | 'none'
  /** Whether an Idempotency-Key may be sent; default: POST and PATCH with a permission. */
  idempotent?: boolean
  /** Whether the record has versions: answers carry an ETag, and (except GET) If-Match is taken. */
  versioned?: boolean
  /**
   * It changes what live and test mode share, such as users and settings of the organization: a credential of test mode
   * is refused.
   */
  shared?: true
  /**
   * It gives somebody rights: a role, a password to log in with, a key. The handler names them with `handOut` once what
   * decides them is locked; without that its effect is not committed.
   */
  handsOut?: true
  /** The reply holds a secret shown once: what is stored for a repeat with the same Idempotency-Key is sealed. */
  secretReply?: boolean
  /**
   * Of which requests headers and body are kept for the request log: all (default), or only refusals, for endpoints so
   * hot that keeping more would be felt (those of the Playground are kept then too), or never, for what people write that
   * nothing is made of: there would be no record to erase it with.
   */
  logBody?: 'all' | 'refusals' | 'never'
  /** Bytes the body may have, 64 KiB when not said. */
  bodyLimit?: number
  /** Field rules a schema cannot say; runs when the schema is satisfied. */
  check?: (input: { params: Static<P>; query: Static<Q>; body: Static<B> }) => FieldFault[]
  handle(context: Context<Static<P>, Static<Q>, Static<B>>): Promise<unknown>
}

/** Declares an endpoint. The handler's reply is checked against the schema by the contract tests and the serialiser. */
export function endpoint<P extends TObject, Q extends TObject, B extends TSchema, R extends TSchema>(
  definition: EndpointDefinition<P, Q, B, R>,
): Endpoint {
  return definition as unknown as Endpoint
}

/** The canonical address of an endpoint: `/v1/api/leads/{id}`. */
export function fullPath({ version, path }: Pick<Endpoint, 'version' | 'path'>): string {
  return path.startsWith('/.well-known/') ? path : `/${version}${path}`
}

/** Whether the endpoint takes an Idempotency-Key. */
export function takesIdempotencyKey(definition: Endpoint): boolean {
  if (definition.idempotent !== undefined) return definition.idempotent
  return definition.permission !== 'public' && (definition.method === 'POST' || definition.method === 'PATCH')
}

/** Every problem an endpoint may answer: those it declares and those that follow from what it declares. */
export function problemsOf(definition: Endpoint): ProblemCode[] {
  const codes = new Set<ProblemCode>(['validation_failed'])
  if (definition.body !== undefined) {
    for (const code of ['malformed_json', 'unsupported_media_type', 'payload_too_large'] as const) codes.add(code)
  }
  if (definition.permission !== 'public') {
    codes.add('missing_credentials')
    for (const code of ['invalid_api_key', 'key_revoked', 'key_expired'] as const) codes.add(code)
    for (const code of ['invalid_token', 'token_expired', 'token_revoked'] as const) codes.add(code)
    if (rolesWith(definition.permission).length < roles.length) codes.add('insufficient_role')
    codes.add('insufficient_scope')
  }
  if (definition.shared === true) codes.add('live_mode_required')
  if (definition.handsOut === true) codes.add('scope_not_held')
  if (definition.query?.properties?.['cursor'] !== undefined) codes.add('invalid_cursor')
  if (takesIdempotencyKey(definition)) {
    codes.add('invalid_idempotency_key')
    codes.add('idempotency_mismatch')
  }
  if (takesIfMatch(definition)) {
    codes.add('invalid_if_match')
    codes.add('version_mismatch')
  }
  if (definition.envelope === 'file') codes.add('range_not_satisfiable')
  for (const code of definition.problems ?? []) codes.add(code)
  for (const code of ['rate_limited', 'internal_error', 'unavailable'] as const) codes.add(code)
  return [...codes]
}

export function takesIfMatch(definition: Endpoint): boolean {
  return definition.versioned === true && definition.method !== 'GET' && definition.params !== undefined
}
