// Reports what becomes of trunks: their states and counters, and the events trunk.up, trunk.down and trunk.throttled.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { createLinkReporter, type LinkCondition } from '../../../kernel/links/link_reporter.ts'
import type { TrunkReport } from './kind.ts'
import { trunkStore, writeStates } from './store.ts'

/** `opening` stands for this setting up of the trunk: another one reports again, and only what was not reported yet is an event. */
export type TrunkStatus = { scope: Scope; id: string; opening: object; report: TrunkReport }

function conditionOf({ opening, report }: TrunkStatus): LinkCondition {
  const { state, throttled, lastError } = report
  return {
    opening,
    isUp: state === 'up',
    isDown: state === 'down' || state === 'unregistered',
    isThrottled: throttled,
    reason: lastError,
  }
}

/**
 * For the process that watches trunks: call `round` every second, `soon` when a state changed, and `write` with the last
 * word of those that end.
 * @param owner names this process in what it writes
 */
export function createTrunkReporter(services: Services, owner: string, current: () => TrunkStatus[]) {
  const { db } = services

  return createLinkReporter<TrunkStatus>(services, {
    store: trunkStore,
    current,
    conditionOf,
    async write(statuses) {
      const states = statuses.map(({ scope, id, report }) => ({ ...report, tenantId: scope.tenantId, trunkId: id }))
      await writeStates(db, owner, states)
    },
  })
}
