// Leads as records of a noun whose ids are numbers: history, duplicates, merging and many at once; elsewhere they are named `lead:17`.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { createInvoice } from '../../../../test/invoices.ts'
import { workOnRecords } from '../../../../test/record_work.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = Record<string, any>

const call = (method: string, path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v1/api/${path}`, { as, ...(body && { body }) })
async function ok(method: string, path: string, body?: object, as?: string): Promise<Json> {
  const { status, json, text } = await call(method, path, body, as)
  assert.ok(status < 300, text)
  return json
}
async function lead(body: object, as?: string): Promise<Json> {
  return (await ok('POST', 'leads', body, as))['lead']
}
const read = async (id: number, as?: string) => (await ok('GET', `leads/${id}`, undefined, as))['lead']
const history = async (id: number) => (await ok('GET', `leads/${id}/history`))['changes'] as Json[]
const events = (id: number, noun = 'lead') =>
  t.sql<{ type: string; data: Json }>(
    "select type, data from event_log where resource_id = $1 and tenant_id = $2 and type like $3 || '.%' order by sequence",
    [String(id), t.main.liveTenantId, noun],
  )

test('the history of a lead says what changed from what to what, when and by whom', async () => {
  const key = { name: 'history', mode: 'live', scopes: ['leads:read', 'leads:create', 'leads:update'] }
  const made = (await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body: key })).json.data
  const { id, created_at } = await lead({ name: 'Said', email: 'said@example.com', priority: 'hot' }, made.secret)
  const manager = t.main.users['Sales Manager'].id
  const body = { name: 'Said again', status: 'Contacted', notes: 'n'.repeat(5_000) }
  const changed = (await ok('PATCH', `leads/${id}`, body, t.main.tokens['Sales Manager']))['lead']
  await ok('PATCH', `leads/${id}`, { name: 'Said again' })
  const common = { key_id: null, source: 'request', batch_id: null }
  const [second, first, ...others] = await history(id)
  assert.deepEqual(others, [], 'what changes nothing is no change')
  assert.deepEqual(first, {
    ...{ ...common, version: 1, at: created_at, user_id: t.main.users.Admin.id, fields: [] },
    key_id: made.keyId,
  })
  const { fields, ...rest } = second!
  assert.deepEqual(rest, { ...common, version: 2, at: changed.updated_at, user_id: manager })
  assert.deepEqual(
    fields.map(({ field, from, to }: Json) => [field, from, to]),
    [
      ['name', 'Said', 'Said again'],
      ['status', 'New', 'Contacted'],
      ['notes', null, { length: 5_000 }],
      ['first_responded_at', null, changed.updated_at],
    ],
  )
  // Of those that one does not see there is no history.
  await ok('PATCH', `leads/${id}`, { owner_id: manager })
  const seller = t.main.tokens['Sales Executive']
  assert.equal((await call('GET', `leads/${id}/history`, undefined, seller)).json.code, 'not_found')
  // Those in the trash have theirs.
  await ok('DELETE', `leads/${id}`)
  assert.deepEqual(
    (await history(id))[0]!['fields'].map(({ field }: Json) => field),
    ['deleted_at'],
  )
})

test('a conversion is in the history of the lead, step by step', async () => {
  const { id } = await lead({ name: 'Steps', email: 'steps@example.com', company: 'Steps Ltd' })
  const { contact, company } = await ok('POST', `leads/${id}/convert`, { qualify: true })
  const steps = (await history(id)).map(({ version, fields }) => [
    version,
    Object.fromEntries(fields.map(({ field, to }: Json) => [field, to])),
  ])
  const { converted_at, first_responded_at } = await read(id)
  assert.deepEqual(steps, [
    [3, { status: 'Converted', company_id: company.id, contact_id: contact.id, converted_at }],
    [2, { status: 'Qualified', first_responded_at }],
    [1, {}],
  ])
  assert.deepEqual(
    (await ok('GET', `contacts/${contact.id}/history`))['changes'].map(({ source }: Json) => source),
    ['request'],
  )
})

test('duplicates of a lead are those with its e-mail or phone that one sees, by their numbers', async () => {
  const [email, phone] = ['Same@records.example', '+14155550170']
  const own = await lead({ name: 'Own', email, phone })
  const [mail, call1] = [
    await lead({ name: 'Mail', email: 'SAME@records.example' }),
    await lead({ name: 'Call', phone }),
  ]
  const manager = t.main.users['Sales Manager'].id
  const hidden = await lead({ name: 'Hidden', email, phone, owner_id: manager })
  const duplicates = async (as?: string) =>
    (await ok('GET', `leads/${own['id']}/duplicates`, undefined, as))['duplicates']
  const seen = [
    { id: mail['id'], title: 'Mail', matched_by: 'email' },
    { id: call1['id'], title: 'Call', matched_by: 'phone' },
  ]
  assert.deepEqual(await duplicates(), [...seen, { id: hidden['id'], title: 'Hidden', matched_by: 'email' }])
  assert.deepEqual(await duplicates(t.main.tokens['Sales Executive']), seen)
  await ok('DELETE', `leads/${mail['id']}`)
  assert.deepEqual(await duplicates(t.main.tokens['Sales Executive']), seen.slice(1))
  await ok('PATCH', `leads/${call1['id']}`, { phone: '+14155550171' })
  assert.deepEqual(await duplicates(t.main.tokens['Sales Executive']), [])
  assert.equal((await call('GET', `leads/${mail['id']}/duplicates`)).status, 404)
})

test('leads are merged: what named the others, and was put on them, is of the one that stays', async () => {
  const stays = await lead({ name: 'Stays', email: 'stays@example.com' })
  const goes = await lead({ name: 'Goes', phone: '+14155550180', company: 'Goes Ltd', source: 'fair', notes: 'of old' })
  const third = await lead({ name: 'Third', email: 'third@example.com', priority: 'Hot' })
  const [kept, gone] = [`lead:${stays['id']}`, `lead:${goes['id']}`]
  const { note } = await ok('POST', 'notes', { record_id: gone, body: 'On the one that goes.' })
  const { task } = await ok('POST', 'tasks', { record_id: gone, title: 'Call back' })
  const { tag } = await ok('POST', 'tags', { name: 'merging', color: 'blue' })
  await ok('POST', 'tags/assign', { record_ids: [gone], add: [tag.id] })
  const invoice = await createInvoice(t, { lead_id: goes['id'] })
  const body = { into: stays['id'], others: [goes['id'], third['id']], take: { priority: third['id'] } }
  const merged = (await ok('POST', 'leads/merge', body))['lead']
  const { id, name, email, phone, company, source, notes, priority, version } = merged
  assert.deepEqual(
    { id, name, email, phone, company, source, notes, priority, version },
    {
      ...{ id: stays['id'], name: 'Stays', email: 'stays@example.com', phone: '+14155550180', company: 'Goes Ltd' },
      ...{ source: 'fair', notes: 'of old', priority: 'Hot', version: 2 },
    },
  )
  assert.deepEqual(await read(stays['id']), merged)
  // Who asks for one that was merged is said which one stays.
  const missing = await call('GET', `leads/${goes['id']}`)
  assert.deepEqual([missing.status, missing.json.code], [404, 'not_found'])
  assert.match(missing.json.message, new RegExp(`merged into ${stays['id']}\\.`))
  assert.deepEqual(
    missing.json.details.map(({ code, record_id }: Json) => [code, record_id]),
    [['merged', kept]],
  )
  // What named it.
  assert.equal((await ok('GET', `notes/${note.id}`))['note'].record_id, kept)
  assert.equal((await ok('GET', `tasks/${task.id}`))['task'].record_id, kept)
  assert.deepEqual(
    (await ok('GET', `leads?tags=${tag.id}`))['leads'].map((found: Json) => found['id']),
    [stays['id']],
  )
  assert.equal((await ok('GET', `finance/invoices/${invoice.id}`))['invoice'].lead_id, stays['id'])
  const [last] = (await events(invoice.id, 'invoice')).slice(-1)
  assert.deepEqual([last!.type, last!.data['lead_id']], ['invoice.updated', stays['id']])
  // Histories of both sides.
  const [own] = await history(stays['id'])
  assert.equal(own!['source'], 'merge')
  assert.deepEqual(own!['fields'].find(({ field }: Json) => field === 'merged').to, [
    { id: gone, title: 'Goes' },
    { id: `lead:${third['id']}`, title: 'Third' },
  ])
  const [other] = await history(goes['id'])
  assert.equal(other!['batch_id'], own!['batch_id'])
  assert.equal(other!['fields'].find(({ field }: Json) => field === 'merged_into').to, kept)
  assert.deepEqual(
    (await events(stays['id'])).map(({ type }) => type),
    ['lead.created', 'lead.merged'],
  )
  assert.deepEqual(
    (await events(goes['id'])).map(({ type }) => type),
    ['lead.created', 'lead.deleted'],
  )
  // What is restored stands for itself again, and is found no more by what the other has now.
  const restored = (await ok('POST', `leads/${goes['id']}/restore`))['lead']
  assert.deepEqual([restored.version, restored.phone], [3, '+14155550180'])
  assert.deepEqual((await ok('GET', `leads/${goes['id']}/duplicates`))['duplicates'], [
    { id: stays['id'], title: 'Stays', matched_by: 'phone' },
  ])
})

test('what is merged is there, seen, and not the one that stays', async () => {
  const one = await lead({ name: 'One', email: 'merge.one@example.com' })
  const two = await lead({ name: 'Two', email: 'merge.two@example.com' })
  const merge = (body: object, as?: string) => call('POST', 'leads/merge', body, as)
  assert.equal((await merge({ into: one['id'], others: [one['id']] })).json.code, 'validation_failed')
  assert.equal((await merge({ into: one['id'], others: [`lead:${two['id']}`] })).json.code, 'validation_failed')
  assert.equal((await merge({ into: one['id'], others: [9_000_000] })).json.code, 'not_found')
  const take = { name: 9_000_000 }
  assert.equal((await merge({ into: one['id'], others: [two['id']], take })).json.details[0].field, 'take.name')
  assert.equal((await merge({ into: one['id'], others: [two['id']] }, t.other.tokens.Admin)).json.code, 'not_found')
  const refused = await merge({ into: one['id'], others: [two['id']] }, t.main.tokens['Sales Executive'])
  assert.equal(refused.json.code, 'insufficient_role')
  assert.deepEqual([(await read(one['id']))['version'], (await read(two['id']))['version']], [1, 1])
})

test('leads that stand elsewhere are merged: the status with its reason, and the contact of who is converted', async () => {
  const given = async (name: string, ...bodies: object[]) => {
    const { id } = await lead({ name, email: `${name.toLowerCase()}.stands@example.com` })
    for (const body of bodies) await ok('PATCH', `leads/${id}`, body)
    return id as number
  }
  const unqualified = { status: 'Unqualified', lost_reason: 'No budget.' }
  const merge = async (into: number, others: number[], take = {}) => {
    const { status, lost_reason, contact_id } = (await ok('POST', 'leads/merge', { into, others, take }))['lead']
    return { status, lost_reason, contact_id }
  }
  const [open, junk] = [await given('Open'), await given('Junk', { status: 'Junk', lost_reason: 'Spam.' })]
  const lost = await given('Lost', unqualified)
  const refused = await call('POST', 'leads/merge', { into: lost, others: [open], take: { lost_reason: open } })
  assert.deepEqual([refused.status, refused.json.details[0].field], [400, 'take.lost_reason'])
  const none = { lost_reason: null, contact_id: null }
  assert.deepEqual(await merge(open, [junk]), { status: 'New', ...none })
  const taken = { status: 'Unqualified', lost_reason: 'No budget.', contact_id: null }
  assert.deepEqual(await merge(open, [lost], { status: lost }), taken)
  const won = await given('Won', { status: 'Qualified' })
  const contact_id = (await ok('POST', `leads/${won}/convert`, {}))['contact'].id
  assert.deepEqual(await merge(open, [won]), { status: 'Converted', lost_reason: null, contact_id })
  assert.ok((await read(open))['converted_at'])
  assert.deepEqual(
    (await events(open)).map(({ type, data }) => [type, data['previousStatus']]),
    [
      ['lead.created', undefined],
      ['lead.merged', undefined],
      ['lead.merged', undefined],
      ['lead.status_changed', 'New'],
      ['lead.merged', undefined],
      ['lead.status_changed', 'Unqualified'],
    ],
  )
})

test('many are changed by their numbers; those that cannot be are named with their reason', async () => {
  const made: number[] = []
  for (const status of ['New', 'Contacted', 'Qualified', 'Junk']) {
    const { id } = await lead({ name: `Bulk ${status}`, email: `bulk.${status}@example.com` })
    if (status !== 'New') await ok('PATCH', `leads/${id}`, { status })
    made.push(id as number)
  }
  const [first] = made as [number]
  const missing = 9_000_000
  const ids = [...made, missing]
  const moved = await ok('POST', 'leads/bulk', { ids, set: { status: 'Nurturing' } })
  assert.deepEqual([moved['state'], moved['total'], moved['changed'], moved['unchanged']], ['completed', 5, 3, 0])
  assert.deepEqual(
    moved['failed'].map(({ id, code }: Json) => [id, code]),
    [
      [made[3], 'invalid_transition'],
      [missing, 'not_found'],
    ],
  )
  assert.match(moved['failed'][0].message, /New/)
  const statuses = async () => Promise.all(made.map(async id => (await read(id))['status']))
  assert.deepEqual(await statuses(), ['Nurturing', 'Nurturing', 'Nurturing', 'Junk'])
  const [change] = await history(first)
  assert.deepEqual([change!['source'], change!['batch_id']], ['bulk', moved['batch_id']])
  assert.deepEqual((await events(first)).map(({ type }) => type).slice(1), ['lead.status_changed'])
  assert.equal((await events(first))[1]!.data['previousStatus'], 'New')
  // The same again changes nothing, but for the one that cannot be.
  const again = await ok('POST', 'leads/bulk', { ids: made, set: { status: 'Nurturing' } })
  assert.deepEqual([again['changed'], again['unchanged'], again['failed'].length], [0, 3, 1])
  // Taken back, all stand where they stood.
  await ok('POST', `batches/${moved['batch_id']}/revert`)
  await workOnRecords(t)
  const [after] = await history(first)
  assert.equal(after!['source'], 'revert')
  assert.deepEqual(await statuses(), ['New', 'Contacted', 'Qualified', 'Junk'])
  assert.deepEqual((await events(first)).map(({ type, data }) => [type, data['previousStatus']]).slice(2), [
    ['lead.updated', undefined],
    ['lead.status_changed', 'Nurturing'],
  ])
  // Converted is reached by converting alone, no matter who asks.
  const converted = await ok('POST', 'leads/bulk', { ids: made, set: { status: 'Converted' } })
  assert.deepEqual([converted['changed'], converted['failed'].length], [0, 4])
  const named = await call('POST', 'leads/bulk', { ids: [`lead:${made[0]}`], action: 'delete' })
  assert.equal(named.json.code, 'validation_failed')
})

test('many are changed that a filter finds, when they are as many as one expects', async () => {
  for (let n = 0; n < 3; n++) await lead({ name: `Found ${n}`, email: `found${n}@example.com`, source: 'bulk filter' })
  const filter = { source: 'bulk filter' }
  const wrong = await call('POST', 'leads/bulk', { filter, expect: 2, set: { priority: 'cold' } })
  assert.equal(wrong.json.code, 'count_mismatch')
  const set = await ok('POST', 'leads/bulk', { filter, expect: 3, set: { priority: 'cold' } })
  assert.equal(set['changed'], 3)
  const found = (await ok('GET', 'leads?source=bulk filter'))['leads']
  assert.deepEqual(
    found.map(({ priority }: Json) => priority),
    ['Cold', 'Cold', 'Cold'],
  )
  const batch = (await ok('GET', `leads?batch_id=${set['batch_id']}`))['leads']
  assert.deepEqual(
    batch.map(({ id }: Json) => id),
    found.map(({ id }: Json) => id),
  )
  const seller = t.main.tokens['Sales Executive']
  const taken = await ok('POST', 'leads/bulk', { filter, expect: 3, set: { notes: 'mine?' } }, seller)
  assert.deepEqual(
    taken['failed'].map(({ code }: Json) => code),
    Array(3).fill('insufficient_role'),
  )
  const trash = { ...filter, deleted: true }
  assert.equal((await ok('POST', 'leads/bulk', { filter, expect: 3, action: 'delete' }))['changed'], 3)
  assert.equal((await ok('POST', 'leads/bulk', { filter: trash, expect: 3, action: 'restore' }))['changed'], 3)
  assert.equal((await ok('GET', 'leads?source=bulk filter'))['pagination'].totalCount, 3)
})

test('more than a thousand are changed in the background, each once', async () => {
  const many = 1_100
  await t.ownerSql(
    `insert into leads (tenant_id, id, name, email, priority, status, source, created_at, updated_at, version, find)
     select $1, nextval('leads_id_seq'), 'Many ' || n, 'many' || n || '@example.com', 'Warm', 'New', 'many', now(), now(), 1, ''
     from generate_series(1, ${many}) n`,
    [t.main.liveTenantId],
  )
  const begun = await ok('POST', 'leads/bulk', { filter: { source: 'many' }, expect: many, set: { status: 'Junk' } })
  assert.deepEqual([begun['state'], begun['total']], ['running', many])
  await workOnRecords(t)
  const { batch } = await ok('GET', `batches/${begun['batch_id']}`)
  assert.deepEqual([batch.state, batch.changed, batch.failed], ['completed', many, 0])
  const [{ n, versions }] = (await t.sql<{ n: number; versions: number }>(
    "select count(*)::int as n, max(version) as versions from leads where source = 'many' and status = 'Junk'",
  )) as [{ n: number; versions: number }]
  assert.deepEqual([n, versions], [many, 2])
  assert.equal((await ok('GET', 'leads?source=many&status=Junk'))['pagination'].totalCount, many)
  await ok('POST', `batches/${begun['batch_id']}/revert`)
  await workOnRecords(t)
  assert.equal((await ok('GET', 'leads?source=many&status=New'))['pagination'].totalCount, many)
})
