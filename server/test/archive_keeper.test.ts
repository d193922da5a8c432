// Guards: an archive that cannot be written to stops nobody, and is reported; a base backup that is killed leaves no half one; what no
// restore needs is removed, and a root in another account or namespace archives too.
// test: programs
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { type ArchiveKeeper, createArchiveKeeper } from '../src/archive_keeper.ts'
import { loadConfig } from '../src/config/config.ts'
import { examine } from '../src/doctor/doctor.ts'
import { archiveSettings } from '../src/kernel/backup/continuous/archive_settings.ts'
import { makeBase } from '../src/kernel/backup/continuous/base_backup.ts'
import { findMoment, shelvesAt } from '../src/kernel/backup/continuous/find_moment.ts'
import { restoreMoment } from '../src/kernel/backup/continuous/restore_moment.ts'
import { readShelf } from '../src/kernel/backup/continuous/shelf.ts'
import { chainsOf, windowsOf } from '../src/kernel/backup/continuous/windows.ts'
import { startEmbeddedPostgres } from '../src/kernel/boot/embedded_postgres.ts'
import type { Launch } from '../src/kernel/boot/postgres_programs.ts'
import { runningDatabase } from '../src/running_database.ts'
import { silentLog } from './cluster.ts'
import { eventually } from './eventually.ts'
import { freshFolder, type ReadyServer, spawnServer, startServer } from './server_process.ts'

const dayMs = 86_400_000

type Place = { data: string; wal: string; env: Record<string, string> }

function freshPlace(): Place {
  const folder = freshFolder()
  const [data, wal] = [join(folder, 'data'), join(folder, 'wal')]
  mkdirSync(wal)
  return { data, wal, env: { TANDEM_DATA: data, TANDEM_WAL_TO: wal, TANDEM_ROLES: 'api,worker' } }
}

const ownerOf = (data: string) => runningDatabase({ databaseUrl: undefined, dataDir: data })

async function sql(data: string, text: string): Promise<void> {
  const client = new pg.Client(await ownerOf(data))
  await client.connect()
  await client.query(text).finally(() => client.end())
}

const filesIn = (folder: string, pattern: RegExp) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => pattern.test(name))
    : []
const bases = (wal: string) => filesIn(wal, /base-.*\.tar\.zst$/)
const segments = (wal: string) => filesIn(wal, /\/[0-9A-F]{24}-.*\.zst$/)

type Line = { level: string; words: string; why?: string | undefined }

/** A keeper beside the one of the server, whose clock goes ahead. */
async function keeperOf({
  data,
  env,
}: Place): Promise<{ keeper: ArchiveKeeper; lines: Line[]; ahead(ms: number): void }> {
  const lines: Line[] = []
  let aheadMs = 0
  const note = (level: string) => (fields: { why?: string }, words: string) =>
    void lines.push(typeof fields === 'string' ? { level, words: fields } : { level, words, why: fields.why })
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map(level => [level, note(level)])) as never
  const keeper = createArchiveKeeper({
    config: loadConfig(env),
    environment: { PATH: process.env['PATH'], ...env },
    owner: await ownerOf(data),
    clock: { now: () => Date.now() + aheadMs },
    log,
  })
  function ahead(ms: number): void {
    aheadMs = ms
  }
  return { keeper, lines, ahead }
}

async function started(t: TestContext, { env }: Place): Promise<ReadyServer> {
  const server = await startServer(t, { env })
  await server.printed('made a base backup')
  return server
}

