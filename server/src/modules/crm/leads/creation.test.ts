// Creation under concurrency: duplicates are reported or refused, a repeated request creates nothing twice and gets the same
// bytes, and requests that share a commit share nothing else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, type CallOptions, startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Db } from '../../../kernel/data/db.ts'
import { decideCreation } from '../../../kernel/noun/decide.ts'
import { numbered } from '../../../kernel/noun/new_ids.ts'
import { columnsOf } from '../../../kernel/noun/records.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { creationOf, leadWriter, openAnswer } from './creation_store.ts'
import { findLeadsByPhone } from './index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v1/api/leads'
const create = (body: object, options: CallOptions = {}) =>
  t.call('POST', path, { as: t.main.tokens.Admin, body, ...options })
const inMode = (mode: string) => ({ headers: { 'x-duplicate-mode': mode } })
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const duplicatesOf = (answer: Answer) =>
  answer.json.duplicates.map((found: { title: string; matched_by: string }) => `${found.title} ${found.matched_by}`)
const countRows = async (name: string) =>
  (await t.ownerSql<{ n: number }>('select count(*) as n from leads where name = $1', [name]))[0]?.n
const byStatus = (answers: Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('a lead with the same e-mail, in any letter case, or phone is reported; e-mail goes before phone', async () => {
  const first = await create({ name: 'First', email: 'Same@Example.com', phone: '+14155550001' })
  await create({ name: 'Second', phone: '(415) 555-0001' })
  const third = await create({ name: 'Third', email: 'same@EXAMPLE.com', phone: '+14155550001' })
  assert.deepEqual(duplicatesOf(third), ['First email', 'Second phone'])
  assert.equal(third.json.duplicates[0].id, first.json.lead.id)
  assert.deepEqual(duplicatesOf(await create({ name: 'Fourth', email: 'other@example.com' })), [])
  // Not those of other tenants, and not those in the trash.
  for (const as of [t.main.testKey, t.other.tokens.Admin]) {
    assert.deepEqual(duplicatesOf(await create({ name: 'x', email: 'same@example.com' }, { as })), [])
  }
  await t.call('DELETE', `${path}/${first.json.lead.id}`, { as: t.main.tokens.Admin })
  assert.deepEqual(duplicatesOf(await create({ name: 'Fifth', email: 'same@example.com' })), ['Third email'])
})

test('an e-mail may have blanks around it and letters of any script, and is one in all its normal forms', async () => {
  const spaced = await create({ name: 'Spaced', email: '  spaced@example.com\n' })
  assert.equal(spaced.json.lead?.email, 'spaced@example.com', spaced.text)
  const { json, text } = await create({ name: 'Иван', email: 'иван@почта.рф' })
  assert.equal(json.lead?.email, 'иван@почта.рф', text)
  const composed = await create({ name: 'Zoë', email: 'zoë@münchen.example' })
  const parted = await create({ name: 'Zoë', email: 'zoë@münchen.example'.normalize('NFD') })
  assert.deepEqual(
    parted.json.duplicates.map((duplicate: { id: number }) => duplicate.id),
    [composed.json.lead.id],
  )
  assert.equal((await create({ name: 'Blank', email: '   ' })).status, 400)
})

test('leads created at the same moment are duplicates of those that came before them', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => create({ name: `Twin ${n}`, email: 'twins@example.com' })),
  )
  assert.deepEqual(byStatus(answers), { 201: 30 })
  // All share one commit or follow one another: the n-th knows those before it, ten at most.
  const counts = answers.map(answer => duplicatesOf(answer).length).sort((a, b) => a - b)
  assert.ok(counts[0] === 0 && counts.at(-1) === 10, counts.join(' '))
  for (const { json } of answers) {
    assert.ok(
      json.duplicates.every((found: { id: number }) => found.id !== json.lead.id),
      'none is its own duplicate',
    )
  }
})

