// Takes in up to a thousand texts of one request. What can be found out before is found out before, a hundred at a time, so that
// other requests are served in between; the transaction itself only writes.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isoMs } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/db.ts'
import { claim, type Idempotency, type Replay, store } from '../../../kernel/idempotency.ts'
import { Problem } from '../../../kernel/problem.ts'
import { findDuplicates } from './asking.ts'
import { duplicateProblem, type ReadMessage, readMessage, type SendInput, type Sending } from './intake.ts'
import { type IntakeRefusal, takeMessagesIn } from './spending.ts'
import { type NewMessage, withKeyHeld } from './store.ts'

/** One text of a batch: to be taken in, or why it is not. */
export type BatchItem = NewMessage | Problem

const atATime = 100

/** Reads the texts of a request in their order; those refused as duplicates of earlier ones are found by one query. */
async function readBatch(inputs: readonly SendInput[], sending: Sending, scope: Scope): Promise<BatchItem[]> {
  const read: (ReadMessage | Problem)[] = []
  for (let from = 0; from < inputs.length; from += atATime) {
    const part = inputs.slice(from, from + atATime)
    read.push(...(await Promise.all(part.map(input => readMessage(input, sending).catch(refusal)))))
    await nextTurn()
  }
  const watched = read.filter(
    (item): item is ReadMessage => !(item instanceof Problem) && item.duplicateWindowSeconds > 0,
  )
  const known = await findDuplicates(
    sending.services.db,
    scope,
    watched.map(({ message: { row }, duplicateWindowSeconds }) => ({
      serviceId: row.service_id as string,
      to: row.to_address,
      body: row.body as string,
      since: isoMs(sending.nowMs - duplicateWindowSeconds * 1_000),
    })),
  )
  const duplicates = new Map(watched.map((item, index) => [item, known[index]]))
  return read.map(item => {
    if (item instanceof Problem) return item
    const id = duplicates.get(item)
    return id === undefined ? item.message : duplicateProblem(id)
  })
}

function refusal(error: unknown): Problem {
  if (error instanceof Problem && error.code !== 'unavailable') return error
  throw error
}

export type BatchRequest<Reply> = {
  inputs: readonly SendInput[]
  sending: Sending
  scope: Scope
  idempotency: Idempotency | undefined
  /** What is answered, made of each text and of why the database refused it. */
  answer(items: readonly BatchItem[], refusals: ReadonlyMap<NewMessage, IntakeRefusal>): Reply
  serialize(reply: Reply): string
}

/** Takes a batch in, in one transaction, with the answer under the request's key; or answers what is stored under it. */
export async function takeBatch<Reply>(
  request: BatchRequest<Reply>,
): Promise<{ replay: Replay } | { reply: Reply; carriers: ReadonlySet<string> }> {
  const { inputs, sending, scope, idempotency, answer, serialize } = request
  const { db } = sending.services
  const items = await readBatch(inputs, sending, scope)
  const messages = items.filter((item): item is NewMessage => !(item instanceof Problem))
  return withKeyHeld(db, scope, idempotency?.key, () =>
    db.inTenant(scope, async tx => {
      const replay = idempotency && (await claim(tx, scope, idempotency))
      if (replay !== undefined) return { replay }
      const late = await takeMessagesIn(tx, scope, messages, sending.nowMs)
      const refusals = new Map<NewMessage, IntakeRefusal>()
      for (const [index, message] of messages.entries()) {
        const refused = late[index]
        if (refused !== undefined) refusals.set(message, refused)
      }
      const reply = answer(items, refusals)
      if (idempotency !== undefined)
        await store(tx, scope, idempotency.key, { status: 200, body: serialize(reply), version: null })
      return { reply, carriers: new Set(messages.map(({ row }) => row.carrier)) }
    }),
  )
}
