// Empties the trash: what was deleted thirty days ago goes for good, of every noun. The files of attachments follow by their own sweep.
import type { Db } from '../../../kernel/data/db.ts'
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
      for (;;) {
        const rows = await listExpired(db, noun, recordsAtOnce)
        let removed = 0
        for (const group of Map.groupBy(rows, row => row.tenant_id).values())
          removed += await purgeGroup(db, noun, group, clock.now())
        gone += removed
        // What somebody restored meanwhile is not listed again; where nothing went, nothing will.
        if (rows.length < recordsAtOnce || removed === 0) break
      }
      if (gone > 0) log.info({ noun: noun.many, records: gone }, 'emptied the trash')
    }
  },
})

/** Those of one tenant, in as many transactions as what names them takes. */
async function purgeGroup(db: Db, noun: Host, group: readonly ExpiredRecord[], nowMs: number): Promise<number> {
  const { tenant_id: tenantId, organization_id: organizationId } = group[0]!
  const scope = { tenantId, organizationId }
  const ids = group.map(({ id }) => id)
  for (;;) {
    const { removed, isMore } = await db.inTenant(scope, tx => purgeRecords(tx, scope, noun, ids, nowMs))
    if (!isMore) return removed
  }
}
