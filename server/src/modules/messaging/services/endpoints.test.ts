// Messaging services over HTTP: their senders are theirs alone, their keywords are checked, and anyone who opted out stays so
// wherever senders move.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { copyOptOuts, removeOptOutsOf } from '../opt_outs/store.ts'
import { defaultKeywords } from './keyword_table.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: unknown, as = t.main.testKey) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

async function data(method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data
}

let made = 0
async function newNumber(more: object = {}): Promise<{ numberId: string; number: string }> {
  return data('POST', '/v2/numbers', { number: `+4930${30_000_000 + ++made}`, ...more })
}
const newService = (more: object = {}) => data('POST', '/v2/messages/services', { name: `S ${++made}`, ...more })
const patch = (serviceId: string, body: object) => call('PATCH', `/v2/messages/services/${serviceId}`, body)
const sendersOf = async (serviceId: string) => (await data('GET', `/v2/messages/services/${serviceId}`)).senders

const recipient = '+4915123456789'
const optOut = (scope: string, who = recipient) => data('POST', '/v2/messages/opt-outs', { scope, recipient: who })
const scopes = async () =>
  (await data('GET', `/v2/messages/opt-outs?recipient=${encodeURIComponent(recipient)}`))
    .map((row: { scope: string }) => row.scope)
    .toSorted()
const forget = () => t.ownerSql('truncate opt_outs')

test('it begins with defaults and keeps what is set', async () => {
  const plain = await newService({ name: ' Plain ' })
  const { serviceId, createdAt, updatedAt, ...rest } = plain
  assert.match(serviceId, /^msv_/)
  assert.equal(createdAt, updatedAt)
  assert.deepEqual(rest, {
    ...{ name: 'Plain', senders: [], stickySender: true, smartEncoding: false, unknownOutcome: 'hold' },
    ...{ validityPeriod: null, callbackUrl: null, duplicateWindow: 0, keywords: defaultKeywords },
  })
  const settings = {
    ...{ stickySender: false, smartEncoding: true, unknownOutcome: 'resend', validityPeriod: 300 },
    ...{ callbackUrl: 'https://example.com/x', duplicateWindow: 60 },
  }
  const changed = await patch(serviceId, { ...settings, keywords: [{ language: 'de' }] })
  assert.equal(changed.headers['etag'], '"2"')
  assert.deepEqual(
    { ...changed.json.data, createdAt: '', updatedAt: '' },
    {
      ...{ serviceId, name: 'Plain', senders: [], ...settings, createdAt: '', updatedAt: '' },
      keywords: defaultKeywords.filter(entry => entry.language === 'de'),
    },
  )
  const emptied = await patch(serviceId, { validityPeriod: null, callbackUrl: null, duplicateWindow: 0 })
  const { validityPeriod, callbackUrl, duplicateWindow } = emptied.json.data
  assert.deepEqual([validityPeriod, callbackUrl, duplicateWindow], [null, null, 0])
  assert.deepEqual(await data('GET', `/v2/messages/services/${serviceId}`), emptied.json.data)
  const body = { name: 'x' }
  const stale = await t.call('PATCH', `/v2/messages/services/${serviceId}`, {
    as: t.main.testKey,
    body,
    headers: { 'if-match': '"1"' },
  })
  assert.equal(stale.json.error.code, 'version_mismatch')
})

test('keywords that cannot be had are refused, naming the word', async () => {
  const keywords = [{ language: 'en' }, { language: 'fr', stop: { words: ['ARRET', 'QUIT'] } }]
  const refused = await call('POST', '/v2/messages/services', { name: 'S', keywords })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.json.error.details, [
    { field: 'keywords[1].stop.words[1]', code: 'duplicate', message: 'QUIT is a word for stop in en already' },
  ])
  const { serviceId } = await newService()
  assert.equal((await patch(serviceId, { keywords: [{ language: 'nl' }] })).status, 400)
  assert.equal((await patch(serviceId, { keywords: [] })).status, 400)
  assert.equal((await patch(serviceId, { keywords: [{ language: 'EN' }] })).status, 400)
})

test('a number belongs to one service at most, and the refusal says to which', async () => {
  const [one, two, three] = [await newNumber(), await newNumber(), await newNumber()]
  const first = await newService({ name: 'First', senders: [one.numberId, two.numberId] })
  assert.deepEqual(first.senders, [one.numberId, two.numberId])
  const refused = await call('POST', '/v2/messages/services', { name: 'X', senders: [three.numberId, two.numberId] })
  assert.equal(refused.json.error.code, 'sender_in_service')
  assert.deepEqual(refused.json.error.details, [
    {
      field: 'senders[1]',
      code: 'not_allowed',
      message: `is ${two.number}, a sender of the service ${first.serviceId} (First)`,
    },
  ])
  assert.equal((await data('GET', `/v2/numbers/${three.numberId}`)).serviceId, null, 'nothing of it was done')
  const unknown = await patch(first.serviceId, { senders: [one.numberId, 'num_none'] })
  assert.deepEqual(unknown.json.error.details[0].field, 'senders[1]')
  const foreign = await t.call('POST', '/v2/numbers', { as: t.other.testKey, body: { number: '+493039999999' } })
  const theirs = await patch(first.serviceId, { senders: [foreign.json.data.numberId] })
  assert.equal(theirs.status, 400)
  // The list replaces: one leaves, one stays, one joins.
  assert.equal((await patch(first.serviceId, { senders: [three.numberId, two.numberId] })).status, 200)
  assert.deepEqual(await sendersOf(first.serviceId), [two.numberId, three.numberId])
  assert.equal((await data('GET', `/v2/numbers/${one.numberId}`)).serviceId, null)
  // By the number it moves from one service to another.
  const second = await newService()
  await data('PATCH', `/v2/numbers/${two.numberId}`, { serviceId: second.serviceId })
  assert.deepEqual(
    [await sendersOf(first.serviceId), await sendersOf(second.serviceId)],
    [[three.numberId], [two.numberId]],
  )
})

