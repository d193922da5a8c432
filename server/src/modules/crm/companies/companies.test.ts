// Companies over HTTP: what all nouns do, seen at one of them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v1/api/companies'
type Options = { as?: string; headers?: Record<string, string> }
const post = (body: object, { as = t.main.tokens.Admin, headers = {} }: Options = {}) =>
  t.call('POST', path, { as, body, headers })
const get = (query: string, as = t.main.tokens.Admin) => t.call('GET', `${path}${query}`, { as })
async function create(body: object, options: Options = {}) {
  const { status, json, text } = await post(body, options)
  assert.equal(status, 201, text)
  return json.company
}

test('a company is created, read, changed, deleted and restored, with its history and events', async () => {
  const company = await create({
    name: ' Analytical Engines ',
    domain: 'https://www.Engines.example/about',
    industry: 'Manufacturing',
    annual_revenue: { amount: 1_200_000.5, currency: 'EUR' },
    addresses: [{ value: { street: '1 Dorset Street', city: 'London', country: 'GB' }, label: 'office' }],
    owner_id: t.main.users.Admin.id,
  })
  assert.match(company.id, /^cmp_/)
  assert.deepEqual([company.name, company.domain, company.version], ['Analytical Engines', 'engines.example', 1])
  assert.deepEqual(company.annual_revenue, { amount: 1_200_000.5, currency: 'EUR' })
  assert.deepEqual(company.addresses[0].value.city, 'London')
  assert.equal(company.addresses[0].is_primary, true)
  const read = await get(`/${company.id}`)
  assert.deepEqual(read.json.company, company)
  assert.equal(read.headers.etag, '"1"')

  const changed = await t.call('PATCH', `${path}/${company.id}`, {
    as: t.main.tokens.Admin,
    body: { industry: null, phone: '+49 30 123456' },
    headers: { 'if-match': '"1"' },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.json.company.industry, changed.json.company.phone], [null, '+4930123456'])
  const stale = await t.call('PATCH', `${path}/${company.id}`, {
    as: t.main.tokens.Admin,
    body: { industry: 'Retail' },
    headers: { 'if-match': '"1"' },
  })
  assert.equal(stale.json.code, 'version_mismatch')
  const deleted = await t.call('DELETE', `${path}/${company.id}`, { as: t.main.tokens.Admin })
  assert.ok(deleted.json.company.deleted_at)
  assert.equal((await get(`/${company.id}`)).status, 404)
  assert.equal((await get('?deleted=true')).json.companies.length, 1)
  const restored = await t.call('POST', `${path}/${company.id}/restore`, { as: t.main.tokens.Admin })
  assert.equal(restored.json.company.version, 4)

  const { json } = await get(`/${company.id}/history`)
  assert.deepEqual(
    json.changes.map((change: { fields: { field: string }[] }) => change.fields.map(({ field }) => field)),
    [['deleted_at'], ['deleted_at'], ['phone', 'industry'], []],
  )
  const events = await t.call('GET', `/v2/events?resourceId=${company.id}`, { as: t.main.tokens.Admin })
  assert.deepEqual(
    events.json.data.map(({ type, sequence }: { type: string; sequence: number }) => [type, sequence]),
    [
      ['company.restored', 4],
      ['company.deleted', 3],
      ['company.updated', 2],
      ['company.created', 1],
    ],
  )
  const own = await t.call('PATCH', `${path}/${company.id}`, {
    as: t.main.tokens.Admin,
    body: { parent_id: company.id },
  })
  assert.deepEqual([own.status, own.json.details[0].field], [400, 'parent_id'])
})

