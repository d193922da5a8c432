// Many messages in one request, what a message would look like, its text taken away again, and the live mode of an
// organization with carriers: senders, routes and prices.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import {
  longText,
  recipient,
  type Steps,
  sender,
  startSteps,
  stepsOf,
  taken,
  unknown,
} from '../../../../test/messages.ts'

const { t, s } = await startSteps()

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

describe('a batch', () => {
  const post = (messages: unknown[], headers: Record<string, string> = {}) =>
    t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages }, headers })
  const one = (n: number) => ({ from: sender, to: `+1500555${String(1_000 + (n % 9_000))}`, body: `Number ${n}` })

  test('of 1,000 is taken in whole, in order, in few statements, and can be handed over', async context => {
    const statements = context.mock.method(pg.Client.prototype, 'query')
    const { status, json } = await post(Array.from({ length: 1_000 }, (_, n) => one(n)))
    statements.mock.restore()
    assert.equal(status, 200)
    assert.deepEqual([json.data.accepted, json.data.refused, json.data.messages.length], [1_000, 0, 1_000])
    assert.ok(statements.mock.callCount() < 100, `${statements.mock.callCount()} statements`)
    const ids = json.data.messages.map((item: { messageId: string }) => item.messageId)
    assert.equal(new Set(ids).size, 1_000)
    const rows = await t.sql<{ id: string; body: string }>('select id, body from messages')
    const bodies = new Map(rows.map(row => [row.id, row.body]))
    for (const [n, id] of ids.entries()) assert.equal(bodies.get(id), `Number ${n}`)
    const [events] = await t.sql<{ n: string }>(
      "select count(*) as n from event_log where type = 'message.queued' and resource_id = any ($1)",
      [ids],
    )
    assert.equal(Number(events!.n), 1_000)
    let claimed = 0
    for (let n = 0; claimed < 1_000 && n < 20; n++) claimed += (await s.claim(`t${n}`)).length
    assert.equal(claimed, 1_000)
  })

  test('gives each its own result; one that is refused keeps none of the others back', async () => {
    await s.optOut(sender, '+15005551234')
    const { status, json } = await post([
      one(1),
      { from: sender, to: `12${'3'.repeat(15)}`, body: 'x' },
      { from: sender, to: '+15005551234', body: 'x' },
      { from: 'TwelveLetter', to: recipient, body: 'x' },
      { from: sender, to: recipient, body: longText(11) },
      { from: sender, to: recipient, body: 'x', sendAt: inMinutes(1) },
      { from: sender, to: recipient, body: 'x', sendAt: inMinutes(10) },
      { from: sender, to: recipient, body: 'x', callbackUrl: 'http://127.0.0.1/' },
      one(2),
    ])
    assert.equal(status, 200)
    assert.deepEqual(
      json.data.messages.map(({ index, status, code, field }: Record<string, unknown>) => [index, status, code, field]),
      [
        [0, 'queued', null, null],
        [1, 'refused', 'invalid_to_number', 'to'],
        [2, 'refused', 'recipient_opted_out', 'to'],
        [3, 'refused', 'invalid_from_number', 'from'],
        [4, 'refused', 'body_too_long', null],
        [5, 'refused', 'invalid_schedule', 'sendAt'],
        [6, 'scheduled', null, null],
        [7, 'refused', 'invalid_callback_url', 'callbackUrl'],
        [8, 'queued', null, null],
      ],
    )
    assert.deepEqual([json.data.accepted, json.data.refused], [3, 6])
    for (const { messageId, message } of json.data.messages) {
      assert.equal(messageId === null, message !== null)
      assert.match(message ?? 'A sentence.', /\.$/)
    }
    const [, , stopped] = json.data.messages
    assert.match(stopped.message, /^The recipient asked this sender to stop\. Do not text /)
    assert.equal((await t.sql('select from messages')).length, 3)
  })

  test('repeated with its key is answered as it was, and sends nothing again', async () => {
    const messages = Array.from({ length: 20 }, (_, n) => one(n))
    const [first, second] = await Promise.all([
      post(messages, { 'idempotency-key': 'b' }),
      post(messages, { 'idempotency-key': 'b' }),
    ])
    const third = await post(messages, { 'idempotency-key': 'b' })
    const done = [first, second, third].filter(answer => answer.status === 200)
    assert.ok(done.length >= 2)
    const data = done.map(answer => JSON.stringify(answer.json.data))
    assert.equal(new Set(data).size, 1)
    assert.equal((await t.sql('select from messages')).length, 20)
    const other = await post(messages.slice(1), { 'idempotency-key': 'b' })
    assert.equal(other.json.error.code, 'idempotency_mismatch')
  })

  test('of more than 1,000, of none, or with what is no message is refused whole, naming the place', async () => {
    for (const [messages, field] of [
      [Array.from({ length: 1_001 }, (_, n) => one(n)), 'messages'],
      [[], 'messages'],
      [[one(1), { from: sender, to: recipient }], 'messages[1].body'],
      [[one(1), { to: recipient, body: 'x' }], 'messages[1].from'],
    ] as const) {
      const { status, json } = await post([...messages])
      assert.equal(status, 400)
      assert.equal(json.error.details[0].field, field)
    }
    assert.deepEqual(await t.sql('select from messages'), [])
  })
})

