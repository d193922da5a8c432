// `tandem doctor`: looks at everything an installation stands on, and says what is wrong and what to do. It changes nothing, and works
// beside a server that runs, with the server stopped, and with the database away.

import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig, unknownSettings } from '../config/config.ts'
import { isAlive } from '../kernel/boot/embedded_postgres.ts'
import { readMigrations } from '../kernel/data/migrate.ts'
import type { Clock } from '../kernel/values/clock.ts'
import { isStartFault } from '../kernel/values/start_fault.ts'
import { runningDatabase } from '../running_database.ts'
import { archivedWal } from './archive_checks.ts'
import { databaseFindings } from './database_checks.ts'
import { readDatabaseFacts } from './database_store.ts'
import {
  type Check,
  type Database,
  type Finding,
  type Ground,
  type NameServer,
  ok,
  problem,
  warning,
} from './finding.ts'
import { keys } from './key_checks.ts'
import { certificates, dataFolder, disk, openFiles, runtime } from './machine_checks.ts'
import { mailName, mailOut, nat, plainHttp, ports, publicName } from './network_checks.ts'
import { holderOf } from './port_holder.ts'
import { publicAddress } from './public_checks.ts'

const migrationsDir = join(import.meta.dirname, '../../migrations')
/** A check that takes longer is given up, so that all of it ends. */
const longestCheckMs = 15_000

const database: Check = async ground => databaseFindings(ground, await readMigrations(migrationsDir))

const checks: [name: string, check: Check][] = [
  ['node', runtime],
  ['disk', disk],
  ['data folder', dataFolder],
  ['open files', openFiles],
  ['database', database],
  ['archived WAL', archivedWal],
  ['keys', keys],
  ['ports', ports],
  ['plain HTTP', plainHttp],
  ['DNS of TANDEM_PUBLIC_URL', publicName],
  ['public address', publicAddress],
  ['NAT', nat],
  ['certificates', certificates],
  ['mail', mailOut],
  ['DNS of TANDEM_MAIL_DOMAIN', mailName],
]

export type DoctorOptions = {
  env: NodeJS.ProcessEnv
  clock: Clock
  /** Instead of those of the system (tests). */
  names?: NameServer
  ownAddresses?: readonly string[]
}

/** Looks at everything. Settings that cannot be read are all it says then, for everything else depends on them. */
export async function examine({ env, clock, names = systemNames(), ownAddresses }: DoctorOptions): Promise<Finding[]> {
  const settings = settingFindings(env)
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    if (!isStartFault(error)) throw error
    const faults = error.lines.map(line => problem('settings', line, 'Correct it; the other checks wait for that.'))
    return [...faults, ...settings]
  }
  const serverPid = serverOf(config)
  const ground: Ground = {
    config,
    env,
    nowMs: clock.now(),
    database: await askDatabase(config, clock, serverPid),
    serverPid,
    ownAddresses: ownAddresses ?? addressesHere(),
    names,
  }
  const found = await Promise.all(checks.map(([name, check]) => within(name, async () => check(ground))))
  return [...(settings.length === 0 ? [ok('settings', 'all are known, and usable')] : settings), ...found.flat()]
}

function settingFindings(env: NodeJS.ProcessEnv): Finding[] {
  return unknownSettings(env).map(line =>
    warning('settings', line.replace(/\.$/, ''), 'Correct the name, or unset it.'),
  )
}

async function within(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  const failed = (why: string) => [
    warning(name, `it could not be looked at: ${why}`, 'Run doctor as the user of the server, with its settings.'),
  ]
  const limit = new AbortController()
  const late = new Promise<Finding[]>(resolve => {
    const timer = setTimeout(() => resolve(failed('it took too long')), longestCheckMs)
    limit.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    return await Promise.race([check().catch((error: Error) => failed(error.message)), late])
  } finally {
    limit.abort()
  }
}

/** The server of these settings: the one that holds the data folder, or else a Tandem on its port. */
function serverOf({ dataDir, port }: Config): number | undefined {
  const pid = Number(read(join(dataDir, 'server.pid')).trim())
  if (pid > 0 && isAlive(pid)) return pid
  const holder = holderOf(port, 'tcp')
  return holder !== undefined && /server\/src\/main\.ts/.test(read(`/proc/${holder.pid}/cmdline`))
    ? holder.pid
    : undefined
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function askDatabase(config: Config, clock: Clock, serverPid: number | undefined): Promise<Database> {
  const isEmbedded = config.databaseUrl === undefined
  if (isEmbedded && serverPid === undefined)
    return { isThere: false, isStopped: true, why: 'the server is stopped, and its database with it' }
  try {
    return { isThere: true, facts: await readDatabaseFacts(await runningDatabase(config), () => clock.now()) }
  } catch (error) {
    const { message } = error as Error
    const why = isEmbedded ? `the embedded database does not answer: ${message}` : message
    return { isThere: false, isStopped: false, why: why.replace(/\.$/, '') }
  }
}

function addressesHere(): string[] {
  return Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address))
}

function systemNames(): NameServer {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return {
    async addresses(name) {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
      if (found.length > 0) return found
      throw answers.map(answer => (answer.status === 'rejected' ? answer.reason : undefined)).find(Boolean)
    },
    mailServers: domain => resolver.resolveMx(domain),
  }
}
