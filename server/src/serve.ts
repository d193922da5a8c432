// Starts and stops one server process: data folder, database, migrations, first start, HTTP, workers; and back again in
// the other order when asked to stop.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { createArchiveKeeper } from './archive_keeper.ts'
import type { Config } from './config/config.ts'
import { offerDemo } from './demo/demo.ts'
import { firstStart, hasOrganization } from './first_start.ts'
import { lockDataFolder } from './kernel/boot/data_folder.ts'
import { externalDatabase, requireRole, withRole } from './kernel/boot/database_url.ts'
import { startEmbeddedPostgres } from './kernel/boot/embedded_postgres.ts'
import { type LoadedInstance, loadInstance } from './kernel/boot/instance.ts'
import { rootKeySource } from './kernel/boot/root_key.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { migrate } from './kernel/data/migrate.ts'
import { trimWhenIdle } from './kernel/observe/idle_memory.ts'
import { type Lifetime, runLifetime } from './kernel/observe/lifetime.ts'
import { createLog, type Log } from './kernel/observe/log.ts'
import { createSupervisor } from './kernel/observe/supervisor.ts'
import { systemClock } from './kernel/values/clock.ts'
import { startFault } from './kernel/values/start_fault.ts'
import { isVoiceWanted } from './modules/voice/node/wanted_store.ts'
import { archivingOf } from './moments.ts'
import { isReadOnTheWay, plainHttpWarning } from './plain_http.ts'
import { plannedBackups } from './planned_backups.ts'
import { plannedKeys } from './planned_keys.ts'
import { openPortal, portalFolders } from './portal/index.ts'
import { startVoiceProcess, type VoiceProcess } from './voice_process.ts'
import { readyText } from './welcome.ts'

export const migrationsDir = join(import.meta.dirname, '..', 'migrations')

type Connections = { owner: ConnectionOptions; app: ConnectionOptions; jobs: ConnectionOptions }
/** `applied` names the migrations that were run now. */
type Opened = Connections & { applied: string[] }

/**
 * The database of the settings, migrated: the embedded one in the locked data folder, or the one of DATABASE_URL.
 * @param last the newest step of the schema that is made, where that is not the newest there is
 */
async function openDatabase(
  config: Config,
  log: Log,
  { open, end, ending, goOn }: Lifetime,
  last?: string,
): Promise<Opened> {
  const steps = { dir: migrationsDir, log, signal: ending, ...(last === undefined ? {} : { last }) }
  if (config.databaseUrl !== undefined) {
    const { owner, app } = await externalDatabase(config.databaseUrl)
    goOn()
    const { applied } = await migrate({ owner, ...steps })
    await requireRole(app, 'tandem_app')
    return { owner, app, jobs: withRole(owner, 'tandem_jobs'), applied }
  }
  const folder = lockDataFolder(config.dataDir)
  open.defer(folder.release)
  const settings = await archivingOf(config, log)
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log, settings, signal: ending })
  open.defer(postgres.stop)
  postgres.onExit(why => {
    log.fatal({ why }, 'the database ended and could not be started again')
    end('the database ended', 1)
  })
  goOn()
  const { owner, app } = postgres
  const { applied } = await migrate({ owner, ...steps })
  return { owner, app, jobs: { ...app, user: 'tandem_jobs' }, applied }
}

/** Brings the database up to date and closes it again. @returns the names of the migrations that were run now */
export async function migrateOnly(config: Config, log: Log): Promise<string[]> {
  let applied: string[] = []
  await runLifetime(log, async lifetime => {
    applied = (await openDatabase(config, log, lifetime)).applied
  })
  return applied
}

/**
 * Runs `work` on the database of the settings, migrated, without a server, and closes it again.
 * @param last as for a backup of an older schema
 */