test('the mode is the header, else the setting: off looks for nothing, block refuses and names the leads', async () => {
  const { id } = (await create({ name: 'Blocker', email: 'block@example.com', phone: '+14155550002' })).json.lead
  assert.deepEqual((await create({ name: 'x', email: 'block@example.com' }, inMode('off'))).json.duplicates, [])
  const refused = await create({ name: 'x', phone: '+14155550002' }, inMode('block'))
  assert.deepEqual([refused.status, refused.json.code], [409, 'duplicate_record'])
  assert.deepEqual(refused.json.details, [
    { field: 'phone', code: 'duplicate', message: `is the phone of lead ${id} (Blocker)`, record_id: `lead:${id}` },
  ])
  assert.equal((await create({ name: 'Alone', email: 'alone@example.com' }, inMode('block'))).status, 201)
  assert.equal((await create({ name: 'x', email: 'x@example.com' }, inMode('perhaps'))).json.code, 'validation_failed')

  const as = t.other.tokens.Admin
  const settings = (duplicateMode: string) => t.call('PATCH', '/v2/organization', { as, body: { duplicateMode } })
  assert.equal((await settings('block')).status, 200)
  const lead = (name: string, email: string) => create({ name, email }, { as })
  assert.equal((await lead('One', 'one@example.com')).status, 201)
  assert.equal((await lead('One', 'ONE@example.com')).status, 409)
  const two = (await lead('Two', 'two@example.com')).json.lead.id
  const changed = (change: object, headers = {}) => t.call('PATCH', `${path}/${two}`, { as, body: change, headers })
  assert.equal((await changed({ email: 'One@example.com' })).json.code, 'duplicate_record')
  assert.equal((await changed({ email: 'TWO@example.com', notes: 'own e-mail' })).status, 200)
  // What it shares with another since before is not held against it.
  const phone = '+14155550003'
  assert.equal((await lead('Three', 'three@example.com')).status, 201)
  assert.equal((await changed({ phone })).status, 200)
  const shared = await create({ name: 'Shared', phone }, { as, ...inMode('warn') })
  const rename = { as, body: { email: 'shared@example.com' } }
  assert.equal((await t.call('PATCH', `${path}/${shared.json.lead.id}`, rename)).status, 200)
  assert.equal((await changed({ email: 'one@example.com' }, { 'x-duplicate-mode': 'warn' })).status, 200)
  await settings('warn')
})

test('what is sent empty is empty, in a creation and in a change', async () => {
  const made = (await create({ name: 'Empty', email: 'empty@example.com', company: '', source: ' ', notes: '' })).json
    .lead
  assert.deepEqual([made.company, made.source, made.notes], [null, null, null])
  const body = { company: 'Once', notes: 'Once.' }
  assert.equal(
    (await t.call('PATCH', `${path}/${made.id}`, { as: t.main.tokens.Admin, body })).json.lead.company,
    'Once',
  )
  const emptied = await t.call('PATCH', `${path}/${made.id}`, {
    as: t.main.tokens.Admin,
    body: { company: '', notes: '' },
  })
  assert.deepEqual([emptied.json.lead.company, emptied.json.lead.notes], [null, null])
  const nameless = await t.call('PATCH', `${path}/${made.id}`, { as: t.main.tokens.Admin, body: { name: '' } })
  assert.equal(nameless.json.code, 'validation_failed')
})

test('the function that creates leads in groups knows every column of a lead', () => {
  const { spec } = tableNamed('lead')
  const written =
    'tenant_id id name email phone company priority owner_id source notes company_id created_at updated_at'
  const never = 'status version lost_reason first_responded_at contact_id converted_at deleted_at merged_into'
  assert.deepEqual(columnsOf(spec, undefined).sort(), `${written} ${never}`.split(' ').sort(), 'as in create_leads')
})

test('a lead stays in the trash while another one has its e-mail, where duplicates are blocked', async () => {
  const email = 'once.only@example.com'
  const as = t.main.tokens.Admin
  const first = (await create({ name: 'First', email })).json.lead.id
  await t.call('DELETE', `${path}/${first}`, { as })
  const second = (await create({ name: 'Second', email })).json.lead.id
  const restore = () => t.call('POST', `${path}/${first}/restore`, { as, ...inMode('block') })
  const refused = await restore()
  assert.deepEqual([refused.status, refused.json.code], [409, 'duplicate_record'])
  await t.call('DELETE', `${path}/${second}`, { as })
  assert.equal((await restore()).status, 200)
  assert.equal((await restore()).status, 200, 'what is not in the trash is answered as it is')
})

