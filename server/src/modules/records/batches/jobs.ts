// The queue of work on many records: trials and runs of imports, changes of all that a filter found, and what takes a batch back.

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
import { keptFiles, runImport } from '../imports/index.ts'

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
          await runners[job.kind]({ services, lease, scope, isStopping })
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

/** Removes files of imports that came to nothing or are older than they are kept. */
export const removeImportFiles: JobMaker = services => ({
  name: 'remove_import_files',
  cron: '41 3 * * *',
  async run() {
    const { objects, clock, log } = services
    let gone = 0
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
