// Databases for tests: real PostgreSQL, each caller on its own clone of a template that was migrated once. The cluster is
// the one that `npm test` started (TANDEM_TEST_CLUSTER), or one of this process's own, so that a single file can be run by hand.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { type SocketAddress, startEmbeddedPostgres } from '../src/kernel/boot/embedded_postgres.ts'
import type { ConnectionOptions } from '../src/kernel/data/db.ts'
import { migrate } from '../src/kernel/data/migrate.ts'

export const migrationsDir = join(import.meta.dirname, '../migrations')
export const silentLog = pino({ level: 'silent' })

export type FreshDatabase = {
  /** Superuser: looks past row-level security. */
  owner: ConnectionOptions
  /** What the server uses: role tandem_app. */
  app: ConnectionOptions
  /** The owner's connection as a DATABASE_URL. */
  url: string
  /** Removes the database, together with sessions that are still open on it. */
  drop(): Promise<void>
}

export type TestCluster = { address: SocketAddress; stop(): Promise<void> }

/**
 * Nothing of a test needs to survive a power cut; a dozen apps with their pools are connected at once; of their many databases, most of
 * which are gone within the minute, each is looked after when its minute is over; all else is as in production.
 */
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  shared_buffers: '128MB',
  autovacuum_naptime: '60s',
}

/** Starts a cluster in a temporary folder. It ends with `stop()`, and by itself when this process ends, however it does. */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = guardedFolder()
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: testSettings })
  return {
    address: { host: postgres.owner.host, port: postgres.owner.port },
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** For a few clusters at once, each with the most of its log that it keeps. */
const roomyBytes = 6 * 2 ** 30

/**
 * Linux' file system in memory, where it has room: a database is a thousand files, and to make and remove them on a disk takes
 * longer than all else that a small test does. Undefined where there is none, or nothing can be run from it.
 */
function roomyMemory(): string | undefined {
  const folder = '/dev/shm'
  try {
    const [, , type, options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map(line => line.split(' '))
        .findLast(([, place]) => place === folder) ?? []
    if (type !== 'tmpfs' || options.split(',').some(option => option === 'noexec' || option === 'ro')) return undefined
    const { bavail, bsize } = statfsSync(folder)
    const [, availableKib = 0] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
    // What lies there takes memory from the programs of the tests.
    return bavail * bsize > roomyBytes && Number(availableKib) * 1_024 > 2 * roomyBytes ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * A new temporary folder. When this process is gone, killed or not, every PostgreSQL with its data in there is ended and the
 * folder removed: a shell sees to it, which reads from us until there is nobody to read from.
 */
export function guardedFolder(): string {
  const folder = mkdtempSync(join(roomyMemory() ?? tmpdir(), 'tandem-test-'))
  const script = `
    cat >/dev/null
    find "$1" -name postmaster.pid | while read -r file; do
      pid=$(head -n 1 "$file")
      kill -QUIT "$pid"
      for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
    done
    rm -rf "$1"`
  const shell = spawn('sh', ['-c', script, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const pipe = shell.stdin as Socket
  pipe.unref()
  return folder
}

let cluster: Promise<SocketAddress> | undefined

function clusterAddress(): Promise<SocketAddress> {
  const given = process.env['TANDEM_TEST_CLUSTER']
  cluster ??= given ? Promise.resolve(JSON.parse(given) as SocketAddress) : startTestCluster().then(own => own.address)
  return cluster
}

let template: Promise<string> | undefined

/** A database of the newest schema, for the caller alone. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const address = await clusterAddress()
  template ??= makeTemplate(address)
  return createDatabase(address, `test_${randomName()}`, await template)
}

/** A database with nothing in it. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return createDatabase(await clusterAddress(), `test_${randomName()}`, 'template1')
}

async function createDatabase(address: SocketAddress, name: string, from: string): Promise<FreshDatabase> {
  // Its files are copied as they are: page by page through the log, as is the default, takes several times as long.
  await asAdmin(address, admin => admin.query(`create database ${name} template ${from} strategy file_copy`))
  const connection = { ...address, database: name, ssl: false }
  return {
    owner: { ...connection, user: 'postgres' },
    app: { ...connection, user: 'tandem_app' },
    url: `postgres://postgres@localhost:${address.port}/${name}?host=${encodeURIComponent(address.host)}`,
    drop: () =>
      asAdmin(address, async admin => void (await admin.query(`drop database if exists ${name} with (force)`))),
  }
}

/** Makes the template unless it is there; of several processes that want it at once, one makes it and the others wait. */
async function makeTemplate(address: SocketAddress): Promise<string> {
  const name = `template_${migrationsHash()}`
  await asAdmin(address, async admin => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 1) return
    const building = `building_${randomName()}`
    await admin.query(`create database ${building}`)
    await migrate({
      owner: { ...address, user: 'postgres', database: building, ssl: false },
      dir: migrationsDir,
      log: silentLog,
    })
    // Only a whole template gets the name. With an open connection on it, it could not be cloned.
    await admin.query(`alter database ${building} with allow_connections false is_template true`)
    await admin.query(`alter database ${building} rename to ${name}`)
  })
  return name
}

function migrationsHash(): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrationsDir).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(migrationsDir, file)))
  return hash.digest('hex').slice(0, 16)
}

function randomName(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16)
}

async function asAdmin<T>(address: SocketAddress, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ ...address, user: 'postgres', database: 'postgres', ssl: false })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
