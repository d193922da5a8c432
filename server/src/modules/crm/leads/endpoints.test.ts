// Leads over HTTP: what is created is what was asked, moves and changes keep the rules, roles reach only their rows, and
// nobody reaches another tenant's.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Role, roles } from '../../../kernel/values/permission.ts'
import { leadPriorities, leadStatuses } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v1/api/leads'
const admin = () => t.main.tokens.Admin
const seller = () => t.main.tokens['Sales Executive']
const sellerId = () => t.main.users['Sales Executive'].id
let made = 0

function body(more: object = {}) {
  made++
  return { name: `Lead ${made}`, email: `lead${made}@example.com`, ...more }
}

const create = (more: object = {}, as = admin()) => t.call('POST', path, { as, body: body(more) })
const get = (id: number, as = admin()) => t.call('GET', `${path}/${id}`, { as })
const patch = (id: number, change: object, as = admin(), headers = {}) =>
  t.call('PATCH', `${path}/${id}`, { as, body: change, headers })

async function newId(more: object = {}, as = admin()): Promise<number> {
  const { status, json, text } = await create(more, as)
  assert.equal(status, 201, text)
  return json.lead.id
}

function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.json.success, false)
  assert.equal(answer.json.code, code, answer.text)
}

const fields = (answer: Answer) => answer.json.details?.map((fault: { field: string }) => fault.field)

type Fault = { field: string; code: string }
type Change = { at: string; version: number; user_id: number; fields: { field: string; from: string; to: string }[] }
type EventRow = { type: string; sequence: number; data: Record<string, unknown> }
const eventsOf = (id: number) =>
  t.ownerSql<EventRow>('select type, sequence, data from event_log where resource_id = $1 order by sequence', [
    String(id),
  ])

test('a created lead has the fields of the contract, with null for what is absent, and is read back the same', async () => {
  const sent = {
    name: ' Ada Lovelace ',
    phone: '+1 415-555-0132',
    priority: 'HOT',
    company: 'Engines',
    source: 'web',
    notes: 'x',
  }
  const answer = await t.call('POST', path, { as: admin(), body: sent })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['etag'], '"1"')
  const { lead, ...rest } = answer.json
  assert.deepEqual(rest, { success: true, duplicates: [] })
  const { id, created_at, updated_at, ...fixed } = lead
  assert.ok(Number.isInteger(id))
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(fixed, {
    tenant_id: t.main.liveTenantId,
    name: 'Ada Lovelace',
    email: null,
    phone: '+14155550132',
    company: 'Engines',
    priority: 'Hot',
    status: 'New',
    owner_id: null,
    source: 'web',
    notes: 'x',
    lost_reason: null,
    first_responded_at: null,
    company_id: null,
    contact_id: null,
    converted_at: null,
    version: 1,
  })
  const read = await get(id)
  assert.deepEqual(read.json, { success: true, lead })
  assert.equal(read.headers['etag'], '"1"')
})

test('creation takes name and one of e-mail and phone, and reports all faults at once', async () => {
  refused(await t.call('POST', path, { as: admin(), body: { name: 'Ada' } }), 400, 'validation_failed')
  assert.equal((await create({ email: null, phone: '+14155550132' })).status, 201)
  assert.equal((await create({ status: 'New' })).status, 201)
  const wrong = await t.call('POST', path, {
    as: admin(),
    body: { name: ' ', email: 'no', phone: 'none', priority: 'Boiling', status: 'Contacted', owner_id: '7', extra: 1 },
  })
  refused(wrong, 400, 'validation_failed')
  assert.deepEqual(fields(wrong).sort(), ['email', 'extra', 'name', 'owner_id', 'phone', 'priority', 'status'])
  assert.match(wrong.text, /Hot, Warm, Cold/)
  const unreachable = await t.call('POST', path, { as: admin(), body: { email: ' ', phone: null, status: 'Junk' } })
  assert.deepEqual(fields(unreachable).sort(), ['email', 'name', 'status'])
  for (const more of [
    { email: `${'a'.repeat(250)}@b.example` },
    { name: 'n'.repeat(201) },
    { notes: 7 },
    { company: 'c'.repeat(201) },
  ]) {
    refused(await create(more), 400, 'validation_failed')
  }
})

