// Resuming: whatever is committed while a reader is away, or was under way when it left, comes exactly once; and what
// cannot be sent any more is reported as missing.
// test: waits
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Message, openStream } from '../../../../test/stream_reader.ts'
import { emit } from '../../../kernel/data/events.ts'
import { Problem } from '../../../kernel/values/problem.ts'

let t: TestApp
let second: Awaited<ReturnType<TestApp['secondApp']>>
before(async () => {
  t = await startTestApp()
  second = await t.secondApp()
})
after(() => t?.close())

type Node = TestApp['app']

/** Writes some events in one transaction that commits `holdMs` after they got their ids. */
async function write(node: Node, names: readonly string[], holdMs = 0, inSavepoint = false): Promise<void> {
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  await node.services.db.inTenant(scope, async tx => {
    if (inSavepoint) await sql`savepoint here`.execute(tx)
    const events = names.map(name => ({ type: 'lead.updated' as const, resourceId: name, sequence: 1, data: { name } }))
    await emit(tx, scope, ...events)
    if (inSavepoint) await sql`release savepoint here`.execute(tx)
    await sleep(holdMs)
  })
}

/** Reads until `count` messages came or `forMs` passed, then breaks off; answers them and where to go on. */
async function read(
  node: Node,
  from: string | undefined,
  count: number,
  forMs: number,
  isReady = () => {},
  filter = '',
) {
  const taken: Message[] = []
  let lastId = from
  const reader = await openStream(node, {
    as: t.main.tokens.Admin,
    query: `?topics=events${filter}`,
    lastEventId: from,
    onMessage(message, self) {
      // What comes in the same piece behind the last one counts as lost with the connection.
      if (taken.length >= count) return
      lastId = message.id
      if (message.event === 'ready') isReady()
      else taken.push(message)
      if (taken.length >= count) self.close()
    },
  })
  const over = new AbortController()
  await Promise.race([reader.ended, sleep(forMs, undefined, { signal: over.signal }).catch(() => {})])
  // A wait that outlived its reading would be open yet when the file is over.
  over.abort()
  reader.close()
  await reader.ended
  return { taken, lastId }
}

test('rows committed late and at the same time come exactly once through any number of broken connections', async () => {
  const written: string[] = []
  let writing = true
  async function writer(number: number): Promise<void> {
    const node = number % 2 === 0 ? t.app : second.app
    for (let round = 0; writing; round++) {
      // Different for each, and the same in every run.
      const dice = (number * 7 + round * 13) % 10
      const names = Array.from({ length: 1 + (dice % 6) }, (_, index) => `${number} ${round} ${index}`)
      await write(node, names, dice * 150, dice % 3 === 0)
      written.push(...names)
    }
  }
  let { lastId } = await read(t.app, undefined, 1, 500)
  assert.ok(lastId, 'ready has an id')
  const writers = Array.from({ length: 10 }, (_, number) => writer(number))
  const received: string[] = []
  for (let turn = 0; turn < 24; turn++) {
    const back = await read(turn % 2 === 0 ? t.app : second.app, lastId, 1 + ((turn * 11) % 37), 700)
    received.push(...back.taken.map(({ data }) => data.resourceId))
    lastId = back.lastId
    if (turn === 20) writing = false
  }
  await Promise.all(writers)
  const rest = await read(t.app, lastId, Number.POSITIVE_INFINITY, 2_000)
  received.push(...rest.taken.map(({ data }) => data.resourceId))
  assert.ok(written.length > 150, `${written.length} written`)
  assert.equal(new Set(received).size, received.length, 'none comes twice')
  assert.deepEqual(received.toSorted(), written.toSorted(), 'none is missing')
})

test('a large transaction comes whole and in order, also when the connection breaks in the middle of it', async () => {
  const { lastId } = await read(t.app, undefined, 1, 500)
  const names = Array.from({ length: 1_300 }, (_, index) => `large ${index}`)
  // More than is sent to a reader that was away, so it must listen already.
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const first = read(t.app, lastId, 700, 10_000, resolve)
  await ready
  await write(second.app, names)
  const one = await first
  const two = await read(second.app, one.lastId, 550, 10_000)
  const three = await read(t.app, two.lastId, 50, 10_000)
  const received = [...one.taken, ...two.taken, ...three.taken].map(({ data }) => data.resourceId)
  assert.deepEqual(received, names)
})

test('requests are resumed as events are', async () => {
  const as = t.main.tokens.Admin
  const first = await openStream(t.app, { as, query: '?topics=requests' })
  await first.until(message => message.event === 'ready')
  first.close()
  const asked: (string | undefined)[] = []
  for (let n = 0; n < 5; n++) asked.push((await t.call('GET', '/v1/api/auth/me', { as })).headers['x-request-id'])
  await t.app.flush()
  const again = await openStream(second.app, { as, query: '?topics=requests', lastEventId: first.lastId() })
  for (let n = 0; n < 5; n++) asked.push((await second.call('GET', '/v1/api/auth/me', { as })).headers['x-request-id'])
  await again.until(message => message.data.requestId === asked.at(-1))
  again.close()
  assert.deepEqual(
    again.messages.slice(1).map(({ data }) => data.requestId),
    asked,
  )
})

