// Opt-outs over HTTP: by hand like by keyword, once each, for one tenant.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/record_races.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: unknown, as = t.main.testKey) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

const path = '/v2/messages/opt-outs'
const recipient = '+4915123456789'
const send = (as = t.main.testKey, to = recipient) =>
  call('POST', '/v2/messages/sms', { from: '+15005550006', to, body: 'x' }, as)
const events = async (id: string) =>
  (await t.sql<{ type: string }>('select type from event_log where resource_id = $1 order by sequence', [id])).map(
    row => row.type,
  )

test('added, nothing more is sent; removed, it is; both emit an event', async () => {
  const added = await call('POST', path, { scope: '(500) 555-0006', recipient: '+49 1512 3456789' })
  assert.equal(added.status, 201, added.text)
  const { optOutId, createdAt, ...rest } = added.json.data
  assert.deepEqual(rest, { scope: '+15005550006', recipient, source: 'api', keyword: null })
  assert.equal((await send()).json.error.code, 'recipient_opted_out')
  assert.equal((await send(t.main.testKey, '+4915123456780')).status, 200)
  assert.equal((await send(t.other.testKey)).status, 200, 'another organization is another sender')
  const again = await call('POST', path, { scope: '+15005550006', recipient })
  assert.deepEqual([again.status, again.json.data], [201, added.json.data])
  assert.deepEqual(await events(optOutId), ['opt_out.created'])
  const removed = await call('DELETE', `${path}/${optOutId}`)
  assert.deepEqual(removed.json.data, { optOutId, deleted: true })
  assert.equal((await call('DELETE', `${path}/${optOutId}`)).status, 404)
  assert.deepEqual(await events(optOutId), ['opt_out.created', 'opt_out.deleted'])
  assert.equal((await send()).status, 200)
})

test('two at the same moment are one', async () => {
  const body = { scope: 'ACME', recipient: '+4915100000001' }
  const answers = await Promise.all([call('POST', path, body), call('POST', path, body), call('POST', path, body)])
  const ids = new Set(answers.map(answer => answer.json.data.optOutId))
  assert.equal(ids.size, 1)
  assert.deepEqual(await events([...ids][0]!), ['opt_out.created'])
})

test('added for a sender that moves at this moment, it goes along', async () => {
  const of = async (name: string) => (await call('POST', '/v2/messages/services', { name })).json.data.serviceId
  const [from, to] = [await of('From'), await of('To')]
  const number = '+493012345699'
  const { numberId } = (await call('POST', '/v2/numbers', { number, serviceId: from })).json.data
  const someone = '+4915100000077'
  const [added] = await whileHeld(
    t,
    { text: 'select from messaging_services where id = $1 for update', values: [from] },
    () => call('POST', path, { scope: number, recipient: someone }),
    () => call('PATCH', `/v2/numbers/${numberId}`, { serviceId: to }),
  )
  assert.equal(added!.status, 201, added!.text)
  const sent = await call('POST', '/v2/messages/sms', { from: number, to: someone, body: 'x' })
  assert.equal(sent.json.error?.code, 'recipient_opted_out')
})

test('the list filters by scope and recipient, and pages', async () => {
  const as = t.other.testKey
  const { serviceId } = (await call('POST', '/v2/messages/services', { name: 'S' }, as)).json.data
  await call('POST', '/v2/numbers', { number: '+493012345678', serviceId }, as)
  const ids: string[] = []
  for (const [scope, to] of [
    [serviceId, '+4915100000001'],
    ['ACME', '+4915100000001'],
    [serviceId, '+4915100000002'],
  ])
    ids.unshift((await call('POST', path, { scope, recipient: to }, as)).json.data.optOutId)
  const list = async (query: string) => {
    const { json } = await call('GET', `${path}?${query}`, undefined, as)
    return json.data.map((row: { optOutId: string }) => row.optOutId)
  }
  const [last, middle, first] = ids
  assert.deepEqual(await list(''), ids)
  assert.deepEqual(await list(`scope=${serviceId}`), [last, first])
  assert.deepEqual(await list('scope=%2B493012345678'), [last, first], 'a sender of the service means the service')
  assert.deepEqual(await list('recipient=%2B4915100000001'), [middle, first])
  assert.deepEqual(await list('scope=ACME&recipient=%2B4915100000002'), [])
  const page = await call('GET', `${path}?limit=1`, undefined, as)
  assert.deepEqual(await list(`limit=2&cursor=${page.json.meta.pagination.nextCursor}`), [middle, first])
})

test('what is no scope or no recipient is refused, naming the field', async () => {
  const details = async (body: object) =>
    (await call('POST', path, body)).json.error.details.map((fault: { field: string }) => fault.field)
  assert.deepEqual(await details({ scope: 'not a sender at all', recipient }), ['scope'])
  assert.deepEqual(await details({ scope: 'ACME', recipient: '1234567890123456789' }), ['recipient'])
  const theirs = (await call('POST', '/v2/messages/services', { name: 'S' }, t.other.testKey)).json.data.serviceId
  assert.equal((await call('POST', path, { scope: theirs, recipient })).json.error.code, 'service_not_found')
})

test('the event of an opt-out is seen by anyone who may read messages', async () => {
  const { optOutId } = (await call('POST', path, { scope: 'ACME', recipient }, t.main.tokens.Admin)).json.data
  const seen = async (as: string) =>
    (await call('GET', `/v2/events?resourceId=${optOutId}`, undefined, as)).json.data.length
  assert.equal(await seen(t.main.tokens['Finance Manager']), 1)
})
