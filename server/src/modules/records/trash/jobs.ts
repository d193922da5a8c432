// Empties the trash: what was deleted thirty days ago goes for good, of every noun. The files of attachments follow by their own sweep.
import type { Db } from '../../../kernel/data/db.ts'
import { type PageSize, withinTimeout } from '../../../kernel/data/page_size.ts'
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { allTrashed, type Host } from '../../../kernel/noun/hosts.ts'
import { type ExpiredRecord, listExpired, purgeRecords } from '../../../kernel/noun/purge.ts'

const recordsAtOnce = 500

export const purgeTrash: JobMaker = ({ db, clock, log }) => ({
  name: 'purge_trash',
  cron: '11 2 * * *',
  async run() {
    for (const noun of allTrashed()) {
      let gone = 0
      const leftOut: number[] = []
      for (;;) {
        const rows = await listExpired(db, noun, recordsAtOnce, leftOut)
        let isNext = false
        for (const [tenantId, group] of Map.groupBy(rows, row => row.tenant_id)) {
          try {
            const removed = await purgeGroup(db, noun, group, clock.now())
            gone += removed
            // What somebody restored meanwhile is not listed again; where nothing went, nothing will.
            isNext ||= removed > 0
          } catch (err) {
            // One tenant whose trash cannot be emptied keeps no other from it; the next night tries again.
            log.error({ err, noun: noun.many, tenantId }, 'could not empty the trash')
            leftOut.push(tenantId)
            isNext = true
          }
        }
        if (rows.length < recordsAtOnce || !isNext) break
      }
      if (gone > 0) log.info({ noun: noun.many, records: gone }, 'emptied the trash')
    }
  },
})

/** Those of one tenant, in as many transactions as what names them takes, and fewer at once where so many take too long. */
async function purgeGroup(db: Db, noun: Host, group: readonly ExpiredRecord[], nowMs: number): Promise<number> {
  const { tenant_id: tenantId, organization_id: organizationId } = group[0]!
  const scope = { tenantId, organizationId }
  const size: PageSize = { rows: group.length }
  let gone = 0
  for (let at = 0; at < group.length; ) {
    const { removed, isMore, taken } = await withinTimeout(size, async rows => {
      const ids = group.slice(at, at + rows).map(({ id }) => id)
      return { taken: rows, ...(await db.inTenant(scope, tx => purgeRecords(tx, scope, noun, ids, nowMs))) }
    })
    gone += removed
    if (!isMore) at += taken
  }
  return gone
}
