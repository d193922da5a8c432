// A lead becomes a contact, and the company that it speaks for a company: in one transaction, once, and into what is there already.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/record_races.ts'
import { purgeTrash } from '../../records/trash/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object, as = t.main.tokens.Admin, headers = {}) =>
  t.call(method, `/v1/api/${path}`, { as, headers, ...(body && { body }) })
async function lead(body: object, as?: string) {
  const { status, json, text } = await call('POST', 'leads', body, as)
  assert.equal(status, 201, text)
  return json.lead
}
async function converted(id: number, body: object = { qualify: true }, as?: string) {
  const { status, json, text } = await call('POST', `leads/${id}/convert`, body, as)
  assert.equal(status, 200, text)
  return json
}
const count = async (table: string) =>
  Number((await t.ownerSql<{ count: string }>(`select count(*) from ${table}`))[0]!.count)

test('a lead becomes a contact with its company; asked again, the answer is the same and nothing is made twice', async () => {
  const made = await lead({
    name: 'Ada Lovelace',
    email: 'Ada@example.com',
    phone: '+15550100001',
    company: 'Analytical Engines',
    source: 'fair',
    notes: 'Wants two.',
    owner_id: t.main.users['Sales Manager'].id,
  })
  const first = await converted(made.id)
  assert.deepEqual([first.lead.status, first.lead.version], ['Converted', 3])
  assert.deepEqual([first.company.title, first.company.created], ['Analytical Engines', true])
  assert.deepEqual([first.lead.company_id, first.lead.contact_id], [first.company.id, first.contact.id])
  assert.ok(first.lead.converted_at)
  const { json } = await call('GET', `contacts/${first.contact.id}`)
  const { name, emails, phones, companies, owner_id, source, notes } = json.contact
  assert.deepEqual(
    { name, emails: emails[0].value, phones: phones[0].value, companies, owner_id, source, notes },
    {
      name: 'Ada Lovelace',
      emails: 'Ada@example.com',
      phones: '+15550100001',
      companies: [{ value: first.company.id, label: null, is_primary: true }],
      owner_id: t.main.users['Sales Manager'].id,
      source: 'fair',
      notes: 'Wants two.',
    },
  )
  const [contacts, companyCount] = [await count('contacts'), await count('companies')]
  const again = await converted(made.id)
  assert.deepEqual([again.company.id, again.contact.id], [first.company.id, first.contact.id])
  assert.deepEqual([await count('contacts'), await count('companies')], [contacts, companyCount])
  const events = await t.ownerSql<{ type: string }>(
    'select type from event_log where resource_id = $1 order by sequence',
    [String(made.id)],
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['lead.created', 'lead.status_changed', 'lead.status_changed', 'lead.converted'],
  )
  const leads = await call('GET', `leads?company_id=${first.company.id}`)
  assert.deepEqual([leads.json.leads.length, leads.json.pagination.totalCount], [1, 1])
})

test('a dry run says what would come of it, and changes nothing', async () => {
  const made = await lead({ name: 'Dry Run', email: 'dry@example.com', company: 'Dry Works' })
  const before = [await count('contacts'), await count('companies'), await count('events')]
  const { lead: same, company, contact } = await converted(made.id, { qualify: true, dry_run: true })
  assert.deepEqual(
    [same.status, company, contact.id, contact.created],
    ['New', { id: null, title: 'Dry Works', created: true }, null, true],
  )
  assert.deepEqual([await count('contacts'), await count('companies'), await count('events')], before)
})

test('what is there is used: the company of that name, the contact of that e-mail, whose empty fields are filled', async () => {
  const company = (await call('POST', 'companies', { name: 'Known Works' })).json.company
  const contact = (
    await call('POST', 'contacts', {
      name: 'K. Nown',
      emails: [{ value: 'KNOWN@example.com', label: 'work' }],
      source: 'web',
    })
  ).json.contact
  const made = await lead({
    name: 'Known',
    email: 'known@example.com',
    phone: '+15550100055',
    company: 'known works',
    source: 'fair',
  })
  const found = await converted(made.id)
  assert.deepEqual([found.company.id, found.company.created], [company.id, false])
  assert.deepEqual([found.contact.id, found.contact.created], [contact.id, false])
  const { json } = await call('GET', `contacts/${contact.id}`)
  const { name, emails, phones, companies, source } = json.contact
  assert.deepEqual([name, source, emails.length, phones[0].value], ['K. Nown', 'web', 1, '+15550100055'])
  assert.deepEqual(companies, [{ value: company.id, label: null, is_primary: true }])
})

test('only a Qualified lead is converted unless the caller qualifies it, and one that is given up is reopened first', async () => {
  const made = await lead({ name: 'Early', email: 'early@example.com' })
  const early = await call('POST', `leads/${made.id}/convert`, {})
  assert.equal(early.json.code, 'invalid_transition')
  assert.match(early.json.message, /qualify: true/)
  await call('PATCH', `leads/${made.id}`, { status: 'Junk' })
  const junk = await call('POST', `leads/${made.id}/convert`, { qualify: true })
  assert.match(junk.json.message, /Reopen it first/)
})

test('who may not create contacts names one that is there; a stale version is refused', async () => {
  const made = await lead({ name: 'Scoped', email: 'scoped@example.com' })
  const scopes = ['leads:read', 'leads:update', 'contacts:read', 'contacts:update']
  const key = await keyWith(scopes)
  const refused = await call('POST', `leads/${made.id}/convert`, { qualify: true }, key)
  assert.equal(refused.json.code, 'insufficient_scope', refused.text)
  assert.match(refused.json.message, /contacts:create/)
  const stale = await call('POST', `leads/${made.id}/convert`, { qualify: true }, t.main.tokens.Admin, {
    'if-match': '"9"',
  })
  assert.equal(stale.json.code, 'version_mismatch')
})

