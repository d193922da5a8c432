// Text messages once they are accepted: the fixed-outcome numbers to their end, reading and isolation, a restart in mid-flight,
// and that what is erased stands nowhere any more.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { carry, fast, number, sender, startSms, statuses } from '../../../../test/sms.ts'

const { t, send, read, until } = await startSms()

describe('carried by the simulator', () => {
  let stop: () => Promise<void>
  before(() => {
    stop = carry(t.app, fast)
  })
  after(() => stop?.())

  const path = ['queued', 'sending', 'sent']
  const outcomes: [last: string, end: string, code: string | null, history: string[]][] = [
    ['0006', 'delivered', null, [...path, 'delivered']],
    ['0100', 'delivered', null, [...path, 'delivered']],
    ['0101', 'undelivered', 'unknown_subscriber', [...path, 'undelivered']],
    ['0102', 'undelivered', 'filtered_as_spam', [...path, 'undelivered']],
    ['0103', 'delivered', null, ['queued', 'sending', 'queued', 'sending', ...path, 'delivered']],
    ['0104', 'unconfirmed', null, [...path, 'unconfirmed']],
    ['0105', 'delivered', null, [...path, 'delivered']],
    ['0106', 'delivered', null, [...path, 'delivered']],
    ['0107', 'expired', 'validity_expired', [...path, 'expired']],
    ['0009', 'failed', 'landline_or_unsupported', ['queued', 'sending', 'failed']],
    ['0999', 'delivered', null, [...path, 'delivered']],
  ]
  for (const [last, end, code, history] of outcomes) {
    test(`…${last} ends ${end}`, async () => {
      const message = await until(await send(number(last)), end)
      assert.equal(message.code, code)
      assert.deepEqual(statuses(message), history)
      assert.equal(message.attempts, last === '0103' ? 3 : 1)
      assert.equal(message.deliveredAt !== null, end === 'delivered')
      assert.ok(message.finalAt !== null)
      const times = message.history.map((entry: { at: string }) => entry.at)
      assert.deepEqual(times, times.toSorted(), 'history goes forward in time')
      const events = await t.sql<{ sequence: number; type: string; data: Record<string, unknown> }>(
        'select sequence, type, data from event_log where resource_id = $1 order by sequence',
        [message.messageId],
      )
      assert.deepEqual(
        events.map(event => event.sequence),
        history.map((_, index) => index + 1),
      )
      assert.deepEqual(
        events.map(event => event.type),
        history.map(status => `message.${status}`),
      )
      assert.deepEqual(
        events.map(event => event.data['previousStatus']),
        [null, ...history.slice(0, -1)],
      )
      const { history: _, parts: _parts, ...snapshot } = message
      const { previousStatus: __, ...reported } = events.at(-1)!.data
      assert.deepEqual(reported, snapshot, 'an event shows the message as the API does')
    })
  }

  test('throttling is in the history with its reason', async () => {
    const message = await until(await send(number('0103')), 'delivered')
    const codes = message.history.map((entry: { code: string | null }) => entry.code)
    assert.deepEqual(codes, [null, null, 'carrier_throttled', null, 'carrier_throttled', null, null, null])
  })

  for (const [last, reply] of [
    ['0110', 'STOP'],
    ['0111', 'HELP'],
  ] as const) {
    test(`…${last} writes back ${reply}`, async () => {
      const from = `+1500555${last === '0110' ? '2110' : '2111'}`
      await until(await send(number(last), 'Hello', t.main.testKey, { from }), 'delivered')
      let items: { messageId: string }[] = []
      for (
        const deadline = performance.now() + 5_000;
        items.length === 0 && performance.now() < deadline;
        await sleep(10)
      ) {
        const { json } = await t.call(
          'GET',
          `/v2/messages?direction=inbound&from=${encodeURIComponent(number(last))}`,
          { as: t.main.testKey },
        )
        items = json.data.filter((item: { to: string }) => item.to === from)
      }
      assert.equal(items.length, 1)
      const message = await read(items[0]!.messageId)
      assert.equal(message.body, reply)
      assert.equal(message.status, 'received')
      assert.deepEqual(statuses(message), ['received'])
      const events = await t.sql<{ data: unknown }>('select data from event_log where resource_id = $1', [
        message.messageId,
      ])
      const { history: _, parts: _parts, ...snapshot } = message
      assert.deepEqual(events, [{ data: { ...snapshot, previousStatus: null } }])
    })
  }

  test('in the live mode the virtual handset takes what goes to a number of the simulator', async () => {
    const message = await until(await send(number('0101'), 'Hello', t.main.liveKey), 'delivered', t.main.liveKey)
    assert.deepEqual([message.carrier, message.price], ['handset', null], 'carried by no carrier, and never charged')
  })

  test('in the live mode without a carrier a real number gets nothing, and its status says so', async () => {
    const message = await until(await send('+4915112345678', 'Hello', t.main.liveKey), 'failed', t.main.liveKey)
    assert.deepEqual([message.code, message.carrier, message.attempts], ['no_route', 'none', 0])
    assert.deepEqual([message.sentAt, message.deliveredAt, message.price], [null, null, null])
    assert.deepEqual(statuses(message), ['queued', 'failed'])
    const events = await t.sql<{ type: string }>(
      'select type from event_log where resource_id = $1 order by sequence',
      [message.messageId],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message.queued', 'message.failed'],
    )
  })

  test('many at once all arrive, each once', async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => send(number('0100'), 'many')))
    for (const id of ids) await until(id, 'delivered')
    const rows = await t.sql<{ n: string }>(
      "select count(*) as n from event_log where data ->> 'body' = 'many' group by resource_id having count(*) <> 4",
    )
    assert.deepEqual(rows, [])
  })

  test('what outlived its validity before it could be handed over expires', async () => {
    await stop()
    const id = await send(number('0100'), 'late', t.main.testKey, { validityPeriod: 1 })
    await sleep(1_100)
    stop = carry(t.app, fast)
    const message = await until(id, 'expired')
    assert.deepEqual(statuses(message), ['queued', 'expired'])
    assert.equal(message.code, 'validity_expired')
    assert.equal(message.attempts, 0)
  })
})

