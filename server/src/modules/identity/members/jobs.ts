// The queue of hand-overs.
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { leaseSeconds, runHandOver } from './hand_over_run.ts'
import { claimHandOvers, type Leased, releaseHandOver } from './hand_over_store.ts'

export const handOverQueue = 'hand_overs'

/** So long one waits after its attempts failed: at most a minute. */
const retrySeconds = (attempts: number) => Math.min(leaseSeconds, 2 ** attempts)

/** Queue `hand_overs`. */
export const handOver: QueueMaker = services => {
  const { db, log } = services
  return {
    name: handOverQueue,
    batch: 1,
    lanes: 1,
    pollMs: 5_000,
    claim: (token, limit) => claimHandOvers(db, token, limit, leaseSeconds),
    async work(rows: Leased[], token, isStopping) {
      for (const leased of rows) {
        const { organization_id: organizationId, id, attempts } = leased
        let seconds = 0
        try {
          await runHandOver({ services, leased, token, isStopping })
        } catch (error) {
          log.warn({ handOverId: id, attempts, err: error }, 'a hand-over has to wait')
          seconds = retrySeconds(attempts)
        }
        const scope = { organizationId, tenantId: leased.live_tenant_id }
        await db.inTenant(scope, tx => releaseHandOver(tx, scope, { id, token, seconds }))
      }
    },
  }
}
