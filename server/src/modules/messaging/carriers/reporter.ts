// Reports what becomes of the links of carriers: their states and counters, and the events carrier.up, carrier.down and
// carrier.throttled.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { createLinkReporter, type LinkCondition } from '../../../kernel/links/link_reporter.ts'
import type { LinkReport } from './kind.ts'
import { carrierStore, writeLinks } from './store.ts'

/** `opening` stands for this opening of the carrier: another one reports again, and only what was not reported yet is an event. */
export type CarrierReport = { scope: Scope; id: string; opening: object; reports: readonly LinkReport[] }

/** A carrier is as reachable as the links that messages are sent on. */
function conditionOf({ opening, reports }: CarrierReport): LinkCondition {
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
export function createReporter(services: Services, owner: string, current: () => CarrierReport[]) {
  const { db, log } = services
  const known = new Map<string, string>()

  /** One link of several, which says nothing yet of the carrier; attempts to connect are no news. */
  function logLinks({ id, reports }: CarrierReport): void {
    for (const { link, state, lastError } of reports) {
      const key = `${id} ${link}`
      if (state === 'connecting' || known.get(key) === state) continue
      const isFirst = !known.has(key)
      known.set(key, state)
      if (reports.length === 1 || (isFirst && state === 'up')) continue
      const about = { carrier: id, link, state }
      if (state === 'up' || state === 'stopped') log.info(about, 'a link of a carrier changed its state')
      else log.warn({ ...about, reason: lastError }, 'a link of a carrier changed its state')
    }
  }

  return createLinkReporter<CarrierReport>(services, {
    store: carrierStore,
    current,
    conditionOf,
    async write(carriers) {
      carriers.forEach(logLinks)
      const links = carriers.flatMap(({ scope, id, reports }) =>
        reports.map(report => ({ ...report, tenantId: scope.tenantId, carrierId: id })),
      )
      await writeLinks(db, owner, links)
    },
  })
}
