// SQL of messages on their way: functions of the database that take a batch in arrays. What is read of messages stands in
// reading.ts.
import { CompiledQuery, sql } from 'kysely'
import { crashPoint } from '../../../kernel/crash_points.ts'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import { createGroupOfModes, type Group } from '../../../kernel/group.ts'
import { type Idempotency, type Replay, replayOf, type StoredAnswer } from '../../../kernel/idempotency.ts'
import { newId, newIdBlock } from '../../../kernel/ids.ts'
import { textArray, textColumn } from '../../../kernel/pg_array.ts'
import type { Policy } from '../../destinations/index.ts'
import type { PartResult } from '../carrier.ts'
import { createMeter, type Meter } from './pace.ts'
import type { MessageEvent, MessageRow, MessageStatus, Moves } from './rules.ts'

/** A message to take in: its row, the data of its first event, and the key and answer of its request. */
export type NewMessage = {
  row: MessageRow
  eventData: string
  /** Whose it is, for its share of the database; live when not said. */
  mode?: 'live' | 'test'
  /** With the Idempotency-Key of the request, the answer to store under it. */
  idempotency?: Idempotency & { answer: string }
  /** Whether a part of unknown outcome is handed over again. */
  resend?: boolean
  /** Whether it reaches recipients who opted out: only answers to their own words do. */
  ignoresOptOut?: boolean
  /** Segments a second of a sender of limited speed. */
  segmentsPerSecond?: number | null
  /** The destination policies with a ceiling for what may be spent. */
  limits?: readonly Policy[]
}

/** Why a message was not taken in although it is valid. */
export type Refusal = { refusal: 'recipient_opted_out' | 'sender_queue_full' }

type Unwritten = { item: number; refusal: Refusal['refusal'] | null } & StoredAnswer
type Taken = StoredAnswer | Refusal | undefined

/** Most messages that share a commit when they are taken in, and with it a job. */
export const maxJobMessages = 64

/** `keysHeld`: keys that a transaction of this process holds, with its end. */
type Intake = { group: Group<NewMessage, Taken>; meter: Meter; keysHeld: Map<string, Promise<unknown>> }

const intakes = new WeakMap<Db, Intake>()