describe('reading', () => {
  test("another organization's messages, the other mode's and broken ids are all not found", async () => {
    const id = await send(number('0100'))
    const answers = await Promise.all([
      t.call('GET', `/v2/messages/${id}`, { as: t.other.testKey }),
      t.call('GET', `/v2/messages/${id}`, { as: t.main.liveKey }),
      t.call('GET', '/v2/messages/msg_00000000000000000000000000', { as: t.main.testKey }),
      t.call('GET', '/v2/messages/nonsense', { as: t.main.testKey }),
    ])
    for (const answer of answers) {
      assert.equal(answer.status, 404)
      assert.equal(answer.json.error.code, 'not_found')
    }
    const theirs = await t.call('GET', `/v2/messages?to=${encodeURIComponent(number('0100'))}`, { as: t.other.liveKey })
    assert.deepEqual(theirs.json.data, [])
  })

  test('lists newest first, through every page exactly once', async () => {
    const to = '+15005557001'
    const ids: string[] = []
    for (let n = 0; n < 25; n++) ids.push(await send(to, `page ${n}`))
    for (const filter of [
      `to=${encodeURIComponent(to)}`,
      `createdAfter=2020-01-01&from=${encodeURIComponent(sender)}`,
    ]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const { json } = await t.call(
          'GET',
          `/v2/messages?${filter}&limit=10${cursor === null ? '' : `&cursor=${cursor}`}`,
          {
            as: t.main.testKey,
          },
        )
        seen.push(...json.data.map((item: { messageId: string }) => item.messageId))
        cursor = json.meta.pagination.nextCursor
        assert.equal(json.meta.pagination.hasMore, cursor !== null)
      } while (cursor !== null)
      assert.deepEqual(seen, seen.toSorted().toReversed())
      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        seen.filter(id => ids.includes(id)),
        ids.toReversed(),
      )
    }
  })

  test('filters by status, direction, sender and time', async () => {
    const get = async (query: string) =>
      (await t.call('GET', `/v2/messages?${query}`, { as: t.main.testKey })).json.data
    for (const from of ['12345', 'ACME Corp']) await send(number('0100'), 'x', t.main.testKey, { from })
    assert.ok((await get('status=failed')).length > 0)
    assert.ok((await get('direction=inbound')).length > 0)
    for (const item of await get('status=failed')) assert.equal(item.status, 'failed')
    for (const item of await get('direction=inbound')) assert.equal(item.direction, 'inbound')
    for (const item of await get('from=12345')) assert.equal(item.from, '12345')
    assert.ok((await get('from=12345')).length > 0)
    assert.ok((await get('from=ACME%20Corp')).length > 0)
    const one = await read(await send('+15005557002'))
    assert.deepEqual(await get(`createdAfter=${one.createdAt}&to=%2B15005557002`).then(items => items.length), 1)
    assert.deepEqual(await get(`createdBefore=${one.createdAt}&to=%2B15005557002`), [])
    const broken = await t.call('GET', '/v2/messages?to=!!', { as: t.main.testKey })
    assert.equal(broken.status, 400)
  })
})

