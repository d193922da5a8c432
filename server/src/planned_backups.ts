// Backups by schedule: a process of their own, of low priority, so that who is served meanwhile does not notice.
import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from './config/config.ts'
import type { ScheduledJob } from './kernel/jobs/schedule.ts'
import type { Log } from './kernel/observe/log.ts'

const main = join(import.meta.dirname, 'main.ts')
/** As `nice` counts it: what else runs goes first. */
const lowPriority = 10

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
  let running: { child: ChildProcess; ended: Promise<void> } | undefined
  if (backupTo === undefined) return { jobs: [], stop: async () => {} }

  async function make(child: ChildProcess): Promise<void> {
    const ended = new Promise<number | null>(resolve => {
      child.once('error', () => resolve(null))
      child.once('close', resolve)
    })
    const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended])
    if (code === 0) log.info({ backup: stdout.trim() }, 'made a backup')
    else log.error({ code, why: stderr.trim() }, 'a backup failed')
  }

  async function run(): Promise<void> {
    if (running !== undefined) {
      log.warn('the backup before is still under way: this one is left out')
      return
    }
    const child = spawn(process.execPath, [...process.execArgv, main, 'backup', '--planned', '--json'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (child.pid !== undefined) {
      try {
        setPriority(child.pid, lowPriority)
      } catch {
        // It has just ended.
      }
    }
    const ended = make(child)
      .catch(error => log.error({ err: error }, 'a backup failed'))
      .finally(() => {
        running = undefined
      })
    running = { child, ended }
  }

  return {
    // It is begun, not waited for: a long one would count as a job that hangs.
    jobs: [{ name: 'backup', cron: backupSchedule, run }],
    async stop() {
      running?.child.kill('SIGTERM')
      await running?.ended
    },
  }
}
