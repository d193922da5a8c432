// Backups by schedule: a process of their own, of low priority, so that who is served meanwhile does not notice.
import { type Apart, runApart } from './apart.ts'
import type { Config } from './config/config.ts'
import type { ScheduledJob } from './kernel/jobs/schedule.ts'
import type { Log } from './kernel/observe/log.ts'

export type PlannedBackups = {
  readonly jobs: readonly ScheduledJob[]
  /** Gives up the one that is under way: nothing is left of it. */
  stop(): Promise<void>
}

/** @param environment the variables of the server, which the backup takes its settings from */
export function plannedBackups(
  { backupTo, backupSchedule }: Pick<Config, 'backupTo' | 'backupSchedule'>,
  environment: NodeJS.ProcessEnv,
  log: Log,
): PlannedBackups {
  let running: { apart: Apart; ended: Promise<void> } | undefined
  if (backupTo === undefined) return { jobs: [], stop: async () => {} }

  async function report({ ended }: Apart): Promise<void> {
    const { code, stdout, stderr } = await ended
    if (code === 0) log.info({ backup: stdout.trim() }, 'made a backup')
    else log.error({ code, why: stderr.trim() }, 'a backup failed')
  }

  async function run(): Promise<void> {
    if (running !== undefined) {
      log.warn('the backup before is still under way: this one is left out')
      return
    }
    const apart = runApart(['backup', '--planned', '--json'], environment)
    const ended = report(apart)
      .catch(error => log.error({ err: error }, 'a backup failed'))
      .finally(() => {
        running = undefined
      })
    running = { apart, ended }
  }

  return {
    // It is begun, not waited for: a long one would count as a job that hangs.
    jobs: [{ name: 'backup', cron: backupSchedule, run }],
    async stop() {
      running?.apart.child.kill('SIGTERM')
      await running?.ended
    },
  }
}
