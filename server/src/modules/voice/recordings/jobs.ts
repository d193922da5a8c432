// The work behind recordings: files that are finished go to their store, what is of no use any more is removed, recordings of
// processes that died are finished, and old ones deleted. Every job may be done twice, and is until it succeeds.
import { unlink } from 'node:fs/promises'
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { JobMaker, QueueMaker } from '../../../kernel/jobs/background.ts'
import { inEachTenant } from '../call_records/index.ts'
import {
  deleteRecordings,
  finishRecording,
  markAbsent,
  markAvailable,
  markFailed,
  recordingFile,
  recordingQueue,
  removeObject,
} from './changes.ts'
import { type MendRecording, mendRecording } from './local_file.ts'
import { objectKeyOf, type Recording, retrySeconds } from './rules.ts'
import {
  callEnds,
  claimRecordingJobs,
  findRecording,
  listExpiredRecordings,
  listLostRecordings,
  lockRecordings,
  postponeJob,
  type RecordingJob,
  type RecordingRef,
  removeJob,
} from './store.ts'

const leaseSeconds = 60
const renewMs = 20_000
/** What a machine that was away for so long had not stored is given up; should it come back, it is stored after all. */
const giveUpSeconds = 24 * 3_600
/** Longer than it takes to see that the process of a call died, and a living one to end its recordings. */
const lostAfterSeconds = 60
const expiredAtOnce = 500

/** Queue `recordings`: stores files that are finished, and removes what is of no use any more. */
export function storeRecordings(mend: MendRecording = mendRecording): QueueMaker {
  return services => {
    const { db, objects, log } = services
    return {
      name: recordingQueue,
      // A file may take minutes; each has a lane of its own.
      batch: 1,
      lanes: 3,
      pollMs: 1_000,
      claim: (token, limit) =>
        claimRecordingJobs(db, { token, limit, leaseSeconds, folder: objects.folder.knownId() ?? null, giveUpSeconds }),
      async work(rows: RecordingJob[], token: string) {
        for (const job of rows) {
          const scope = scopeOf(job)
          const lease = setInterval(() => {
            const renewed = db.inTenant(scope, tx => postponeJob(tx, scope, job, token, leaseSeconds))
            // A lease that ends lets another worker do the same: no harm.
            renewed.catch(() => {})
          }, renewMs)
          try {
            await carryOut(services, mend, scope, job)
          } catch (error) {
            const { recording_id: recordingId, kind, attempts } = job
            log.warn({ recordingId, kind, attempts, err: error }, 'the file of a recording has to wait')
            const seconds = retrySeconds(attempts)
            await db.inTenant(scope, tx => postponeJob(tx, scope, job, token, seconds))
          } finally {
            clearInterval(lease)
          }
        }
      },
    }
  }
}

function scopeOf({ tenant_id, organization_id }: RecordingRef): Scope {
  return { tenantId: tenant_id, organizationId: organization_id }
}

