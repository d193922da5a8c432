// SQL of messages that are accepted: what is asked before (did the same text go out already, which sender of a service is free), and
// storing them, many requests in one commit.
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { functionCall } from '../../../kernel/data/function_call.ts'
import { createGroupOfModes, type Group } from '../../../kernel/data/group.ts'
import { type Idempotency, type Replay, replayOf, type StoredAnswer } from '../../../kernel/data/idempotency.ts'
import { plainArray, plainColumn, sparseColumn, textArray, textColumn } from '../../../kernel/data/pg_array.ts'
import type { Holder } from '../../../kernel/data/quota.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import type { Policy } from '../../destinations/index.ts'
import { createIntakeGate, type IntakeGate } from './intake_gate.ts'
import { createMeter, type Meter } from './pace.ts'
import type { MessageRow } from './rules.ts'

/** A message to store: its row, and the key and answer of its request. */
export type NewMessage = {
  row: MessageRow
  /** Whose it is, for its share of the database; live when not said. */
  mode?: 'live' | 'test'
  /** With the Idempotency-Key of the request, the answer to store under it. */
  idempotency?: Idempotency & { answer: string }
  /** Whether a part of unknown outcome is handed over again. */
  resend?: boolean
  /** Whether it reaches recipients who opted out: only answers to their own words do. */
  ignoresOptOut?: boolean
  /** Whether its service chose the sender, of one to be sent later: it chooses again where that is gone. */
  fromPool?: boolean
  /** Segments a second of a sender of limited speed. */
  segmentsPerSecond?: number | null
  /** The destination policies with a ceiling for what may be spent. */
  limits?: readonly Policy[]
}

/** Why a valid message was not stored. */
export type Refusal = { refusal: 'recipient_opted_out' | 'sender_queue_full' }

/** A message of a batch that was not stored: refused, or its key was used before. */
type Unwritten = { item: number; refusal: Refusal['refusal'] | null } & StoredAnswer
/** Undefined for a message that was stored. */
type Outcome = StoredAnswer | Refusal | undefined

/** Messages that share a commit at most when they are stored, and with it a job. */
export const maxJobMessages = 64

/** `lockedKeys`: keys that a transaction of this process has locked, with its end. */
type Intake = {
  group: Group<NewMessage, Outcome>
  meter: Meter
  gate: IntakeGate
  lockedKeys: Map<string, Promise<unknown>>
}

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
        return outcomesOf(batch, unwritten)
      },
      maxItems: maxJobMessages,
      overlapAfterMs: 10,
      overlapItems: 20,
      gatherMs: 3,
      holderOf: item => item.row.tenant_id,
    })
    const meter = createMeter()
    const gate = createIntakeGate({ meter, readLag: () => readQueueLag(db) })
    intake = { group, meter, gate, lockedKeys: new Map() }
    intakes.set(db, intake)
  }
  return intake
}

/** Measures how many messages this process is storing. */
export function intakeMeter(db: Db): Meter {
  return intakeOf(db).meter
}

/** Says of the next message whether this process can take it in. */
export function intakeGate(db: Db): IntakeGate {
  return intakeOf(db).gate
}

/** By how many seconds carrying is behind, on all nodes: how long the oldest message waits of the carrier that is served best. */
async function readQueueLag(db: Db): Promise<number> {
  const rows = await db.work<{ lag: number }>('message_queue_lag', 'select message_queue_lag() as lag', [])
  return rows[0]!.lag
}

/**
 * Stores a message, together with others that arrive at the same moment: one statement, one commit, which is durable
 * when this resolves.
 * @returns what is stored under the request's key, when that was used before, or why it is refused; then nothing was written
 * @throws Problem `idempotency_mismatch`
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<Replay | Refusal | undefined> {
  const { group, meter, gate, lockedKeys } = intakeOf(db)
  meter.enter()
  try {
    const waitMs = gate.reserve()
    if (waitMs > 0) await sleep(waitMs)
    // In a group it would keep all others of the group waiting for a row that belongs to that transaction.
    if (message.idempotency !== undefined)
      await lockedKeys.get(lockedKey(message.row.tenant_id, message.idempotency.key))
    const outcome = await group(message)
    if (outcome === undefined || 'refusal' in outcome) return outcome
    return replayOf(outcome, message.idempotency!.fingerprint)
  } finally {
    meter.leave()
  }
}

function lockedKey(tenantId: number, key: string): string {
  return `${tenantId} ${key}`
}

/** Runs a transaction that claims a key: messages under the same key wait outside their group until it is over. */
export async function withLockedKey<T>(
  db: Db,
  { tenantId }: Scope,
  key: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return work()
  const { lockedKeys } = intakeOf(db)
  const name = lockedKey(tenantId, key)
  const running = work()
  const over = running.then(
    () => {},
    () => {},
  )
  lockedKeys.set(name, over)
  try {
    return await running
  } finally {
    if (lockedKeys.get(name) === over) lockedKeys.delete(name)
  }
}

/** More in one call would take longer each: the database looks every row of a call up among the others. */
const chunkSize = 200

/** Stores messages within a transaction; for each one undefined, or why it is refused. No keys: the transaction has its own. */
export async function insertMessagesIn(tx: Tx, batch: readonly NewMessage[]): Promise<(Refusal | undefined)[]> {
  const outcomes: (Refusal | undefined)[] = []
  if (batch.length > chunkSize) await tx.executeQuery(CompiledQuery.raw(holdText, holdValues(batch)))
  for (let from = 0; from < batch.length; from += chunkSize) {
    const chunk = batch.slice(from, from + chunkSize)
    const { rows } = await tx.executeQuery(CompiledQuery.raw(acceptText, acceptValues(chunk)))
    outcomes.push(...(outcomesOf(chunk, rows as Unwritten[]) as (Refusal | undefined)[]))
  }
  return outcomes
}

