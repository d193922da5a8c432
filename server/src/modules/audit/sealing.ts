// Seals the audit log: each minute what was committed since is put behind the end of its organization's chain and signed. One
// transaction a seal: a process that dies in it leaves the events to the next.
import { chainStart, linkOf } from '../../kernel/audit/chain.ts'
import { auditScope } from '../../kernel/audit/record.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../kernel/jobs/background.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import { chainedOf, sealStatement } from './present.ts'
import { findLastSeal, insertSeal, listUnsealed, organizationsToSeal } from './seal_store.ts'
import { streamQueue } from './streaming.ts'

export const sealQueue = 'audit_seals'
const eventsAtOnce = 500
const everyMs = 60_000

export const sealEvents: QueueMaker = services => ({
  name: sealQueue,
  lanes: 1,
  batch: 1_000,
  pollMs: everyMs,
  claim: async () => organizationsToSeal(services.db),
  async work(organizationIds: number[]) {
    for (const organizationId of organizationIds)
      await sealAll(services, organizationId).catch(err =>
        services.log.error({ err, organizationId }, 'audit events are not sealed'),
      )
    services.wake(streamQueue)
  },
})

async function sealAll(services: Services, organizationId: number): Promise<void> {
  while ((await sealSome(services, organizationId)) === eventsAtOnce);
}

/** Seals the first of what one organization has; how many events. */
async function sealSome({ db, tokens, clock }: Services, organizationId: number): Promise<number> {
  const scope = auditScope(organizationId)
  return db.inTenant(scope, async tx => {
    const events = await listUnsealed(tx, scope, eventsAtOnce)
    if (events.length === 0) return 0
    const last = await findLastSeal(tx, scope)
    const previous = last?.head ?? chainStart
    let head = previous
    const linked = events.map(event => {
      head = linkOf(head, chainedOf(event))
      return { id: event.id, hash: head }
    })
    const from_position = (last?.to_position ?? 0) + 1
    const to_position = from_position + events.length - 1
    const now = clock.now()
    const seal = { id: newId('ase', now), at: isoMs(now), from_position, to_position, previous, head }
    const signature = await tokens.signSeal(sealStatement(organizationId, seal))
    // Another node may have been first: then these events are in its seal.
    return (await insertSeal(tx, { ...seal, signature }, linked)) ? events.length : 0
  })
}
