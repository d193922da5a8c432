// Deletes what has outlived its promise, the same for all: idempotency keys after 72 hours, usage figures after 400 days. What each
// organization keeps as long as it likes goes by its retention (modules/privacy/retention).
import { type PageSize, withinTimeout } from '../data/page_size.ts'
import type { JobMaker } from './background.ts'

const rowsAtOnce = 5_000

export const purgeExpired: JobMaker = ({ db, log }) => ({
  name: 'purge_expired',
  cron: '17 * * * *',
  async run() {
    let gone = 0
    const size: PageSize = { rows: rowsAtOnce }
    const some = async (most: number) => {
      const rows = await db.work<{ gone: number }>('purge_expired', 'select purge_expired($1) as gone', [most])
      return rows[0]?.gone ?? 0
    }
    for (;;) {
      const count = await withinTimeout(size, some)
      gone += count
      if (count < size.rows) break
    }
    log.info({ rows: gone }, 'purged what had expired')
  },
})