describe('the archive of WAL', () => {
  test('that is away stops nobody, is reported, and gets what waited when it is back', {
    timeout: 120_000,
  }, async t => {
    const place = freshPlace()
    const server = await started(t, place)
    const { keeper, lines, ahead } = await keeperOf(place)
    const away = `${place.wal}.away`
    const known = segments(place.wal).length
    renameSync(place.wal, away)
    await sql(place.data, 'create table kept (id int); select pg_switch_wal()')
    const state = await eventually('a segment that waits', async () => {
      const found = await keeper.watch!.read()
      ahead(Math.random() * 1_000_000 + 10_000)
      return found.waiting > 0 && found.why !== undefined && found
    })
    assert.match(state.why!, /the folder .* is not there: mount its disk/)
    assert.equal(existsSync(place.wal), false, 'no folder is made in its place')
    await sql(place.data, 'insert into kept values (1)')
    const health = await fetch(`${server.address}/readyz`)
    assert.equal(health.status, 200)
    ahead(0)
    await keeper.look()
    assert.equal(lines.length, 0, 'a segment may take a while')
    ahead(600_000)
    await keeper.look()
    await keeper.look()
    assert.deepEqual(
      lines.map(({ level, words }) => [level, words]),
      [['error', 'WAL is not archived: it stays on the disk']],
    )
    assert.match(lines[0]!.why!, /is not there/)
    const doctor = async (aheadMs = 0) =>
      (await examine({ env: place.env, clock: { now: () => Date.now() + aheadMs }, ownAddresses: [] })).filter(
        ({ check }) => check === 'archived WAL',
      )
    assert.deepEqual(
      (await doctor()).map(({ state, found }) => [state, /is not there/.test(found)]),
      [['problem', true]],
    )

    renameSync(away, place.wal)
    assert.match(
      (await doctor(600_000))[0]!.found,
      /\d+ segments are not archived, the oldest for 10 minutes: the folder/,
    )
    await sql(place.data, 'select pg_switch_wal()')
    await eventually('what waited', () => segments(place.wal).length > known, { withinMs: 70_000 })
    await eventually('an end of waiting', async () => {
      await keeper.look()
      return lines.at(-1)!.words === 'WAL is archived again'
    })
    // A base backup that could not be written while it was away is made now.
    await eventually('moments that can be restored', async () => {
      await keeper.look()
      return /^any moment from .* to .* can be restored/.test((await doctor())[0]!.found)
    })
  })

  test('keeps no half of a base backup, and not what no restore needs', { timeout: 120_000 }, async t => {
    const place = freshPlace()
    await started(t, place)
    const [first] = bases(place.wal)
    // Enough to be in the middle of.
    await sql(
      place.data,
      `create table big as select repeat(md5(i::text), 30) as noise from generate_series(1, 20000) i`,
    )
    const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', 'backup', 'base']
    const killed = spawnServer(t, { env: place.env, program })
    await eventually('the middle of it', () => filesIn(place.wal, /base-\d+\.part$/).length > 0, { everyMs: 2 })
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.deepEqual([bases(place.wal), filesIn(place.wal, /base.*\.part$/).length], [[first], 1])

    const { keeper, lines, ahead } = await keeperOf(place)
    await keeper.upkeep()
    assert.deepEqual([bases(place.wal), lines], [[first], []], 'none is due')
    const early = segments(place.wal)
    ahead(3 * dayMs)
    await keeper.upkeep()
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error'),
      [],
    )
    const made = bases(place.wal).find(name => name !== first)!
    await eventually('a window that begins with it', async () => {
      const { bases: all, wal } = await readShelf(join(place.wal, dirname(dirname(made))))
      return chainsOf({ bases: all.filter(({ file }) => file === basename(made)), wal }).length > 0
    })
    await keeper.upkeep()
    assert.ok(!bases(place.wal).includes(first!), 'the oldest one leads to nothing of the last day')
    assert.ok(bases(place.wal).length >= 1)
    assert.deepEqual(filesIn(place.wal, /base.*\.part$/), [])
    assert.deepEqual(
      segments(place.wal).filter(name => early.slice(0, 2).includes(name)),
      [],
    )
    const { window } = await keeper.watch!.read()
    assert.ok(window !== undefined)

    const kept = bases(place.wal)
    ahead(9 * dayMs)
    keeper.start()
    await keeper.stop()
    assert.deepEqual(bases(place.wal), kept, 'one that is stopped before a base backup began begins none')
  })

  for (const launch of ['plain', 'namespace', 'account'] as const satisfies Launch[])
    test(`is written to, and read from, by a PostgreSQL that runs ${launch}`, async t => {
      if ((process.getuid!() === 0) === (launch === 'plain')) return t.skip('not by this user')
      const folder = freshFolder()
      const [dataDir, wal] = [join(folder, 'data'), join(folder, "wal's 1")]
      mkdirSync(dataDir, { mode: 0o700 })
      mkdirSync(wal, { mode: 0o700 })
      let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>
      try {
        postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, launch, settings: archiveSettings(wal, {}) })
      } catch (error) {
        return t.skip((error as Error).message)
      }
      t.after(() => postgres.stop())
      await sql(dataDir, 'create table noted (); select pg_switch_wal()')
      await eventually('a segment', () => segments(wal).length > 0)
      await makeBase({ owner: postgres.owner, dataDir, root: wal, seal: undefined, version: 'test' })
      await sql(dataDir, 'create table later ()')
      await postgres.stop()
      const [shelf] = (await shelvesAt(wal)).shelves
      const { toMs: atMs } = windowsOf(await readShelf(shelf!)).at(-1)!
      const again = join(folder, 'again')
      mkdirSync(again, { mode: 0o700 })
      const found = await findMoment(wal, atMs)
      const options = { ...found, dataDir: again, atMs, identities: [], settings: {}, log: silentLog, launch }
      const { work } = await restoreMoment(options, async owner => {
        const client = new pg.Client(owner)
        await client.connect()
        const { rows } = await client.query<{ name: string | null }>(`select to_regclass('later')::text as name`)
        await client.end()
        return rows[0]!.name
      })
      assert.deepEqual([work, existsSync(join(again, 'postgres', 'PG_VERSION'))], ['later', true])
    })

  test('is refused beside a database of one own, with the remedy', () => {
    const env = { TANDEM_WAL_TO: '/mnt/wal', DATABASE_URL: 'postgres://db/tandem' }
    assert.throws(() => loadConfig(env), /TANDEM_WAL_TO is for the embedded database, .* unset TANDEM_WAL_TO/)
  })
})
