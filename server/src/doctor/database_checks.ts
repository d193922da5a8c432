// What doctor looks at in the database: whether it is there, how it is set, what has been migrated, what waits, how old the newest
// backup is; and the clock of this machine, which the database knows better.
import type { Migration } from '../kernel/data/migrate.ts'
import { bytesText } from '../kernel/values/bytes_text.ts'
import type { DatabaseFacts } from './database_store.ts'
import { type Finding, type Ground, inTime, ok, problem, warning } from './finding.ts'

/** Findings about the database. @param shipped the migrations of this version */
export function databaseFindings(
  { database, config, nowMs, serverPid }: Pick<Ground, 'database' | 'config' | 'nowMs' | 'serverPid'>,
  shipped: readonly Migration[],
): Finding[] {
  if (!database.isThere) {
    const remedy = database.isStopped
      ? 'Start the server (tandem start) and run doctor again: database, migrations, queues and backups were not looked at.'
      : 'Bring the database back, or correct DATABASE_URL; the server waits for it and goes on by itself.'
    return [(database.isStopped ? warning : problem)('database', database.why, remedy)]
  }
  const { facts } = database
  return [
    ok('database', `PostgreSQL ${facts.version}, ${bytesText(facts.sizeBytes)}`),
    ...settingFindings(facts, config.databasePool),
    ...migrationFindings(facts, shipped, serverPid !== undefined),
    ...clockFindings(facts, nowMs),
    ...queueFindings(facts, nowMs, serverPid !== undefined),
    ...backupFindings(facts, nowMs),
    ...sendingFindings(facts),
  ]
}

/** Beside those of its pool, a process holds lanes, listeners and advisory locks. */
const besidePool = 30
const page = 8_192
const fewBuffers = 64 * 1_048_576

/** How the server is set. @param pool connections a process opens for requests */
export function settingFindings(
  { settings, connections, oldestTransactionMs }: DatabaseFacts,
  pool: number,
): Finding[] {
  const findings: Finding[] = []
  const mayLose: [name: string, bad: string[], what: string][] = [
    ['fsync', ['off'], 'a power cut destroys the database'],
    ['full_page_writes', ['off'], 'a power cut destroys pages of the database'],
    ['synchronous_commit', ['off', 'local'], 'a crash loses what was acknowledged'],
  ]
  for (const [name, bad, what] of mayLose) {
    const value = settings[name] ?? 'unknown'
    findings.push(
      bad.includes(value)
        ? problem(name, `${name} is ${value}: ${what}`, `Set ${name} = on in postgresql.conf and reload PostgreSQL.`)
        : ok(name, `${name} is ${value}`),
    )
  }
  findings.push(
    settings['data_checksums'] === 'off'
      ? warning(
          'data_checksums',
          'pages have no checksums: a failing disk goes unnoticed',
          'Stop PostgreSQL and run pg_checksums --enable.',
        )
      : ok('data_checksums', 'pages have checksums'),
  )
  const usable = Number(settings['max_connections']) - connections.reserved
  const needed = pool + besidePool
  const words = `${connections.open} of ${usable} connections are open, and a process of Tandem needs up to ${needed}`
  if (usable < needed)
    findings.push(
      problem(
        'max_connections',
        words,
        `Set max_connections to ${needed + connections.reserved} or more, or TANDEM_DATABASE_POOL lower.`,
      ),
    )
  else if (connections.open > usable * 0.8)
    findings.push(
      warning('max_connections', words, 'Raise max_connections, or see who else is connected (pg_stat_activity).'),
    )
  else findings.push(ok('max_connections', words))
  const buffers = Number(settings['shared_buffers']) * page
  if (buffers < fewBuffers)
    findings.push(
      warning(
        'shared_buffers',
        `shared_buffers is ${bytesText(buffers)}`,
        'Set it to 96MB or more; a quarter of the memory where PostgreSQL has a machine of its own.',
      ),
    )
  if (oldestTransactionMs > 600_000)
    findings.push(
      warning(
        'transactions',
        `a transaction has been open for ${inTime(oldestTransactionMs)}: queues get slower the longer it stays`,
        'Find it in pg_stat_activity (order by xact_start) and end its program, or pg_terminate_backend it.',
      ),
    )
  return findings
}

