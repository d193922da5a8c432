// An endpoint is one value. Routing, validation, serialisation, limits, idempotency, the catalog, OpenAPI and the contract
// tests are all functions of it; nothing about an endpoint is written a second time.
import type { Static, TObject, TSchema } from 'typebox'
import type { Limiter } from '../access/limit.ts'
import type { Operator, OperatorLevel } from '../access/operator.ts'
import type { Authenticator, OrganizationState, Principal } from '../access/principal.ts'
import type { Tokens } from '../access/tokens.ts'
import type { AuditAction, AuditEntry } from '../audit/entry.ts'
import type { Asked } from '../audit/record.ts'
import type { Refusals } from '../audit/refusals.ts'
import type { ArchiveWatch } from '../backup/continuous/archive_state.ts'
import type { Db, Tx } from '../data/db.ts'
import type { Idempotency } from '../data/idempotency.ts'
import type { Outages } from '../data/outage.ts'
import type { FairQueue, Shares, TestPace } from '../data/quota.ts'
import type { ObjectStores } from '../objects/object_store.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { ProcessInfo } from '../observe/process_info.ts'
import type { Tracer } from '../observe/tracing.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Clock } from '../values/clock.ts'
import type { Keyring } from '../values/keyring.ts'
import type { Permission, Rights } from '../values/permission.ts'
import type { FieldFault, ProblemCode } from '../values/problem.ts'
import type { Envelope, Exactly, JsonText, Replayed, ReplyOf, SampleOf } from './reply.ts'
import type { Streams } from './stream.ts'

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
/** Of the founding documents, without endpoints yet. */
export const plannedCategories: readonly Category[] = ['Video', 'Contact Center', 'AI', 'Billing']

/** The versions of our own API. */
export type Version = 'v1' | 'v2'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the process offers to handlers beside the transaction. Modules add what is theirs (`declare module`). */
export interface Services {
  db: Db
  log: Log
  /** Whether the database can be reached and written to. */
  outages: Outages
  clock: Clock
  tokens: Tokens
  keyring: Keyring
  authenticator: Authenticator
  limiter: Limiter
  /** Requests under way on this node. */
  connections: Shares
  /** Whose turn it is to take in very many records at once. */
  batches: FairQueue
  /** How fast tests go while live mode is at work here. */
  testPace: TestPace
  /** Counts what is refused, for the audit log. */
  refusals: Refusals
  /** The open event streams of this node. */
  streams: Streams
  /** Which addresses callbacks may reach although they are private; and the only hosts that what organizations name may lead to, where there are any. */
  egress: { allow: readonly string[]; allowHttp: boolean; hosts: readonly string[] }
  /** Where people reach this server, without a slash at its end; undefined where one that is open to the network has no `TANDEM_PUBLIC_URL`. */
  ownAddress(): string | undefined
  /** Calls to addresses that customers named. */
  outbound: Outbound
  /** Where large things are kept. */
  objects: ObjectStores
  /** Notifies the workers of this process that a queue has new rows; call it after the commit. */
  wake(queue: string): void
  /** Has something done whenever this is woken, here or by the other process of this server; answers what ends that. */
  onWake(queue: string, action: () => void): () => void
  /** What Prometheus reads of this process. */
  metrics: Metrics
  /** Traces for OpenTelemetry; off unless a collector is set. */
  tracer: Tracer
  /** This process, as operators know it. */
  node: ProcessInfo
  /** The archive of the embedded database's WAL, where there is one. */
  archive?: ArchiveWatch | undefined
}