test('a phone in any usual spelling becomes E.164; without a default country a national one is refused with the remedy', async () => {
  for (const phone of [
    '+1 (415) 555-0132',
    '415.555.0132',
    '(415) 555 0132',
    '001 415 555 0132',
    'tel:+1-415-555-0132',
  ]) {
    assert.equal((await create({ phone })).json.lead?.phone, '+14155550132', phone)
  }
  assert.equal((await create({ phone: '+49 (0)30 1234567' })).json.lead.phone, '+49301234567')
  refused(await create({ phone: '12345' }), 400, 'validation_failed')
  const settings = (defaultCountry: string | null) =>
    t.call('PATCH', '/v2/organization', { as: t.other.tokens.Admin, body: { defaultCountry } })
  assert.equal((await settings(null)).status, 200)
  const national = await create({ phone: '030 1234567' }, t.other.tokens.Admin)
  refused(national, 400, 'validation_failed')
  assert.deepEqual(fields(national), ['phone'])
  assert.match(national.json.message, /send it with \+.*default country/)
  assert.equal((await settings('DE')).status, 200)
  assert.equal((await create({ phone: '030 1234567' }, t.other.tokens.Admin)).json.lead.phone, '+49301234567')
})

test('NUL characters are refused everywhere, other odd text is kept', async () => {
  refused(await create({ notes: 'a\0b' }), 400, 'validation_failed')
  refused(await t.call('GET', `${path}?q=ab%00`, { as: admin() }), 400, 'validation_failed')
  refused(await patch(await newId(), { company: '\0' }), 400, 'validation_failed')
  const name = `"\\\u0001\u2028é😀' <b> %_ ${'\ud83d\ude00'}`
  const { id } = (await create({ name })).json.lead
  assert.equal((await get(id)).json.lead.name, name)
  refused(await create({ name: 'lone \ud800' }), 400, 'validation_failed')
})

test('the check constraints of the table are the lists of the rules', async () => {
  const rows = await t.ownerSql<{ name: string; text: string }>(
    "select conname as name, pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'leads'::regclass",
  )
  const words = (name: string) => {
    const found = rows.find(row => row.name === name)
    return [...(found?.text ?? '').matchAll(/'(\w+)'/g)].map(match => match[1])
  }
  assert.deepEqual(words('leads_status_check'), [...leadStatuses])
  assert.deepEqual(words('leads_priority_check'), [...leadPriorities])
})

test('a move is kept with who and when, and emitted with the status before', async () => {
  const id = await newId()
  t.clock.advance(5_000)
  const moved = await patch(id, { status: 'Contacted', notes: 'Called.' }, t.main.tokens['Sales Manager'])
  assert.equal(moved.status, 200, moved.text)
  assert.equal(moved.headers['etag'], '"2"')
  const { lead } = moved.json
  assert.equal(lead.status, 'Contacted')
  assert.equal(lead.first_responded_at, lead.updated_at)
  t.clock.advance(3_000)
  const lost = (await patch(id, { status: 'Unqualified', lost_reason: 'no budget' })).json.lead
  assert.deepEqual([lost.lost_reason, lost.first_responded_at], ['no budget', lead.first_responded_at])
  const history = await t.call('GET', `${path}/${id}/history`, { as: admin() })
  const { users } = t.main
  assert.deepEqual(
    history.json.changes.map(({ at, version, user_id, fields: changed }: Change) => [
      ...[version, user_id, at],
      changed.filter(({ field }) => field === 'status').map(({ from, to }) => `${from} ${to}`),
    ]),
    [
      [3, users.Admin.id, lost.updated_at, ['Contacted Unqualified']],
      [2, users['Sales Manager'].id, lead.updated_at, ['New Contacted']],
      [1, users.Admin.id, lead.created_at, []],
    ],
  )
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(event => [event.type, event.data['previousStatus'], event.data['status'], event.data['version']]),
    [
      ['lead.created', undefined, 'New', 1],
      ['lead.status_changed', 'New', 'Contacted', 2],
      ['lead.updated', undefined, 'Contacted', 2],
      ['lead.status_changed', 'Contacted', 'Unqualified', 3],
    ],
  )
  const sequences = events.map(event => event.sequence)
  assert.deepEqual(
    sequences,
    [...new Set(sequences)].sort((a, b) => a - b),
  )
  assert.deepEqual(events[3]?.data, { ...lost, previousStatus: 'Contacted' })
})

