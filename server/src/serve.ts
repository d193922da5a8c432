// Starts and stops one server process: data folder, database, migrations, first start, HTTP, workers; and back again in
// the other order when asked to stop.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { firstStart, welcome } from './first_start.ts'
import { systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { lockDataFolder } from './kernel/data_folder.ts'
import { externalDatabase } from './kernel/database_url.ts'
import type { ConnectionOptions } from './kernel/db.ts'
import { startEmbeddedPostgres } from './kernel/embedded_postgres.ts'
import { loadInstance } from './kernel/instance.ts'
import { createLog, type Log } from './kernel/log.ts'
import { migrate } from './kernel/migrate.ts'
import { startFault } from './kernel/start_fault.ts'

const migrationsDir = join(import.meta.dirname, '..', 'migrations')

export type OpenDatabase = {
  owner: ConnectionOptions
  app: ConnectionOptions
  jobs: ConnectionOptions
  /** Calls back when the embedded database ends by itself. */
  onExit(callback: (why: string) => void): void
  close(): Promise<void>
}

/** The database of the settings, migrated: the embedded one in the locked data folder, or the one of DATABASE_URL. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const { owner, app } = await externalDatabase(config.databaseUrl)
    await migrate({ owner, dir: migrationsDir, log })
    const jobs = { ...owner, options: [owner.options, '-c role=tandem_jobs'].filter(Boolean).join(' ') }
    return { owner, app, jobs, onExit: () => {}, close: async () => {} }
  }
  const folder = lockDataFolder(config.dataDir)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log })
    try {
      await migrate({ owner: postgres.owner, dir: migrationsDir, log })
    } catch (error) {
      await postgres.stop()
      throw error
    }
    return {
      owner: postgres.owner,
      app: postgres.app,
      jobs: { ...postgres.app, user: 'tandem_jobs' },
      onExit: callback => postgres.onExit(callback),
      async close() {
        await postgres.stop()
        folder.release()
      },
    }
  } catch (error) {
    folder.release()
    throw error
  }
}

/** Runs until a signal says stop. */
export async function serve(config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  const database = await openDatabase(config, log)
  let app: App | undefined
  try {
    const instance = await loadInstance(database.owner)
    const first = await firstStart(database.owner, instance, config, log)
    app = await createApp({ config, app: database.app, jobs: database.jobs, instance, clock: systemClock, log })
    const address = await listen(app, config)
    await app.startWork()
    console.log(welcome(config.publicUrl ?? address, first))
  } catch (error) {
    await app?.stop().catch(() => {})
    await database.close()
    throw error
  }
  stopOnSignals(app, database, log)
}

async function listen(app: App, { host, port }: Config): Promise<string> {
  try {
    await app.http.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw startFault(
        `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free port (PORT=0 takes any).`,
      )
    }
    if (code === 'EACCES') throw startFault(`Port ${port} needs more rights. Set PORT to a port above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw startFault(
        `The address HOST=${host} is not one of this machine. Set HOST to 127.0.0.1, 0.0.0.0 or one of its addresses.`,
      )
    }
    throw error
  }
  const bound = app.http.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${bound.port}`
}

function stopOnSignals(app: App, database: OpenDatabase, log: Log): void {
  let stopping = false
  async function stop(why: string, exitCode: number): Promise<void> {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ why }, 'stopping')
    // Whatever hangs, the process ends; the next start recovers.
    setTimeout(() => process.exit(1), 30_000).unref()
    try {
      await app.stop()
    } finally {
      await database.close()
    }
    log.info('stopped')
    process.exit(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal, 0))
  database.onExit(why => {
    if (stopping) return
    log.fatal({ why }, 'the database ended')
    void stop('the database ended', 1)
  })
}