export type Context<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  /** The caller; reading it in a public endpoint is a programmer's error. */
  principal: Principal
  /** Who runs the installation; reading it where `operator` is not declared is a programmer's error. */
  operator: Operator
  /** The request's transaction; reading it when `transaction` is 'none' is a programmer's error. */
  tx: Tx
  /** Milliseconds since 1970: the one "now" of this request. */
  now: number
  requestId: string
  /** Client address, behind trusted proxies the one they report. */
  ip: string
  /** From where it was asked, for entries of the audit log that a handler writes itself. */
  asked: Asked
  /** Version named in If-Match, when sent. */
  ifMatch: number | undefined
  /** A request header, lower-case name. */
  header(name: string): string | undefined
  /**
   * Says of the request's entry in the audit log what does not follow from its declaration and the changes it emits: an action that says more,
   * other targets, before and after; `false` where nothing happened that it should hold.
   */
  audited(said: Partial<AuditEntry> | false): void
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
  /**
   * For `transaction: 'none'`: runs the write as the kernel runs that of others. Claims the Idempotency-Key, works, serialises the
   * reply and stores it under the key, all in one transaction of the tenant; answer what it resolves to.
   */
  transact<Reply>(work: (tx: Tx) => Promise<Reply>): Promise<Reply | Replayed>
  /** For `transaction: 'none'`: the complete answer body for a reply, as it will be sent and may be stored. */
  serialize(reply: unknown): string
}

/** A file that was sent as a body, in the object store. Anyone who keeps it keeps these; `folder` says on which machine a local store is. */
export type StoredUpload = {
  storage: string
  key: string
  folder: string | null
  size: number
  /** In hexadecimal. */
  sha256: string
  isUtf8: boolean
}

export type Sample<Reply> = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  reply: Reply
}

// biome-ignore lint/suspicious/noExplicitAny: a catalog holds endpoints of every shape
export type Endpoint = EndpointDefinition<any, any, any, any, Envelope, any, any>

export type EndpointDefinition<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  E extends Envelope,
  Handled,
  Shown,
> = {
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
  envelope: E
  /** Of an endpoint that answers with a file: `audio/wav`. */
  mediaType?: string
  /** Of a file that is made while it is sent: nobody can ask for a part of it. */
  hasRanges?: false
  /** HTTP status of success, 200 when not said. */
  status?: 200 | 201
  /** Problems beyond those that follow from the declaration (validation, credentials, limits, …). */
  problems?: readonly ProblemCode[]
  sample: Sample<Shown & Exactly<Shown, SampleOf<R>>>
  /** 'write' (default for all but GET), 'read' (default for GET), or 'none' for handlers that commit in groups. */
  transaction?: 'read' | 'write' | 'none'
  /** Whether an Idempotency-Key may be sent; default: POST and PATCH with a permission. */
  idempotent?: boolean
  /** Whether the record has versions: answers carry an ETag, and (except GET) If-Match is taken. */
  versioned?: boolean
  /** It changes what live and test mode share, as users and settings of the organization: a credential of test mode is refused. */
  shared?: true
  /**
   * It gives somebody rights: a role, a password to log in with, a key. The handler names them with `handOut` once what
   * decides them is locked; without that its effect is not committed.
   */
  handsOut?: true
  /** Only a person who is logged in may ask for it: no API key, and no token of one. */
  personOnly?: true
  /**
   * A person must have proved who they are within the last fifteen minutes (`recentSeconds`): by anything ('login'), or with the
   * second factor where the account has one ('factor'). A key cannot, so it is refused, unless `keysToo`.
   */
  recent?: 'login' | 'factor'
  /**
   * It is for those who run the installation, by a token of their own; `full` where it changes something. Its permission is `public`, for
   * it is none of an organization: no role holds it, and it sees no tenant.
   */
  operator?: OperatorLevel
  /**
   * It works also while the organization is suspended, and while it is closing: what concerns one's own account, what the organization
   * did, and taking its records along. While it is closing everything can be read.
   */
  whileSuspended?: true
  /** The kind of records with an owner that it reads or changes, of which roles see own ones, those of teams, or all: `leads`. */
  rowKind?: string
  /**
   * With `recent`: API keys, and apps in their own name, are let in, for which nobody can be asked. Short-lived tokens of keys and
   * OAuth tokens that a person granted are not: a session is exchanged for these without a fresh proof.
   */
  keysToo?: true
  /**
   * What the audit log calls it when this succeeds, in the past tense (`webhook.created`); several where the handler says which (`audited`),
   * the first being meant otherwise. The kernel writes the entry in the request's transaction. Handlers of `transaction: 'none'` that open
   * their own call `recordAudit`.
   */
  audit?: AuditAction | readonly AuditAction[]
  /** The reply holds a secret shown once: what is stored for a repeat with the same Idempotency-Key is sealed. */
  secretReply?: boolean
  /**
   * Of which requests headers and body are kept for the request log: all (default), or only refusals, for endpoints so
   * hot that keeping more would be felt (those of the Playground are kept then too), or never, for what people write that
   * nothing is made of: there would be no record to erase it with.
   */
  logBody?: 'all' | 'refusals' | 'never'
  /**
   * The body is a file of this type, and goes to the object store below `folder` before the handler runs, which gets a `StoredUpload`
   * as its body; `sample.body` is text then. When the handler fails, or the request was answered before, the file is removed.
   */
  upload?: { mediaType: string; maxBytes: number; folder: string; about: string }
  /** Asked of each request before anything else: where this server has more of its kind than it bears, the seconds after which to try again. */
  overload?: (services: Services) => number | undefined
  /** Bytes the body may have, 64 KiB when not said. */
  bodyLimit?: number
  /** Field rules a schema cannot say; runs when the schema is satisfied. */
  check?: (input: { params: Static<P>; query: Static<Q>; body: Static<B> }) => FieldFault[]
  handle(
    context: Context<Static<P>, Static<Q>, Static<B>>,
  ): Promise<Handled & Exactly<Handled, ReplyOf<R, E> | JsonText | Replayed>>
}

