// Starts and stops one server process: data folder, database, migrations, first start, HTTP, workers; and back again in
// the other order when asked to stop.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { offerDemo } from './demo/demo.ts'
import { firstStart, hasOrganization } from './first_start.ts'
import { systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { lockDataFolder } from './kernel/data_folder.ts'
import { externalDatabase, requireRole, withRole } from './kernel/database_url.ts'
import type { ConnectionOptions } from './kernel/db.ts'
import { startEmbeddedPostgres } from './kernel/embedded_postgres.ts'
import { loadInstance } from './kernel/instance.ts'
import { type Lifetime, runLifetime } from './kernel/lifetime.ts'
import { createLog, type Log } from './kernel/log.ts'
import { migrate } from './kernel/migrate.ts'
import { startFault } from './kernel/start_fault.ts'
import { portalFolders, preparePortal, readBundle, type Showing } from './portal/index.ts'
import { startVoiceProcess, type VoiceProcess } from './voice_process.ts'
import { tellReady } from './welcome.ts'

const migrationsDir = join(import.meta.dirname, '..', 'migrations')

type Connections = { owner: ConnectionOptions; app: ConnectionOptions; jobs: ConnectionOptions }

/** The database of the settings, migrated: the embedded one in the locked data folder, or the one of DATABASE_URL. */
async function openDatabase(config: Config, log: Log, { open, end, goOn }: Lifetime): Promise<Connections> {
  if (config.databaseUrl !== undefined) {
    const { owner, app } = await externalDatabase(config.databaseUrl)
    goOn()
    await migrate({ owner, dir: migrationsDir, log })
    await requireRole(app, 'tandem_app')
    return { owner, app, jobs: withRole(owner, 'tandem_jobs') }
  }
  const folder = lockDataFolder(config.dataDir)
  open.defer(folder.release)
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log })
  open.defer(postgres.stop)
  postgres.onExit(why => {
    log.fatal({ why }, 'the database ended and could not be started again')
    end('the database ended', 1)
  })
  goOn()
  await migrate({ owner: postgres.owner, dir: migrationsDir, log })
  return { owner: postgres.owner, app: postgres.app, jobs: { ...postgres.app, user: 'tandem_jobs' } }
}

/** Brings the database up to date and closes it again. */
export async function migrateOnly(config: Config, log: Log): Promise<void> {
  await runLifetime(log, async lifetime => void (await openDatabase(config, log, lifetime)))
}

/** Runs until a signal says stop; then answers what is under way and closes everything in order. */
export async function serve(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  await runLifetime(log, async lifetime => {
    const { open, goOn, untilEnd } = lifetime
    const portal = config.portal && config.roles.includes('api') ? openPortal(log, lifetime) : undefined
    const { owner, ...connections } = await openDatabase(config, log, lifetime)
    goOn()
    const instance = await loadInstance(owner)
    // Where a process does more than carry calls, these get one of their own.
    const isApart = config.roles.includes('voice') && config.roles.length > 1
    let voice: VoiceProcess | undefined
    const app = await createApp({
      config: isApart ? { ...config, roles: config.roles.filter(role => role !== 'voice') } : config,
      ...connections,
      instance,
      clock: systemClock,
      log,
      elsewhere: queue => voice?.wake(queue),
    })
    // Together: while calls come to their end, nobody new is let in.
    open.defer(async () => void (await Promise.all([app.stop(), voice?.stop()])))
    goOn()
    if (portal !== undefined) {
      app.showPortal({ kind: 'building' })
      portal.then(app.showPortal)
    }
    const address = await listen(app, config)
    goOn()
    await app.startWork()
    if (isApart) {
      const { pepper } = instance
      voice = startVoiceProcess({ config, environment, app: connections.app, pepper, log, woken: app.wake })
    }
    goOn()
    // An API that has users does not keep them waiting for its pages.
    if (await hasOrganization(owner)) app.markReady()
    await portal
    goOn()
    // Last, when nothing can fail any more: what it makes is shown only once.
    const first = await firstStart(owner, instance, config, log)
    const demo = config.demo ? await offerDemo({ owner, pepper: instance.pepper, clock: systemClock, log }) : undefined
    app.markReady()
    console.log(tellReady({ address: config.publicUrl ?? address, first, demo }, config))
    await untilEnd()
  })
}

/** Builds the portal where that is needed. Without it the server serves all the same, so this never fails. */
async function openPortal(log: Log, { open, ending }: Lifetime): Promise<Showing> {
  const closing = new AbortController()
  open.defer(() => closing.abort())
  const signal = AbortSignal.any([ending, closing.signal])
  try {
    const { folder, builtMs } = await preparePortal(portalFolders, signal)
    const bundle = readBundle(folder)
    if (builtMs !== undefined) log.info({ ms: Math.round(builtMs) }, 'built the portal')
    return { kind: 'portal', bundle }
  } catch (error) {
    if (!signal.aborted) {
      const { message } = error as Error
      log.error({ why: message }, 'the portal could not be built; mend that and start again, or set TANDEM_PORTAL=0')
    }
    return { kind: 'failure' }
  }
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