async function carryOut(services: Services, mend: MendRecording, scope: Scope, job: RecordingJob): Promise<void> {
  const { db, objects } = services
  const recording = await db.inTenant(scope, tx => findRecording(tx, scope, job.recording_id))
  if (recording === undefined) throw new Error(`job of a recording that is not there: ${job.recording_id}`)
  if (job.kind === 'store') return store(services, mend, scope, job, recording)
  if (job.kind === 'clean') {
    if (await recovered(services, mend, scope, recording)) return
    await removeFile(recordingFile(objects.folder, recording))
  } else await removeStored(services, recording)
  await db.inTenant(scope, tx => removeJob(tx, scope, recording.id, job.kind))
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function removeStored({ objects }: Services, { storage, storage_key }: Recording): Promise<void> {
  if (storage === null || storage_key === null) return
  const holder = objects.at(storage)
  if (holder === undefined) throw new Error(`no key to ${storage}; set TANDEM_S3_ACCESS_KEY_ID`)
  await holder.remove(storage_key)
}

async function store(
  services: Services,
  mend: MendRecording,
  scope: Scope,
  job: RecordingJob,
  recording: Recording,
): Promise<void> {
  const { db, objects, clock, wake, log } = services
  const { id } = recording
  const isHere = recording.folder === objects.folder.knownId()
  const path = recordingFile(objects.folder, recording)
  if (recording.state !== 'processing') {
    // Another worker was quicker; what is left to do is a job of its own.
    await db.inTenant(scope, tx => removeJob(tx, scope, id, 'store'))
    return
  }
  const mended = isHere ? await mend(path) : 'missing'
  // Who ended it has reported its length: then there was a file.
  const isLost = mended === 'missing' && (!isHere || (recording.duration_ms ?? 0) > 0)
  if (isLost || mended === 'broken') {
    log.error({ recordingId: id, folder: job.folder }, `the file of a recording is ${isLost ? 'lost' : 'broken'}`)
    const error = isLost ? 'recording_lost' : 'recording_write_failed'
    await db.inTenant(scope, tx => markFailed(tx, scope, id, error, clock.now()))
  } else if (mended === 'empty' || mended === 'missing') {
    await db.inTenant(scope, tx => markAbsent(tx, scope, id, clock.now()))
  } else {
    await keep(services, scope, recording, mended.durationMs)
  }
  wake(recordingQueue)
}

/** Puts the file of a recording into its store; what is left to do, such as removing the file, is a job of its own. */
async function keep(
  { db, objects, clock }: Services,
  scope: Scope,
  recording: Recording,
  durationMs: number,
): Promise<void> {
  const { id } = recording
  const { current } = objects
  const key = objectKeyOf(recording)
  const put = await current.put(key, recordingFile(objects.folder, recording))
  const stored = { storage: current.name, key, ...put, durationMs, atMs: clock.now() }
  const isUnwanted = await db.inTenant(scope, async tx => {
    if ((await markAvailable(tx, scope, id, stored)) !== undefined) return false
    // It was stored, and even deleted, while we were at it: then our object may be there again.
    const [now] = await lockRecordings(tx, scope, [id])
    if (now?.state === 'deleted') await removeObject(tx, scope, now)
    await removeJob(tx, scope, id, 'store')
    return now?.state === 'deleted' && now.storage === null
  })
  // Nobody knows of it: it was deleted after it had been given up.
  if (isUnwanted) await current.remove(key)
}

/** Whether this machine, which was away, has stored a recording that others gave up meanwhile. */
async function recovered(
  services: Services,
  mend: MendRecording,
  scope: Scope,
  recording: Recording,
): Promise<boolean> {
  if (recording.state !== 'failed' || recording.error !== 'recording_lost') return false
  const mended = await mend(recordingFile(services.objects.folder, recording))
  if (typeof mended === 'string') return false
  await keep(services, scope, recording, mended.durationMs)
  services.log.info({ recordingId: recording.id }, 'the file of a recording that was given up is stored')
  services.wake(recordingQueue)
  return true
}

/** Queue `lost_recordings`: finishes recordings whose process died, as of the end of their call, from what is on disk. */
export const endLostRecordings: QueueMaker = ({ db, log, wake }) => ({
  name: 'lost_recordings',
  lanes: 1,
  pollMs: 10_000,
  claim: (_token, limit) => listLostRecordings(db, lostAfterSeconds, limit),
  async work(rows: RecordingRef[]) {
    const { results, faults } = await inEachTenant(db, rows, async (tx, scope, group) => {
      const ends = await callEnds(
        tx,
        scope,
        group.map(row => row.recording_id),
      )
      let finished = 0
      for (const [id, endedAt] of ends) {
        if ((await finishRecording(tx, scope, id, { atMs: Date.parse(endedAt) })) !== undefined) finished++
      }
      return finished
    })
    log.warn({ recordings: results.reduce((sum, count) => sum + count, 0) }, 'ended recordings of a process that died')
    wake(recordingQueue)
    if (faults.length > 0) throw faults[0]
  },
})

/** Deletes recordings that are older than their organization keeps them, and that no legal hold keeps. */
export const expireRecordings: JobMaker = ({ db, log, clock, wake, retention }) => ({
  name: 'expire_recordings',
  cron: '41 * * * *',
  async run() {
    let gone = 0
    for (;;) {
      const rows = await listExpiredRecordings(db, retention.recordings.days, expiredAtOnce)
      const { results, faults } = await inEachTenant(db, rows, async (tx, scope, group) => {
        const ids = group.map(row => row.recording_id)
        return (await deleteRecordings(tx, scope, ids, 'retention', clock.now())).length
      })
      const count = results.reduce((sum, deleted) => sum + deleted, 0)
      gone += count
      wake(recordingQueue)
      if (faults.length > 0) throw faults[0]
      if (rows.length < expiredAtOnce || count === 0) break
    }
    if (gone > 0) log.info({ recordings: gone }, 'deleted recordings that were kept long enough')
  },
})