describe('a preview', () => {
  const preview = (body: object) => t.call('POST', '/v2/messages/preview', { as: s.as, body })

  test('shows how a text travels without sender and recipient, and sends nothing', async () => {
    const { status, json } = await preview({ body: 'Grüße – я' })
    assert.equal(status, 200)
    assert.deepEqual(json.data, {
      ...{ body: 'Grüße – я', encoding: 'UCS-2', segments: 1, units: 9, unitsLeft: 61, tooLong: false },
      ...{ wideCharacters: ['–', 'я'], from: null, to: null, carrier: null, price: null, currency: null },
    })
    assert.deepEqual(await t.sql('select from messages'), [])
  })

  test('agrees with what sending then does', async () => {
    const serviceId = await s.addService({ smart_encoding: true })
    await s.addNumber('+15005550021', { service_id: serviceId })
    for (const body of [
      { serviceId, to: recipient, body: '“quoted”' },
      { from: sender, to: '(500) 555-0999', body: longText(3) },
      { from: sender, to: recipient, body: 'я'.repeat(100), smartEncoding: true },
    ]) {
      const { data } = (await preview(body)).json
      const message = await s.read(await s.send({ from: undefined, ...body }))
      for (const field of ['body', 'encoding', 'segments', 'from', 'to', 'carrier'])
        assert.equal(data[field], message[field], field)
      assert.equal(data.price, ({ 1: '0.01', 2: '0.02', 3: '0.03' } as Record<number, string>)[message.segments])
    }
  })

  test('says that a text is too long, and what is in the way', async () => {
    assert.equal((await preview({ body: longText(11) })).json.data.tooLong, true)
    assert.equal(
      (await preview({ body: 'x', to: `12${'3'.repeat(15)}`, from: sender })).json.error.code,
      'invalid_to_number',
    )
    assert.equal((await preview({ body: 'x', to: recipient, serviceId: 'msv_x' })).json.error.code, 'service_not_found')
  })
})

