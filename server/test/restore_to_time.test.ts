// A drill: a server is written to all the time, its records are deleted by mistake, and it is brought back to the moment before. All that
// was acknowledged by then is there and nothing later; nothing leaves; and it can be done again on what came of it.
// test: programs
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runningDatabase } from '../src/running_database.ts'
import { eventually } from './eventually.ts'
import { endServer, freshFolder, type ReadyServer, spawnServer, startServer } from './server_process.ts'
import { type Sink, startSink } from './smtp_sink.ts'

let sink: Sink
before(async () => {
  sink = await startSink()
})
after(() => sink?.close())

type Place = { data: string; wal: string; env: Record<string, string> }

function freshPlace(more: Record<string, string> = {}): Place {
  const folder = freshFolder()
  const [data, wal] = [join(folder, 'data'), join(folder, 'wal')]
  mkdirSync(wal)
  const env = {
    TANDEM_DATA: data,
    TANDEM_WAL_TO: wal,
    TANDEM_SMTP_URL: sink.url,
    TANDEM_MAIL_FROM: 'Drill <office@example.com>',
    TANDEM_RATE_LIMIT_IP: '1000000',
    TANDEM_RATE_LIMIT_KEY: '1000000',
    TANDEM_ROLES: 'api,worker',
    ...more,
  }
  return { data, wal, env }
}

async function command(t: TestContext, env: Record<string, string>, ...args: string[]) {
  const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', ...args]
  return spawnServer(t, { env, program }).ended
}

async function sql<Row extends pg.QueryResultRow>(data: string, text: string): Promise<Row[]> {
  const client = new pg.Client(await runningDatabase({ databaseUrl: undefined, dataDir: data }))
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function clientOf({ address }: ReadyServer, key: string) {
  return async (method: string, path: string, body?: object): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
}
type Client = ReturnType<typeof clientOf>

const keyOf = (server: ReadyServer) => /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]

type Written = { name: string; begunMs: number; doneMs: number }

/** Writes one record after the other until it is stopped; by the clock of this machine, which is that of the database. */
function startWriting(call: Client, prefix: string) {
  const written: Written[] = []
  let isOver = false
  const lane = (async () => {
    for (let at = 1; !isOver; at++) {
      const name = `${prefix} ${at}`
      const begunMs = Date.now()
      const { status, text } = await call('POST', '/v1/api/leads', { name, email: `${prefix}${at}@example.com` })
      assert.ok(status < 300, text)
      written.push({ name, begunMs, doneMs: Date.now() })
    }
  })()
  lane.catch(() => {})
  return {
    written,
    async stop() {
      isOver = true
      await lane
    },
  }
}

const leadNames = async (data: string) =>
  new Set((await sql<{ name: string }>(data, 'select name from leads')).map(({ name }) => name))

/** Nothing that was done is missing, nothing later is there; what was under way at the moment may be either. */
function assertAsOf(names: ReadonlySet<string>, written: readonly Written[], atMs: number): void {
  const [done, later] = [written.filter(one => one.doneMs < atMs), written.filter(one => one.begunMs > atMs)]
  assert.ok(done.length > 20 && later.length > 20, `${done.length} before, ${later.length} after`)
  assert.deepEqual(
    done.filter(({ name }) => !names.has(name)),
    [],
    'acknowledged before the moment, and lost',
  )
  assert.deepEqual(
    later.filter(({ name }) => names.has(name)),
    [],
    'of later than the moment, and there',
  )
}

const baseBackups = (wal: string) =>
  readdirSync(wal, { recursive: true, encoding: 'utf8' }).filter(name => /base-.*\.tar\.zst/.test(name))

const made = (server: ReadyServer) => server.printed('made a base backup')

