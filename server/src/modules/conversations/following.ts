// Follows what is committed to the log of events, tenant by tenant: each event once, whenever it commits, whichever node wrote it. What is
// read and how far are written in the transaction that makes conversations of it, so a crash repeats nothing and loses nothing.
import type { Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { apply } from './apply.ts'
import { claimTypes, exchangeTypes, meaningsOf } from './exchanges.ts'
import { closeOld, readBefore } from './fill_store.ts'
import {
  audienceOf,
  beginAgain,
  holdPosition,
  moveBehind,
  moveFill,
  movePage,
  type Position,
  readEvents,
  type Tenant,
} from './position_store.ts'

const pageEvents = 500
const pageFill = 1_000

type Following = Pick<Services, 'db' | 'clock'>

/** Takes in one page of what a tenant is behind with. @returns whether there is more */
export async function followOnce({ db, clock }: Following, tenant: Tenant): Promise<boolean> {
  return db.inTenant(tenant, async tx => {
    const position = await holdPosition(tx, tenant)
    if (position === undefined) return false
    const nowMs = clock.now()
    if (position.fill_behind !== null) {
      const page = await readBefore(tx, tenant, position.fill_behind, position.fill_before, pageFill)
      await apply(tx, tenant, page.meanings, { nowMs, isQuiet: true })
      if (page.behind === null) await closeOld(tx, tenant, position.fill_before)
      await moveFill(tx, tenant, page.behind)
      return true
    }
    const { events, snapshot, wentBack } = await readBehind(tx, tenant, position)
    if (wentBack) {
      await beginAgain(tx, tenant, position)
      return true
    }
    await apply(tx, tenant, events.flatMap(meaningsOf), { nowMs })
    const upTo = position.page_snapshot ?? snapshot
    const last = events.at(-1)
    if (events.length === pageEvents && last !== undefined) await movePage(tx, tenant, upTo, last.id)
    else await moveBehind(tx, tenant, upTo)
    // Behind a page there is what came meanwhile.
    return events.length === pageEvents || position.page_snapshot !== null
  })
}

/**
 * What is behind the position, but for what can mean nothing. A text that goes out begins no conversation: where there is none, and nobody who
 * might have one, it is read only beside what begins one.
 */
async function readBehind(tx: Tx, tenant: Tenant, position: Position) {
  const { hasStrangers, hasAnyone } = await audienceOf(tx, tenant)
  const types = hasStrangers ? [exchangeTypes, claimTypes] : [exchangeTypes]
  const read = (withTexts: boolean) => readEvents(tx, tenant, position, { types, withTexts, limit: pageEvents })
  const found = await read(hasAnyone)
  return hasAnyone || found.events.length === 0 ? found : read(true)
}

/** Takes in all that a tenant is behind with, for some time: others want to be followed too. */
export async function followTenant(services: Following, tenant: Tenant, isStopping: () => boolean): Promise<void> {
  for (let pages = 0; pages < 50 && !isStopping(); pages++) if (!(await followOnce(services, tenant))) return
}