test('lists: filters, order, cursor, totals, search, fields and titles', async () => {
  const owner = t.main.users['Sales Executive'].id
  for (const [name, industry] of [
    ['Müller GmbH', 'Retail'],
    ['Zoë & Co', null],
    ['Acme', 'Retail'],
    ['李記', 'Services'],
  ])
    await create({ name, industry, owner_id: name === 'Acme' ? owner : null, notes: 'x'.repeat(600) })
  const named = async (query: string, as?: string) => {
    const { status, json, text } = await get(query, as)
    assert.equal(status, 200, text)
    return [json.companies.map(({ name }: { name: string }) => name), json.pagination.totalCount]
  }
  assert.deepEqual(await named('?industry=retail&sort=name'), [['Acme', 'Müller GmbH'], 2])
  assert.deepEqual((await named('?q=muller'))[0], ['Müller GmbH'])
  assert.deepEqual((await named('?q=李'))[0], ['李記'])
  assert.deepEqual((await named('?q=mulller'))[0], ['Müller GmbH'])
  assert.deepEqual((await named(`?owner_id=${owner}`))[0], ['Acme'])
  const { json } = await get(`?owner_id=${owner}&include=owner_id&fields=name,owner_id`)
  assert.deepEqual(Object.keys(json.companies[0]).sort(), [
    'created_at',
    'id',
    'name',
    'owner_id',
    'tenant_id',
    'updated_at',
    'version',
  ])
  assert.ok(json.included.user[owner].title)
  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const page = await get(`?sort=-industry,name&limit=2${cursor}`)
    walked.push(...page.json.companies.map(({ name }: { name: string }) => name))
    if (page.json.pagination.nextCursor === null) break
    cursor = `&cursor=${page.json.pagination.nextCursor}`
  }
  const whole = await named('?sort=-industry,name')
  assert.deepEqual(walked, whole[0])
})

test('many at once, merged, and refused as duplicates', async () => {
  const made = []
  for (let n = 0; n < 5; n++) made.push(await create({ name: `Bulk ${n}`, domain: `bulk${n}.example` }))
  const ids = made.map(({ id }) => id)
  const bulk = await t.call('POST', `${path}/bulk`, {
    as: t.main.tokens.Admin,
    body: { ids, set: { industry: 'Public' } },
  })
  assert.deepEqual([bulk.json.changed, bulk.json.failed], [5, []], bulk.text)
  const child = await create({ name: 'Child', parent_id: ids[1] })
  const merged = await t.call('POST', `${path}/merge`, {
    as: t.main.tokens.Admin,
    body: { into: ids[0], others: [ids[1]], take: { domain: ids[1] } },
  })
  assert.equal(merged.json.company.domain, 'bulk1.example', merged.text)
  const gone = (await get(`/${ids[1]}`)).json
  assert.match(gone.message, new RegExp(`merged into ${ids[0]}`))
  assert.deepEqual([gone.code, gone.details[0].code, gone.details[0].record_id], ['not_found', 'merged', ids[0]])
  assert.equal((await get(`/${child.id}`)).json.company.parent_id, ids[0])
  const addresses = (city: string) => [{ value: { city } }]
  const [here, there] = [
    await create({ name: 'Here', addresses: addresses('Berlin') }),
    await create({ name: 'There', phone: '+15550100007', addresses: [...addresses('Berlin'), ...addresses('Rome')] }),
  ]
  const one = await t.call('POST', `${path}/merge`, {
    as: t.main.tokens.Admin,
    body: { into: here.id, others: [there.id] },
  })
  assert.deepEqual([one.json.company.name, one.json.company.phone], ['Here', '+15550100007'])
  assert.deepEqual(
    one.json.company.addresses.map(({ value, is_primary }: { value: { city: string }; is_primary: boolean }) => [
      value.city,
      is_primary,
    ]),
    [
      ['Berlin', true],
      ['Rome', false],
    ],
  )
  const refused = await post({ name: 'Other', domain: 'bulk1.example' }, { headers: { 'x-duplicate-mode': 'block' } })
  assert.equal(refused.json.code, 'duplicate_record', refused.text)
  const warned = await post({ name: 'Other', domain: 'bulk1.example' })
  assert.deepEqual(warned.json.duplicates, [{ id: ids[0], title: 'Bulk 0', matched_by: 'domain' }])
})

const merge = async (body: object) => {
  const { status, json, text } = await t.call('POST', `${path}/merge`, { as: t.main.tokens.Admin, body })
  assert.equal(status, 200, text)
  return json.company
}