/** Declares an endpoint. What its handler returns and its sample shows is checked against the reply's schema by the compiler. */
export function endpoint<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends TSchema,
  E extends Envelope,
  Handled extends ReplyOf<R, E> | JsonText | Replayed,
  const Shown extends SampleOf<R>,
>(definition: EndpointDefinition<P, Q, B, R, E, Handled, Shown>): Endpoint {
  const declared = definition as unknown as Endpoint
  if (declared.method !== 'PATCH' || declared.body === undefined) return declared
  // A PATCH that names nothing is a mistake, not a change.
  return { ...declared, body: { ...declared.body, minProperties: 1 } }
}

/**
 * An endpoint as documents show it, no matter who answers it: what a library answers has no handler of ours, and the shapes and errors of its
 * protocol (protocol.ts).
 */
export type DocumentedEndpoint = Omit<Endpoint, 'handle' | 'version' | 'status'> & {
  version: Version | 'oauth'
  status?: 200 | 201 | 303
  /** Where it is specified (`RFC 6749 §3.2`); who may ask and how often, in sentences; whether its body is a form in place of JSON. */
  protocol?: { specification: string; client: string; rateLimit: string; form?: true }
}

/** The canonical address of an endpoint: `/v1/api/leads/{id}`. */
export function fullPath({ version, path }: Pick<DocumentedEndpoint, 'version' | 'path'>): string {
  return path.startsWith('/.well-known/') ? path : `/${version}${path}`
}

/** Whether the endpoint takes an Idempotency-Key. */
export function takesIdempotencyKey(definition: DocumentedEndpoint): boolean {
  if (definition.idempotent !== undefined) return definition.idempotent
  return definition.permission !== 'public' && (definition.method === 'POST' || definition.method === 'PATCH')
}

