// Anyone who changes the status of an invoice locks the counts of its tenant until the commit, so such writes of one tenant follow one
// another whatever is done. Here they wait in memory, holding nothing; waiting in the database, a burst in one tenant would hold
// every connection and be refused for want of more.
import type { Db, Tx } from '../../kernel/data/db.ts'
import type { Context } from '../../kernel/endpoint/endpoint.ts'
import type { Replayed } from '../../kernel/endpoint/reply.ts'
import { createSemaphores } from '../../kernel/values/semaphore.ts'

/** Transactions a tenant has under way in this process: one commits while the next ones prepare. */
const limits = { permits: 3, maxWaiting: 2_000 }

const semaphores = new WeakMap<Db, ReturnType<typeof createSemaphores<number>>>()

function semaphoresOf(db: Db) {
  const known = semaphores.get(db)
  if (known !== undefined) return known
  const created = createSemaphores<number>(limits)
  semaphores.set(db, created)
  return created
}

/** What a write answers, and the version that becomes its ETag. */
export type Written<Reply> = { reply: Reply; version: number }

/**
 * Runs the write of an endpoint with `transaction: 'none'` as `transact` does, once a permit of its tenant is free.
 * @throws Problem `unavailable` when too many wait
 */
export function writeInvoice<Reply>(
  context: Context<unknown, unknown, unknown>,
  write: (tx: Tx) => Promise<Written<Reply>>,
): Promise<Reply | Replayed> {
  const { services, principal } = context
  return semaphoresOf(services.db).run(principal.tenantId, () =>
    context.transact(async tx => {
      const { reply, version } = await write(tx)
      context.setVersion(version)
      return reply
    }),
  )
}