export async function databaseAlone<T>(
  config: Config,
  log: Log,
  work: (owner: ConnectionOptions) => Promise<T>,
  last?: string,
): Promise<T> {
  let result: T | undefined
  await runLifetime(log, async lifetime => {
    const { owner } = await openDatabase(config, log, lifetime, last)
    result = await work(owner)
  })
  return result as T
}

/** Runs until a signal says stop; then answers what is under way and closes everything in order. */
export async function serve(config: Config, environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  await runLifetime(log, async lifetime => {
    const { open, goOn, ending, untilEnd } = lifetime
    const { owner, app: appConnection, jobs } = await openDatabase(config, log, lifetime)
    goOn()
    const source = rootKeySource(config)
    const instance = await loadInstance(owner, source)
    if (instance.isPlain) log.warn(plainSecretsWarning)
    open.defer(lookAgain(instance, log))
    // Where a process does more than carry calls, these get one of their own as soon as there is something for it.
    const isApart = config.roles.includes('voice') && config.roles.length > 1
    let voice: VoiceProcess | undefined
    const planned = plannedBackups(config, environment, log)
    open.defer(planned.stop)
    const keeper = createArchiveKeeper({ config, environment, owner, clock: systemClock, log })
    open.defer(keeper.stop)
    const app = await createApp({
      config: isApart ? { ...config, roles: config.roles.filter(role => role !== 'voice') } : config,
      app: appConnection,
      jobs: {
        connection: jobs,
        planned: [...planned.jobs, plannedKeys({ owner, source, config, clock: systemClock, log })],
      },
      instance,
      archive: keeper.watch,
      clock: systemClock,
      log,
      elsewhere: queue => voice?.wake(queue),
    })
    // Together: while calls come to their end, nobody new is let in.
    open.defer(async () => void (await Promise.all([app.stop(), voice?.stop()])))
    goOn()
    const hasPortal = config.portal && config.roles.includes('api')
    const buildPortal = hasPortal ? openPortal({ folders: portalFolders, show: app.showPortal, log }) : undefined
    const address = await listen(app, config)
    if (isReadOnTheWay(config)) log.warn({ host: config.host }, plainHttpWarning)
    goOn()
    await app.startWork()
    if (isApart) {
      const isWanted = () => isVoiceWanted(app.services.db)
      voice = startVoiceProcess({
        ...{ config, environment, app: appConnection, log, woken: app.wake, isWanted },
        material: instance.material,
      })
      instance.onChange(voice.rekey)
      app.services.metrics.besides(voice.figures)
    }
    goOn()
    // An API that has users does not keep them waiting for demo data.
    if (await hasOrganization(owner)) app.markReady()
    // Last, when nothing can fail any more: what it makes is shown only once.
    const first = await firstStart(owner, instance, config, { log, nowMs: systemClock.now() })
    const demo = config.demo
      ? await offerDemo({ owner, keyring: instance.keyring, clock: systemClock, log })
      : undefined
    app.markReady()
    keeper.start()
    const supervisor = createSupervisor({ environment, log })
    supervisor.ready(`serves ${config.publicUrl ?? address}`)
    ending.addEventListener('abort', supervisor.stopping)
    console.log(readyText({ address: config.publicUrl ?? address, first, demo }, config))
    open.defer(trimWhenIdle().stop)
    const closing = new AbortController()
    open.defer(() => closing.abort())
    void buildPortal?.(AbortSignal.any([ending, closing.signal]))
    await untilEnd()
  })
}

const plainSecretsWarning =
  'The secrets of this installation lie in its database in plain: give all nodes one root key (docs/keys.md), or copy one instance.key to the data folder of each'
const lookAgainMs = 300_000

/** Secrets are read again when their change is announced; and every five minutes, should that not have been heard. */
function lookAgain(instance: LoadedInstance, log: Log): () => void {
  const read = () => void instance.reload().catch(error => log.warn({ err: error }, 'the secrets could not be read'))
  const timer = setInterval(read, lookAgainMs)
  timer.unref()
  return () => clearInterval(timer)
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