function intakeOf(db: Db): Intake {
  let intake = intakes.get(db)
  if (intake === undefined) {
    const group = createGroupOfModes({
      async run(batch: NewMessage[], mode) {
        crashPoint('accept.taken')
        const values = acceptValues(batch)
        const unwritten = await db.call<Unwritten>('accept_messages', acceptText, values, { tenantId: 0, mode })
        crashPoint('accept.committed')
        return takenOf(batch, unwritten)
      },
      maxItems: maxJobMessages,
      overlapAfterMs: 10,
      gatherMs: 3,
      holderOf: item => item.row.tenant_id,
    })
    intake = { group, meter: createMeter(), keysHeld: new Map() }
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
 * @returns what is stored under the request's key, when that was used before, or why it is refused; then nothing was written
 * @throws Problem `idempotency_mismatch`
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<Replay | Refusal | undefined> {
  const { group, meter, keysHeld } = intakeOf(db)
  meter.enter()
  try {
    // In a group it would keep all others of the group waiting for a row that belongs to that transaction.
    if (message.idempotency !== undefined) await keysHeld.get(heldKey(message.row.tenant_id, message.idempotency.key))
    const taken = await group(message)
    if (taken === undefined || 'refusal' in taken) return taken
    return replayOf(taken, message.idempotency!.fingerprint)
  } finally {
    meter.leave()
  }
}

function heldKey(tenantId: number, key: string): string {
  return `${tenantId} ${key}`
}

/** Runs a transaction that claims a key: messages under the same key wait outside their group until it is over. */
export async function withKeyHeld<T>(
  db: Db,
  { tenantId }: Scope,
  key: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work()
  const { keysHeld } = intakeOf(db)
  const name = heldKey(tenantId, key)
  const running = work()
  const over = running.then(
    () => {},
    () => {},
  )
  keysHeld.set(name, over)
  try {
    return await running
  } finally {
    if (keysHeld.get(name) === over) keysHeld.delete(name)
  }
}

/** More in one call would take longer each: the database looks every row of a call up among the others. */
const chunkSize = 200

/** Takes messages in within a transaction; for each one undefined, or why it is refused. No keys: the transaction has its own. */
export async function insertMessagesIn(tx: Tx, batch: readonly NewMessage[]): Promise<(Refusal | undefined)[]> {
  const taken: (Refusal | undefined)[] = []
  for (let from = 0; from < batch.length; from += chunkSize) {
    const chunk = batch.slice(from, from + chunkSize)
    const { rows } = await tx.executeQuery(CompiledQuery.raw(acceptText, acceptValues(chunk)))
    taken.push(...(takenOf(chunk, rows as Unwritten[]) as (Refusal | undefined)[]))
  }
  return taken
}

const acceptText = callText('accept_messages', 25)

function acceptValues(batch: readonly NewMessage[]): unknown[] {
  const rows = batch.map(item => item.row)
  const keyed = batch.some(item => item.idempotency !== undefined)
  return [
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
    sparse(rows, row => row.service_id),
    sparse(rows, row => row.send_at),
    sparse(rows, row => row.price_micros),
    sparse(rows, row => row.currency),
    sparse(batch, item => item.resend || null),
    sparse(batch, item => item.ignoresOptOut || null),
    sparse(batch, item => item.segmentsPerSecond ?? null),
  ]
}

/** A column that is mostly empty: null when it is in every row, which spares both sides the array. */
function sparse<Row, Value>(rows: readonly Row[], value: (row: Row) => Value | null): (Value | null)[] | null {
  const values = rows.map(value)
  return values.every(item => item === null) ? null : values
}

function takenOf(batch: readonly NewMessage[], unwritten: readonly Unwritten[]): Taken[] {
  const results: Taken[] = new Array(batch.length).fill(undefined)
  for (const { item, refusal, ...stored } of unwritten) results[item - 1] = refusal === null ? stored : { refusal }
  return results
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

function newEventIds(count: number): Buffer {
  return textArray(Array.from({ length: count }, () => newId('evt')))
}

/** `select * from name($1, …, $n)`; a function that returns one value gives it as a column of the function's name. */
export function callText(name: string, parameters: number): string {
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
  created_at: string
  /** The parts still to be handed over: bit 0 is part 1. */
  parts_mask: number
  reference: number | null
  resend: boolean
}

const claimText = callText('claim_messages', 8)

/** Leases what is due for a carrier under `token`, and begins those messages: they are to be submitted now, once. */
export function claimMessages(
  db: Db,
  carrier: string,
  { token, limit, leaseMs, moves }: { token: string; limit: number; leaseMs: number; moves: Moves },
): Promise<ClaimedRow[]> {
  return db.work('claim_messages', claimText, [
    carrier,
    token,
    limit,
    leaseMs / 1000,
    // One whose time has come moves twice, and perhaps once more; a lost lease is settled whole.
    newIdBlock('evt', 3 * (limit + maxJobMessages)),
    ...moveColumns(moves),
  ])
}

/** A batch that takes longer keeps its lease. */
export async function renewMessages(db: Db, token: string, leaseMs: number): Promise<void> {
  await db.work('renew_messages', 'select renew_messages($1, $2)', [token, leaseMs / 1000])
}

export type Conclusion = {
  tenantId: number
  id: string
  attempt: number
  /** Null leaves the message as it is: then only the parts are written down. */
  event: MessageEvent | null
  code: string | null
  /** When it may be tried again, for those that wait again. */
  retryMs: number | null
  parts: readonly PartResult[]
}

type ConcludeOptions = {
  tokens: readonly string[]
  leases?: readonly string[]
  receiptTimeoutMs: number
  moves: Moves
}

const concludeText = callText('conclude_messages', 23)

/**
 * Writes down answers of a carrier; the number of messages that moved.
 * @param options.tokens leases that end with them
 * @param options.leases leases that go on; what waits again leaves them
 */
export async function concludeMessages(
  db: Db,
  carrier: string,
  conclusions: readonly Conclusion[],
  { tokens, leases = [], receiptTimeoutMs, moves }: ConcludeOptions,
): Promise<number> {
  // In one order, as receipts are: they wait for each other and do not dead-lock.
  const batch = conclusions.toSorted((a, b) => a.tenantId - b.tenantId || (a.id < b.id ? -1 : 1))
  const parts = batch.flatMap(item => item.parts.map(result => ({ ...item, result })))
  const rows = await db.work<{ conclude_messages: number }>('conclude_messages', concludeText, [
    carrier,
    newId('job'),
    textArray(tokens),
    textArray(leases),
    batch.map(item => item.tenantId),
    textColumn(batch, item => item.id),
    batch.map(item => item.attempt),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    batch.map(item => (item.retryMs === null ? null : item.retryMs / 1000)),
    parts.map(part => part.tenantId),
    textColumn(parts, part => part.id),
    parts.map(part => part.result.part),
    parts.map(part => part.attempt),
    textColumn(parts, part => part.result.outcome),
    textColumn(parts, ({ result }) => (result.outcome === 'accepted' ? result.carrierMessageId : null)),
    textColumn(parts, ({ result }) => ('code' in result ? (result.code ?? null) : null)),
    textColumn(parts, ({ result }) => ('carrierCode' in result ? (result.carrierCode ?? null) : null)),
    receiptTimeoutMs / 1000,
    // A receipt may have come before the answer: then a message moves twice.
    newEventIds(batch.length * 2),
    ...moveColumns(moves),
  ])
  return rows[0]!.conclude_messages
}

/** Key of a carrier's id, as conclude_messages makes it. */
function routeOf(carrier: string, carrierMessageId: string): string {
  return `${carrier}:${carrierMessageId}`
}

export type NewReceipt = {
  tenantId: number
  carrierMessageId: string
  messageId: string | null
  event: MessageEvent
  code: string | null
  carrierCode: string | null
  at: string | null
  from: string | null
  to: string | null
}

const receiveText = callText('receive_receipts', 14)

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
    textColumn(batch, item => item.carrierCode),
    batch.map(item => item.at),
    textColumn(batch, item => item.from),
    textColumn(batch, item => item.to),
    parkMs / 1000,
    newEventIds(batch.length),
    ...moveColumns(moves),
  ])
  return rows[0]!.receive_receipts
}

