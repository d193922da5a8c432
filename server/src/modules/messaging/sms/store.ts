// All SQL of messages. The hot paths are functions of the database that take a batch in arrays; reading is plain SQL in
// the tenant's transaction.
import { type RawBuilder, sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import { createGroup, type Group } from '../../../kernel/group.ts'
import { type Idempotency, type Replay, replayOf, type StoredAnswer } from '../../../kernel/idempotency.ts'
import { newId } from '../../../kernel/ids.ts'
import { textArray, textColumn } from '../../../kernel/pg_array.ts'
import { createMeter, type Meter } from './pace.ts'
import type { MessageEvent, MessageRow, MessageStatus, Moves } from './rules.ts'

/** A message to take in: its row, the data of its first event, and the key and answer of its request. */
export type NewMessage = {
  row: MessageRow
  eventData: string
  /** With the Idempotency-Key of the request, the answer to store under it. */
  idempotency?: Idempotency & { answer: string }
}

type Repeated = { item: number } & StoredAnswer

/** Most messages that share a commit when they are taken in, and with it a job. */
export const maxJobMessages = 64

type Intake = { group: Group<NewMessage, StoredAnswer | undefined>; meter: Meter }

const intakes = new WeakMap<Db, Intake>()

function intakeOf(db: Db): Intake {
  let intake = intakes.get(db)
  if (intake === undefined) {
    const group = createGroup({ run: (batch: NewMessage[]) => insertMessages(db, batch), maxItems: maxJobMessages })
    intake = { group, meter: createMeter() }
    intakes.set(db, intake)
  }
  return intake
}

/** Measures for which share of the time this process takes messages in. */
export function intakeMeter(db: Db): Meter {
  return intakeOf(db).meter
}

/**
 * Takes a message in, together with others that arrive at the same moment: one statement, one commit, which is durable
 * when this resolves.
 * @returns what is stored under the request's key, when that was used before; then nothing was written
 * @throws Problem `idempotency_mismatch`
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<Replay | undefined> {
  const { group, meter } = intakeOf(db)
  meter.enter()
  try {
    const stored = await group(message)
    return stored === undefined ? undefined : replayOf(stored, message.idempotency!.fingerprint)
  } finally {
    meter.leave()
  }
}

const insertText = callText('accept_messages', 18)

async function insertMessages(db: Db, batch: NewMessage[]): Promise<(StoredAnswer | undefined)[]> {
  const rows = batch.map(item => item.row)
  const keyed = batch.some(item => item.idempotency !== undefined)
  const repeated = await db.call<Repeated>('accept_messages', insertText, [
    rows.map(row => row.tenant_id),
    textColumn(rows, row => row.id),
    rows.map(row => row.created_at),
    textColumn(rows, row => row.carrier),
    textColumn(rows, row => row.from_address),
    textColumn(rows, row => row.to_address),
    textColumn(rows, row => row.body),
    textColumn(rows, row => row.encoding),
    rows.map(row => row.segments),
    rows.map(row => row.validity_seconds),
    textColumn(rows, row => row.callback_url),
    textColumn(rows, row => jsonOrNull(row.tags)),
    textColumn(rows, row => jsonOrNull(row.metadata)),
    newEventIds(batch.length),
    textColumn(batch, item => item.eventData),
    keyed ? textColumn(batch, item => item.idempotency?.key ?? null) : null,
    keyed ? batch.map(item => item.idempotency?.fingerprint ?? null) : null,
    keyed ? textColumn(batch, item => item.idempotency?.answer ?? null) : null,
  ])
  const results: (StoredAnswer | undefined)[] = new Array(batch.length).fill(undefined)
  for (const { item, ...stored } of repeated) results[item - 1] = stored
  return results
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function newEventIds(count: number): Buffer {
  return textArray(Array.from({ length: count }, () => newId('evt')))
}

/** `select * from name($1, …, $n)`; a function that returns one value gives it as a column of the function's name. */
function callText(name: string, parameters: number): string {
  return `select * from ${name}(${Array.from({ length: parameters }, (_, index) => `$${index + 1}`).join(', ')})`
}

const encodedMoves = new WeakMap<Moves, Buffer[]>()

function moveColumns(moves: Moves): Buffer[] {
  let encoded = encodedMoves.get(moves)
  if (encoded === undefined) {
    encoded = [0, 1, 2].map(column => textColumn(moves, move => move[column] as string))
    encodedMoves.set(moves, encoded)
  }
  return encoded
}

/** Most messages one claim returns. */
export const maxClaimed = 200

export type ClaimedRow = {
  tenant_id: number
  id: string
  attempt: number
  from_address: string
  to_address: string
  body: string
  encoding: 'GSM-7' | 'UCS-2'
  segments: number
  expires_at: string
}

const claimText = callText('claim_messages', 8)

/** Leases what is due for a carrier under `token`, and begins those messages: they are to be submitted now, once. */
export function claimMessages(
  db: Db,
  carrier: string,
  { token, leaseMs, moves }: { token: string; leaseMs: number; moves: Moves },
): Promise<ClaimedRow[]> {
  return db.work('claim_messages', claimText, [
    carrier,
    token,
    maxClaimed,
    leaseMs / 1000,
    newEventIds(maxClaimed),
    ...moveColumns(moves),
  ])
}

export type Conclusion = {
  tenantId: number
  id: string
  event: MessageEvent
  code: string | null
  carrierMessageId: string | null
  /** When it may be tried again, for those that wait again. */
  retryMs: number | null
}

const concludeText = callText('conclude_messages', 13)

/** Writes down the answers to a claimed batch and ends its lease; the number of messages that moved. */
export async function concludeMessages(
  db: Db,
  carrier: string,
  batch: readonly Conclusion[],
  { token, receiptTimeoutMs, moves }: { token: string; receiptTimeoutMs: number; moves: Moves },
): Promise<number> {
  const rows = await db.work<{ conclude_messages: number }>('conclude_messages', concludeText, [
    carrier,
    token,
    batch.map(item => item.tenantId),
    textColumn(batch, item => item.id),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    textColumn(batch, item => (item.carrierMessageId === null ? null : routeOf(carrier, item.carrierMessageId))),
    batch.map(item => (item.retryMs === null ? null : item.retryMs / 1000)),
    receiptTimeoutMs / 1000,
    // A receipt may have come before the answer: then a message moves twice.
    newEventIds(batch.length * 2),
    ...moveColumns(moves),
  ])
  return rows[0]!.conclude_messages
}

/** Key of a carrier's id. */
function routeOf(carrier: string, carrierMessageId: string): string {
  return `${carrier}:${carrierMessageId}`
}

export type NewReceipt = {
  tenantId: number
  carrierMessageId: string
  messageId: string | null
  event: MessageEvent
  code: string | null
  at: string | null
}

const receiveText = callText('receive_receipts', 11)

/** Takes receipts in; the number of messages that moved. At most one receipt for each carrier id. */
export async function insertReceipts(
  db: Db,
  carrier: string,
  batch: readonly NewReceipt[],
  { parkMs, moves }: { parkMs: number; moves: Moves },
): Promise<number> {
  const rows = await db.work<{ receive_receipts: number }>('receive_receipts', receiveText, [
    batch.map(item => item.tenantId),
    textColumn(batch, item => routeOf(carrier, item.carrierMessageId)),
    textColumn(batch, item => item.messageId),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    batch.map(item => item.at),
    parkMs / 1000,
    newEventIds(batch.length),
    ...moveColumns(moves),
  ])
  return rows[0]!.receive_receipts
}

const inboundText = callText('receive_messages', 12)

/** Takes inbound messages in; the ids of those that were not known yet. */
export async function insertInbound(
  db: Db,
  carrier: string,
  batch: readonly { row: MessageRow; reference: string; eventData: string }[],
): Promise<string[]> {
  const rows = batch.map(item => item.row)
  const stored = await db.work<{ id: string }>('receive_messages', inboundText, [
    carrier,
    rows.map(row => row.tenant_id),
    textColumn(rows, row => row.id),
    textColumn(batch, item => item.reference),
    rows.map(row => row.created_at),
    textColumn(rows, row => row.from_address),
    textColumn(rows, row => row.to_address),
    textColumn(rows, row => row.body),
    textColumn(rows, row => row.encoding),
    rows.map(row => row.segments),
    newEventIds(batch.length),
    textColumn(batch, item => item.eventData),
  ])
  return stored.map(row => row.id)
}

const maxRoutes = 200
const settleText = callText('settle_message_routes', 6)

/** Looks after carrier ids whose receipt is overdue; how many there were, at most 200. */
export async function settleRoutes(db: Db, { lateMs, moves }: { lateMs: number; moves: Moves }): Promise<number> {
  const rows = await db.work<{ settle_message_routes: number }>('settle_message_routes', settleText, [
    maxRoutes,
    lateMs / 1000,
    newEventIds(maxRoutes),
    ...moveColumns(moves),
  ])
  return rows[0]!.settle_message_routes
}

const columns = sql.raw(
  'tenant_id, id, direction, status, code, carrier, from_address, to_address, body, encoding, segments, attempts, ' +
    'validity_seconds, callback_url, tags, metadata, created_at, sent_at, delivered_at, final_at',
)

export type HistoryEntry = { status: MessageStatus; at: string; code: string | null }

/** A message and what happened to it, first to last, from its events; both as of one moment. */
export async function findMessage(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<(MessageRow & { history: HistoryEntry[] }) | undefined> {
  const { rows } = await sql<MessageRow & { history: HistoryEntry[] }>`
    select ${columns}, (
      select json_agg(json_build_object(
        'status', substr(e.type, length('message.') + 1),
        'at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'code', e.data ->> 'code') order by e.sequence)
      from events e where e.tenant_id = m.tenant_id and e.resource_id = m.id) as history
    from messages m where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

export type MessageFilter = {
  /** Ids at or above, and below. */
  fromId: string
  beforeId: string
  status: string | null
  direction: string | null
  to: string | null
  from: string | null
}

/** Rows one page looks at when no index leads to what is filtered for: some tens of milliseconds. */
const scanRows = 50_000

/**
 * Messages newest first, at most `limit + 1`. Those of one recipient, or inbound ones of one sender, are found however old
 * they are; other filters look at the newest `scanRows` of the range.
 * @returns with `reached`, the id behind which to go on, when the look ended before the range did
 */
export async function listMessages(
  tx: Tx,
  scope: Scope,
  filter: MessageFilter,
  limit: number,
): Promise<{ rows: MessageRow[]; reached: string | undefined }> {
  const { tenantId } = scope
  const f = filter
  const range = sql`tenant_id = ${tenantId} and id >= ${f.fromId} and id < ${f.beforeId}`
  const isOf = (column: RawBuilder<unknown>, address: string) =>
    sql`hashtextextended(${column}, tenant_id) = hashtextextended(${address}, ${tenantId}::bigint) and ${column} = ${address}`
  const indexed = f.to !== null || (f.from !== null && f.direction === 'inbound')
  const source =
    f.to !== null
      ? sql`select * from messages where ${range} and ${isOf(sql`to_address`, f.to)} order by created_at desc, id desc`
      : indexed
        ? sql`select * from messages where ${range} and direction = 'inbound'
              and ${isOf(sql`from_address`, f.from!)} order by created_at desc, id desc`
        : sql`select * from messages where ${range} order by id desc limit ${scanRows}`
  const { rows } = await sql<MessageRow>`
    select ${columns} from (${source}) as newest
    where (${f.status}::text is null or status = ${f.status}::text)
      and (${f.direction}::text is null or direction = ${f.direction}::text)
      and (${f.from}::text is null or from_address = ${f.from}::text)
    order by created_at desc, id desc limit ${limit + 1}`.execute(tx)
  if (rows.length > limit || indexed) return { rows, reached: undefined }
  const end = await sql<{ id: string }>`
    select id from messages where ${range} order by id desc offset ${scanRows - 1} limit 1`.execute(tx)
  return { rows, reached: end.rows[0]?.id }
}
