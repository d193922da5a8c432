// The queue of work on many records: trials and runs of imports, changes of all that a filter found, and what takes a batch back.

import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { JobMaker, QueueMaker } from '../../../kernel/jobs/background.ts'
import { type BatchRun, runBatch } from '../../../kernel/noun/batch_run.ts'
import {
  claimJobs,
  type JobKind,
  leaseSeconds,
  type RecordJob,
  recordQueue,
  releaseJob,
} from '../../../kernel/noun/record_jobs.ts'
import { timeOfId } from '../../../kernel/values/ids.ts'
import { expiredFiles, forgetFiles, keptFiles, runImport } from '../imports/index.ts'
import { sliceOf } from './slice.ts'

const runners: Readonly<Record<JobKind, (run: BatchRun) => Promise<void>>> = {
  check: runImport,
  import: runImport,
  change: runBatch,
  revert: runBatch,
}

/** So long a job waits after its attempts failed: at most a minute. */
const retrySeconds = (attempts: number) => Math.min(leaseSeconds, 2 ** attempts)

/** Queue `record_jobs`. */
export const changeRecords: QueueMaker = services => {
  const { db, log, objects } = services
  return {
    name: recordQueue,
    batch: 1,
    lanes: 2,
    pollMs: 1_000,
    claim: (token, limit) => claimJobs(db, token, limit, objects.folder.knownId() ?? null),
    async work(jobs: RecordJob[], token, isStopping) {
      for (const job of jobs) {
        const lease = { job, token }
        const scope = { tenantId: job.tenant_id, organizationId: job.organization_id }
        let seconds = 0
        try {
          await runners[job.kind]({ services, lease, scope, isStopping: sliceOf(job.kind, isStopping) })
        } catch (error) {
          log.warn(
            { jobId: job.id, kind: job.kind, attempts: job.attempts, err: error },
            'work on many records has to wait',
          )
          seconds = retrySeconds(job.attempts)
        }
        // What is over has no job any more; what has to go on is free for the next worker.
        await db.inTenant(scope, tx => releaseJob(tx, lease, seconds))
      }
    },
  }
}

const filesAtOnce = 500
/** A file may be there a while before its import is. */
const youngMs = 3_600_000

/** Has imports keep no file that they had for long enough, and removes it; how many went. */
async function removeExpired(services: Services): Promise<number> {
  const { objects, log } = services
  const outOfReach: string[] = []
  let gone = 0
  for (;;) {
    const expired = await expiredFiles(services, filesAtOnce, outOfReach)
    if (expired.length === 0) break
    const unknown = new Set(expired.map(({ storage }) => storage).filter(name => objects.at(name) === undefined))
    outOfReach.push(...unknown)
    const there = new Map(
      expired.flatMap(({ storage, storage_key }) => (unknown.has(storage) ? [] : [[storage_key, storage]])),
    )
    // In this order: a file that is not removed is one that no import names, which is removed below.
    const forgotten = await forgetFiles(services, [...there.keys()])
    for (const { key } of forgotten) await objects.at(there.get(key)!)!.remove(key)
    gone += forgotten.length
  }
  if (outOfReach.length > 0)
    log.warn({ stores: outOfReach }, 'files of imports are to be removed from stores that the settings cannot reach')
  return gone
}

/** Removes files of imports that came to nothing or were kept for long enough. */
export const removeImportFiles: JobMaker = services => ({
  name: 'remove_import_files',
  cron: '41 3 * * *',
  async run() {
    const { objects, clock, log } = services
    let gone = await removeExpired(services)
    const sweep = async (keys: readonly string[]) => {
      const kept = new Set((await keptFiles(services, keys)).map(({ key }) => key))
      for (const key of keys.filter(one => !kept.has(one))) {
        await objects.current.remove(key)
        gone++
      }
    }
    let keys: string[] = []
    for await (const { key } of objects.current.list('imports/')) {
      if (timeOfId(key) > clock.now() - youngMs) continue
      keys.push(key)
      if (keys.length < filesAtOnce) continue
      await sweep(keys)
      keys = []
    }
    if (keys.length > 0) await sweep(keys)
    if (gone > 0) log.info({ files: gone }, 'removed files of imports')
  },
})
