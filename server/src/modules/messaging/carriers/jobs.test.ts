// Who holds the links: one process at a time, whatever happens to it, and what it says about them.
// test: waits
import assert from 'node:assert/strict'
import { afterEach, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { testRootKey } from '../../../../test/root_key.ts'
import { startServer } from '../../../../test/server_process.ts'
import { startSmsc, type TestSmsc, type TestSmscOptions } from '../../../../test/smsc.ts'

const env = { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' }
const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function startApp(options: { work?: boolean } = {}): Promise<TestApp> {
  const t = await startTestApp({ env: { ...env, TANDEM_LOG_LEVEL: 'fatal' }, ...options })
  open.push(() => t.close())
  return t
}

async function startSide(options: TestSmscOptions = {}): Promise<TestSmsc> {
  const side = await startSmsc(options)
  open.push(() => side.close())
  return side
}

async function addCarrier(t: TestApp, side: TestSmsc, settings: object = {}): Promise<string> {
  const body = {
    kind: 'smpp',
    name: 'Remote',
    settings: { host: '127.0.0.1', port: side.port, systemId: 'tandem', password: 'secret', ...settings },
  }
  const { status, text, json } = await t.call('POST', '/v2/carriers', { as: t.main.liveKey, body })
  assert.equal(status, 201, text)
  return json.data.carrierId
}

const get = async (t: TestApp, id: string) =>
  (await t.call('GET', `/v2/carriers/${id}`, { as: t.main.liveKey })).json.data

async function change(t: TestApp, id: string, body: object): Promise<void> {
  const { status, text } = await t.call('PATCH', `/v2/carriers/${id}`, { as: t.main.liveKey, body })
  assert.equal(status, 200, text)
}

/** Sends a text by the carrier once it is up. */
async function sendBy(t: TestApp, id: string): Promise<string> {
  const number = '+15005550006'
  const { status, text } = await t.call('POST', '/v2/numbers', { as: t.main.liveKey, body: { number } })
  assert.equal(status, 201, text)
  await change(t, id, { routes: [{ prefix: '' }] })
  await eventually('up', async () => (await get(t, id)).state === 'up')
  const body = { from: number, to: '+15005550104', body: 'hi' }
  const sent = await t.call('POST', '/v2/messages/sms', { as: t.main.liveKey, body })
  assert.equal(sent.status, 200, sent.text)
  return sent.json.messageId
}

const statusOf = async (t: TestApp, messageId: string) =>
  (await t.call('GET', `/v2/messages/${messageId}`, { as: t.main.liveKey })).json.data.status

async function eventsOf(
  t: TestApp,
  id: string,
): Promise<{ type: string; sequence: number; data: Record<string, unknown> }[]> {
  return t.ownerSql('select type, sequence, data from event_log where resource_id = $1 order by sequence', [id])
}

describe('one process', () => {
  test('opens, opens again, closes, and reports it', async () => {
    const t = await startApp({ work: true })
    const side = await startSide()
    const id = await addCarrier(t, side, { binds: 2 })
    await eventually('up', async () => (await get(t, id)).state === 'up')
    await eventually('the event', async () => (await eventsOf(t, id)).at(-1)?.type === 'carrier.up')
    assert.equal(side.smsc.sessions.length, 2)
    const { links } = await get(t, id)
    assert.deepEqual(
      links.map(({ link, role, state, error, counters }: Record<string, Record<string, number>>) => [
        link,
        role,
        state,
        error,
        counters?.['binds'],
      ]),
      [
        [0, 'transceiver', 'up', null, 1],
        [1, 'transceiver', 'up', null, 1],
      ],
    )
    await change(t, id, { name: 'A name opens nothing again', routes: [{ prefix: '+49' }] })
    await sleep(1_200)
    assert.equal(side.binds(), 2)
    await change(t, id, { settings: { binds: 1 } })
    await eventually('one link', () => side.binds() === 3 && side.smsc.sessions.length === 1)
    await eventually('one row', async () => (await get(t, id)).links.length === 1)
    await change(t, id, { enabled: false })
    await eventually('no link', () => side.smsc.sessions.length === 0)
    assert.equal((await get(t, id)).state, 'disabled')
    await change(t, id, { enabled: true })
    await eventually('up again', async () => (await get(t, id)).state === 'up')
    await eventually('the event', async () => (await eventsOf(t, id)).at(-1)?.type === 'carrier.up')
    await t.call('DELETE', `/v2/carriers/${id}`, { as: t.main.liveKey })
    await eventually('no link', () => side.smsc.sessions.length === 0)
    await sleep(1_200)
    assert.equal(side.smsc.sessions.length, 0)
    const events = await eventsOf(t, id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['created', 'up', 'updated', 'updated', 'updated', 'updated', 'up', 'deleted'].map(type => `carrier.${type}`),
    )
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
    assert.ok(!JSON.stringify(events).includes('secret'))
  })

  test('emits one event when no link is up, with the reason', async () => {
    const t = await startApp({ work: true })
    const side = await startSide({ password: 'another' })
    const id = await addCarrier(t, side)
    await eventually('down', async () => (await get(t, id)).state === 'down')
    const [link] = (await get(t, id)).links
    assert.match(link.error, /refuses the password/)
    await eventually('the event', async () => (await eventsOf(t, id)).length === 2)
    await sleep(1_500)
    const events = await eventsOf(t, id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['carrier.created', 'carrier.down'],
    )
    assert.match(String(events[1]?.data['reason']), /refuses the password/)
    // With the right one it goes at once, whatever it waits for.
    await change(t, id, { settings: { password: 'another' } })
    await eventually('up', async () => (await get(t, id)).state === 'up')
    await eventually('the event', async () => (await eventsOf(t, id)).at(-1)?.type === 'carrier.up')
  })

  test('says of a password that it cannot read that it must be entered again', async () => {
    const t = await startApp({ work: true })
    const side = await startSide()
    const id = await addCarrier(t, side)
    const other = await addCarrier(t, side)
    await eventually('up', async () => (await get(t, id)).state === 'up')
    // Moved to another carrier, sealed secrets are worth nothing.
    await t.ownerSql(
      `update carriers c set settings_version = 9, secrets = o.secrets from carriers o
       where c.id = $1 and o.id = $2`,
      [id, other],
    )
    await eventually('down', async () => (await get(t, id)).state === 'down')
    assert.match((await get(t, id)).links[0].error, /Enter it again/)
    await change(t, other, { enabled: false })
    assert.equal(
      (await t.call('PATCH', `/v2/carriers/${id}`, { as: t.main.liveKey, body: { settings: { password: 'secret' } } }))
        .status,
      200,
    )
    await eventually('up', async () => (await get(t, id)).state === 'up')
  })

  test('closes within seconds though an answer never comes, and leaves its message in doubt', async () => {
    const t = await startApp({ work: true })
    const side = await startSide({ answer: () => new Promise<never>(() => {}) })
    const id = await addCarrier(t, side, { responseTimeoutSeconds: 2 })
    const messageId = await sendBy(t, id)
    await eventually('it is written', () => side.submitted.length === 1)
    const startMs = performance.now()
    await change(t, id, { enabled: false })
    await eventually('no link', () => side.smsc.sessions.length === 0)
    const seconds = (performance.now() - startMs) / 1_000
    assert.ok(seconds < 9, `${seconds} s`)
    await eventually('stopped', async () => (await get(t, id)).links[0].state === 'stopped')
    await eventually('it is in doubt', async () => (await statusOf(t, messageId)) === 'unconfirmed')
  })

  test('changes settings when all was answered, however long that takes, and takes texts in meanwhile', async () => {
    const t = await startApp({ work: true })
    const answer = Promise.withResolvers<{ status: number; messageId: string }>()
    const side = await startSide({ answer: () => answer.promise as never })
    const id = await addCarrier(t, side)
    const messageId = await sendBy(t, id)
    await eventually('it is written', () => side.submitted.length === 1)
    await change(t, id, { settings: { segmentsPerSecond: 7 } })
    // Longer than a process that stops waits for answers, and for the end of the link.
    await sleep(8_000)
    assert.equal(side.binds(), 1)
    const inbound = { sourceAddr: '4915112345678', sourceAddrTon: 1, destinationAddr: '15005550006', destAddrTon: 1 }
    assert.equal(await side.deliver({ ...inbound, shortMessage: Buffer.from('hi') }), 0)
    answer.resolve({ status: 0, messageId: 'late' })
    await eventually('opened again', () => side.binds() === 2)
    await eventually('it is sent', async () => (await statusOf(t, messageId)) === 'sent')
    assert.equal(side.submitted.length, 1)
  })

  test('stops within seconds also while it waits for answers before it changes settings', async () => {
    const t = await startApp()
    const { app } = await t.secondApp()
    await app.startWork()
    const side = await startSide({ answer: () => new Promise<never>(() => {}) })
    const id = await addCarrier(t, side)
    const messageId = await sendBy(t, id)
    await eventually('it is written', () => side.submitted.length === 1)
    await change(t, id, { settings: { segmentsPerSecond: 7 } })
    await sleep(1_200)
    assert.equal(await statusOf(t, messageId), 'sending')
    const startMs = performance.now()
    await app.stop()
    const seconds = (performance.now() - startMs) / 1_000
    assert.ok(seconds < 12, `${seconds} s`)
    assert.equal(await statusOf(t, messageId), 'unconfirmed')
  })

  test('keeps since when a link has not been up, whatever it was meanwhile', async () => {
    const t = await startApp({ work: true })
    const side = await startSide()
    const id = await addCarrier(t, side)
    const link = async () => {
      const [row] = await t.ownerSql<{ state: string; down: boolean; since: string }>(
        'select state, down_since is not null as down, down_since::text as since from carrier_links where carrier_id = $1',
        [id],
      )
      return row
    }
    await eventually('up', async () => (await link())?.state === 'up')
    assert.equal((await link())?.down, false)
    await side.close()
    await eventually('down', async () => (await link())?.state === 'down')
    const since = (await link())?.since
    // Opened again it connects, and is down again.
    await change(t, id, { settings: { binds: 2 } })
    await eventually('down again', async () => (await get(t, id)).links.length === 2)
    await eventually('down again', async () => (await link())?.state === 'down')
    assert.equal((await link())?.since, since)
    await startSide({ port: side.port })
    await eventually('up again', async () => (await link())?.state === 'up')
    assert.equal((await link())?.down, false)
  })

  test('that falls silent holds nothing any more', async () => {
    const t = await startApp({ work: true })
    const side = await startSide()
    const id = await addCarrier(t, side)
    await eventually('up', async () => (await get(t, id)).state === 'up')
    await t.app.stop()
    assert.equal(side.smsc.sessions.length, 0)
    const { app, call } = await t.secondApp()
    const read = async () => (await call('GET', `/v2/carriers/${id}`, { as: t.main.liveKey })).json.data
    assert.deepEqual(
      (await read()).links.map(({ state }: { state: string }) => state),
      ['stopped'],
    )
    await t.ownerSql("update carrier_links set state = 'up', updated_at = now() - interval '16 seconds'")
    assert.equal((await read()).state, 'down')
    await app.stop()
  })
})

describe('two processes', () => {
  test('share no link, and one goes on when the other stops', async () => {
    const t = await startApp({ work: true })
    const second = await t.secondApp()
    await second.app.startWork()
    const side = await startSide()
    const ids = [await addCarrier(t, side), await addCarrier(t, side)]
    await eventually('both up', () => side.smsc.sessions.length === 2)
    await sleep(2_500)
    assert.equal(side.maxSessions(), 2)
    assert.equal(side.binds(), 2)
    await t.app.stop()
    await eventually('both up again', () => side.smsc.sessions.length === 2, { withinMs: 5_000 })
    assert.equal(side.maxSessions(), 2)
    for (const id of ids) {
      const types = (await t.ownerSql<{ type: string }>('select type from event_log where resource_id = $1', [id])).map(
        ({ type }) => type,
      )
      assert.deepEqual(types.sort(), ['carrier.created', 'carrier.up'], 'a handover is no news')
    }
  })

  test('never hold a link together when a session is lost', async () => {
    const t = await startApp({ work: true })
    const second = await t.secondApp()
    await second.app.startWork()
    const side = await startSide({ smsc: { limits: { bindsPerSystemId: 1 } } })
    const id = await addCarrier(t, side)
    await eventually('up', () => side.smsc.sessions.length === 1)
    for (let round = 2; round <= 4; round++) {
      const killed = await t.ownerSql(
        `select pg_terminate_backend(l.pid) from pg_locks l
         where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.database = (select oid from pg_database
           where datname = current_database())`,
      )
      assert.ok(killed.length > 0)
      await eventually('bound again', () => side.binds() === round && side.smsc.sessions.length === 1)
    }
    assert.equal(side.maxSessions(), 1)
    await eventually('up', async () => (await get(t, id)).state === 'up')
  })

  test('one takes over within seconds when the other is killed', async (context: TestContext) => {
    const t = await startApp()
    const side = await startSide({ smsc: { limits: { bindsPerSystemId: 1 } } })
    const [{ name }] = (await t.ownerSql<{ name: string }>('select current_database() as name')) as [{ name: string }]
    const { host, port } = JSON.parse(process.env['TANDEM_TEST_CLUSTER'] as string) as { host: string; port: number }
    const url = `postgres://postgres@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
    const server = await startServer(context, {
      env: { ...env, DATABASE_URL: url, TANDEM_ROOT_KEY: testRootKey, TANDEM_ROLES: 'worker' },
    })
    const id = await addCarrier(t, side)
    await eventually('the first has it', () => side.binds() === 1)
    const second = await t.secondApp()
    await second.app.startWork()
    await sleep(1_500)
    assert.equal(side.binds(), 1)
    server.child.kill('SIGKILL')
    const killedMs = performance.now()
    await eventually('the second has it', () => side.binds() === 2)
    const seconds = (performance.now() - killedMs) / 1_000
    assert.ok(seconds < 4, `${seconds} s`)
    assert.equal(side.maxSessions(), 1)
    await eventually('up', async () => (await get(t, id)).state === 'up')
  })
})
