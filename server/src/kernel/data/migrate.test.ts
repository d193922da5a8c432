// Guards: migrations are applied once, in order, all or nothing; a changed, missing or newer one stops the start.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { emptyDatabase, silentLog } from '../../../test/cluster.ts'
import { isStartFault } from '../values/start_fault.ts'
import type { ConnectionOptions } from './db.ts'
import { migrate } from './migrate.ts'

type Files = Record<string, string>

/** An empty database and a folder of migrations, gone after the test. */
async function setUp(context: { after(hook: () => Promise<void>): void }, files: Files) {
  const database = await emptyDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'tandem-migrations-'))
  context.after(async () => {
    await database.drop()
    await rm(dir, { recursive: true })
  })
  const write = async (more: Files) => {
    for (const [name, sql] of Object.entries(more)) await writeFile(join(dir, name), sql)
  }
  await write(files)
  return {
    owner: database.owner,
    app: database.app,
    dir,
    write,
    run: () => migrate({ owner: database.owner, dir, log: silentLog }),
  }
}

async function rows(owner: ConnectionOptions, sql: string): Promise<unknown[]> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Expects one clear line. */
function fault(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(isStartFault(error), String(error))
    assert.equal(error.lines.length, 1)
    assert.ok(!error.message.includes('\n'))
    assert.match(error.message, pattern)
    return true
  }
}

const first = { '0001_first.sql': 'create table first (id int primary key); insert into first values (1)' }
const second = { '0002_second.sql': 'create table second (id int references first); insert into second values (1)' }

test('files run once, in order, and are recorded with their checksum', async t => {
  const { owner, run, write } = await setUp(t, first)
  assert.deepEqual(await run(), { applied: ['0001_first'] })
  await write(second)
  assert.deepEqual(await run(), { applied: ['0002_second'] })
  assert.deepEqual(await run(), { applied: [] })
  assert.deepEqual(
    await rows(owner, 'select name, length(checksum) as l, applied_at is not null as at from migrations order by 1'),
    [
      { name: '0001_first', l: 64, at: true },
      { name: '0002_second', l: 64, at: true },
    ],
  )
})

test('a file that fails leaves nothing of itself, keeps the ones before, and names its line', async t => {
  const { owner, run, write } = await setUp(t, {
    ...first,
    '0002_broken.sql': 'create table second (id int);\n\nselect * frm first;',
  })
  await assert.rejects(run(), fault(/^The migration 0002_broken failed in line 3: syntax error at or near "frm"/))
  assert.deepEqual(
    await rows(owner, "select to_regclass('first') is not null as a, to_regclass('second') is null as b"),
    [{ a: true, b: true }],
  )
  await write({ '0002_broken.sql': second['0002_second.sql'] })
  assert.deepEqual(await run(), { applied: ['0002_broken'] })
})

test('of several processes that start at once, one migrates and the others wait for it', async t => {
  const slow = { '0001_first.sql': `${first['0001_first.sql']}; select pg_sleep(0.3)` }
  const { run } = await setUp(t, { ...slow, ...second })
  const results = await Promise.all([run(), run(), run(), run()])
  assert.deepEqual(results.map(({ applied }) => applied.length).sort(), [0, 0, 0, 2])
})

test('a file that was changed after it ran is refused; other line ends are no change', async t => {
  const { run, write } = await setUp(t, { '0001_first.sql': 'create table first (id int);\nselect 1;\n' })
  await run()
  await write({ '0001_first.sql': 'create table first (id int);\r\nselect 1;\r\n' })
  assert.deepEqual(await run(), { applied: [] })
  await write({ '0001_first.sql': 'create table first (id bigint);\nselect 1;\n' })
  await assert.rejects(run(), fault(/another build of Tandem: its step 0001_first .*new database.*new migration/))
})

test('a database of a newer release is left alone', async t => {
  const { owner, dir, run, write } = await setUp(t, { ...first, '0002_second.sql': 'drop table first' })
  await run()
  await rm(join(dir, '0002_second.sql'))
  await assert.rejects(run(), fault(/newer Tandem \(it has 0002_second\): run that version, or restore a backup/))
  await write({ '0002_other.sql': 'create table other (id int)' })
  await assert.rejects(run(), fault(/newer Tandem/))
  assert.deepEqual(await rows(owner, "select to_regclass('other') as other"), [{ other: null }])
})

