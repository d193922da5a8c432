// Accepts up to a thousand texts of one request. What can be found out before is found out before, a hundred at a time, so that
// other requests are served in between; the transaction itself only writes.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Draft, draftMessage, type SendInput, type Sending, suspectOf } from './intake.ts'
import { findDuplicates, type NewMessage } from './intake_store.ts'
import { duplicateProblem, intakeProblem } from './refusals.ts'
import { nothingChosen } from './sender_choice.ts'
import { acceptMessagesIn, type IntakeRefusal } from './spending.ts'

/** A text that says to the same recipient what an earlier one of its batch says. */
type Repeated = { repeats: NewMessage }
/** One text of a batch: a message to accept, or why there is none. */
export type BatchItem = NewMessage | Repeated | Problem

const atATime = 100

/**
 * Reads the texts of a request in their order; those refused as duplicates of earlier messages are found by one query. Senders
 * of limited speed that a service has share the batch.
 */
export async function prepareBatch(
  inputs: readonly SendInput[],
  scopeOfSending: Sending,
  scope: Scope,
): Promise<BatchItem[]> {
  const sending = { ...scopeOfSending, chosen: nothingChosen() }
  const drafts: (Draft | Problem)[] = []
  for (let from = 0; from < inputs.length; from += atATime) {
    const part = inputs.slice(from, from + atATime)
    drafts.push(...(await Promise.all(part.map(input => draftMessage(input, sending).catch(refusal)))))
    await nextTurn()
  }
  const suspects = drafts.filter((item): item is Draft => !(item instanceof Problem) && item.duplicateWindowSeconds > 0)
  const known = await findDuplicates(
    sending.services.db,
    scope,
    suspects.map(({ message: { row }, duplicateWindowSeconds }) =>
      suspectOf(row, duplicateWindowSeconds, sending.nowMs),
    ),
  )
  const duplicates = new Map(suspects.map((item, index) => [item, known[index]]))
  const said = new Map<string, NewMessage[]>()
  return drafts.map(item => {
    if (item instanceof Problem) return item
    const id = duplicates.get(item)
    if (id !== undefined) return duplicateProblem(id)
    const { row } = item.message
    const text = JSON.stringify([row.service_id, row.to_address, row.body])
    const before = said.get(text) ?? []
    const isWithin = (other: NewMessage) =>
      Math.abs(sendsAtMs(other) - sendsAtMs(item.message)) <= item.duplicateWindowSeconds * 1_000
    const earlier = item.duplicateWindowSeconds > 0 ? before.find(isWithin) : undefined
    if (earlier !== undefined) return { repeats: earlier }
    said.set(text, [...before, item.message])
    return item.message
  })
}

function sendsAtMs({ row }: NewMessage): number {
  return Date.parse(row.send_at ?? row.created_at)
}

/** Why a text of a batch is not accepted; undefined for one that is. */
export function problemOf(item: BatchItem, refusals: ReadonlyMap<NewMessage, IntakeRefusal>): Problem | undefined {
  if (item instanceof Problem) return item
  const refusal = refusals.get('repeats' in item ? item.repeats : item)
  if (refusal !== undefined) return intakeProblem(refusal)
  return 'repeats' in item ? duplicateProblem(item.repeats.row.id) : undefined
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem && error.code !== 'unavailable') return error
  throw error
}

/** The messages of a batch. */
export function messagesOf(items: readonly BatchItem[]): NewMessage[] {
  return items.filter((item): item is NewMessage => !(item instanceof Problem) && !('repeats' in item))
}

/** Accepts the messages of a batch within a transaction; why the database refused some of them, by message. */
export async function acceptBatchIn(
  tx: Tx,
  scope: Scope,
  messages: readonly NewMessage[],
  nowMs: number,
): Promise<Map<NewMessage, IntakeRefusal>> {
  const refused = await acceptMessagesIn(tx, scope, messages, nowMs)
  const refusals = new Map<NewMessage, IntakeRefusal>()
  for (const [index, message] of messages.entries()) {
    const refusal = refused[index]
    if (refusal !== undefined) refusals.set(message, refusal)
  }
  return refusals
}
