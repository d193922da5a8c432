// Commands for anyone who runs this installation, beside a server that may be running: what they change is in the database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { externalDatabase } from './kernel/boot/database_url.ts'
import { asEngine } from './kernel/boot/instance.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { systemClock } from './kernel/values/clock.ts'
import { startFault } from './kernel/values/start_fault.ts'
import { assignNumber } from './modules/messaging/numbers/assign_store.ts'

/**
 * How to reach the database of a server that runs: by DATABASE_URL, or the embedded one by the socket that its postmaster names
 * (PostgreSQL, storage of postmaster.pid: port in the fourth line, socket folder in the fifth).
 * @throws StartFault when it does not run
 */
async function runningDatabase({ databaseUrl, dataDir }: Config): Promise<ConnectionOptions> {
  if (databaseUrl !== undefined) return (await externalDatabase(databaseUrl)).owner
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    text => text.split('\n'),
    () => undefined,
  )
  const [port, host] = [Number(lines?.[3]), lines?.[4]]
  if (!host || !Number.isInteger(port))
    throw startFault(
      `No server runs on the data folder ${dataDir}: start it first, or set TANDEM_DATA or DATABASE_URL.`,
    )
  return { host, port, database: 'tandem', user: 'postgres', ssl: false }
}

/** `assign-number <number> <organization>`; sets the exit code. */
export async function assignNumberCommand(config: Config, [number, organization]: readonly string[]): Promise<void> {
  const organizationId = Number(organization)
  if (number === undefined || !Number.isSafeInteger(organizationId) || organizationId < 1) {
    console.error('Usage: tandem assign-number <number> <organization>\nThe organization is named by its id, as in 2.')
    process.exitCode = 1
    return
  }
  const owner = await runningDatabase(config)
  const { isDone, text } = await asEngine(owner, client =>
    assignNumber(client, { number, organizationId }, systemClock.now()),
  )
  console[isDone ? 'log' : 'error'](text)
  if (!isDone) process.exitCode = 1
}
