// Resources of v2 that people set up: numbers, services, trunks and the like. What all of them do is made here from one declaration:
// the list with its cursor, what an id and If-Match name, the version of an answer, and the event that each change leaves in its
// transaction. What a creation or a change means to one of them is its own.
import { pluralOf, withArticle } from '@tandem/catalog/plural'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { AuditAction } from '../audit/entry.ts'
import type { Scope, Tx } from '../data/db.ts'
import { type Category, type Context, type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../endpoint/page.ts'
import { requireRecord, requireVersion } from '../endpoint/record.ts'
import { emitChange } from '../endpoint/record_event.ts'
import { Deleted, RecordId } from '../endpoint/schema.ts'
import type { EventType, Permission } from '../values/noun.ts'
import type { FieldFault, ProblemCode } from '../values/problem.ts'
import type { ListPage } from './rows.ts'

/** What of a request a resource needs. */
export type Asking = Pick<
  Context<unknown, unknown, unknown>,
  'tx' | 'principal' | 'now' | 'services' | 'afterCommit' | 'handOut'
>

type Stored = { id: string; version?: number }

/** What is read of a table: see rows.ts. */
export type ReadableRows<Row> = {
  find(tx: Tx, scope: Scope, id: string): Promise<Row | undefined>
  lock(tx: Tx, scope: Scope, id: string): Promise<Row | undefined>
  list(tx: Tx, scope: Scope, wanted: never, page: ListPage): Promise<Row[]>
  remove(tx: Tx, scope: Scope, id: string): Promise<void>
}

export type ResourceSpec<Row extends Stored, Reply extends TObject> = {
  /** As in events and in the ids of endpoints: `messaging_service`, `messaging_services`. */
  names: readonly [one: string, many: string]
  /** As in texts, where that is not its name: `SIP credential`. */
  words?: string
  /** What its id is called in paths and replies, and begins with: `serviceId`, `msv`. */
  id: readonly [name: string, prefix: string]
  category: Category
  /** `/messages/services` */
  path: string
  permissions: { read: Permission; manage: Permission; delete?: Permission }
  rows: ReadableRows<Row>
  /** What changes ask beside the permission, as of an endpoint. */
  guarded?: Pick<Endpoint, 'shared' | 'personOnly' | 'recent'>
  /** Creations and changes give somebody rights. */
  handsOut?: true
  /** Those without a version have no ETag and take no If-Match. */
  versioned?: false
  reply: Reply
  sample: Static<Reply>
  /** Rows as the API shows them, in their order. */
  present(rows: readonly Row[], asking: Asking): readonly Static<Reply>[] | Promise<readonly Static<Reply>[]>
  /** What its events contain, where that is not all that the API shows. */
  eventOf?(row: Row): object
  /** After each change that was committed. */
  changed?(asking: Asking): void
}

/** What every verb may say. */
type Said = { name?: string; description: string; problems?: readonly ProblemCode[] }
type ListSaid<Filters extends TProperties> = Said & {
  filters?: Filters
  /** What the rows are asked for, where that is not what the request says. */
  wanted?(filters: Static<TObject<Filters>>, asking: Asking): object | Promise<object>
  sample?: Readonly<Record<string, string | number | boolean>>
}
/** The row as it stands, and what the answer shows beside it. */
type Made<Row, More> = { row: Row; more?: More }
type WriteSaid<Body extends TObject, Reply extends TObject, Shown> = Said & {
  body: Body
  bodyLimit?: number
  /** With what the answer shows beside the record. */
  reply?: Reply
  secretReply?: true
  /** As of an endpoint: how fresh the proof of a person must be. */
  recent?: 'login' | 'factor'
  keysToo?: true
  check?(body: Static<Body>): FieldFault[]
  sample: { body: Static<Body>; reply?: Shown }
}
type CreateSaid<Row, Body extends TObject, Reply extends TObject> = WriteSaid<Body, Reply, Static<Reply>> & {
  handle(body: Static<Body>, asking: Asking): Promise<Made<Row, Partial<Static<Reply>>>>
}
type UpdateSaid<Row, Body extends TObject, Reply extends TObject> = WriteSaid<Body, Reply, Static<Reply>> & {
  /** Before the row is locked. */
  before?(body: Static<Body>, asking: Asking): Promise<void>
  handle(row: Row, body: Static<Body>, asking: Asking): Promise<Made<Row, Partial<Static<Reply>>>>
}
type DeleteSaid<Row> = Said & {
  /** What else a deletion does, before the row is gone. */
  handle?(row: Row, asking: Asking): Promise<void>
}

export type Resource<Row extends Stored, Reply extends TObject> = {
  list<Filters extends TProperties = Record<never, never>>(said: ListSaid<Filters>): Endpoint
  get(said: Said): Endpoint
  create<Body extends TObject, Full extends TObject = Reply>(said: CreateSaid<Row, Body, Full>): Endpoint
  update<Body extends TObject, Full extends TObject = Reply>(said: UpdateSaid<Row, Body, Full>): Endpoint
  delete(said: DeleteSaid<Row>): Endpoint
}

type Json = Record<string, unknown>
type Listed = Json & { cursor?: string; limit?: number }
type Past = 'created' | 'updated' | 'deleted'

export function resource<Row extends Stored, Reply extends TObject>(
  spec: ResourceSpec<Row, Reply>,
): Resource<Row, Reply> {
  return {
    list: said => listEndpoint(spec, said as ListSaid<TProperties>),
    get: said => getEndpoint(spec, said),
    create: said => createEndpoint(spec, said as unknown as CreateSaid<Row, TObject, TObject>),
    update: said => updateEndpoint(spec, said as unknown as UpdateSaid<Row, TObject, TObject>),
    delete: said => deleteEndpoint(spec, said),
  }
}

// The verbs are the same for resources of every shape: what callers write is checked against the types above.
type AnySpec<Row extends Stored> = ResourceSpec<Row, TObject>
type Any<Row extends Stored> = Omit<AnySpec<Row>, 'present'> & {
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  present(rows: readonly Row[], asking: Asking): any
}

/** A schema whose values have the shape that the declaration was checked against. */
const loose = (schema: TObject) => Type.Unsafe<Json>(schema)
const wordsOf = ({ names: [one], words }: Pick<AnySpec<Stored>, 'names' | 'words'>) => words ?? one.replaceAll('_', ' ')
const aOne = (spec: Pick<AnySpec<Stored>, 'names' | 'words'>) => withArticle(wordsOf(spec))
const commonOf = ({ category }: Pick<AnySpec<Stored>, 'category'>) => ({ version: 'v2', category }) as const
const pathOf = ({ path, id: [name] }: Pick<AnySpec<Stored>, 'path' | 'id'>) => `${path}/{${name}}`
const namedBy = ({ id: [name] }: Pick<AnySpec<Stored>, 'id'>, params: unknown) =>
  (params as Record<string, string>)[name]!

function paramsOf(spec: Pick<AnySpec<Stored>, 'id' | 'names' | 'words'>): TObject {
  const [name, prefix] = spec.id
  return Type.Object({ [name]: RecordId(prefix, `Identifier of the ${wordsOf(spec)}.`) })
}

function sampleParamsOf({ id: [name], sample }: Pick<AnySpec<Stored>, 'id' | 'sample'>): Record<string, string> {
  return { [name]: (sample as Json)[name] as string }
}

/** @throws Problem `not_found`, `version_mismatch` */
function atVersion<Row extends Stored>(found: Row | undefined, ifMatch: number | undefined): Row {
  const row = requireRecord(found)
  return row.version === undefined ? row : (requireVersion(row as Row & { version: number }, ifMatch) as Row)
}

function answerVersion(
  { version }: Stored,
  { setVersion }: Pick<Context<unknown, unknown, unknown>, 'setVersion'>,
): void {
  if (version !== undefined) setVersion(version)
}

async function show<Row extends Stored>(spec: Any<Row>, row: Row, asking: Asking): Promise<Json> {
  return (await spec.present([row], asking))[0]
}

const auditOf = ({ names: [one] }: Pick<AnySpec<Stored>, 'names'>, past: Past): AuditAction => `${one}.${past}`

/** The event of a change, and what follows its commit. */
async function note<Row extends Stored>(
  { names, changed }: Any<Row>,
  past: Past,
  row: Row,
  record: object,
  asking: Asking,
  written?: { change: object; before: object },
): Promise<void> {
  const type = `${names[0]}.${past}` as EventType
  await emitChange(asking.tx, asking.principal, { type, resourceId: row.id, record, ...written })
  if (changed !== undefined) asking.afterCommit(() => changed(asking))
}

function listEndpoint<Row extends Stored>(spec: Any<Row>, said: ListSaid<TProperties>): Endpoint {
  const { names, id, path, permissions, rows, reply } = spec
  const [, prefix] = id
  return endpoint({
    ...commonOf(spec),
    id: `${names[1]}.list`,
    method: 'GET',
    path,
    name: said.name ?? `List ${pluralOf(wordsOf(spec))}`,
    description: said.description,
    permission: permissions.read,
    query: Type.Object({ ...said.filters, ...v2PageQuery }),
    reply: loose(reply),
    envelope: 'page',
    problems: said.problems ?? [],
    sample: { query: said.sample ?? { limit: 20 }, reply: spec.sample as Json },
    async handle(context) {
      const { cursor, limit = 50, ...filters } = context.query as Listed
      const beforeId = cursorId(prefix, cursor, filters)
      const wanted = said.wanted === undefined ? filters : await said.wanted(filters as never, context)
      const found = await rows.list(context.tx, context.principal, wanted as never, { limit, beforeId })
      const cut = cutPage(found, limit, row => [row.id], filters)
      return { items: await spec.present(cut.rows, context), limit, nextCursor: cut.nextCursor }
    },
  })
}

function getEndpoint<Row extends Stored>(spec: Any<Row>, said: Said): Endpoint {
  return endpoint({
    ...commonOf(spec),
    id: `${spec.names[1]}.get`,
    method: 'GET',
    path: pathOf(spec),
    name: said.name ?? `Get ${aOne(spec)}`,
    description: said.description,
    permission: spec.permissions.read,
    params: paramsOf(spec),
    reply: loose(spec.reply),
    envelope: 'data',
    versioned: spec.versioned ?? true,
    problems: ['not_found', ...(said.problems ?? [])],
    sample: { params: sampleParamsOf(spec), reply: spec.sample as Json },
    async handle(context) {
      const row = requireRecord(await spec.rows.find(context.tx, context.principal, namedBy(spec, context.params)))
      answerVersion(row, context)
      return show(spec, row, context)
    },
  })
}

/** What creating and updating have in common. */
function writing<Row extends Stored>(spec: Any<Row>, said: WriteSaid<TObject, TObject, unknown>) {
  const { bodyLimit, secretReply, recent, keysToo, check } = said
  return {
    ...commonOf(spec),
    description: said.description,
    permission: spec.permissions.manage,
    body: said.body,
    reply: loose(said.reply ?? spec.reply),
    envelope: 'data',
    versioned: spec.versioned ?? true,
    ...spec.guarded,
    ...(spec.handsOut && { handsOut: spec.handsOut }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(secretReply && { secretReply }),
    ...(recent && { recent }),
    ...(keysToo && { keysToo }),
    ...(check && { check: (input: { body: unknown }) => check(input.body as never) }),
  } as const
}

function createEndpoint<Row extends Stored>(spec: Any<Row>, said: CreateSaid<Row, TObject, TObject>): Endpoint {
  return endpoint({
    ...writing(spec, said),
    id: `${spec.names[1]}.create`,
    method: 'POST',
    path: spec.path,
    name: said.name ?? `Create ${aOne(spec)}`,
    status: 201,
    audit: auditOf(spec, 'created'),
    problems: said.problems ?? [],
    sample: { body: said.sample.body, reply: (said.sample.reply ?? spec.sample) as Json },
    async handle(context) {
      const { row, more } = await said.handle(context.body as never, context)
      const shown = await show(spec, row, context)
      answerVersion(row, context)
      await note(spec, 'created', row, spec.eventOf?.(row) ?? shown, context)
      return { ...shown, ...more }
    },
  })
}

function updateEndpoint<Row extends Stored>(spec: Any<Row>, said: UpdateSaid<Row, TObject, TObject>): Endpoint {
  return endpoint({
    ...writing(spec, said),
    id: `${spec.names[1]}.update`,
    method: 'PATCH',
    path: pathOf(spec),
    name: said.name ?? `Update ${aOne(spec)}`,
    params: paramsOf(spec),
    audit: auditOf(spec, 'updated'),
    problems: ['not_found', ...(said.problems ?? [])],
    sample: {
      params: sampleParamsOf(spec),
      body: said.sample.body,
      reply: (said.sample.reply ?? spec.sample) as Json,
    },
    async handle(context) {
      const body = context.body as never
      await said.before?.(body, context)
      const found = await spec.rows.lock(context.tx, context.principal, namedBy(spec, context.params))
      const standing = atVersion(found, context.ifMatch)
      const before = spec.eventOf?.(standing) ?? (await show(spec, standing, context))
      const { row, more } = await said.handle(standing, body, context)
      const shown = await show(spec, row, context)
      answerVersion(row, context)
      await note(spec, 'updated', row, spec.eventOf?.(row) ?? shown, context, { change: body, before })
      return { ...shown, ...more }
    },
  })
}

function deleteEndpoint<Row extends Stored>(spec: Any<Row>, said: DeleteSaid<Row>): Endpoint {
  const [idName] = spec.id
  return endpoint({
    ...commonOf(spec),
    id: `${spec.names[1]}.delete`,
    method: 'DELETE',
    path: pathOf(spec),
    name: said.name ?? `Delete ${aOne(spec)}`,
    description: said.description,
    permission: spec.permissions.delete ?? spec.permissions.manage,
    params: paramsOf(spec),
    reply: loose(Deleted(idName)),
    envelope: 'data',
    versioned: spec.versioned ?? true,
    ...spec.guarded,
    audit: auditOf(spec, 'deleted'),
    problems: ['not_found', ...(said.problems ?? [])],
    sample: { params: sampleParamsOf(spec), reply: { ...sampleParamsOf(spec), deleted: true } },
    async handle(context) {
      const { tx, principal } = context
      const row = atVersion(await spec.rows.lock(tx, principal, namedBy(spec, context.params)), context.ifMatch)
      const record = spec.eventOf?.(row) ?? (await show(spec, row, context))
      await said.handle?.(row, context)
      await spec.rows.remove(tx, principal, row.id)
      await note(spec, 'deleted', row, record, context)
      return { [idName]: row.id, deleted: true as const }
    },
  })
}
