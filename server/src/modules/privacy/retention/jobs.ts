// Deletes what is older than its organization keeps it: a bounded number of rows at a time, tenant by tenant, each going on where the last
// one stopped. What was removed is counted in the log and in the metric tandem_purged_rows_total.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { purgeMeter } from './meters.ts'
import { agedTables } from './rules.ts'
import { listDue, purgeSome } from './store.ts'

const rowsAtOnce = 1_000

export const purgeByAge: JobMaker = ({ db, log, retention, metrics }) => ({
  name: 'purge_by_age',
  cron: '29 * * * *',
  async run() {
    for (const of of agedTables) {
      let [tenants, gone] = [0, 0]
      for (const due of await listDue(db, of, retention[of.in].days)) {
        tenants++
        try {
          for (let seen = rowsAtOnce; seen === rowsAtOnce; ) {
            const step = await purgeSome(db, of, due, rowsAtOnce)
            gone += step.gone
            seen = step.seen
          }
        } catch (err) {
          // One tenant that cannot be purged keeps no other from it; the next hour goes on where this one stopped.
          log.error({ err, table: of.table, tenantId: due.tenant_id }, 'could not purge what is old')
        }
      }
      if (gone > 0) {
        purgeMeter(metrics).inc({ table: of.table }, gone)
        log.info({ table: of.table, tenants, rows: gone }, 'purged what was kept long enough')
      }
    }
  },
})
