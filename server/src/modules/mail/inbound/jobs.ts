// What lies in the store and belongs to no mail that came in: bytes whose mail was never stored, because a process died.
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { timeOfId } from '../../../kernel/values/ids.ts'
import { rawFolder } from './intake.ts'
import { unknownKeys } from './store.ts'

const keysAtOnce = 500
/** From the bytes to the row takes far less. */
const graceMs = 24 * 3_600_000
const keyPattern = new RegExp(`^${rawFolder}/([1-9]\\d{0,14})/(obj_[0-7][0-9a-hjkmnp-tv-z]{25})$`)

export const sweepInboundMails: JobMaker = ({ db, objects, clock, log }) => ({
  name: 'sweep_inbound_mails',
  cron: '47 3 * * *',
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
    for await (const { key } of store.list(`${rawFolder}/`)) {
      const [, tenantId, id = ''] = keyPattern.exec(key) ?? []
      if (tenantId === undefined || timeOfId(id) > clock.now() - graceMs) continue
      batch.push({ tenantId: Number(tenantId), key })
      if (batch.length === keysAtOnce) await settle()
    }
    if (batch.length > 0) await settle()
    if (gone > 0) log.info({ files: gone }, 'removed mails that were never stored')
  },
})