test('moves the table lacks are refused with those it has, and nothing is changed', async () => {
  const id = await newId()
  const refusal = await patch(id, { status: 'Converted', notes: 'x' })
  refused(refusal, 409, 'invalid_transition')
  assert.match(refusal.json.message, /by converting it.*Contacted or Nurturing or Qualified or Unqualified or Junk/)
  assert.match(refusal.json.details[0].message, /Contacted, Nurturing, Qualified, Unqualified, Junk/)
  refused(await patch(id, { status: 'Lost' }), 400, 'validation_failed')
  const missing = await patch(id, { status: 'Unqualified' })
  refused(missing, 400, 'validation_failed')
  assert.deepEqual(fields(missing), ['lost_reason'])
  assert.equal((await get(id)).json.lead.version, 1)
  assert.equal((await eventsOf(id)).length, 1)
})

test('a change touches what is sent, null empties, and a lead stays reachable', async () => {
  const id = await newId({ phone: '+14155550132', company: 'Engines' })
  const { lead } = (await patch(id, { company: null, phone: '415 555 0199', priority: 'cold' })).json
  assert.deepEqual([lead.company, lead.phone, lead.priority, lead.version], [null, '+14155550199', 'Cold', 2])
  const same = await patch(id, { phone: '+14155550199', priority: 'COLD' })
  assert.deepEqual([same.json.lead.version, same.headers['etag']], [2, '"2"'])
  assert.equal((await patch(id, { email: null })).json.lead.email, null)
  refused(await patch(id, { phone: null }), 400, 'validation_failed')
  refused(await patch(id, { phone: ' ' }), 400, 'validation_failed')
  for (const wrong of [{}, { name: null }, { name: ' ' }, { id: 4 }, { tenant_id: 1 }, { created_at: 'now' }]) {
    refused(await patch(id, wrong), 400, 'validation_failed')
  }
  assert.deepEqual(
    (await eventsOf(id)).map(event => event.type),
    ['lead.created', 'lead.updated', 'lead.updated'],
  )
})

test('If-Match lets a change through at its version only', async () => {
  const id = await newId()
  const etag = (version: number) => ({ 'if-match': `"${version}"` })
  refused(await patch(id, { notes: 'a' }, admin(), etag(2)), 412, 'version_mismatch')
  assert.equal((await patch(id, { notes: 'a' }, admin(), etag(1))).status, 200)
  refused(await patch(id, { notes: 'b' }, admin(), etag(1)), 412, 'version_mismatch')
  refused(await t.call('DELETE', `${path}/${id}`, { as: admin(), headers: etag(1) }), 412, 'version_mismatch')
  assert.equal((await t.call('DELETE', `${path}/${id}`, { as: admin(), headers: etag(2) })).status, 200)
  refused(await t.call('POST', `${path}/${id}/restore`, { as: admin(), headers: etag(2) }), 412, 'version_mismatch')
  // Of many who change the same version, one does.
  const other = await newId()
  const raced = await Promise.all(
    Array.from({ length: 10 }, (_, n) => patch(other, { notes: `${n}` }, admin(), etag(1))),
  )
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)])
})