const holdText = functionCall('hold_for_messages', 5)

/** What messages of one tenant lock, all chunks of them. */
function holdValues(batch: readonly NewMessage[]): unknown[] {
  const ofServices = batch.filter(({ row }) => row.service_id !== null)
  return [
    batch[0]!.row.tenant_id,
    textColumn(
      batch.filter(({ segmentsPerSecond }) => (segmentsPerSecond ?? 0) > 0),
      ({ row }) => row.from_address,
    ),
    textColumn(
      batch.filter(({ row }) => row.segments > 1),
      ({ row }) => row.to_address,
    ),
    textColumn(ofServices, ({ row }) => row.service_id),
    textColumn(ofServices, ({ row }) => row.to_address),
  ]
}

const acceptText = functionCall('accept_messages', 27)

function acceptValues(batch: readonly NewMessage[]): unknown[] {
  const rows = batch.map(item => item.row)
  const keyed = batch.some(item => item.idempotency !== undefined)
  return [
    plainColumn(rows, row => row.tenant_id),
    textColumn(rows, row => row.id),
    plainColumn(rows, row => row.created_at),
    textColumn(rows, row => row.carrier),
    textColumn(rows, row => row.from_address),
    textColumn(rows, row => row.to_address),
    textColumn(rows, row => row.body),
    textColumn(rows, row => row.encoding),
    plainColumn(rows, row => row.segments),
    plainColumn(rows, row => row.validity_seconds),
    sparseColumn(rows, row => row.callback_url, textArray),
    sparseColumn(rows, row => jsonOrNull(row.tags), textArray),
    sparseColumn(rows, row => jsonOrNull(row.metadata), textArray),
    // Ids and data of events, which follow from the rows; nodes of the version before hand them in.
    null,
    null,
    keyed ? textColumn(batch, item => item.idempotency?.key ?? null) : null,
    keyed ? batch.map(item => item.idempotency?.fingerprint ?? null) : null,
    keyed ? textColumn(batch, item => item.idempotency?.answer ?? null) : null,
    sparseColumn(rows, row => row.service_id, textArray),
    sparseColumn(rows, row => row.send_at, plainArray),
    sparseColumn(rows, row => row.price_micros, plainArray),
    sparseColumn(rows, row => row.currency, textArray),
    sparseColumn(batch, item => item.resend || null, plainArray),
    sparseColumn(batch, item => item.ignoresOptOut || null, plainArray),
    sparseColumn(batch, item => item.segmentsPerSecond ?? null, plainArray),
    sparseColumn(batch, spendKeyOf, textArray),
    sparseColumn(batch, item => item.fromPool || null, plainArray),
  ]
}

/** The API key by whose own ceiling a message is counted. */
function spendKeyOf({ limits }: NewMessage): string | null {
  return limits?.find(({ subject }) => subject.startsWith('key_'))?.subject ?? null
}

function outcomesOf(batch: readonly NewMessage[], unwritten: readonly Unwritten[]): Outcome[] {
  const results: Outcome[] = new Array(batch.length).fill(undefined)
  for (const { item, refusal, ...stored } of unwritten) results[item - 1] = refusal === null ? stored : { refusal }
  return results
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

const duplicateText = functionCall('find_duplicate_message', 7)

/** A text that may have gone to its recipient already: accepted since then, and sent or to be sent between the other two times. */
export type Suspect = {
  serviceId: string
  to: string
  body: string
  since: string
  sentFrom: string
  sentUntil: string
}

/** The id of a message with the same text to the same recipient that has not failed; undefined when there is none. */
export async function findDuplicate(
  db: Db,
  holder: Holder,
  { serviceId, to, body, since, sentFrom, sentUntil }: Suspect,
): Promise<string | undefined> {
  const values = [holder.tenantId, serviceId, to, body, since, sentFrom, sentUntil]
  const rows = await db.call<{ id: string }>('find_duplicate_message', duplicateText, values, holder)
  return rows[0]?.id
}

const duplicatesText = `select u.n::integer as n, f.id
  from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[]) with ordinality
      as u (service_id, recipient, body, since, sent_from, sent_until, n),
    lateral find_duplicate_message($1, u.service_id, u.recipient, u.body, u.since, u.sent_from, u.sent_until) f`

/** The same of many, in their order, by one query. */
export async function findDuplicates(
  db: Db,
  scope: Scope,
  suspects: readonly Suspect[],
): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = new Array(suspects.length).fill(undefined)
  if (suspects.length === 0) return found
  const rows = await db.inTenant(scope, async tx => {
    const query = CompiledQuery.raw(duplicatesText, [
      scope.tenantId,
      textColumn(suspects, item => item.serviceId),
      textColumn(suspects, item => item.to),
      textColumn(suspects, item => item.body),
      suspects.map(item => item.since),
      suspects.map(item => item.sentFrom),
      suspects.map(item => item.sentUntil),
    ])
    return (await tx.executeQuery(query)).rows as { n: number; id: string }[]
  })
  for (const { n, id } of rows) found[n - 1] = id
  return found
}

const sendersText = functionCall('service_senders', 4)

export type SenderState = { sender: string; known: boolean; waits_seconds: number }

/** What decides between the senders of a service: whom the recipient knows, and how long each one has to send already. */
export function listSenderStates(
  db: Db,
  { tenantId, mode, serviceId, to }: { tenantId: number; mode: Holder['mode']; serviceId: string; to: string },
  candidates: readonly string[],
): Promise<SenderState[]> {
  const values = [tenantId, serviceId, to, textArray(candidates)]
  if (mode === undefined) return db.work('service_senders', sendersText, values)
  return db.call('service_senders', sendersText, values, { tenantId, mode })
}
