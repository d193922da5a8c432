// Takes away what has ended: codes, tokens and requests an hour after they expired, clients that nobody let in, old
// errors of apps.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { createRecords } from './records_store.ts'

const rowsAtOnce = 5_000

export const purgeOAuth: JobMaker = ({ db, keyring, log }) => ({
  name: 'purge_oauth',
  cron: '47 * * * *',
  async run() {
    const records = createRecords(db, keyring)
    let gone = 0
    for (let count = rowsAtOnce; count === rowsAtOnce; gone += count) count = await records.purge(rowsAtOnce)
    for (let count = rowsAtOnce; count >= rowsAtOnce; gone += count) count = await records.purgeErrors(rowsAtOnce)
    log.info({ rows: gone }, 'purged what had ended of OAuth')
  },
})