/** What of the migrations of this version is missing, or is not of this version. */
export function migrationFindings(
  { migrations }: Pick<DatabaseFacts, 'migrations'>,
  shipped: readonly Pick<Migration, 'name' | 'checksum'>[],
  isRunning: boolean,
): Finding[] {
  const known = new Map(shipped.map(({ name, checksum }) => [name, checksum]))
  const strangers = migrations.filter(({ name }) => !known.has(name))
  const barrier = strangers.find(({ isAdditive }) => !isAdditive)
  if (barrier !== undefined)
    return [
      problem(
        'migrations',
        `the database was written by a newer Tandem (it has ${barrier.name})`,
        'Run that version, or restore a backup from before it.',
      ),
    ]
  const changed = migrations.find(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
  if (changed !== undefined)
    return [
      problem(
        'migrations',
        `the database was set up by another build of Tandem: its step ${changed.name} is not the one of this build`,
        'Run the build that set it up.',
      ),
    ]
  const [newest] = strangers
  const missing = shipped.length - (migrations.length - strangers.length)
  if (newest !== undefined && missing === 0)
    return [
      warning(
        'migrations',
        `a newer Tandem has added to the database (${newest.name}); this version goes on with it`,
        'Nothing has to be done. Upgrade again when what you went back for is settled.',
      ),
    ]
  if (missing === 0) return [ok('migrations', `all ${shipped.length} migrations have run`)]
  const words = `${missing} of ${shipped.length} migrations have not run`
  return [
    isRunning
      ? warning(
          'migrations',
          words,
          'A server of an older version runs: start this one in its place (docs/upgrading.md).',
        )
      : warning('migrations', words, 'The next start runs them; tandem migrate does it without a server.'),
  ]
}

/** The clock of this machine against that of the database, and against what the database has seen. */
export function clockFindings({ clock, newestMigrationMs }: DatabaseFacts, nowMs: number): Finding[] {
  const offsetMs = clock.askedMs - clock.databaseMs
  const uncertainMs = clock.tookMs / 2
  const remedy = 'Have both machines set their clocks by NTP (timedatectl set-ntp true).'
  if (newestMigrationMs !== undefined && nowMs < newestMigrationMs - 3_600_000)
    return [
      problem(
        'clock',
        `it is ${new Date(nowMs).toISOString()} here, and the database has entries of ${new Date(newestMigrationMs).toISOString()}`,
        'Set the clock of this machine (timedatectl set-ntp true).',
      ),
    ]
  const apart = Math.max(0, Math.abs(offsetMs) - uncertainMs)
  const words = `the clocks of this machine and of the database are ${(apart / 1_000).toFixed(1)} s apart`
  if (apart > 30_000) return [problem('clock', words, remedy)]
  if (apart > 2_000) return [warning('clock', words, remedy)]
  return [ok('clock', `${words}; it is ${new Date(nowMs).toISOString()}`)]
}

/** What waits longer than it should. Where no server runs, nothing else is to be expected. */
export function queueFindings({ queues }: Pick<DatabaseFacts, 'queues'>, nowMs: number, isRunning: boolean): Finding[] {
  return queues.map(({ name, waiting, oldestDueMs }) => {
    const check = `queue ${name}`
    if (oldestDueMs === undefined) return ok(check, 'nothing waits')
    const lateMs = Math.max(0, nowMs - oldestDueMs)
    const words = `${waiting} due, the oldest for ${inTime(lateMs)}`
    if (!isRunning || lateMs < 120_000) return ok(check, words)
    const remedy =
      'See the log of the server for what fails, whether a process has the role worker (or voice, for calls), and carriers and mail servers in the portal.'
    return (lateMs > 900_000 ? problem : warning)(check, words, remedy)
  })
}

const oldBackupMs = 26 * 3_600_000

export function backupFindings({ newestBackupMs }: Pick<DatabaseFacts, 'newestBackupMs'>, nowMs: number): Finding[] {
  if (newestBackupMs === undefined) return []
  const remedy = 'Set TANDEM_BACKUP_TO, so that one is made every night (docs/backups.md), or run tandem backup.'
  if (newestBackupMs === null) return [warning('backups', 'no backup was ever made', remedy)]
  const ageMs = Math.max(0, nowMs - newestBackupMs)
  const words = `the newest backup is ${inTime(ageMs)} old`
  return [ageMs > oldBackupMs ? warning('backups', words, remedy) : ok('backups', words)]
}

export function sendingFindings({ heldBecause }: Pick<DatabaseFacts, 'heldBecause'>): Finding[] {
  if (heldBecause === null) return []
  const remedy = 'Look at what waits (tandem sending status), then let it go: tandem sending release.'
  return [warning('sending', `nothing is sent: ${heldBecause}`, remedy)]
}