test('anyone who may read some leads only is shown those, also by a repeat with the same Idempotency-Key', async () => {
  const as = t.main.tokens['Sales Executive']
  const contact = { email: 'kept@example.com', phone: '+14155550078' }
  const hidden = (await create({ name: 'Hidden', ...contact, owner_id: t.main.users['Sales Manager'].id })).json.lead
  const free = (await create({ name: 'Unassigned', phone: contact.phone })).json.lead
  assert.equal((await t.call('GET', `${path}/${hidden.id}`, { as })).status, 404)

  const headers = { 'idempotency-key': 'restricted' }
  const created = await create({ name: 'Mine', ...contact }, { as, headers })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(created.json.duplicates, [{ id: free.id, title: 'Unassigned', matched_by: 'phone' }])
  const repeat = await create({ name: 'Mine', ...contact }, { as, headers })
  assert.deepEqual([repeat.text, repeat.headers['idempotent-replayed']], [created.text, 'true'])

  const blocked = await create({ name: 'x', email: contact.email }, { as, ...inMode('block') })
  assert.equal(blocked.json.code, 'duplicate_record')
  assert.ok(!blocked.text.includes('Hidden'), blocked.text)
  assert.match(blocked.json.message, /Ask a Sales Manager or an Admin to assign it to you/)
  const own = created.json.lead.id
  assert.deepEqual(blocked.json.details, [
    { field: 'email', code: 'duplicate', message: 'is the email of a lead of somebody else' },
    { field: 'email', code: 'duplicate', message: `is the email of lead ${own} (Mine)`, record_id: `lead:${own}` },
  ])
})

test('of fifty who create the same lead at once in block mode, exactly one does', async () => {
  for (const contact of [{ email: 'race@example.com' }, { phone: '+14155550003' }]) {
    const name = `Race for ${Object.keys(contact)[0]}`
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ name, ...contact }, inMode('block'))))
    assert.deepEqual(byStatus(answers), { 201: 1, 409: 49 })
    assert.equal(await countRows(name), 1)
  }
  // Crosswise: each shares the e-mail of one and the phone of another, and nobody waits in a circle.
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      create(
        { name: 'Cross', email: `cross${n % 2}@example.com`, phone: `+1415555010${(n >> 1) % 2}` },
        inMode('block'),
      ),
    ),
  )
  const statuses = Object.keys(byStatus(answers))
  assert.deepEqual(statuses, ['201', '409'])
  const pairs = await t.ownerSql<{ email: string; phone: string }>(
    "select email, phone from leads where name = 'Cross'",
  )
  assert.equal(new Set(pairs.map(row => row.email)).size, pairs.length)
  assert.equal(new Set(pairs.map(row => row.phone)).size, pairs.length)
})

for (const mode of ['warn', 'off', 'block']) {
  test(`of twenty requests with one Idempotency-Key in ${mode} mode one creates, all get its bytes`, async () => {
    const body = { name: `Key ${mode}`, email: `key.${mode}@example.com` }
    const headers = { ...keyed(`twenty-${mode}`).headers, ...inMode(mode).headers }
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body, { headers })))
    assert.deepEqual(byStatus(answers), { 201: 20 })
    assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
    assert.equal(answers.filter(answer => answer.headers['idempotent-replayed'] === 'true').length, 19)
    assert.ok(answers.every(answer => answer.headers['etag'] === '"1"'))
    assert.equal(await countRows(body.name), 1)
    const events = await t.ownerSql("select from event_log where type = 'lead.created' and data ->> 'name' = $1", [
      body.name,
    ])
    assert.equal(events.length, 1)
    const other = await create({ ...body, notes: 'more' }, { headers })
    assert.deepEqual([other.status, other.json.code], [422, 'idempotency_mismatch'])
  })
}

test('property: a replay is the first answer byte for byte, whatever the names of the duplicates hold', async () => {
  let n = 0
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter(text => /\S/.test(text) && !text.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 3 }), async names => {
      const email = `replay${n++}@example.com`
      for (const each of names) assert.equal((await create({ name: each, email })).status, 201)
      const first = await create({ name: 'Last', email }, keyed(`replay-${n}`))
      assert.equal(first.json.duplicates.length, names.length)
      const again = await create({ name: 'Last', email }, keyed(`replay-${n}`))
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.text, first.text)
    }),
    { numRuns: 40 },
  )
})