/** Every problem an endpoint may answer: those it declares and those that follow from what it declares. */
export function problemsOf(definition: DocumentedEndpoint): ProblemCode[] {
  if (definition.protocol !== undefined) return [...(definition.problems ?? [])]
  const codes = new Set<ProblemCode>(['validation_failed'])
  if (definition.body !== undefined)
    for (const code of ['malformed_json', 'unsupported_media_type', 'payload_too_large'] as const) codes.add(code)
  if (definition.upload !== undefined)
    for (const code of ['unsupported_media_type', 'payload_too_large'] as const) codes.add(code)
  if (definition.permission !== 'public') {
    codes.add('missing_credentials')
    for (const code of ['invalid_api_key', 'key_revoked', 'key_expired'] as const) codes.add(code)
    for (const code of ['invalid_token', 'token_expired', 'token_revoked'] as const) codes.add(code)
    for (const code of ['insufficient_role', 'insufficient_scope'] as const) codes.add(code)
  }
  if (definition.operator !== undefined) {
    for (const code of ['missing_credentials', 'invalid_token', 'token_expired', 'token_revoked'] as const)
      codes.add(code)
    if (definition.operator === 'full') codes.add('operator_reads_only')
  }
  if (isRefusedWhile('suspended', definition)) codes.add('organization_suspended')
  if (isRefusedWhile('closing', definition)) codes.add('organization_closing')
  if (definition.shared === true) codes.add('live_mode_required')
  if (definition.handsOut === true) codes.add('scope_not_held')
  if (isPersonOnly(definition) || definition.recent !== undefined) codes.add('person_required')
  if (definition.recent !== undefined) codes.add('step_up_required')
  if (definition.query?.properties?.['cursor'] !== undefined) codes.add('invalid_cursor')
  if (takesIdempotencyKey(definition)) {
    codes.add('invalid_idempotency_key')
    codes.add('idempotency_mismatch')
  }
  if (takesIfMatch(definition)) {
    codes.add('invalid_if_match')
    codes.add('version_mismatch')
  }
  if (hasRanges(definition)) codes.add('range_not_satisfiable')
  for (const code of definition.problems ?? []) codes.add(code)
  for (const code of ['rate_limited', 'internal_error', 'unavailable'] as const) codes.add(code)
  return [...codes]
}

/** What endpoints for those who run the installation show as their permission. */
export const operatorText = {
  support: {
    level: 'operator:read',
    description: 'For those who run the installation, by a token of POST /v2/operator/tokens.',
  },
  full: {
    level: 'operator:manage',
    description: 'For those who run the installation with full rights, by a token of POST /v2/operator/tokens.',
  },
} as const

/** Whether it is refused while the organization is in this state. */
export function isRefusedWhile(
  state: OrganizationState,
  { permission, whileSuspended, method }: Pick<Endpoint, 'permission' | 'whileSuspended' | 'method'>,
): boolean {
  if (state === 'active' || permission === 'public' || whileSuspended === true) return false
  return state === 'suspended' || method !== 'GET'
}

/** How long a proof of who somebody is counts as recent. */
export const recentSeconds = 900

/** Whether keys, and what acts in their place, are refused. */
export function isPersonOnly({
  personOnly,
  recent,
  keysToo,
}: Pick<Endpoint, 'personOnly' | 'recent' | 'keysToo'>): boolean {
  return personOnly === true || (recent !== undefined && keysToo !== true)
}

/** Whether answers carry the version of the record: not where it is gone. */
export function answersVersion({ versioned, reply }: DocumentedEndpoint): boolean {
  return versioned === true && reply.properties?.['deleted']?.const !== true
}

/** Whether a part of the answer can be asked for. */
export function hasRanges(definition: Pick<Endpoint, 'envelope' | 'hasRanges'>): boolean {
  return definition.envelope === 'file' && definition.hasRanges !== false
}

export function takesIfMatch(definition: DocumentedEndpoint): boolean {
  const { versioned, method, params } = definition
  // What a POST without an id changes does not exist before it; a PATCH without one is of the one record there is.
  return versioned === true && method !== 'GET' && (params !== undefined || method !== 'POST')
}

/** What the audit log calls it when the endpoint succeeds; none for what is no change of configuration. */
export function auditActionsOf({ audit }: Pick<Endpoint, 'audit'>): readonly AuditAction[] {
  if (audit === undefined) return []
  return typeof audit === 'string' ? [audit] : audit
}