const maxRoutes = 200
const settleText = callText('settle_message_routes', 6)

/** Looks after carrier ids whose receipt is overdue; how many there were, at most 200. */
export async function settleRoutes(db: Db, { lateMs, moves }: { lateMs: number; moves: Moves }): Promise<number> {
  const rows = await db.work<{ settle_message_routes: number }>('settle_message_routes', settleText, [
    maxRoutes,
    lateMs / 1000,
    newEventIds(2 * maxRoutes),
    ...moveColumns(moves),
  ])
  return rows[0]!.settle_message_routes
}

const strandedText = callText('claim_stranded_messages', 3)

export type StrandedRow = {
  tenant_id: number
  id: string
  carrier: string
  status: MessageStatus
  from_address: string
  to_address: string
  service_id: string | null
  segments: number
  code: string | null
  resend: boolean
  /** Its lease ran out: what became of it is unknown. */
  lost: boolean
  outlived: boolean
  /** Whether a carrier has a part of it, or may have. */
  begun: boolean
}

/** Leases what waits for carriers that have no link. */
export function claimStranded(db: Db, token: string, maxJobs: number, leaseMs: number): Promise<StrandedRow[]> {
  return db.work('claim_stranded_messages', strandedText, [token, maxJobs, leaseMs / 1000])
}

/** What becomes of a stranded message: it moves by an event, or it waits a while for a carrier, or first one, then the other. */
export type Settlement = {
  tenantId: number
  id: string
  event: MessageEvent | null
  code: string | null
  carrier: string | null
  priceMicros: number | null
  currency: string | null
  retryMs: number
}

const settleStrandedText = callText('settle_stranded_messages', 13)

/** Ends the lease; how many messages moved. */
export async function settleStranded(
  db: Db,
  token: string,
  batch: readonly Settlement[],
  moves: Moves,
): Promise<number> {
  const rows = await db.work<{ settle_stranded_messages: number }>('settle_stranded_messages', settleStrandedText, [
    token,
    batch.map(item => item.tenantId),
    textColumn(batch, item => item.id),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    textColumn(batch, item => item.carrier),
    batch.map(item => item.priceMicros),
    textColumn(batch, item => item.currency),
    batch.map(item => item.retryMs / 1000),
    newEventIds(batch.length),
    ...moveColumns(moves),
  ])
  return rows[0]!.settle_stranded_messages
}

/** Takes a message back that no carrier has; whether it moved. */
export async function cancelMessage(tx: Tx, { tenantId }: Scope, id: string, moves: Moves): Promise<boolean> {
  const { rows } = await tx.executeQuery(
    CompiledQuery.raw('select * from cancel_messages($1, $2, $3, $4, $5, $6)', [
      [tenantId],
      [id],
      newEventIds(1),
      ...moveColumns(moves),
    ]),
  )
  return rows.length === 1
}

/** Takes the text of a message away for good; false when there is none that has come to its end, or it is gone already. */
export async function redactMessage(tx: Tx, { tenantId }: Scope, id: string, at: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select redact_message(${tenantId}, ${id}, ${at}) as done`.execute(tx)
  return rows[0]!.done
}