test('an answer that the database could not complete is refused before anything is written', () => {
  assert.equal(
    openAnswer('{"success":true,"lead":{"id":1},"duplicates":[]}'),
    '{"success":true,"lead":{"id":1},"duplicates":[',
  )
  for (const text of [
    '{"duplicates":[],"lead":{"id":1}}',
    '{"lead":{"id":1},"duplicates":[],"meta":{}}',
    '{"lead":{}}',
  ])
    assert.throws(() => openAnswer(text), /must end with "duplicates":\[\]\}/, text)
})

test('a refusal is not kept under its Idempotency-Key', async () => {
  const body = { name: 'Later', email: 'later@example.com' }
  const wrong = await create({ ...body, owner_id: 999_999 }, keyed('later'))
  assert.deepEqual([wrong.json.code, wrong.json.details[0].field], ['validation_failed', 'owner_id'])
  const right = await create(body, keyed('later'))
  assert.deepEqual([right.status, right.headers['idempotent-replayed']], [201, undefined])
  await create({ name: 'x', email: 'taken@example.com' })
  const blocked = () =>
    create(
      { name: 'y', email: 'taken@example.com' },
      { headers: { ...keyed('y').headers, ...inMode('block').headers } },
    )
  assert.deepEqual([(await blocked()).status, (await blocked()).headers['idempotent-replayed']], [409, undefined])
})

test('requests in one commit fail and succeed each for itself, across tenants and owners', async () => {
  const seller = t.main.users['Sales Executive'].id
  const kinds = [
    { as: t.main.tokens.Admin, more: {}, status: 201, tenant: t.main.liveTenantId, owner: null },
    { as: t.main.tokens['Sales Executive'], more: {}, status: 201, tenant: t.main.liveTenantId, owner: seller },
    { as: t.main.tokens.Admin, more: { owner_id: seller }, status: 201, tenant: t.main.liveTenantId, owner: seller },
    { as: t.main.tokens.Admin, more: { owner_id: t.other.users.Admin.id }, status: 400 },
    { as: t.main.testKey, more: {}, status: 201, tenant: t.main.testTenantId, owner: null },
    { as: t.other.tokens.Admin, more: {}, status: 201, tenant: t.other.liveTenantId, owner: null },
  ]
  await Promise.all(
    Array.from({ length: 120 }, async (_, n) => {
      const kind = kinds[n % kinds.length] as (typeof kinds)[number]
      const body = { name: `Mixed ${n}`, email: `mixed${n}@example.com`, ...kind.more }
      const options = { as: kind.as, ...(n % 2 === 0 && keyed(`mixed-${n}`)) }
      const { status, json, text } = await create(body, options)
      assert.equal(status, kind.status, text)
      if (status !== 201) return
      const { lead } = json
      assert.deepEqual([lead.name, lead.tenant_id, lead.owner_id], [body.name, kind.tenant, kind.owner])
      const read = await t.call('GET', `${path}/${lead.id}`, { as: kind.as })
      assert.deepEqual(read.json.lead, lead)
    }),
  )
})

test('a poisonous item of a group fails alone', async () => {
  const { services } = t.app
  const principal = await services.authenticator.authenticate(t.main.liveKey, t.clock.now())
  const writer = leadWriter(services.db)
  const noun = tableNamed('lead')
  const item = async (more: object) => {
    const values = { name: 'Group', email: 'group@example.com', ...more }
    const ids = numbered(noun.spec, [await writer.nextId()])
    const { after: lead } = decideCreation(noun, principal, values, {}, t.clock.now(), { ids })
    return writer.create({ ...creationOf(lead, principal), warn: true })
  }
  const settled = await Promise.allSettled([item({}), item({ priority: 'Lukewarm' }), item({})])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(await countRows('Group'), 2)
})

test('ids are never given twice, however many ask at once', async () => {
  const writer = leadWriter(t.app.services.db)
  const ids = await Promise.all(Array.from({ length: 1_000 }, async () => writer.nextId()))
  assert.equal(new Set(ids).size, 1_000)
})

