// What lies in the store and belongs to no attachment: files whose upload came to nothing, because a process died or the store did not
// answer, and those of attachments that are gone.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { timeOfId } from '../../../kernel/values/ids.ts'
import { unknownKeys } from './store.ts'

const keysAtOnce = 500
/** An upload and its transaction take far less. */
const graceMs = 24 * 3_600_000
const keyPattern = /^attachments\/([1-9]\d{0,14})\/(obj_[0-7][0-9a-hjkmnp-tv-z]{25})$/

export const sweepAttachments: JobMaker = ({ db, objects, clock, log }) => ({
  name: 'sweep_attachments',
  cron: '41 3 * * *',
  async run() {
    const store = objects.current
    let batch: { tenantId: number; key: string }[] = []
    let gone = 0
    const settle = async () => {
      const unknown = await unknownKeys(
        db,
        batch.map(({ tenantId }) => tenantId),
        batch.map(({ key }) => key),
      )
      for (const key of unknown) await store.remove(key)
      gone += unknown.length
      batch = []
    }
    for await (const { key } of store.list('attachments/')) {
      const [, tenantId, id = ''] = keyPattern.exec(key) ?? []
      if (tenantId === undefined || timeOfId(id) > clock.now() - graceMs) continue
      batch.push({ tenantId: Number(tenantId), key })
      if (batch.length === keysAtOnce) await settle()
    }
    if (batch.length > 0) await settle()
    if (gone > 0) log.info({ files: gone }, 'removed files that no attachment names')
  },
})
