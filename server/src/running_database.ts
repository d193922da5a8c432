// How to reach the database of an installation without being its server: for commands beside a server that runs.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import { externalDatabase } from './kernel/boot/database_url.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { startFault } from './kernel/values/start_fault.ts'

/**
 * The owner's connection: by DATABASE_URL, or to the embedded database by the socket that its postmaster names (PostgreSQL, storage of
 * postmaster.pid: port in the fourth line, socket folder in the fifth).
 * @throws StartFault when it does not run
 */
export async function runningDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<ConnectionOptions> {
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