test('other modules find leads by number inside their tenant only', async () => {
  const phone = '+14155550077'
  const { id } = (await create({ name: 'Caller', phone })).json.lead
  await create({ name: 'Foreign caller', phone }, { as: t.other.tokens.Admin })
  const { db } = t.app.services
  const found = await db.inTenant({ organizationId: t.main.organizationId, tenantId: t.main.liveTenantId }, tx =>
    findLeadsByPhone(tx, { organizationId: t.main.organizationId, tenantId: t.main.liveTenantId }, phone),
  )
  assert.deepEqual(found, [id])
})

test('duplicates are found through their own indexes, also by plans made while the table was empty', async () => {
  const { db } = t.app.services
  await create({ name: 'Planned', email: 'planned@example.com', phone: '+14155550088' })
  // Statistics are kept back by each connection; the shared ones take turns.
  for (let n = 0; n < 8; n++) await db.call('flush', 'select pg_stat_force_next_flush()', [])
  const rows = await t.ownerSql<{ name: string; scans: number }>(
    "select indexrelname as name, idx_scan as scans from pg_stat_user_indexes where relname = 'leads'",
  )
  const scans = new Map(rows.map(({ name, scans }) => [name, scans]))
  for (const name of ['leads_email', 'leads_phone']) assert.ok((scans.get(name) ?? 0) > 0, name)
  for (const name of ['leads_created', 'leads_owner', 'leads_status', 'leads_priority', 'leads_find'])
    assert.equal(scans.get(name), 0, name)
})

/** A database door that keeps what it is asked to create until the test lets it answer. */
function heldDb() {
  const groups: number[] = []
  const answers: (() => void)[] = []
  const call = async (name: string, _text: string, [tenants]: unknown[]) => {
    if (name === 'next_lead_ids') return Array.from({ length: 256 }, (_, n) => ({ id: n + 1 }))
    const { length } = String(tenants).split(',')
    groups.push(length)
    await new Promise<void>(resolve => answers.push(resolve))
    return Array.from({ length }, () => ({ outcome: 'created', duplicates: '' }))
  }
  return { db: { call } as unknown as Db, groups, answer: () => answers.shift()?.() }
}

test('leads that come while a statement is under way share the next one, however slowly they come', async context => {
  // The clock stands still: whatever this machine does meanwhile, nobody has waited long enough to go alone.
  let nowMs = 1_000
  context.mock.method(performance, 'now', () => nowMs)
  const { db, groups, answer } = heldDb()
  const { create } = leadWriter(db)
  const principal = await t.app.services.authenticator.authenticate(t.main.liveKey, t.clock.now())
  const { after: lead } = decideCreation(tableNamed('lead'), principal, { name: 'x', email: 'x@example.com' }, {}, 0, {
    ids: numbered(tableNamed('lead').spec, [1]),
  })
  const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  const created = [create(creationOf(lead, principal)), create(creationOf(lead, principal))]
  await turn()
  for (let n = 0; n < 19; n++) {
    created.push(create(creationOf(lead, principal)))
    await turn()
  }
  assert.deepEqual(groups, [2])
  nowMs = 2_000
  answer()
  await created[0]
  await turn()
  assert.deepEqual(groups, [2, 19])
  answer()
  assert.equal((await Promise.all(created)).length, 21)
})

test('what no lead of a statement has travels as nothing', async () => {
  const sent: unknown[][] = []
  const call = async (_name: string, _text: string, values: unknown[]) => {
    sent.push(values)
    return [{ outcome: 'created', duplicates: '' }]
  }
  const principal = await t.app.services.authenticator.authenticate(t.main.liveKey, t.clock.now())
  const { after: lead } = decideCreation(tableNamed('lead'), principal, { name: 'x', email: 'x@example.com' }, {}, 0, {
    ids: numbered(tableNamed('lead').spec, [1]),
  })
  await leadWriter({ call } as unknown as Db).create(creationOf(lead, principal))
  assert.equal(sent[0]!.filter(value => value === null).length, 7)
  assert.ok(sent[0]!.every(value => !Array.isArray(value)))
})