test('up to a thousand missed are sent; for more, a gap names the moment to read the list from', async () => {
  const { lastId } = await read(t.app, undefined, 1, 500)
  await write(
    t.app,
    Array.from({ length: 1_000 }, (_, index) => `missed ${index}`),
  )
  const all = await read(t.app, lastId, 1_000, 10_000)
  assert.equal(all.taken.length, 1_000)
  assert.equal(all.taken.at(-1)?.data.resourceId, 'missed 999')
  await write(t.app, ['one more'])
  const tooMany = await read(t.app, lastId, 1, 5_000)
  assert.equal(tooMany.taken[0]?.event, 'gap')
  const { topic, after: from, reason } = tooMany.taken[0]?.data ?? {}
  assert.deepEqual([topic, reason], ['events', 'too_many'])
  const { json } = await t.call('GET', `/v2/events?limit=200&createdAfter=${from}`, { as: t.main.tokens.Admin })
  assert.equal(json.data[0].resourceId, 'one more')
  await write(t.app, ['behind the gap'])
  const onwards = await read(t.app, tooMany.lastId, 1, 5_000)
  assert.equal(onwards.taken[0]?.data.resourceId, 'behind the gap')
})

test('of a reader who names types only these count as missed, however much else went by', async () => {
  const leads = '&eventTypes=lead.*,invoice.sent'
  const { lastId } = await read(t.app, undefined, 1, 500, undefined, leads)
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const others = (count: number) =>
    t.ownerSql(
      `insert into events (tenant_id, id, type, resource_id, sequence, data)
       select $1, first_id_at('evt', now()) || n, 'message.sent', 'm' || n, 1, '{}' from generate_series(1, $2::int) n`,
      [scope.tenantId, count],
    )
  await write(t.app, ['before'])
  // More than are looked at for one page, and more than are sent to who missed them.
  await others(21_000)
  await write(t.app, ['after'])
  const back = await read(second.app, lastId, 2, 5_000, undefined, leads)
  assert.deepEqual(
    back.taken.map(({ data }) => data.resourceId),
    ['before', 'after'],
  )
  // A wider reader goes on behind the same message: what is new to it came in between, and is more than it is sent.
  const wider = await read(t.app, lastId, 1, 5_000, undefined, '&eventTypes=lead.*,message.*')
  assert.deepEqual([wider.taken[0]?.event, wider.taken[0]?.data.reason], ['gap', 'too_many'])
})

test('a reader for whom nothing comes learns where it is, soon after much has gone by', async () => {
  const reader = await openStream(t.app, { as: t.main.tokens.Admin, query: '?topics=events&eventTypes=invoice.sent' })
  await reader.until(message => message.event === 'ready')
  const atFirst = reader.lastId()
  const startedMs = performance.now()
  await write(second.app, ['not for it'])
  await eventually('it knows', () => reader.lastId() !== atFirst)
  const place = reader.lastId()
  assert.ok(performance.now() - startedMs < 4_500, `${performance.now() - startedMs} ms`)
  reader.close()
  // Behind that place it is not missed by anybody.
  const wider = await read(t.app, place, 1, 1_000)
  assert.deepEqual(wider.taken, [])
})

test('what lies too far back, or in the future of this database, is a gap as well', async () => {
  const { lastId } = await read(t.app, undefined, 1, 500)
  const [topic, at, ...snapshot] = (lastId ?? '').split('-')
  const eightDaysAgo = (Number.parseInt(at ?? '', 36) - 8 * 24 * 3_600_000).toString(36)
  const old = await read(t.app, [topic, eightDaysAgo, ...snapshot].join('-'), 1, 5_000)
  assert.deepEqual([old.taken[0]?.event, old.taken[0]?.data.reason], ['gap', 'too_old'])
  const future = await read(t.app, `${topic}-${at}-zzzzzz.1`, 1, 5_000)
  assert.deepEqual([future.taken[0]?.event, future.taken[0]?.data.reason], ['gap', 'database_restored'])
})

test('a reader hears that the database went back under it, and of what comes then', async () => {
  const { db } = t.app.services
  const { inTenant } = db
  const reader = await openStream(t.app, { as: t.main.tokens.Admin, query: '?topics=events' })
  await reader.until(message => message.event === 'ready')
  // The next poll meets a database that has hardly seen a transaction.
  db.inTenant = (async (scope, work) => {
    db.inTenant = inTenant
    await inTenant(scope, work)
    return [{ rows: [], snapshot: '3:4:' }]
  }) as typeof inTenant
  const gap = await reader.until(message => message.event === 'gap')
  assert.equal(gap.data.reason, 'database_restored')
  await write(second.app, ['after the restore'])
  await reader.until(message => message.data.resourceId === 'after the restore')
  reader.close()
})

test('a database that is away for a while costs a reader nothing', async () => {
  const { db } = t.app.services
  const { inTenant } = db
  const reader = await openStream(t.app, { as: t.main.tokens.Admin, query: '?topics=events' })
  await reader.until(message => message.event === 'ready')
  let failed = 0
  db.inTenant = async () => {
    failed++
    throw new Problem('unavailable')
  }
  try {
    await write(second.app, ['while it was away'])
    while (failed < 2) await sleep(20)
    const refused = await t.call('GET', '/v2/stream', {
      as: t.main.tokens.Admin,
      headers: { 'last-event-id': reader.lastId() as string },
      stream: true,
    })
    assert.equal(refused.status, 503)
  } finally {
    db.inTenant = inTenant
  }
  await reader.until(message => message.data.resourceId === 'while it was away')
  reader.close()
})

test('a position of another tenant shows nothing of that tenant', async () => {
  const { lastId } = await read(t.app, undefined, 1, 500)
  await write(t.app, ['not for others'])
  const reader = await openStream(t.app, { as: t.other.tokens.Admin, lastEventId: lastId })
  await sleep(1_000)
  reader.close()
  assert.deepEqual(
    reader.messages.map(({ event }) => event),
    ['ready'],
  )
})