describe('taking the text away', () => {
  const secret = 'Your secret is 4711'
  const redact = (id: string, as = s.as) => t.call('DELETE', `/v2/messages/${id}`, { as })
  const everywhere = (id: string) =>
    t.sql<{ table: string }>(
      `select 'messages' as table from messages m where id = $1 and m::text like '%4711%'
       union all select 'events' from event_log e where resource_id = $1 and e::text like '%4711%'
       union all select 'idempotency_keys' from idempotency_keys k where k::text like '%4711%'`,
      [id],
    )

  test('of a message that has ended: it is gone here, from its events and from the event API; the rest stays', async () => {
    const answer = await s.post({ body: secret }, { 'idempotency-key': 'redacted' })
    const id = answer.json.messageId
    await s.conclude('t', await s.claim('t'), row => taken(row.id))
    await s.receive(id)
    const before = await s.read(id)
    assert.equal((await everywhere(id)).length, 5)
    const { status, json } = await redact(id)
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal(json.data.body, '')
    assert.ok(json.data.redactedAt !== null)
    assert.deepEqual(await everywhere(id), [])
    const after = await s.read(id)
    assert.deepEqual({ ...after, body: before.body, redactedAt: null }, before)
    const events = await t.call('GET', `/v2/events?resourceId=${id}`, { as: s.as })
    assert.equal(events.status, 200, events.text)
    assert.ok(events.json.data.length === 4 && !events.text.includes('4711'))
    const again = await redact(id)
    assert.deepEqual([again.status, again.json.data.redactedAt], [200, json.data.redactedAt])
  })

  test('takes what servers of listeners replied to its events too, and leaves what is about others', async () => {
    const [id, other] = [await s.send({ body: secret }), await s.send()]
    for (const one of [id, other]) await t.call('POST', `/v2/messages/${one}/cancel`, { as: s.as })
    await t.ownerSql(
      `insert into webhook_listeners (tenant_id, id, forward_to, secret, open_until)
       values ($1, 'lsn_1', 'http://localhost', 'sealed', now() + interval '1 hour')`,
      [s.tenantId],
    )
    await t.ownerSql(
      `insert into webhook_listener_deliveries (tenant_id, listener_id, event_id, event_type, status, finished_at, last_status, reply)
       select tenant_id, 'lsn_1', id, type, 'delivered', now(), 200, 'I was sent: Your secret is 4711' from event_log
       where resource_id = any ($1)`,
      [[id, other]],
    )
    assert.equal((await redact(id)).status, 200)
    const replies = await t.sql<{ id: string; status: number; kept: boolean }>(
      `select e.resource_id as id, d.last_status as status, d.reply is not null as kept
       from webhook_listener_deliveries d join event_log e on e.tenant_id = d.tenant_id and e.id = d.event_id`,
    )
    assert.deepEqual(
      new Set(replies.map(({ id, status, kept }) => `${id} ${status} ${kept}`)),
      new Set([`${id} 200 false`, `${other} 200 true`]),
    )
  })

  test('not while it is still needed', async () => {
    const id = await s.send({ body: secret })
    const refuse = async () => {
      const { status, json } = await redact(id)
      assert.deepEqual([status, json.error.code], [409, 'invalid_transition'])
    }
    await refuse()
    const rows = await s.claim('t')
    await refuse()
    await s.conclude('t', rows, row => taken(row.id))
    await refuse()
    assert.equal((await s.read(id)).body, secret)
  })

  test('of an unconfirmed one: what comes late does not bring it back', async () => {
    const id = await s.send({ body: secret })
    const [row] = await s.claim('t')
    await s.conclude('t', [row!], () => unknown)
    assert.equal((await redact(id)).status, 200)
    await s.late(row!, 1, taken(id))
    await s.receive(id)
    assert.equal((await s.read(id)).status, 'delivered')
    assert.deepEqual(await everywhere(id), [])
  })

  test('only of one’s own, and only with the right', async () => {
    const id = await s.send({ body: secret })
    await t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })
    assert.equal((await redact(id, t.other.testKey)).status, 404)
    assert.equal((await redact(id, t.main.liveKey)).status, 404)
    assert.equal((await redact(id, t.main.tokens['Sales Executive'])).status, 403)
    assert.equal((await s.read(id)).body, secret)
  })
})

