// Texts that come in without a phone: injected, and written back by the simulator's numbers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ work: true })
})
after(() => t?.close())

const call = (method: string, path: string, body?: unknown, as = t.main.testKey) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })
const inject = (body: object, as = t.main.testKey) =>
  call('POST', '/v2/test/inbound', { from: '+4915123456789', to: '+15005550006', body: 'Hi', ...body }, as)

type Shown = { body: string; direction: string; status: string }
const conversation = async (to: string): Promise<Shown[]> =>
  (await call('GET', `/v2/messages?to=${encodeURIComponent(to)}`)).json.data.toReversed()

test('an injected text is a message like others, and is answered like others', async () => {
  const hello = await inject({ from: '+49 1512 3456789', to: '(500) 555-0006', body: 'Grüße' })
  assert.equal(hello.status, 201, hello.text)
  const { messageId, direction, from, to, status, carrier } = hello.json.data
  assert.deepEqual(
    [direction, from, to, status, carrier],
    ['inbound', '+4915123456789', '+15005550006', 'received', 'simulator'],
  )
  const read = await call('GET', `/v2/messages/${messageId}`)
  assert.equal(read.json.data.body, 'Grüße')
  assert.deepEqual(
    read.json.data.history.map((entry: { status: string }) => entry.status),
    ['received'],
  )
  assert.equal((await call('GET', `/v2/messages/${messageId}`, undefined, t.other.testKey)).status, 404)
  assert.equal((await inject({ body: 'stop' })).status, 201)
  await eventually('the answer', async () => (await conversation(from)).some(message => message.status === 'delivered'))
  const [answer, ...more] = await conversation(from)
  assert.match(answer!.body, /^You will get no more messages/)
  assert.deepEqual(more, [])
})

test('a short code takes texts, a name takes none', async () => {
  assert.equal((await inject({ to: '40404' })).json.data.to, '40404')
  assert.equal((await inject({ to: 'ACME' })).json.error.code, 'invalid_to_number')
})

test('in the live mode only numbers of the simulator text: for others nothing is recorded', async () => {
  const as = t.main.liveKey
  for (const from of ['+4915123456789', '+49 1512 3456789', '+15550100001']) {
    const { status, json, text } = await inject({ from }, as)
    assert.deepEqual([status, json.error.code], [422, 'invalid_from_number'], text)
    assert.deepEqual(
      json.error.details.map((fault: { field: string }) => fault.field),
      ['from'],
    )
    assert.match(json.error.message, /simulator.*test mode/)
  }
  const { json } = await call('GET', '/v2/messages?direction=inbound', undefined, as)
  assert.deepEqual(json.data, [])
  assert.equal((await inject({ from: '(500) 555-7001' }, as)).json.data.from, '+15005557001')
})

test('in the live mode it is there until the organization has a carrier', async () => {
  const as = t.main.liveKey
  const live = await inject({ from: '+15005557001' }, as)
  assert.deepEqual([live.status, live.json.data.carrier], [201, 'handset'])
  await t.ownerSql(
    `insert into carriers (tenant_id, id, kind, name, settings, routes, currency, enabled)
     values ($1, 'car_1', 'smpp', 'One', '{}', '[]', 'USD', false)`,
    [t.main.liveTenantId],
  )
  assert.equal((await inject({ from: '+15005557001' }, as)).json.error.code, 'handset_not_in_use')
  assert.equal((await inject({})).status, 201, 'the test mode has nothing to do with that')
})

test('the simulator’s phone that answers STOP has opted out, and hears of it once', async () => {
  const phone = '+15005550110'
  const send = () => call('POST', '/v2/messages/sms', { from: '+15005550006', to: phone, body: 'Offers!' })
  assert.equal((await send()).status, 200)
  await eventually(
    'the opt-out',
    async () => (await call('GET', `/v2/messages/opt-outs?recipient=%2B15005550110`)).json.data.length === 1,
  )
  assert.equal((await send()).json.error.code, 'recipient_opted_out')
  // It answers STOP to the answer as well, and that is the end of it.
  const stops = async () => (await call('GET', '/v2/messages?direction=inbound&from=%2B15005550110')).json.data.length
  await eventually('the second STOP', async () => (await stops()) === 2)
  await sleep(300)
  assert.equal((await conversation(phone)).length, 2)
})

test('the simulator’s phone that answers HELP is helped once: two machines do not talk for ever', async () => {
  const phone = '+15005550111'
  await call('POST', '/v2/messages/sms', { from: '+15005550006', to: phone, body: 'Offers!' })
  const helps = async () => (await call('GET', '/v2/messages?direction=inbound&from=%2B15005550111')).json.data.length
  await eventually('the second HELP', async () => (await helps()) === 2)
  await sleep(300)
  assert.deepEqual(
    (await conversation(phone)).map(message => message.body),
    ['Offers!', 'Reply STOP to get no more messages from us, START to get them again.'],
  )
})
