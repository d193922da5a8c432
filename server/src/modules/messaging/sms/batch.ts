// Accepts up to a thousand texts of one request. What can be found out before is found out before, a hundred at a time, so that
// other requests are served in between; the transaction itself only writes.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Draft, draftMessage, type SendInput, type Sending } from './intake.ts'
import { findDuplicates, type NewMessage } from './intake_store.ts'
import { duplicateProblem } from './refusals.ts'
import { acceptMessagesIn, type IntakeRefusal } from './spending.ts'

/** One text of a batch: a message to accept, or why there is none. */
export type BatchItem = NewMessage | Problem

const atATime = 100

/** Reads the texts of a request in their order; those refused as duplicates of earlier ones are found by one query. */
export async function prepareBatch(inputs: readonly SendInput[], sending: Sending, scope: Scope): Promise<BatchItem[]> {
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
    suspects.map(({ message: { row }, duplicateWindowSeconds }) => ({
      serviceId: row.service_id as string,
      to: row.to_address,
      body: row.body,
      since: isoMs(sending.nowMs - duplicateWindowSeconds * 1_000),
    })),
  )
  const duplicates = new Map(suspects.map((item, index) => [item, known[index]]))
  return drafts.map(item => {
    if (item instanceof Problem) return item
    const id = duplicates.get(item)
    return id === undefined ? item.message : duplicateProblem(id)
  })
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem && error.code !== 'unavailable') return error
  throw error
}

/** The messages of a batch. */
export function messagesOf(items: readonly BatchItem[]): NewMessage[] {
  return items.filter((item): item is NewMessage => !(item instanceof Problem))
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