test('an owner is an active user of the organization', async () => {
  const id = await newId()
  assert.equal((await patch(id, { owner_id: sellerId() })).json.lead.owner_id, sellerId())
  assert.equal((await patch(id, { owner_id: null })).json.lead.owner_id, null)
  const unknown = (answer: Answer) => {
    refused(answer, 400, 'validation_failed')
    assert.deepEqual(
      answer.json.details.map(({ field, code }: Fault) => [field, code]),
      [['owner_id', 'not_found']],
    )
  }
  const foreign = t.other.users.Admin.id
  for (const owner_id of [foreign, 999_999]) {
    unknown(await patch(id, { owner_id }))
    unknown(await create({ owner_id }))
  }
  const user = { email: 'leaver@example.com', name: 'Leaver', role: 'Sales Executive' }
  const leaver = (await t.call('POST', '/v1/api/users', { as: admin(), body: user })).json.user.id
  const owned = (await create({ owner_id: leaver })).json.lead
  assert.equal(owned.owner_id, leaver)
  await t.call('PATCH', `/v1/api/users/${leaver}`, { as: admin(), body: { disabled: true } })
  unknown(await create({ owner_id: leaver }))
  unknown(await patch(id, { owner_id: leaver }))
  // Who left owns what they had, and a change that says so again is not about them.
  const again = await patch(owned.id, { owner_id: leaver, notes: 'as it was' })
  assert.deepEqual([again.status, again.json.lead?.owner_id], [200, leaver], again.text)
})

test('each role does what it may, on the rows it may', async () => {
  const manager = t.main.users['Sales Manager'].id
  // What a role gets on a lead of its own, of nobody, and of somebody else: read, change, take, delete.
  const expected: Record<Role, Record<'own' | 'nobodys' | 'others', string>> = {
    Admin: { own: '200 200 200 200', nobodys: '200 200 200 200', others: '200 200 200 200' },
    'Sales Manager': { own: '200 200 200 200', nobodys: '200 200 200 200', others: '200 200 200 200' },
    'Sales Executive': { own: '200 200 200 403', nobodys: '200 403 200 403', others: '404 404 404 403' },
    'Finance Manager': { own: '403 403 403 403', nobodys: '403 403 403 403', others: '403 403 403 403' },
  }
  for (const role of roles) {
    const me = t.main.users[role].id
    const as = t.main.tokens[role]
    assert.equal((await create({}, as)).status, role === 'Finance Manager' ? 403 : 201)
    const others = role === 'Sales Manager' ? t.main.users.Admin.id : manager
    for (const [whose, owner_id] of [
      ['own', me],
      ['nobodys', null],
      ['others', others],
    ] as const) {
      const id = await newId()
      // Also one that got another role since.
      await t.ownerSql('update leads set owner_id = $1 where id = $2', [owner_id, id])
      const statuses = [
        (await get(id, as)).status,
        (await patch(id, { notes: 'changed' }, as)).status,
        (await patch(id, { owner_id: me }, as)).status,
        (await t.call('DELETE', `${path}/${id}`, { as })).status,
      ]
      assert.equal(statuses.join(' '), expected[role][whose], `${role}, ${whose}`)
    }
  }
})

test('what a Sales Executive may not do is said in words', async () => {
  assert.equal((await create({}, seller())).json.lead.owner_id, sellerId())
  refused(await create({ owner_id: t.main.users.Admin.id }, seller()), 403, 'insufficient_role')
  const free = await newId()
  const untaken = await patch(free, { notes: 'mine?' }, seller())
  refused(untaken, 403, 'insufficient_role')
  assert.ok(untaken.json.message.includes(`owner_id ${sellerId()}`))
  assert.equal(
    (await patch(free, { owner_id: sellerId(), status: 'Contacted' }, seller())).json.lead.status,
    'Contacted',
  )
  refused(await patch(free, { owner_id: null }, seller()), 403, 'insufficient_role')
  await patch(free, { status: 'Junk' }, seller())
  refused(await patch(free, { status: 'New' }, seller()), 403, 'insufficient_role')
  // A lead that was taken away is as if it were not there.
  await patch(free, { owner_id: t.main.users.Admin.id })
  assert.deepEqual((await get(free, seller())).json.code, 'not_found')
})

