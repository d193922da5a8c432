// Commands for anyone who runs this installation, beside a server that may be running: what they change is in the database.
import type { Config } from './config/config.ts'
import { externalDatabase } from './kernel/boot/database_url.ts'
import { asEngine } from './kernel/boot/instance.ts'
import { type ConnectionOptions, openDb } from './kernel/data/db.ts'
import { createLog } from './kernel/observe/log.ts'
import { systemClock } from './kernel/values/clock.ts'
import type { Means } from './modules/identity/operator/acts.ts'
import { type Output, runCommand } from './modules/identity/operator/commands.ts'
import './nouns.ts'
import { assignNumber } from './modules/messaging/numbers/assign_store.ts'
import { ownAddressOf } from './own_address.ts'
import { runningDatabase } from './running_database.ts'

/** `organizations …` and `accounts …`: beside a server that runs, or with the database alone. @returns the exit code */
export async function peopleCommand(
  config: Config,
  noun: 'organizations' | 'accounts',
  args: readonly string[],
  output: Output,
): Promise<0 | 1 | 2> {
  return runCommand(noun, args, { open: work => withDatabase(config, work), output, nowMs: systemClock.now() })
}

function withDatabase<T>(config: Config, work: (means: Means) => Promise<T>): Promise<T> {
  return withOwner(config, owner => onDatabase(config, owner, work))
}

/** Runs `work` on the database of a server that runs, or on the database alone, migrated. */
export async function withOwner<T>(config: Config, work: (owner: ConnectionOptions) => Promise<T>): Promise<T> {
  const running = await runningDatabase(config).catch(() => undefined)
  if (running !== undefined && (await answers(running))) return work(running)
  const { databaseAlone } = await import('./serve.ts')
  return databaseAlone(config, createLog({ level: 'error', format: 'text' }), work)
}

/** A server that died leaves the file of its database behind. */
async function answers(owner: ConnectionOptions): Promise<boolean> {
  return asEngine(owner, async () => true).catch(() => false)
}

async function onDatabase<T>(config: Config, owner: ConnectionOptions, work: (means: Means) => Promise<T>): Promise<T> {
  const app =
    config.databaseUrl === undefined
      ? { ...owner, user: 'tandem_app' }
      : (await externalDatabase(config.databaseUrl)).app
  const db = openDb({ app, poolSize: 2, onError: () => {} })
  const { closingDays, fiscalYears, signUp } = config
  try {
    return await work({
      db,
      organizations: { closingDays, fiscalYears, signUp },
      ownAddress: () => ownAddressOf(config),
    })
  } finally {
    await db.close()
  }
}

/** `assign-number <number> <organization>`: what became of it. @throws StartFault when no server runs */
export async function assignNumberCommand(config: Config, number: string, organizationId: number) {
  const owner = await runningDatabase(config)
  return asEngine(owner, client => assignNumber(client, { number, organizationId }, systemClock.now()))
}