test('of two services that want a number at the same moment one gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const [{ numberId }, a, b] = [await newNumber(), await newService(), await newService()]
    const answers = await Promise.all([a, b].map(({ serviceId }) => patch(serviceId, { senders: [numberId] })))
    assert.deepEqual(answers.map(answer => answer.status).toSorted(), [200, 409])
  }
})

test('a service that goes at the moment a number joins it: nothing breaks', async () => {
  for (let round = 0; round < 10; round++) {
    const [{ numberId }, { serviceId }] = [await newNumber(), await newService()]
    const [moved, gone] = await Promise.all([
      call('PATCH', `/v2/numbers/${numberId}`, { serviceId }),
      call('DELETE', `/v2/messages/services/${serviceId}`),
    ])
    assert.equal(gone.status, 200, gone.text)
    assert.ok(moved.status === 200 || moved.json.error.code === 'service_not_found', moved.text)
    assert.equal((await data('GET', `/v2/numbers/${numberId}`)).serviceId, null)
  }
})

test('who opted out of a sender has opted out of the service it joins', async () => {
  await forget()
  const [{ numberId, number }, { serviceId }] = [await newNumber(), await newService()]
  await optOut(number)
  await patch(serviceId, { senders: [numberId] })
  assert.deepEqual(await scopes(), [serviceId])
  await forget()
  const another = await newNumber()
  await optOut(another.number)
  await data('PATCH', `/v2/numbers/${another.numberId}`, { serviceId })
  assert.deepEqual(await scopes(), [serviceId])
  assert.equal((await optOut(another.number)).scope, serviceId, 'a sender of a service means the service')
})

test('who opted out of a service stays opted out of a sender that leaves it, by any door', async () => {
  const doors: ((ids: { serviceId: string; numberId: string; other: string }) => Promise<unknown>)[] = [
    ({ serviceId }) => data('PATCH', `/v2/messages/services/${serviceId}`, { senders: [] }),
    ({ numberId }) => data('PATCH', `/v2/numbers/${numberId}`, { serviceId: null }),
    ({ numberId }) => data('DELETE', `/v2/numbers/${numberId}`),
    ({ serviceId }) => data('DELETE', `/v2/messages/services/${serviceId}`),
  ]
  for (const [index, leave] of doors.entries()) {
    await forget()
    const [{ numberId, number }, { serviceId: other }] = [await newNumber(), await newService()]
    const { serviceId } = await newService({ senders: [numberId] })
    await optOut(serviceId)
    await leave({ serviceId, numberId, other })
    assert.deepEqual(await scopes(), index === 3 ? [number] : [number, serviceId].toSorted())
  }
  await forget()
  const [{ numberId }, { serviceId: other }] = [await newNumber(), await newService()]
  const { serviceId } = await newService({ senders: [numberId] })
  await optOut(serviceId)
  await data('PATCH', `/v2/numbers/${numberId}`, { serviceId: other })
  assert.deepEqual(await scopes(), [serviceId, other].toSorted())
})

test('many opt-outs are copied whole, and once; and go in steps, with the service', async () => {
  await forget()
  const count = 45_000
  await t.ownerSql(
    `insert into opt_outs (tenant_id, id, scope, recipient, source, created_at)
     select $1, 'opt_01k9r7d3w2' || lpad(n::text, 16, '0'), 'A', '+4915' || (100000000 + n), 'api', now()
     from generate_series(1, ${count}) n`,
    [t.main.testTenantId],
  )
  const owner = { tenantId: t.main.testTenantId, organizationId: t.main.organizationId }
  for (let turn = 0; turn < 2; turn++) await t.app.services.db.inTenant(owner, tx => copyOptOuts(tx, owner, 'A', 'B'))
  const rows = await t.ownerSql(
    'select scope, count(*)::int, count(distinct id)::int as ids from opt_outs group by scope order by 1',
  )
  assert.deepEqual(rows, [
    { scope: 'A', count, ids: count },
    { scope: 'B', count, ids: count },
  ])
  const [row] = await t.ownerSql<{ id: string }>("select id from opt_outs where scope = 'B' order by id limit 1")
  await data('DELETE', `/v2/messages/opt-outs/${row!.id}`)
  await t.ownerSql(`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 20000 then raise exception 'too many for one statement'; end if; return null; end $$;
    create trigger refuse_many after delete on opt_outs referencing old table as gone for each statement
      execute function refuse_many()`)
  try {
    await t.app.services.db.inTenant(owner, tx => removeOptOutsOf(tx, owner, 'A'))
  } finally {
    await t.ownerSql('drop trigger refuse_many on opt_outs; drop function refuse_many')
  }
  assert.deepEqual(await t.ownerSql('select distinct scope from opt_outs'), [{ scope: 'B' }])
  await forget()
})

test('the list pages, newest first', async () => {
  const made = [await newService(), await newService(), await newService()].toReversed()
  const first = await call('GET', '/v2/messages/services?limit=2')
  assert.deepEqual(first.json.data, made.slice(0, 2))
  const second = await call('GET', `/v2/messages/services?limit=1&cursor=${first.json.meta.pagination.nextCursor}`)
  assert.deepEqual(second.json.data, made.slice(2))
})
