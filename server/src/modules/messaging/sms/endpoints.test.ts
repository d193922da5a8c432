// Sending and reading text messages over the API: the founding document's contract, every refusal, the fixed-outcome
// numbers from acceptance to their end, idempotency under a race, isolation, and a restart in mid-flight.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { createSimulatorCarrier } from '../../../carriers/simulator/simulator.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Queue, startQueue } from '../../../kernel/queue.ts'
import type { CarrierMaker } from '../carrier.ts'
import { messageQueues } from '../carrier_context.ts'

const sender = '+15005550006'
const number = (last: string) => `+1500555${last}`

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

/** Runs carriers on an app that runs no queues itself; ends with the returned function. */
function carry(app: TestApp['app'], makers: readonly CarrierMaker[]): () => Promise<void> {
  const { services } = app
  const queues = new Map<string, Queue>()
  for (const make of messageQueues(makers)) {
    const options = make(services)
    queues.set(
      options.name,
      startQueue({ ...options, pollMs: 20 }, { log: services.log, newToken: () => newId('lse') }),
    )
  }
  services.wake = name => queues.get(name)?.wake()
  return async () => {
    services.wake = () => {}
    await Promise.all([...queues.values()].map(queue => queue.stop()))
  }
}

const fast = [
  createSimulatorCarrier({ speed: 50 }),
  createSimulatorCarrier({ name: 'handset', scripted: false, speed: 50 }),
]

