// SQL of messages on their way: functions of the database that move many at once, their arguments one array a column. Accepting
// messages stands in intake_store.ts, reading them in read_store.ts.
import { CompiledQuery, sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { functionCall } from '../../../kernel/data/function_call.ts'
import { plainArray, plainColumn, sparseColumn, textArray, textColumn } from '../../../kernel/data/pg_array.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { PartResult } from '../carrier.ts'
import type { MessageEvent, MessageStatus, Moves } from './rules.ts'

const encodedMoves = new WeakMap<Moves, Buffer[]>()

/** The arguments of a function that moves messages: events, and the statuses that they lead from and to. */
export function moveColumns(moves: Moves): Buffer[] {
  let encoded = encodedMoves.get(moves)
  if (encoded === undefined) {
    encoded = [0, 1, 2].map(column => textColumn(moves, move => move[column] as string))
    encodedMoves.set(moves, encoded)
  }
  return encoded
}

/** The functions took ids for their events until these followed from the messages' own; nodes of the version before hand them in. */
export const noEventIds = null

/** Messages that one claim returns at most. */
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
  /** Of what an earlier attempt began: in which form its parts were sent. */
  form?: string
}

const claimText = functionCall('claim_messages', 8)

/** Leases what is due for a carrier under `token`, and begins those messages: they are to be submitted now, once. */
export async function claimMessages(
  db: Db,
  carrier: string,
  { token, limit, leaseMs, moves }: { token: string; limit: number; leaseMs: number; moves: Moves },
): Promise<ClaimedRow[]> {
  const rows = await db.work<ClaimedRow>('claim_messages', claimText, [
    carrier,
    token,
    limit,
    leaseMs / 1000,
    noEventIds,
    ...moveColumns(moves),
  ])
  const goingOn = rows.filter(row => row.parts_mask !== 2 ** row.segments - 1)
  for (const { tenant_id, id, form } of goingOn.length === 0 ? [] : await formsTaken(db, goingOn)) {
    const row = goingOn.find(each => each.tenant_id === tenant_id && each.id === id)
    if (row !== undefined) row.form = form
  }
  return rows
}

/** A batch that takes longer keeps its lease. */
export async function renewMessages(db: Db, token: string, leaseMs: number): Promise<void> {
  await db.work('renew_messages', 'select renew_messages($1, $2)', [token, leaseMs / 1000])
}

export type BegunRow = Pick<ClaimedRow, 'tenant_id' | 'id' | 'attempt' | 'segments' | 'parts_mask'> & { token: string }

/** What claims have begun under these leases, which last. */
export function listBegun(db: Db, tokens: readonly string[]): Promise<BegunRow[]> {
  return db.work('list_begun_messages', 'select * from list_begun_messages($1)', [textArray(tokens)])
}

export type Conclusion = {
  tenantId: number
  id: string
  attempt: number
  /** Of the whole message. */
  segments: number
  /** Null leaves the message as it is: then only the parts are written down. */
  event: MessageEvent | null
  code: string | null
  /** When it may be tried again, for those that wait again. */
  retryMs: number | null
  parts: readonly PartResult[]
  /** In which they were sent, of a message of several parts. */
  form?: string | undefined
}

/** Keeps the forms of these conclusions, for attempts to come; before the conclusions are written down. */
export async function keepForms(db: Db, conclusions: readonly (Conclusion & { form: string })[]): Promise<void> {
  await db.work('keep_forms', 'select keep_forms($1, $2, $3, $4)', [
    plainColumn(conclusions, item => item.tenantId),
    textColumn(conclusions, item => item.id),
    plainColumn(conclusions, item => item.attempt),
    textColumn(conclusions, item => item.form),
  ])
}

type FormRow = Pick<ClaimedRow, 'tenant_id' | 'id'> & { form: string }

/** The forms in which parts of these messages were taken. What they were claimed with is committed whatever fails here. */
async function formsTaken(db: Db, rows: readonly ClaimedRow[]): Promise<FormRow[]> {
  try {
    return await db.work('forms_taken', 'select * from forms_taken($1, $2)', [
      plainColumn(rows, row => row.tenant_id),
      textColumn(rows, row => row.id),
    ])
  } catch (cause) {
    throw new Error('the forms of texts that were begun could not be read', { cause })
  }
}

type ConcludeOptions = {
  tokens: readonly string[]
  leases?: readonly string[]
  receiptTimeoutMs: number
  moves: Moves
  /** Routes of messages of one part are kept in memory; `begins`: which the database does not know yet. */
  holding?: { begins: boolean } | undefined
}

const concludeText = functionCall('write_answers', 26)

