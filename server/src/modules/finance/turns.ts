// Turns: whoever changes the status of an invoice locks the counts of its tenant until the commit, so such writes of one
// tenant follow one another whatever is done. Here they wait in memory, holding nothing; waiting in the database, a burst in
// one tenant would hold every connection and be refused for want of more.
import type { Db, Tx } from '../../kernel/db.ts'
import type { Context, Replayed } from '../../kernel/endpoint.ts'
import { claim, store } from '../../kernel/idempotency.ts'
import { Problem } from '../../kernel/problem.ts'

/** Transactions a tenant has under way in this process: one commits while the next ones prepare. */
const atOnce = 3
const longestLine = 2_000

type Line = { running: number; waiting: (() => void)[] }
const lines = new WeakMap<Db, Map<number, Line>>()

async function takeTurn<T>(db: Db, tenantId: number, work: () => Promise<T>): Promise<T> {
  const byTenant = lines.get(db) ?? new Map<number, Line>()
  lines.set(db, byTenant)
  const line = byTenant.get(tenantId) ?? { running: 0, waiting: [] }
  byTenant.set(tenantId, line)
  if (line.running < atOnce) line.running++
  else if (line.waiting.length >= longestLine) throw new Problem('unavailable', { headers: { 'retry-after': '2' } })
  else await new Promise<void>(resolve => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next !== undefined) next()
    else if (--line.running === 0) byTenant.delete(tenantId)
  }
}

/** What a write answers, and the version that becomes its ETag. */
export type Written<Reply> = { reply: Reply; version: number }

/**
 * Runs the write of an endpoint with `transaction: 'none'` as the kernel runs others, idempotency included, but in turn.
 * @param status the endpoint's status of success
 * @throws Problem `unavailable` when too many wait
 */
export function inTurn<Reply>(
  context: Context<unknown, unknown, unknown>,
  status: number,
  write: (tx: Tx) => Promise<Written<Reply>>,
): Promise<Reply | Replayed> {
  const { services, principal, idempotency } = context
  return takeTurn(services.db, principal.tenantId, () =>
    services.db.inTenant(principal, async (tx): Promise<Reply | Replayed> => {
      const replay = idempotency && (await claim(tx, principal, idempotency))
      if (replay !== undefined) return { replay }
      const { reply, version } = await write(tx)
      // Before the commit: a reply that does not fit its schema must not leave its effect behind.
      const body = context.serialize(reply)
      if (idempotency !== undefined) await store(tx, principal, idempotency.key, { status, body, version })
      context.setVersion(version)
      return reply
    }),
  )
}