describe('the live mode with carriers', () => {
  let live: Steps
  before(() => {
    live = stepsOf(t, 'live')
  })
  const own = '+4930123456'
  const to = '+4915112345678'

  test('asks for senders of one’s own, and for a route', async () => {
    await live.send({ from: own, to })
    await live.addCarrier('car_de', [{ prefix: '+49', cost: '0.0750' }])
    assert.equal(await live.refusal({ from: own, to }), '403 sender_not_owned')
    await live.addNumber(own)
    const message = await live.read(await live.send({ from: own, to, body: longText(2) }))
    assert.deepEqual([message.carrier, message.price], ['car_de', null], 'nothing is charged before it is taken')
    assert.equal(await live.refusal({ from: own, to: '+447911123456' }), '422 no_route')
    assert.equal(await live.refusal({ from: own, to, serviceId: 'msv_x' }), '422 service_not_found')
    const preview = await t.call('POST', '/v2/messages/preview', {
      as: live.as,
      body: { from: own, to, body: longText(2) },
    })
    assert.deepEqual([preview.json.data.price, preview.json.data.currency], ['0.15', 'EUR'])
  })

  test('a number with a carrier of its own goes through that one only', async () => {
    await live.addCarrier('car_cheap', [{ prefix: '', cost: '0.001' }])
    await live.addCarrier('car_own', [{ prefix: '+49', priority: 99, cost: '1' }])
    await live.addNumber(own, { carrier_id: 'car_own' })
    assert.equal((await live.read(await live.send({ from: own, to }))).carrier, 'car_own')
    assert.equal(await live.refusal({ from: own, to: '+447911123456' }), '422 no_route')
  })

  test('a service passes over senders whose only carrier does not go there, or is switched off', async () => {
    await live.addCarrier('car_us', [{ prefix: '+1' }])
    await live.addCarrier('car_all', [{ prefix: '' }])
    const serviceId = await live.addService({ sticky_sender: true })
    const british = '+442071838750'
    await live.addNumber(own, { service_id: serviceId, country: 'DE', carrier_id: 'car_us' })
    await live.addNumber(british, { service_id: serviceId, country: 'GB', carrier_id: 'car_all' })
    const fromOf = async (to: string) => {
      const { from, carrier } = await live.read(await live.send({ from: undefined, serviceId, to }))
      return `${from} ${carrier}`
    }
    assert.equal(await fromOf(to), `${british} car_all`)
    const other = '+4915112345679'
    await live.change("update numbers set carrier_id = 'car_all' where address = $1", [own])
    assert.equal(await fromOf(other), `${own} car_all`)
    await live.change("update numbers set carrier_id = 'car_us' where address = $1", [own])
    assert.equal(await fromOf(other), `${british} car_all`, 'also of one that the recipient knows')
    await live.change("update carriers set enabled = false where id = 'car_all'")
    assert.equal(await live.refusal({ from: undefined, serviceId, to }), '422 no_route')
  })

  test('of its senders of one country it takes those whose carrier has a link', async () => {
    await live.addCarrier('car_down', [{ prefix: '' }], { up: false })
    await live.addCarrier('car_up', [{ prefix: '' }])
    const serviceId = await live.addService({ sticky_sender: false })
    for (const [n, carrier_id] of ['car_down', 'car_up', 'car_down'].entries())
      await live.addNumber(`+49301234${n}`, { service_id: serviceId, country: 'DE', carrier_id })
    for (const n of [0, 1, 2]) {
      const id = await live.send({ from: undefined, serviceId, to: `+491511234567${n}` })
      assert.equal((await live.read(id)).from, '+493012341')
    }
  })

  test('what was added on another node a moment ago is known', async () => {
    const elsewhere = stepsOf({ ...t, ...(await t.secondApp()) }, 'live')
    await elsewhere.addCarrier('car_de', [{ prefix: '+49' }])
    await elsewhere.addNumber(own)
    assert.equal((await live.read(await live.send({ from: own, to: '+4915112345679' }))).from, own)
  })

  test('the test mode does not know the carriers of the live mode', async () => {
    await live.addCarrier('car_de', [{ prefix: '+49' }])
    assert.equal((await s.read(await s.send())).carrier, 'simulator')
  })

  test('an outcome with price: what the carrier took, by the route it took', async () => {
    await live.addCarrier('car_de', [{ prefix: '+49', cost: '0.000001' }])
    await live.addNumber(own)
    const id = await live.send({ from: own, to, body: longText(3) })
    const rows = await live.claim('t', { carrier: 'car_de' })
    await live.conclude('t', rows, (row, part) => taken(`${row.id}/${part}`), { carrier: 'car_de' })
    assert.deepEqual([(await live.read(id)).price, (await live.read(id)).currency], ['0.000003', 'EUR'])
    const [event] = await t.sql<{ data: { price: string; currency: string } }>(
      "select data from event_log where resource_id = $1 and type = 'message.sent'",
      [id],
    )
    assert.deepEqual([event!.data.price, event!.data.currency], ['0.000003', 'EUR'])
  })
})
