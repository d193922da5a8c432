// Numbers over HTTP: what each kind may be and do, that a number exists once, and what looking one up returns.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin
const call = (method: string, path: string, body?: unknown, as = admin()) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

async function add(body: object, as = admin()) {
  const answer = await call('POST', '/v2/numbers', body, as)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

let made = 0
const fresh = () => `+4930${20_000_000 + ++made}`

const faults = async (method: string, path: string, body: object) => {
  const { json } = await call(method, path, body)
  return json.error.details?.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}

test('what a number is follows from how it is written', async () => {
  const kinds: [written: string, number: string, kind: string, country: string | null][] = [
    ['+49 (0)30 / 1234 5670', '+493012345670', 'long_code', 'DE'],
    ['(212) 555-2368', '+12125552368', 'long_code', 'US'],
    ['+1 555 010 0001', '+15550100001', 'long_code', null],
    ['+800 1234 5678', '+80012345678', 'long_code', null],
    ['40404', '40404', 'short_code', null],
    [' ACME Shop ', 'ACME Shop', 'alphanumeric', null],
  ]
  for (const [written, number, kind, country] of kinds) {
    const row = await add({ number: written })
    assert.deepEqual(
      [row.number, row.kind, row.country, row.sms, row.voice],
      [number, kind, country, true, kind === 'long_code'],
    )
  }
  for (const number of ['12', '+49', 'A name too long', 'Ümlaut', '+1 212 555 2368 ext. 5'])
    assert.equal((await call('POST', '/v2/numbers', { number })).json.error.code, 'invalid_from_number', number)
})

test('what a kind cannot do is refused, naming the field', async () => {
  const all = { voice: true, createsLeads: true, callbackUrl: 'https://example.com/x' }
  assert.deepEqual(await faults('POST', '/v2/numbers', { number: 'SHOP', ...all }), [
    'voice not_allowed',
    'createsLeads not_allowed',
    'callbackUrl not_allowed',
  ])
  assert.deepEqual(await faults('POST', '/v2/numbers', { number: '50505', ...all }), ['voice not_allowed'])
  const { numberId } = await add({ number: '60606' })
  assert.deepEqual(await faults('PATCH', `/v2/numbers/${numberId}`, { voice: true }), ['voice not_allowed'])
  assert.deepEqual(await faults('POST', '/v2/numbers', { number: fresh(), carrierId: 'car_none' }), [
    'carrierId not_found',
  ])
  assert.deepEqual(await faults('PATCH', `/v2/numbers/${numberId}`, {}), [' too_few'])
  for (const segmentsPerSecond of [0, -1, 10_001])
    assert.equal((await call('PATCH', `/v2/numbers/${numberId}`, { segmentsPerSecond })).status, 400)
})

test('one address, one number, in each tenant; of two requests at once one is refused with the id of the number', async () => {
  const number = fresh()
  const answers = await Promise.all([call('POST', '/v2/numbers', { number }), call('POST', '/v2/numbers', { number })])
  assert.deepEqual(answers.map(answer => answer.status).toSorted(), [201, 409])
  const [refused, created] = answers.toSorted((a, b) => b.status - a.status)
  assert.equal(refused!.json.error.code, 'number_taken')
  assert.match(refused!.text, new RegExp(created!.json.data.numberId))
  await add({ number }, t.main.testKey)
  await add({ number }, t.other.tokens.Admin)
})

test('it changes, empties and keeps its settings, with versions', async () => {
  const { numberId } = await add({ number: fresh(), label: ' Desk ', segmentsPerSecond: 0.5 })
  const path = `/v2/numbers/${numberId}`
  const callbackUrl = 'HTTPS://Example.com/x'
  const changed = await call('PATCH', path, { callbackUrl, createsLeads: true, segmentsPerSecond: 2.25, sms: false })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(changed.headers['etag'], '"2"')
  const read = await call('GET', path)
  const { label, segmentsPerSecond, createsLeads, sms, voice } = read.json.data
  assert.deepEqual([label, segmentsPerSecond, createsLeads, sms, voice], ['Desk', 2.25, true, false, true])
  assert.equal(read.json.data.callbackUrl, 'https://example.com/x')
  const emptied = await call('PATCH', path, { label: null, segmentsPerSecond: null, callbackUrl: null })
  assert.deepEqual(
    [emptied.json.data.label, emptied.json.data.segmentsPerSecond, emptied.json.data.callbackUrl],
    [null, null, null],
  )
  assert.equal(emptied.json.data.createsLeads, true)
  const stale = await t.call('PATCH', path, { as: admin(), body: { label: 'x' }, headers: { 'if-match': '"2"' } })
  assert.equal(stale.json.error.code, 'version_mismatch')
})

test('it is assigned and released with an event each, and can come back', async () => {
  const number = fresh()
  const { numberId } = await add({ number })
  const gone = await call('DELETE', `/v2/numbers/${numberId}`)
  assert.deepEqual(gone.json.data, { numberId, deleted: true })
  assert.equal((await call('GET', `/v2/numbers/${numberId}`)).status, 404)
  assert.equal((await call('DELETE', `/v2/numbers/${numberId}`)).status, 404)
  const events = await t.sql<{ type: string; sequence: number; number: string }>(
    "select type, sequence, data ->> 'number' as number from event_log where resource_id = $1 order by sequence",
    [numberId],
  )
  assert.deepEqual(events, [
    { type: 'number.created', sequence: 1, number },
    { type: 'number.deleted', sequence: 2, number },
  ])
  assert.notEqual((await add({ number })).numberId, numberId)
})

test('the list filters and pages', async () => {
  const as = t.other.testKey
  const { serviceId } = (await call('POST', '/v2/messages/services', { name: 'S' }, as)).json.data
  const german = await add({ number: '+49 30 1234567', serviceId }, as)
  const french = await add({ number: '+33 1 23 45 67 89' }, as)
  const name = await add({ number: 'Shop', serviceId }, as)
  const list = async (query: string) => {
    const { json } = await call('GET', `/v2/numbers?${query}`, undefined, as)
    return json.data.map((row: { numberId: string }) => row.numberId)
  }
  assert.deepEqual(await list(''), [name.numberId, french.numberId, german.numberId])
  assert.deepEqual(await list('kind=alphanumeric'), [name.numberId])
  assert.deepEqual(await list('country=FR'), [french.numberId])
  assert.deepEqual(await list(`serviceId=${serviceId}`), [name.numberId, german.numberId])
  assert.deepEqual(await list('number=%2B49301234567'), [german.numberId])
  assert.deepEqual(await list('number=nonsense%20that%20is%20long'), [])
  const first = await call('GET', '/v2/numbers?limit=2', undefined, as)
  assert.equal(first.json.meta.pagination.hasMore, true)
  assert.deepEqual(await list(`limit=2&cursor=${first.json.meta.pagination.nextCursor}`), [german.numberId])
})

test('a carrier that is deleted lets go of its numbers', async () => {
  await t.ownerSql(
    `insert into carriers (tenant_id, id, kind, name, settings, routes, currency)
     values ($1, 'car_1', 'smpp', 'One', '{}', '[]', 'USD')`,
    [t.main.liveTenantId],
  )
  const { numberId, carrierId } = await add({ number: fresh(), carrierId: 'car_1' })
  assert.equal(carrierId, 'car_1')
  assert.equal((await call('GET', '/v2/numbers?carrierId=car_1')).json.data.length, 1)
  await t.ownerSql("delete from carriers where id = 'car_1'")
  assert.equal((await call('GET', `/v2/numbers/${numberId}`)).json.data.carrierId, null)
})

test('looking a number up returns what the plans know, what we know, and what is unknown', async () => {
  const look = async (number: string, as = admin()) =>
    (await call('GET', `/v2/numbers/lookup/${encodeURIComponent(number)}`, undefined, as)).json.data
  const mobile = await look('+49 1512 3456789')
  assert.deepEqual(mobile, {
    ...{ number: '+4915123456789', valid: true, type: 'mobile', country: 'DE', callingCode: '49' },
    ...{ nationalFormat: '01512 3456789', internationalFormat: '+49 1512 3456789' },
    ...{ numberId: null, optedOut: false, optOuts: [] },
    unknown: ['in_service', 'reachable', 'current_operator', 'ported', 'owner'],
  })
  assert.equal((await look('(212) 555-2368')).number, '+12125552368', 'read for the country of the organization')
  assert.deepEqual(
    [(await look('+18005551234')).type, (await look('+12125552368')).type],
    ['toll_free', 'fixed_line_or_mobile'],
  )
  const fictional = await look('+15550100002')
  assert.deepEqual([fictional.valid, fictional.type, fictional.country], [false, null, null])
  assert.equal((await call('GET', '/v2/numbers/lookup/nonsense')).status, 404)

  const number = fresh()
  const { numberId } = await add({ number })
  assert.equal((await look(number)).numberId, numberId)
  assert.equal((await look(number, t.other.tokens.Admin)).numberId, null, 'another organization knows nothing of it')
  const optOut = await call('POST', '/v2/messages/opt-outs', { scope: number, recipient: '+4915123456789' })
  const { optOutId, scope, createdAt } = optOut.json.data
  const known = await look('+4915123456789')
  assert.deepEqual([known.optedOut, known.optOuts], [true, [{ optOutId, scope, createdAt }]])
  assert.equal((await look('+4915123456789', t.other.tokens.Admin)).optedOut, false)
})