test('a deleted lead is gone until it is restored as it was', async () => {
  const id = await newId({ company: 'Engines' })
  await patch(id, { status: 'Qualified' })
  const deleted = await t.call('DELETE', `${path}/${id}`, { as: t.main.tokens['Sales Manager'] })
  assert.deepEqual([deleted.status, deleted.json.lead.version], [200, 3])
  assert.match(deleted.json.lead.deleted_at, /Z$/)
  refused(await get(id), 404, 'not_found')
  refused(await patch(id, { notes: 'x' }), 404, 'not_found')
  refused(await t.call('DELETE', `${path}/${id}`, { as: admin() }), 404, 'not_found')
  const restore = (as = admin()) => t.call('POST', `${path}/${id}/restore`, { as })
  refused(await restore(seller()), 403, 'insufficient_role')
  const { lead } = (await restore()).json
  assert.deepEqual([lead.status, lead.company, lead.version, lead.deleted_at], ['Qualified', 'Engines', 4, undefined])
  assert.equal((await restore()).json.lead.version, 4)
  assert.deepEqual((await get(id)).json.lead, lead)
  assert.deepEqual((await eventsOf(id)).map(event => event.type).slice(2), ['lead.deleted', 'lead.restored'])
})

test('a lead of another tenant is not there, by any method, in the same bytes as one that never was', async () => {
  const id = await newId()
  const strangers = [t.other.tokens.Admin, t.main.testKey]
  const missing = id + 5_000_000
  const bytes = (answer: Answer) => `${answer.status} ${answer.text.replace(/req_\w+/, '')}`
  for (const as of strangers) {
    for (const [method, suffix, sent] of [
      ['GET', '', undefined],
      ['PATCH', '', { notes: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/restore', undefined],
    ] as const) {
      const foreign = await t.call(method, `${path}/${id}${suffix}`, { as, body: sent })
      refused(foreign, 404, 'not_found')
      assert.equal(bytes(foreign), bytes(await t.call(method, `${path}/${missing}${suffix}`, { as, body: sent })))
    }
    const { leads } = (await t.call('GET', `${path}?limit=200`, { as })).json
    assert.ok(leads.every((lead: { tenant_id: number }) => lead.tenant_id !== t.main.liveTenantId))
  }
  for (const bad of ['0', '-1', '1.5', 'x', '9007199254740993', '1e9']) {
    refused(await t.call('GET', `${path}/${bad}`, { as: admin() }), 404, 'not_found')
  }
})

test('an API key with a scope does what the scope says and no more', async () => {
  const key = { name: 'reader', mode: 'live', scopes: ['leads:read'] }
  const secret = (await t.call('POST', '/v2/auth/api-keys', { as: admin(), body: key })).json.data.secret
  assert.equal((await get(await newId(), secret)).status, 200)
  refused(await create({}, secret), 403, 'insufficient_scope')
  refused(await t.call('GET', `${path}?deleted=true`, { as: secret }), 403, 'insufficient_scope')
  refused(await t.call('GET', `${path}?deleted=true`, { as: seller() }), 403, 'insufficient_role')
})

test('a lead goes to nobody who may not read leads, when it is made or changed', async () => {
  const owner_id = t.main.users['Finance Manager'].id
  const id = await newId()
  for (const answer of [await create({ owner_id }), await patch(id, { owner_id })]) {
    refused(answer, 400, 'validation_failed')
    assert.deepEqual(
      answer.json.details.map(({ field, code }: Fault) => [field, code]),
      [['owner_id', 'not_allowed']],
    )
    assert.match(answer.json.message, /Finance Manager, who may not read leads/)
  }
  assert.equal((await patch(id, { owner_id: t.main.users['Sales Executive'].id })).status, 200)
})
