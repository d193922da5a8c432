// What calls leave behind goes after a while: their SIP messages, and what a process that died could not take away.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { purgeCallRows } from './store.ts'

const rowsAtOnce = 5_000

/**
 * Deletes the SIP messages of calls that ended longer ago than their organization keeps them, and jobs, commands and dialogs of calls that
 * ended a day ago. The calls themselves stay, and nothing of one that is under way goes.
 */
export const purgeCalls: JobMaker = ({ db, log, retention }) => ({
  name: 'purge_calls',
  cron: '23 3 * * *',
  async run() {
    let gone = 0
    for (;;) {
      const count = await purgeCallRows(db, retention.call_traces.days, rowsAtOnce)
      gone += count
      if (count < rowsAtOnce) break
    }
    log.info({ rows: gone }, 'purged what calls had left behind')
  },
})
