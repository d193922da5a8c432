// Deletes what is older than its organization keeps it: a bounded number of rows at a time, tenant by tenant, each going on where the last
// one stopped. What was removed is counted in the log and in the metric tandem_purged_rows_total.
import { type PageSize, withinTimeout } from '../../../kernel/data/page_size.ts'
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { purgeMeter } from './meters.ts'
import { agedTables, endedDays } from './rules.ts'
import { listDue, purgeEnded, purgeSome } from './store.ts'

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
          const size: PageSize = { rows: rowsAtOnce }
          for (let isMore = true; isMore; ) {
            const step = await withinTimeout(size, rows => purgeSome(db, of, due, rows))
            gone += step.gone
            isMore = step.seen >= size.rows
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

export const purgeFinished: JobMaker = ({ db, log, metrics }) => ({
  name: 'purge_finished',
  cron: '47 3 * * *',
  async run() {
    const went: Record<string, number> = {}
    for (let isMore = true; isMore; ) {
      const steps = (await purgeEnded(db, endedDays, rowsAtOnce)).filter(({ gone }) => gone > 0)
      for (const { kind, gone } of steps) {
        went[kind] = (went[kind] ?? 0) + gone
        purgeMeter(metrics).inc({ table: kind }, gone)
      }
      isMore = steps.length > 0
    }
    if (Object.keys(went).length > 0) log.info({ rows: went }, 'purged what ended long ago')
  },
})