async function send(to: string, body = 'Hello', as = t.main.testKey, more: object = {}) {
  const answer = await t.call('POST', '/v2/messages/sms', { as, body: { from: sender, to, body, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.messageId as string
}

async function read(id: string, as = t.main.testKey) {
  const answer = await t.call('GET', `/v2/messages/${id}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

/** Reads a message until it has the status, for at most 5 s. */
async function until(id: string, status: string, as = t.main.testKey) {
  const deadline = performance.now() + 5_000
  for (;;) {
    const message = await read(id, as)
    if (message.status === status) return message
    if (performance.now() > deadline)
      assert.fail(`${id} is ${message.status}, not ${status}: ${JSON.stringify(message.history)}`)
    await sleep(10)
  }
}

const statuses = (message: { history: { status: string }[] }) => message.history.map(entry => entry.status)

describe('accepting', () => {
  test('what the simulator refuses names its field, as a real refusal does', async () => {
    for (const [body, field] of [
      [{ from: sender, to: number('0001') }, 'to'],
      [{ from: number('0001'), to: number('0100') }, 'from'],
    ] as const) {
      const { status, json } = await t.call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        body: { ...body, body: 'x' },
      })
      assert.deepEqual([status, json.error.details?.[0]?.field], [422, field], JSON.stringify(json))
    }
  })

  test('answers 200 with the bare body of the contract', async () => {
    const answer = await t.call('POST', '/v2/messages/sms', {
      as: t.main.testKey,
      body: { from: sender, to: number('0100'), body: 'Your table is ready.' },
    })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /^\{"messageId":"msg_[0-9a-z]{26}","status":"queued","deliveredAt":null\}$/)
  })

  test('stores message, event and job in the one commit', async () => {
    const id = await send('+15005550123', 'Grüße €', t.main.testKey, {
      callbackUrl: 'https://hooks.example.com/sms',
      tags: ['a', 'b"c'],
      metadata: { 'order id': '4711', quote: '"\\' },
      validityPeriod: 600,
    })
    const message = await read(id)
    assert.deepEqual(
      { ...message, createdAt: 0, history: 0, parts: 0 },
      {
        messageId: id,
        direction: 'outbound',
        from: sender,
        to: '+15005550123',
        body: 'Grüße €',
        status: 'queued',
        code: null,
        encoding: 'GSM-7',
        segments: 1,
        segmentsDelivered: 0,
        attempts: 0,
        carrier: 'simulator',
        serviceId: null,
        price: null,
        currency: null,
        callbackUrl: 'https://hooks.example.com/sms',
        tags: ['a', 'b"c'],
        metadata: { 'order id': '4711', quote: '"\\' },
        validityPeriod: 600,
        partial: false,
        createdAt: 0,
        sendAt: null,
        sentAt: null,
        deliveredAt: null,
        finalAt: null,
        redactedAt: null,
        history: 0,
        parts: 0,
      },
    )
    assert.deepEqual(message.history, [{ status: 'queued', at: message.createdAt, code: null }])
    const events = await t.sql<{ type: string; sequence: number; data: Record<string, unknown> }>(
      'select type, sequence, data from events where resource_id = $1',
      [id],
    )
    const { history: _, parts: _parts, ...snapshot } = message
    assert.deepEqual(events, [{ type: 'message.queued', sequence: 1, data: { ...snapshot, previousStatus: null } }])
    const jobs = await t.sql('select from message_jobs where $1 = any (message_ids)', [id])
    assert.equal(jobs.length, 1)
  })

  test('takes numbers in every usual spelling, short codes and sender ids', async () => {
    const spellings: [from: string, kept: string][] = [
      ['+1 (500) 555-0006', '+15005550006'],
      ['001 500 555 0006', '+15005550006'],
      ['tel:+1-500-555-0006', '+15005550006'],
      ['(500) 555-0006', '+15005550006'],
      ['12345', '12345'],
      ['ACME Corp', 'ACME Corp'],
      ['A1', 'A1'],
    ]
    for (const [from, kept] of spellings) {
      const id = await send('+1 (500) 555 0123', 'x', t.main.testKey, { from })
      const message = await read(id)
      assert.equal(message.from, kept)
      assert.equal(message.to, '+15005550123')
    }
  })

  test('takes what the documentation says ten segments hold, and what smart encoding leaves out besides', async () => {
    const full = ['a'.repeat(1_530), 'я'.repeat(670)]
    for (const text of full) {
      const { segments } = await read(await send(number('0100'), text))
      assert.equal(segments, 10)
    }
    const longest = `${'a'.repeat(1_530)}${'\u200b'.repeat(70)}`
    const { segments, body } = await read(
      await send(number('0100'), longest, t.main.testKey, { from: sender, smartEncoding: true }),
    )
    assert.deepEqual([segments, body], [10, 'a'.repeat(1_530)])
  })

  test('refuses what is malformed with 400 and names every fault', async () => {
    const cases: [body: object, fields: string[]][] = [
      [{}, ['to', 'body']],
      [{ to: number('0100'), body: 'x' }, ['from']],
      [{ from: sender, to: number('0100'), body: '' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'a'.repeat(1_601) }, ['body']],
      [{ from: sender, to: 'nobody', body: 'x' }, ['to']],
      [{ from: sender, to: number('0100'), body: '\ud800' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'a\0b' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'x', sendAt: 'soon' }, ['sendAt']],
      [
        { from: sender, to: number('0100'), body: 'x', validityPeriod: 0, callbackUrl: 'nowhere' },
        ['validityPeriod', 'callbackUrl'],
      ],
      [{ from: sender, to: number('0100'), body: 'x', metadata: { a: 1 }, tags: [''] }, ['metadata.a', 'tags[0]']],
    ]
    for (const [body, fields] of cases) {
      const answer = await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })
      assert.equal(answer.status, 400, answer.text)
      const named = answer.json.error.details.map((fault: { field: string }) => fault.field)
      for (const field of fields) assert.ok(named.includes(field), `${field} is not among ${named}`)
    }
  })

  const refusals: [what: string, body: object, status: number, code: string][] = [
    ['a sender that is none', { from: '!!' }, 422, 'invalid_from_number'],
    ['a sender id of 12 letters', { from: 'TwelveLetter' }, 422, 'invalid_from_number'],
    ['a recipient no country can read', { to: `12${'3'.repeat(15)}` }, 422, 'invalid_to_number'],
    ['11 segments', { body: 'a'.repeat(1_531) }, 422, 'body_too_long'],
    ['11 segments in UCS-2', { body: 'я'.repeat(671) }, 422, 'body_too_long'],
    ['a callback to this machine', { callbackUrl: 'http://127.0.0.1:8080/' }, 422, 'invalid_callback_url'],
    ['a callback to an inner name', { callbackUrl: 'https://db.internal/' }, 422, 'invalid_callback_url'],
    ['…0001', { to: number('0001') }, 422, 'invalid_to_number'],
    ['from …0001', { from: number('0001') }, 422, 'invalid_from_number'],
    ['…0002', { to: number('0002') }, 422, 'no_route'],
    ['…0003', { to: number('0003') }, 403, 'destination_not_allowed'],
    ['…0004', { to: number('0004') }, 403, 'recipient_opted_out'],
    ['from …0007', { from: number('0007') }, 403, 'sender_not_owned'],
    ['from …0008', { from: number('0008') }, 429, 'sender_queue_full'],
    ['from …0009', { from: number('0009') }, 422, 'sender_not_capable'],
  ]
  for (const [what, body, status, code] of refusals) {
    test(`refuses ${what}: ${code}`, async () => {
      const count = () => t.sql<{ n: string }>('select count(*) as n from messages')
      const [before] = await count()
      const answer = await t.call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        body: { from: sender, to: number('0100'), body: 'x', ...body },
      })
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json.error.code, code)
      if (status === 429) assert.ok(Number(answer.headers['retry-after']) > 0)
      assert.deepEqual(await count(), [before], 'a refusal leaves nothing behind')
    })
  }

  test('ten segments are taken, in both encodings', async () => {
    assert.equal((await read(await send(number('0100'), 'a'.repeat(1_530)))).segments, 10)
    const wide = await read(await send(number('0100'), 'я'.repeat(670)))
    assert.deepEqual([wide.encoding, wide.segments], ['UCS-2', 10])
  })

  test('the numbers mean nothing special in the live mode', async () => {
    for (const last of ['0001', '0004', '0008']) await send(number(last), 'x', t.main.liveKey)
  })
})

describe('Idempotency-Key', () => {
  const post = (key: string, body: object, as = t.main.testKey) =>
    t.call('POST', '/v2/messages/sms', {
      as,
      headers: { 'idempotency-key': key },
      body: { from: sender, to: number('0100'), ...body },
    })

  test('20 requests at once with one key make one message and get the same bytes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('race', { body: 'once' })))
    assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
    assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
    assert.equal(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined).length, 1)
    const rows = await t.sql("select from messages where body = 'once'")
    assert.equal(rows.length, 1)
    const events = await t.sql("select from events where data ->> 'body' = 'once'")
    assert.equal(events.length, 1)
  })

  test('races of many keys across two nodes neither double nor lock up', async () => {
    const second = await t.secondApp()
    const keys = Array.from({ length: 40 }, (_, index) => `both ${index}`)
    const on = (call: TestApp['call'], key: string) =>
      call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        headers: { 'idempotency-key': key },
        body: { from: sender, to: number('0100'), body: key },
      })
    const answers = await Promise.all([
      ...keys.map(key => on(t.call, key)),
      ...keys.toReversed().map(key => on(second.call, key)),
    ])
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    const rows = await t.sql<{ n: string }>("select count(*) as n from messages where body like 'both %'")
    assert.equal(Number(rows[0]!.n), keys.length)
    assert.equal(new Set(answers.map(answer => answer.text)).size, keys.length)
  })

  test('the same key with another body is refused, also within one group', async () => {
    const answers = await Promise.all([post('mixed', { body: 'first' }), post('mixed', { body: 'second' })])
    assert.deepEqual(answers.map(answer => answer.status).toSorted(), [200, 422])
    assert.equal(answers.find(answer => answer.status === 422)?.json.error.code, 'idempotency_mismatch')
    const rows = await t.sql("select from messages where body in ('first', 'second')")
    assert.equal(rows.length, 1)
  })

  test('refusals are not kept: the corrected request may use the key', async () => {
    const refused = await post('corrected', { to: number('0004'), body: 'x' })
    assert.equal(refused.status, 403)
    assert.equal((await post('corrected', { body: 'x' })).status, 200)
  })

  test('keyed and unkeyed requests of one group, of two organizations, do not touch each other', async () => {
    const answers = await Promise.all([
      post('shared', { body: 'of main' }),
      post('shared', { body: 'of other' }, t.other.testKey),
      send(number('0100'), 'without key'),
    ])
    assert.equal(answers[0]!.status, 200)
    assert.equal(answers[1]!.status, 200)
    assert.notEqual(answers[0]!.text, answers[1]!.text)
  })
})

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
        'select sequence, type, data from events where resource_id = $1 order by sequence',
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
      const { previousStatus: __, ...told } = events.at(-1)!.data
      assert.deepEqual(told, snapshot, 'an event shows the message as the API does')
    })
  }

  test('throttling stands in the history with its reason', async () => {
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
      const events = await t.sql<{ data: unknown }>('select data from events where resource_id = $1', [
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

  test('in the live mode without a carrier a real number gets nothing, and that is what is told', async () => {
    const message = await until(await send('+4915112345678', 'Hello', t.main.liveKey), 'failed', t.main.liveKey)
    assert.deepEqual([message.code, message.carrier, message.attempts], ['no_route', 'none', 0])
    assert.deepEqual([message.sentAt, message.deliveredAt, message.price], [null, null, null])
    assert.deepEqual(statuses(message), ['queued', 'failed'])
    const events = await t.sql<{ type: string }>('select type from events where resource_id = $1 order by sequence', [
      message.messageId,
    ])
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message.queued', 'message.failed'],
    )
  })

  test('many at once all arrive, each once', async () => {
    const ids = await Promise.all(Array.from({ length: 300 }, () => send(number('0100'), 'many')))
    for (const id of ids) await until(id, 'delivered')
    const rows = await t.sql<{ n: string }>(
      "select count(*) as n from events where data ->> 'body' = 'many' group by resource_id having count(*) <> 4",
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
    const ended = 'select tenant_id, id from events where resource_id = $1 order by sequence desc limit 1'
    const [event] = await t.sql<{ tenant_id: string; id: string }>(ended, [one])
    const log = [{ at: '2026-11-21T08:44:00.123Z', ms: 3, status: 200, reply: `You said: ${typed}` }]
    await t.ownerSql(
      `insert into webhook_deliveries (tenant_id, attempts, tries, status, target, event_id, event_type, log)
       values ($1, 1, 1, 'delivered', 'callback', $2, 'message.delivered', $3)`,
      [event!.tenant_id, event!.id, JSON.stringify(log)],
    )
    await t.app.flush()
    const places = ['events', 'idempotency_keys', 'messages', 'request_details', 'webhook_deliveries']
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
