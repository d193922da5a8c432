// Counts messages and calls that are no longer new, so that figures of months need not read them one by one.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { foldTraffic } from './store.ts'

export const foldTrafficCounts: JobMaker = ({ db, log }) => ({
  name: 'fold_traffic',
  cron: '*/5 * * * *',
  async run() {
    // One tenant's trouble must not keep the others from theirs; the next run tries again.
    await foldTraffic(db, (error, tenantId) =>
      log.error({ err: error, tenantId }, 'counting messages and calls failed'),
    )
  },
})