/** The carrier's id by which the receipt of a message will come, where its route may be kept in memory: those of one part. */
export function heldId({ segments, parts: [part] }: Pick<Conclusion, 'segments' | 'parts'>): string | undefined {
  return segments === 1 && part?.outcome === 'accepted' ? part.carrierMessageId : undefined
}

/**
 * Writes down answers of a carrier; the number of messages that moved.
 * @param options.tokens leases that end with them
 * @param options.leases leases that go on; what waits again leaves them
 */
export async function concludeMessages(
  db: Db,
  carrier: string,
  conclusions: readonly Conclusion[],
  { tokens, leases = [], receiptTimeoutMs, moves, holding }: ConcludeOptions,
): Promise<number> {
  // In one order, as receipts are: they wait for each other and do not dead-lock.
  const batch = conclusions.toSorted((a, b) => a.tenantId - b.tenantId || (a.id < b.id ? -1 : 1))
  const parts = batch.flatMap(item => item.parts.map(result => ({ ...item, result })))
  const rows = await db.work<{ write_answers: number }>('write_answers', concludeText, [
    carrier,
    newId('job'),
    textArray(tokens),
    textArray(leases),
    plainColumn(batch, item => item.tenantId),
    textColumn(batch, item => item.id),
    plainColumn(batch, item => item.attempt),
    textColumn(batch, item => item.event),
    sparseColumn(batch, item => item.code, textArray),
    sparseColumn(batch, item => (item.retryMs === null ? null : item.retryMs / 1000), plainArray),
    plainColumn(parts, part => part.tenantId),
    textColumn(parts, part => part.id),
    plainColumn(parts, part => part.result.part),
    plainColumn(parts, part => part.attempt),
    textColumn(parts, part => part.result.outcome),
    textColumn(parts, ({ result }) => (result.outcome === 'accepted' ? result.carrierMessageId : null)),
    sparseColumn(parts, ({ result }) => ('code' in result ? (result.code ?? null) : null), textArray),
    sparseColumn(parts, ({ result }) => ('carrierCode' in result ? (result.carrierCode ?? null) : null), textArray),
    receiptTimeoutMs / 1000,
    noEventIds,
    ...moveColumns(moves),
    holding === undefined ? null : plainColumn(parts, part => heldId(part) !== undefined),
    holding?.begins ?? false,
    batch.every(item => item.segments === 1 && item.attempt === 1),
  ])
  return rows[0]!.write_answers
}

const strandedText = functionCall('claim_stranded_messages', 3)

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
  /** What was counted for it. */
  price_micros: number | null
  currency: string | null
  resend: boolean
  /** Its lease ran out: what became of it is unknown. */
  lost: boolean
  outlived: boolean
  /** Whether a carrier has a part of it, or may have. */
  begun: boolean
  /** Whether its carrier has taken some of its parts, and not the others. */
  in_part: boolean
  /** The API key whose own ceiling counted it, too. */
  spend_key_id: string | null
  /** Whether its service chose the sender, of one to be sent later. */
  from_pool: boolean | null
  /** Whether it was accepted on the day that it is. */
  counted_today: boolean
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
  /** Who its service chose in place of a sender that is gone; that one again where no other can send it. */
  sender: string | null
}

const settleStrandedText = functionCall('settle_stranded_messages', 14)

/** Ends the lease; how many messages moved. */
export async function settleStranded(
  db: Db,
  token: string,
  batch: readonly Settlement[],
  moves: Moves,
): Promise<number> {
  const rows = await db.work<{ settle_stranded_messages: number }>('settle_stranded_messages', settleStrandedText, [
    token,
    plainColumn(batch, item => item.tenantId),
    textColumn(batch, item => item.id),
    textColumn(batch, item => item.event),
    textColumn(batch, item => item.code),
    textColumn(batch, item => item.carrier),
    plainColumn(batch, item => item.priceMicros),
    textColumn(batch, item => item.currency),
    plainColumn(batch, item => item.retryMs / 1000),
    noEventIds,
    ...moveColumns(moves),
    sparseColumn(batch, item => item.sender, textArray),
  ])
  return rows[0]!.settle_stranded_messages
}

/** The API key whose own ceiling counted a message; that stays as it is. */
export async function findSpendKey(tx: Tx, { tenantId }: Scope, id: string): Promise<string | null> {
  const { rows } = await sql<{ spend_key_id: string | null }>`
    select spend_key_id from messages where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
  return rows[0]?.spend_key_id ?? null
}

/** Takes a message back that no carrier has; whether it moved. */
export async function cancelMessage(tx: Tx, { tenantId }: Scope, id: string, moves: Moves): Promise<boolean> {
  const { rows } = await tx.executeQuery(
    CompiledQuery.raw('select * from cancel_messages($1, $2, $3, $4, $5, $6)', [
      [tenantId],
      [id],
      noEventIds,
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