test('a database that a newer release has only added to serves this one; what was taken away ends that', async t => {
  const third = { '0003_third.sql': 'alter table first add column more int not null default 0' }
  const { owner, dir, run, write } = await setUp(t, { ...first, ...second, ...third })
  await run()
  await rm(join(dir, '0003_third.sql'))
  assert.deepEqual(await run(), { applied: [] }, 'the version before, started again')
  await write({ '0003_other.sql': 'select 1' })
  await assert.rejects(run(), fault(/0003_other was added before others/))
  await rm(join(dir, '0003_other.sql'))
  await write({ ...third, '0004_fourth.sql': '-- migrate: second step\nalter table first drop column more' })
  assert.deepEqual(await run(), { applied: ['0004_fourth'] })
  await rm(join(dir, '0004_fourth.sql'))
  await assert.rejects(run(), fault(/newer Tandem \(it has 0004_fourth\)/))
  assert.deepEqual(await rows(owner, 'select name, is_additive as adds from migrations order by 1'), [
    { name: '0001_first', adds: true },
    { name: '0002_second', adds: true },
    { name: '0003_third', adds: true },
    { name: '0004_fourth', adds: false },
  ])
})

test('an index is made concurrently outside a transaction, beside other processes that start; a half-made one is made again', async t => {
  const { owner, run, write } = await setUp(t, first)
  await run()
  // What a start leaves behind that was ended while it made the index.
  await rows(owner, 'insert into first values (2); create index first_id on first (id)')
  await rows(owner, "update pg_index set indisvalid = false where indexrelid = 'first_id'::regclass")
  await write({
    '0002_index.sql':
      '-- migrate: outside a transaction\n-- Two; of a big table.\ncreate index concurrently if not exists first_id on first (id);\ncreate index concurrently if not exists first_more on first ((id + 1));\n',
  })
  const results = await Promise.all([run(), run(), run()])
  assert.deepEqual(results.map(({ applied }) => applied.length).sort(), [0, 0, 1])
  assert.deepEqual(
    await rows(
      owner,
      "select indexrelid::regclass::text as i, indisvalid as ok from pg_index where indrelid = 'first'::regclass order by 1",
    ),
    [
      { i: 'first_id', ok: true },
      { i: 'first_more', ok: true },
      { i: 'first_pkey', ok: true },
    ],
  )
  await write({
    '0003_bad.sql': '-- migrate: outside a transaction\ncreate index concurrently if not exists x on nowhere (id);',
  })
  await assert.rejects(run(), fault(/^The migration 0003_bad failed.*nowhere/))
})

test('a database from before the files were rewritten is refused in one sentence, and nothing in it is changed', async t => {
  const { owner, run, write } = await setUp(t, first)
  await run()
  for (const former of [['0001_foundation'], ['0001_foundation', '0002_leads', '0033_lead_search_column']]) {
    await rows(owner, 'delete from migrations')
    await rows(
      owner,
      `insert into migrations (name, checksum) select name, 'x' from unnest('{${former}}'::text[]) name`,
    )
    await write(second)
    await assert.rejects(
      run(),
      fault(
        /^This database was set up by a Tandem from before the first release \(it begins with 0001_foundation, this version with 0001_first\), and cannot be upgraded: run the version that set it up [^.]*, or start again with another folder in TANDEM_DATA \(with DATABASE_URL: an empty database\)\.$/,
      ),
    )
    assert.deepEqual(
      await rows(owner, 'select name from migrations order by 1'),
      former.map(name => ({ name })),
    )
    assert.deepEqual(await rows(owner, "select to_regclass('second') as second"), [{ second: null }])
  }
})

test('numbers have no gap and no double, and none is added behind the newest', async t => {
  const { dir, run, write } = await setUp(t, { ...first, '0003_third.sql': 'select 1' })
  await assert.rejects(run(), fault(/0003_third\.sql must be numbered 0002/))
  await rm(join(dir, '0003_third.sql'))
  await write({ '0001_again.sql': 'select 1' })
  await assert.rejects(run(), fault(/must be numbered 0002/))
})

test('a server before PostgreSQL 15 is refused', async t => {
  const { owner, dir, run } = await setUp(t, {})
  await run()
  // The only way to meet an old server here: its answer stands before the real one in the search path.
  await rows(owner, "create function current_setting(text) returns text language sql as 'select ''140011'''")
  const old = { ...owner, options: '-c search_path=public,pg_catalog' }
  await assert.rejects(
    migrate({ owner: old, dir, log: silentLog }),
    fault(/is too old: Tandem needs PostgreSQL 15 or newer/),
  )
})

test('a role that may not create tables gets an error that says so', async t => {
  const { app, dir } = await setUp(t, first)
  await assert.rejects(
    migrate({ owner: app, dir, log: silentLog }),
    fault(/role tandem_app may not create tables in database test_/),
  )
})

test('a table that is in use is waited for, not queued on', async t => {
  const { owner, run, write } = await setUp(t, first)
  await run()
  const reader = new pg.Client(owner)
  await reader.connect()
  await reader.query('begin; lock table first in access share mode')
  await write({ '0002_alter.sql': 'alter table first add column more int' })
  const migrating = run()
  // Longer than the lock timeout: the first attempt gives up, a later one gets through.
  setTimeout(() => void reader.end(), 6_000)
  assert.deepEqual(await migrating, { applied: ['0002_alter'] })
})
