// Tells what becomes of trunks: their states and counters, and the events trunk.up, trunk.down and trunk.throttled.
import type { Scope } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { createLinkReporter, type LinkCondition } from '../../../kernel/link_reporter.ts'
import type { TrunkReport } from './kind.ts'
import { trunkStore, writeStates } from './store.ts'

/** `opening` stands for this setting up of the trunk: another one tells anew, and only what is not told yet is an event. */
export type TrunkTold = { scope: Scope; id: string; opening: object; report: TrunkReport }

function conditionOf({ opening, report }: TrunkTold): LinkCondition {
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
export function createTrunkReporter(services: Services, owner: string, current: () => TrunkTold[]) {
  const { db } = services

  return createLinkReporter<TrunkTold>(services, {
    store: trunkStore,
    current,
    conditionOf,
    async write(told) {
      const states = told.map(({ scope, id, report }) => ({ ...report, tenantId: scope.tenantId, trunkId: id }))
      await writeStates(db, owner, states)
    },
  })
}