test('a restart in mid-flight: every message ends in its outcome exactly once', async () => {
  const outcomes = {
    '0100': 'delivered',
    '0101': 'undelivered',
    '0103': 'delivered',
    '0106': 'delivered',
    '0107': 'expired',
    '0009': 'failed',
  }
  const sent = await Promise.all(
    Object.entries(outcomes).flatMap(([last, end]) =>
      Array.from({ length: 5 }, async () => ({ id: await send(number(last), 'restart'), end })),
    ),
  )
  // One node begins and stops in the middle of things; another takes over on the same database.
  const [first, second] = [await t.secondApp(), await t.secondApp()]
  await first.app.startWork()
  await sleep(300)
  await first.app.stop()
  first.app.stop = async () => {}
  const midway = await Promise.all(sent.map(({ id }) => read(id)))
  assert.ok(
    midway.some(message => message.status === 'sent'),
    'something was under way',
  )
  await second.app.startWork()
  for (const { id, end } of sent) {
    const message = await until(id, end)
    assert.equal(statuses(message).filter((status: string) => status === end).length, 1)
    assert.ok(statuses(message).filter((status: string) => status === 'sent').length <= 1)
  }
})

describe('erasing', () => {
  let stop: () => Promise<void>
  before(() => {
    stop = carry(t.app, fast)
  })
  after(() => stop())

  /** Every table in which a word stands, in whatever column: as a dump would show it. */
  async function tablesWith(word: string): Promise<string[]> {
    const tables = await t.ownerSql<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    const found: string[] = []
    for (const { name } of tables) {
      const [row] = await t.ownerSql<{ n: number }>(
        `select count(*)::integer as n from "${name}" t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
        [word, Buffer.from(word).toString('hex')],
      )
      if (row!.n > 0) found.push(name)
    }
    return found.toSorted()
  }

  test('the text is nowhere in the database any more, whatever kept it', async () => {
    const as = t.main.testKey
    const typed = 'It’s the “zebra-quartz-77” code: 4711 \\ \n Grüße'
    const headers = { 'sec-fetch-site': 'same-origin' }
    const keyed = (key: string) => ({ ...headers, 'idempotency-key': key })
    const body = { from: sender, to: number('0100'), body: typed, smartEncoding: true }
    const post = (path: string, options: Parameters<TestApp['call']>[2]) => t.call('POST', path, { as, ...options })
    // As the Playground sends it, refused and then not; in a batch so long that it is cut; as it comes in; as JSON gone wrong.
    assert.equal((await post('/v2/messages/sms', { headers, body: { ...body, from: '12' } })).status, 422)
    const one = (await post('/v2/messages/sms', { headers: keyed('one'), body })).json.messageId
    const messages = Array.from({ length: 100 }, () => ({ ...body, smartEncoding: false }))
    const batch = await post('/v2/messages/sms/batch', { headers: keyed('batch'), body: { messages } })
    const many: string[] = batch.json.data.messages.map((result: { messageId: string }) => result.messageId)
    const injected = { from: number('0100'), to: sender, body: typed }
    const inbound = (await post('/v2/test/inbound', { headers: keyed('in'), body: injected })).json.data.messageId
    assert.equal((await post('/v2/messages/sms', { headers, rawBody: `${JSON.stringify(body)}}` })).status, 400)
    // Nothing is made of it, so nothing could be erased of it.
    const preview = { ...body, body: 'a walrus-agate' }
    assert.equal((await post('/v2/messages/preview', { headers, body: preview })).status, 200)
    for (const id of [one, ...many]) await until(id, 'delivered')
    const ended = 'select tenant_id, id from event_log where resource_id = $1 order by sequence desc limit 1'
    const [event] = await t.sql<{ tenant_id: string; id: string }>(ended, [one])
    const log = [{ at: '2026-11-21T08:44:00.123Z', ms: 3, status: 200, reply: `You said: ${typed}` }]
    await t.ownerSql(
      `insert into webhook_deliveries (tenant_id, attempts, tries, status, target, event_id, event_type, log)
       values ($1, 1, 1, 'delivered', 0, $2, 'message.delivered', $3)`,
      [event!.tenant_id, event!.id, JSON.stringify(log)],
    )
    await t.app.flush()
    await eventually('the inbox follows', async () => (await tablesWith('zebra-quartz')).includes('conversations'))
    const places = ['conversations', 'events', 'idempotency_keys', 'messages', 'request_details', 'webhook_deliveries']
    assert.deepEqual(await tablesWith('zebra-quartz'), places)
    assert.deepEqual(await tablesWith('walrus-agate'), [])
    // Logged while it is erased: what asks for that names no text.
    for (const id of [one, ...many, inbound])
      assert.equal((await t.call('DELETE', `/v2/messages/${id}`, { as, headers })).status, 200)
    await t.app.flush()
    assert.deepEqual(await tablesWith('zebra-quartz'), [])
    // What is left of the answers and of the log can still be read.
    const again = await post('/v2/test/inbound', { headers: keyed('in'), body: injected })
    assert.deepEqual([again.status, again.json.data.body, again.json.data.messageId], [201, '', inbound])
    await t.ownerSql("delete from idempotency_keys where key = 'in'")
  })
})
