// Tells what becomes of the links of carriers: their states and counters, and the events carrier.up, carrier.down and
// carrier.throttled.
import type { Scope } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { createLinkReporter, type LinkCondition } from '../../../kernel/link_reporter.ts'
import type { LinkReport } from './kind.ts'
import { carrierStore, writeLinks } from './store.ts'

/** `opening` stands for this opening of the carrier: another one tells anew, and only what is not told yet is an event. */
export type Told = { scope: Scope; id: string; opening: object; reports: readonly LinkReport[] }

/** A carrier is as reachable as the links that messages are sent on. */
function conditionOf({ opening, reports }: Told): LinkCondition {
  const links = reports.filter(report => report.role !== 'receiver')
  return {
    opening,
    isUp: links.some(({ state }) => state === 'up' || state === 'throttled'),
    isDown: links.length > 0 && links.every(({ state }) => state === 'down'),
    isThrottled: links.some(link => link.state === 'throttled'),
    reason: links.find(link => link.lastError !== null)?.lastError ?? null,
  }
}

/** @param owner names this process in what it writes */
export function createReporter(services: Services, owner: string, current: () => Told[]) {
  const { db } = services

  return createLinkReporter<Told>(services, {
    store: carrierStore,
    current,
    conditionOf,
    async write(told) {
      const links = told.flatMap(({ scope, id, reports }) =>
        reports.map(report => ({ ...report, tenantId: scope.tenantId, carrierId: id })),
      )
      await writeLinks(db, owner, links)
    },
  })
}
