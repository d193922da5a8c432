// What becomes of keys by itself: a new signing key takes its place, and one whose time is over ends.
import type { Config } from './config/config.ts'
import type { RootKeySource } from './kernel/boot/root_key.ts'
import { advanceSigning, type Ground } from './kernel/boot/rotation.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import type { ScheduledJob } from './kernel/jobs/schedule.ts'
import type { Log } from './kernel/observe/log.ts'
import type { Clock } from './kernel/values/clock.ts'
import { advanceSealing } from './rotate.ts'

export type KeysOptions = {
  owner: ConnectionOptions
  source: RootKeySource
  config: Pick<Config, 'signingKeyDays'>
  clock: Clock
  log: Pick<Log, 'info'>
}

export function plannedKeys({ owner, source, config, clock, log }: KeysOptions): ScheduledJob {
  return {
    name: 'keys',
    cron: '*/5 * * * *',
    async run() {
      const ground = (): Ground => ({ owner, source, nowMs: clock.now() })
      for (const done of await advanceSigning(ground(), config.signingKeyDays)) log.info(done)
      for (const done of await advanceSealing(ground())) log.info(done)
    },
  }
}
