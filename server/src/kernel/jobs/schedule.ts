// Cold jobs and schedules, by pg-boss in its own schema with a role that owns nothing else. For work that is rare and may
// wait seconds: purging, reminders, imports, reports. Hot traffic has its own leased tables (queue.ts).
import type { ConnectionOptions } from '../data/db.ts'
import { poolOptions } from '../data/session.ts'
import type { Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'

export type ScheduledJob = {
  /** snake_case, unique. */
  name: string
  /** Five-field cron expression in UTC. */
  cron: string
  /** Must be safe to run twice. */
  run(): Promise<void>
}

export type Schedule = { stop(): Promise<void> }

type Watch = { log: Log; metrics: Metrics }

/** Runs a job so that its failure is seen: pg-boss writes it into a row of its own, and nowhere else. @throws what the job throws */
export function watched(job: ScheduledJob, { log, metrics }: Watch): () => Promise<void> {
  const help = 'Runs of scheduled jobs that failed.'
  const failures = metrics.counter('tandem_job_failures_total', help, ['job'])
  failures.inc({ job: job.name }, 0)
  return async () => {
    const started = performance.now()
    const ms = () => Math.round(performance.now() - started)
    try {
      await job.run()
    } catch (err) {
      failures.inc({ job: job.name })
      log.error({ err, job: job.name, ms: ms() }, 'a scheduled job failed')
      throw err
    }
    log.debug({ job: job.name, ms: ms() }, 'job done')
  }
}

/** Starts the cold-job queue and its schedules; a job missed while no process ran is run at the next tick of its cron. */
export async function startSchedule(
  connection: ConnectionOptions,
  jobs: readonly ScheduledJob[],
  { log, metrics }: Watch,
): Promise<Schedule> {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...poolOptions(connection),
    schema: 'tandem_jobs',
    createSchema: false,
    max: 2,
    application_name: 'tandem_jobs',
  } as never)
  boss.on('error', error => log.error({ err: error }, 'cold-job queue'))
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.work(job.name, { pollingIntervalSeconds: 30 }, watched(job, { log, metrics }))
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' })
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) }
}