describe('a database that is brought back to a moment', () => {
  test('has all that was acknowledged before, nothing later, and sends nothing', { timeout: 120_000 }, async t => {
    const place = freshPlace()
    const passphraseFile = join(place.wal, '../passphrase')
    writeFileSync(passphraseFile, 'correct horse battery staple\n')
    const env = { ...place.env, TANDEM_BACKUP_PASSPHRASE_FILE: passphraseFile, TANDEM_MAIL_PER_MINUTE: '2' }
    const server = await startServer(t, { env })
    const key = keyOf(server)
    const call = clientOf(server, key)
    await made(server)
    const file = join(place.data, 'recordings', 'kept.wav')
    mkdirSync(join(place.data, 'recordings'), { recursive: true })
    writeFileSync(file, 'a recording')
    const load = startWriting(call, 'first')
    for (let at = 1; at <= 6; at++) {
      const mail = { to: [{ address: 'ada@example.com' }], subject: `mail ${at}`, text: 'Hello.' }
      const { status, text } = await call('POST', '/v2/mails', mail)
      assert.ok(status < 300, text)
    }
    await eventually('some records', () => load.written.length > 40)
    // A boundary of segments lies within what is replayed.
    await sql(place.data, 'select pg_switch_wal()')
    await sleep(100)
    const atMs = Date.now()
    await sleep(100)
    await sql(place.data, 'delete from leads')
    await eventually('more records', () => load.written.filter(one => one.begunMs > atMs).length > 40)
    await load.stop()
    await endServer(server)
    const mails = sink.mails.length

    const time = new Date(atMs).toISOString()
    const inUse = await command(t, env, 'restore', '--to-time', time)
    assert.deepEqual(
      [inUse.code, /holds a database: move .*\/postgres away/.test(inUse.stderr)],
      [1, true],
      inUse.stderr,
    )
    renameSync(join(place.data, 'postgres'), join(place.data, 'postgres.wrong'))
    const checked = await command(t, env, 'restore', '--to-time', time, '--check')
    assert.match(checked.stdout, /All is there and whole: base-.* with \d+ files, and \d+ segments/, checked.stderr)
    const listed = await command(t, env, 'backup', 'window', '--json')
    const [{ windows }] = JSON.parse(listed.stdout).archives
    assert.equal(windows.length, 1)
    assert.ok(Date.parse(windows[0].earliest) < atMs && Date.parse(windows[0].latest) > atMs, listed.stdout)
    const restored = await command(t, env, 'restore', '--to-time', time, '--json')
    assert.equal(restored.code, 0, restored.stderr)
    const { lastChangeAt, held } = JSON.parse(restored.stdout)
    assert.ok(Date.parse(lastChangeAt) <= atMs && Date.parse(lastChangeAt) > atMs - 5_000, lastChangeAt)
    assert.ok(held.find((one: { kind: string }) => one.kind === 'mails').waiting > 0, restored.stdout)
    assert.deepEqual(
      readdirSync(place.data).filter(name => name.startsWith('restoring-')),
      [],
    )
    assert.ok(existsSync(file), 'files beside the database stay')

    const next = await startServer(t, { env: { ...env, TANDEM_MAIL_PER_MINUTE: '1000000' } })
    assertAsOf(await leadNames(place.data), load.written, atMs)
    const again = clientOf(next, key)
    assert.equal((await again('GET', '/v1/api/leads')).status, 200)
    // Time enough for a worker to send all that it may.
    await sleep(2_000)
    assert.equal(sink.mails.length, mails, 'nothing leaves while it is held')
    const status = await command(t, env, 'sending', 'status')
    assert.match(status.stdout, /Nothing is sent since .*Restored to .*\n/)

    // On the timeline that began with the restore.
    await made(next)
    assert.equal(baseBackups(place.wal).length, 2)
    const second = startWriting(again, 'second')
    await eventually('some records', () => second.written.length > 40)
    const laterMs = Date.now()
    await eventually('more records', () => second.written.filter(one => one.begunMs > laterMs).length > 40)
    await second.stop()
    await endServer(next)
    const other = freshPlace()
    const [from] = readdirSync(place.wal).filter(name => /^\d+$/.test(name))
    const elsewhere = { ...other.env, TANDEM_WAL_TO: '', TANDEM_BACKUP_PASSPHRASE_FILE: passphraseFile }
    const toNew = ['restore', '--to-time', new Date(laterMs).toISOString(), '--from', join(place.wal, from!)]
    const onward = await command(t, elsewhere, ...toNew)
    assert.match(onward.stdout, /^Restored the database to .*Nothing is sent until/s, onward.stderr)
    const third = await startServer(t, { env: elsewhere })
    const names = await leadNames(other.data)
    assertAsOf(names, second.written, laterMs)
    assertAsOf(names, load.written, atMs)
    await endServer(third)
  })

  test('is refused with the remedy: before and after the archive, behind a lost segment, with a damaged one', async t => {
    const place = freshPlace()
    const server = await startServer(t, { env: place.env })
    await made(server)
    const [{ at: early }] = (await sql<{ at: string }>(place.data, 'select now()::text as at')) as [{ at: string }]
    const moments: number[] = []
    for (let count = 0; count < 4; count++) {
      await sql(place.data, `create table mark_${count} (); select pg_switch_wal()`)
      await sleep(300)
      moments.push(Date.now())
    }
    const keyFile = join(place.data, 'instance.key')
    if (!existsSync(keyFile)) writeFileSync(keyFile, 'a key\n')
    const keyBytes = readFileSync(keyFile)
    const forced = await command(t, place.env, 'backup', 'base')
    assert.match(forced.stdout, /base-.*\.tar\.zst: \d+ files, /, forced.stderr)
    await endServer(server)
    renameSync(join(place.data, 'postgres'), join(place.data, 'postgres.lost'))
    renameSync(keyFile, `${keyFile}.lost`)
    const to = (time: number | string, ...more: string[]) =>
      command(
        t,
        place.env,
        'restore',
        '--to-time',
        typeof time === 'string' ? time : new Date(time).toISOString(),
        ...more,
      )

    const before = await to(Date.parse(early) - 3_600_000)
    assert.deepEqual(
      [before.code, /is before the first base backup .* possible is from/.test(before.stderr)],
      [1, true],
      before.stderr,
    )
    const future = await to(Date.now() + 3_600_000)
    assert.match(future.stderr, /is after what is archived .*Take a moment until .*stop it first/)
    const vague = await to('2026-11-27 14:05')
    assert.deepEqual([vague.code, /with its offset/.test(vague.stderr)], [2, true])
    const nowhere = await to(moments[1]!, '--from', join(place.wal, 'nothing'))
    assert.match(nowhere.stderr, /nothing for archived WAL is not there: mount its disk/)

    const files = readdirSync(place.wal, { recursive: true, encoding: 'utf8' })
      .filter(name => /\/[0-9A-F]{24}-/.test(name))
      .sort()
    const damaged = join(place.wal, files.at(-5)!)
    const size = statSync(damaged).size
    const kept = join(place.wal, 'kept')
    renameSync(damaged, kept)
    const missing = await to(moments[2]!)
    assert.match(missing.stderr, /is out of reach: the segment [0-9A-F]{24} is missing .* possible is from .*, or from/)
    writeFileSync(damaged, Buffer.alloc(size))
    const spoilt = await to(moments[2]!)
    assert.deepEqual([spoilt.code, existsSync(join(place.data, 'postgres'))], [1, false])
    assert.match(spoilt.stderr, /could not be restored: .* What PostgreSQL said is in .*restore\.log/)
    assert.deepEqual(
      readdirSync(place.data).filter(name => name.startsWith('restoring-')),
      [],
    )
    rmSync(damaged)
    renameSync(kept, damaged)
    // To the very end: no commit comes behind it that PostgreSQL could stop at.
    const listed = await command(t, place.env, 'backup', 'window', '--json')
    const { latest } = JSON.parse(listed.stdout).archives[0].windows.at(-1)
    const restored = await to(latest, '--json')
    assert.equal(restored.code, 0, restored.stderr)
    assert.ok(Date.parse(JSON.parse(restored.stdout).lastChangeAt) >= moments[3]! - 300, restored.stdout)
    assert.ok(readFileSync(keyFile).equals(keyBytes), 'what opens sealed secrets comes along')
    assert.equal(statSync(keyFile).mode & 0o777, 0o600)
  })
})