test('the history names a merge on both sides, and what is restored stands for itself again', async () => {
  const [stays, goes] = [await create({ name: 'Stays' }), await create({ name: 'Goes', phone: '+4930555001' })]
  await merge({ into: stays.id, others: [goes.id] })
  const changes = async (id: string) => (await get(`/${id}/history`)).json.changes[0]
  const own = await changes(stays.id)
  assert.equal(own.source, 'merge')
  assert.deepEqual(
    own.fields.find(({ field }: { field: string }) => field === 'merged'),
    { field: 'merged', from: null, to: [{ id: goes.id, title: 'Goes' }] },
  )
  const other = await changes(goes.id)
  assert.equal(other.batch_id, own.batch_id)
  assert.equal(other.fields.find(({ field }: { field: string }) => field === 'merged_into').to, stays.id)
  const entries = (await get(`/${stays.id}/timeline`)).json.entries
  assert.equal(entries[0].title, 'Merged with Goes')
  assert.deepEqual(
    entries[0].changes.map(({ field }: { field: string }) => field),
    ['phone'],
  )
  await t.call('POST', `${path}/${goes.id}/restore`, { as: t.main.tokens.Admin })
  await t.call('DELETE', `${path}/${goes.id}`, { as: t.main.tokens.Admin })
  const { json } = await get(`/${goes.id}`)
  assert.deepEqual([json.code, json.details], ['not_found', undefined])
})

test('companies that are one are not above themselves, whichever of them stays', async () => {
  const [above, below] = [await create({ name: 'Above' }), await create({ name: 'Under' })]
  await t.call('PATCH', `${path}/${below.id}`, { as: t.main.tokens.Admin, body: { parent_id: above.id } })
  assert.equal((await merge({ into: above.id, others: [below.id] })).parent_id, null)
  const [first, second] = [await create({ name: 'First' }), await create({ name: 'Second' })]
  await t.call('PATCH', `${path}/${first.id}`, { as: t.main.tokens.Admin, body: { parent_id: second.id } })
  await merge({ into: first.id, others: [second.id], take: { parent_id: first.id } })
  assert.equal((await get(`/${first.id}`)).json.company.parent_id, null)
})

test('duplicates of a company that is there, of those that one sees', async () => {
  const own = await create({ name: 'Same', phone: '+4930555100' })
  const [named, called] = [await create({ name: 'same' }), await create({ name: 'Other', phone: '+49 30 555100' })]
  const duplicates = async (as?: string) => (await get(`/${own.id}/duplicates`, as)).json.duplicates
  assert.deepEqual(await duplicates(), [
    { id: named.id, title: 'same', matched_by: 'name' },
    { id: called.id, title: 'Other', matched_by: 'phone' },
  ])
  await t.call('PATCH', `${path}/${named.id}`, {
    as: t.main.tokens.Admin,
    body: { owner_id: t.main.users['Sales Manager'].id },
  })
  await t.call('DELETE', `${path}/${called.id}`, { as: t.main.tokens.Admin })
  assert.equal((await duplicates()).length, 1)
  assert.deepEqual(await duplicates(t.main.tokens['Sales Executive']), [])
  assert.equal((await get(`/${called.id}/duplicates`)).status, 404)
  const refused = await post({ name: 'Same' }, { headers: { 'x-duplicate-mode': 'block' } })
  assert.deepEqual(
    refused.json.details.map(({ record_id: id }: { record_id: string }) => id),
    [own.id, named.id],
  )
})

test('what is in the trash names the company that stays after a merge, too', async () => {
  const as = t.main.tokens.Admin
  const [into, gone] = [await create({ name: 'Stays' }), await create({ name: 'Goes' })]
  const contact = await t.call('POST', '/v1/api/contacts', {
    as,
    body: { name: 'In the trash', companies: [{ value: gone.id, label: 'buyer' }] },
  })
  const one = `/v1/api/contacts/${contact.json.contact.id}`
  await t.call('DELETE', one, { as })
  const merged = await t.call('POST', `${path}/merge`, { as, body: { into: into.id, others: [gone.id] } })
  assert.equal(merged.status, 200, merged.text)
  const found = await t.call('GET', `/v1/api/contacts?deleted=true&companies=${into.id}`, { as })
  assert.equal(found.json.contacts.length, 1)
  const restored = await t.call('POST', `${one}/restore`, { as })
  assert.deepEqual(restored.json.contact.companies, [{ value: into.id, label: 'buyer', is_primary: true }])
})