async function keyWith(scopes: string[]): Promise<string> {
  const body = { name: 'few rights', mode: 'live', scopes }
  const { json, text } = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })
  assert.ok(json.data?.secret, text)
  return json.data.secret
}

test('companies are merged: contacts and leads name the one that stays', async () => {
  const [one, two] = [
    (await call('POST', 'companies', { name: 'Merge One' })).json.company,
    (await call('POST', 'companies', { name: 'Merge Two' })).json.company,
  ]
  const entries = [{ value: two.id, is_primary: true }, { value: one.id }]
  const contact = (await call('POST', 'contacts', { name: 'Both', companies: entries })).json.contact
  const named = await lead({ name: 'Named', email: 'named@example.com', company_id: two.id })
  const merged = await call('POST', 'companies/merge', { into: one.id, others: [two.id] })
  assert.equal(merged.status, 200, merged.text)
  const after = (await call('GET', `contacts/${contact.id}`)).json.contact
  assert.deepEqual(after.companies, [{ value: one.id, label: null, is_primary: true }])
  assert.equal((await call('GET', `leads/${named.id}`)).json.lead.company_id, one.id)
  const unknown = await call('PATCH', `leads/${named.id}`, { company_id: two.id })
  assert.equal(unknown.json.details[0].field, 'company_id')
})

test('one whose contact was removed for good, or is not seen, is answered without it', async () => {
  const executive = t.main.users['Sales Executive'].id
  const made = await lead({ name: 'Erased', email: 'erased@example.com', company: 'Kept Ltd', owner_id: executive })
  const { contact, company } = await converted(made.id)
  await call('PATCH', `contacts/${contact.id}`, { owner_id: t.main.users['Sales Manager'].id })
  const unseen = await converted(made.id, {}, t.main.tokens['Sales Executive'])
  assert.deepEqual([unseen.contact, unseen.company?.id], [null, company.id])
  await call('DELETE', `contacts/${contact.id}`)
  const trashed = await converted(made.id)
  assert.deepEqual(trashed.contact, { id: contact.id, title: 'Erased', created: false })
  await t.ownerSql("update contacts set deleted_at = now() - interval '31 days' where id = $1", [contact.id])
  await purgeTrash(t.app.services).run()
  const again = await converted(made.id)
  assert.deepEqual([again.lead.status, again.lead.contact_id, again.contact], ['Converted', null, null])
  assert.equal(again.company.id, company.id)
})

test('a lead keeps the company that it names, also one of somebody else; one in the trash is none', async () => {
  const executive = t.main.users['Sales Executive'].id
  const owner_id = t.main.users['Sales Manager'].id
  const company = (await call('POST', 'companies', { name: 'Key Account', owner_id })).json.company
  const named = { company: 'Key Account', company_id: company.id, owner_id: executive }
  const [first, second] = [
    await lead({ ...named, name: 'Of Others', email: 'of.others@example.com' }),
    await lead({ ...named, name: 'After The Fall', email: 'after@example.com' }),
  ]
  const as = t.main.tokens['Sales Executive']
  const trial = await converted(first.id, { qualify: true, dry_run: true }, as)
  const made = await converted(first.id, { qualify: true }, as)
  assert.deepEqual([trial.company, made.company, made.lead.company_id], [null, null, company.id])
  const { contact } = (await call('GET', `contacts/${made.contact.id}`)).json
  assert.deepEqual(
    contact.companies.map(({ value }: { value: string }) => value),
    [company.id],
  )
  const refused = await call('POST', `leads/${second.id}/convert`, { qualify: true, company_id: company.id }, as)
  assert.equal(refused.json.code, 'not_found', refused.text)
  await call('DELETE', `companies/${company.id}`)
  const after = await converted(second.id, { qualify: true }, as)
  assert.deepEqual([after.company.title, after.company.created], ['Key Account', true])
  assert.notEqual(after.company.id, company.id)
})

test('two that are converted at once make one company, and one contact of one person', async () => {
  const of = (email: string) => lead({ name: 'At Once', email, company: 'Twice Ltd' })
  const made = [await of('one@twice.example'), await of('two@twice.example'), await of('One@twice.example')]
  const convert =
    ({ id }: { id: number }) =>
    () =>
      call('POST', `leads/${id}/convert`, { qualify: true })
  const held = { text: 'lock table companies in share mode' }
  const answers = await whileHeld(t, held, ...made.map(convert), convert(made[0]))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const [first, second, third, again] = answers.map(({ json }) => json)
  assert.equal(new Set(answers.map(({ json }) => json.company.id)).size, 1)
  assert.equal(third.contact.id, first.contact.id)
  assert.notEqual(second.contact.id, first.contact.id)
  assert.deepEqual([again.contact.id, again.lead.version], [first.contact.id, first.lead.version])
})

test('one that is converted while its company is merged becomes part of the one that stays', async () => {
  const company = async (name: string) => (await call('POST', 'companies', { name })).json.company.id
  const [into, gone] = [await company('Stays'), await company('Goes')]
  const made = await lead({ name: 'Meanwhile', email: 'meanwhile@example.com', company_id: gone })
  const note = await call('POST', 'notes', { record_id: gone, body: 'There before.' })
  const held = { text: 'select from notes where id = $1 for update', values: [note.json.note.id] }
  const [merged, answer] = await whileHeld(
    t,
    held,
    () => call('POST', 'companies/merge', { into, others: [gone] }),
    () => call('POST', `leads/${made.id}/convert`, { qualify: true }),
  )
  assert.deepEqual([merged!.status, answer!.status], [200, 200], answer!.text)
  assert.deepEqual([answer!.json.company.id, answer!.json.lead.company_id], [into, into])
})
