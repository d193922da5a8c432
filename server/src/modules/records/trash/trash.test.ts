// The trash is emptied after thirty days: records go with what was put on them and their history; what named them changes, and says why.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { purgeTrash } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  t.call(method, path, { as: t.main.tokens.Admin, ...(body && { body }) })
async function create(many: string, body: object): Promise<string> {
  const { json, status, text } = await call('POST', `/v1/api/${many}`, body)
  assert.equal(status, 201, text)
  return (Object.values(json).find(value => typeof value === 'object') as { id: string }).id
}

test('what was deleted long ago goes for good, and what was deleted lately stays', async () => {
  const [old, young] = [await create('companies', { name: 'Old' }), await create('companies', { name: 'Young' })]
  const child = await create('companies', { name: 'Child', parent_id: old })
  const contact = await create('contacts', { name: 'Ada', companies: [{ value: old }, { value: young }] })
  await create('notes', { record_id: old, body: 'Goes' })
  await create('tasks', { record_id: old, title: 'Goes too' })
  const tag = await create('tags', { name: 'On the old' })
  await call('POST', '/v1/api/tags/assign', { record_ids: [old, young], add: [tag] })
  const headers = { 'content-type': 'application/octet-stream' }
  const url = `/v1/api/attachments?record_id=${old}&name=a.txt`
  const file = await t.call('POST', url, { as: t.main.tokens.Admin, rawBody: 'Goes', headers })
  assert.equal(file.status, 201, file.text)
  for (const id of [old, young]) await call('DELETE', `/v1/api/companies/${id}`)
  await t.ownerSql("update companies set deleted_at = now() - interval '31 days' where id = $1", [old])
  await purgeTrash(t.app.services).run()

  assert.equal((await call('POST', `/v1/api/companies/${old}/restore`)).status, 404)
  assert.equal((await call('POST', `/v1/api/companies/${young}/restore`)).status, 200)
  const [left] = await t.ownerSql<Record<string, number>>(
    `select (select count(*)::int from notes) as notes, (select count(*)::int from tasks) as tasks,
       (select count(*)::int from attachments) as attachments, (select count(*)::int from attachment_files) as files,
       (select count(*)::int from record_tags where record_id = $1) as tags,
       (select count(*)::int from changes where record_id = $1) as changes`,
    [old],
  )
  assert.deepEqual(left, { notes: 0, tasks: 0, attachments: 0, files: 0, tags: 0, changes: 0 })
  assert.equal((await call('GET', `/v1/api/companies/${child}`)).json.company.parent_id, null)
  const { companies } = (await call('GET', `/v1/api/contacts/${contact}`)).json.contact
  assert.deepEqual(
    companies.map((entry: { value: string; is_primary: boolean }) => [entry.value, entry.is_primary]),
    [[young, true]],
  )
  assert.equal((await call('GET', '/v1/api/companies')).json.pagination.totalCount, 2)
  const events = await t.call('GET', `/v2/events?resourceId=${old}&type=company.purged`, { as: t.main.tokens.Admin })
  assert.equal(events.json.data.length, 1)
})

test('what named it is changed, with its history and its event', async () => {
  const gone = await create('companies', { name: 'Gone' })
  const child = await create('companies', { name: 'Its child', parent_id: gone })
  const contact = await create('contacts', { name: 'Grace', companies: [{ value: gone }] })
  const lead = await create('leads', { name: 'Linus', email: 'linus@example.com', company_id: gone })
  await call('DELETE', `/v1/api/companies/${gone}`)
  await t.ownerSql("update companies set deleted_at = now() - interval '31 days' where id = $1", [gone])
  await purgeTrash(t.app.services).run()

  for (const [many, id, field, from] of [
    ['companies', child, 'parent_id', gone],
    ['contacts', contact, 'companies', [{ value: gone, label: null, is_primary: true }]],
  ] as const) {
    const [last] = (await call('GET', `/v1/api/${many}/${id}/history`)).json.changes
    assert.deepEqual([last.version, last.source, last.user_id, last.key_id], [2, 'purge', null, null])
    assert.deepEqual(last.fields, [{ field, from, to: field === 'companies' ? [] : null }])
    const { json } = await call('GET', `/v1/api/${many}/${id}/timeline`)
    assert.equal(json.entries[0].title, `What it named is removed for good: ${field.replace('_id', '')}`)
    const events = await call('GET', `/v2/events?resourceId=${id}`)
    assert.match(events.json.data[0].type, /^(company|contact)\.updated$/)
  }
  const now = (await call('GET', `/v1/api/leads/${lead}`)).json.lead
  assert.deepEqual([now.company_id, now.version], [null, 2])
})

test('what many name goes too, a part of them in each transaction', async () => {
  const gone = await create('companies', { name: 'Known to many' })
  await t.ownerSql(
    `insert into leads (tenant_id, id, name, email, priority, status, company_id, find, created_at, updated_at, version)
     select c.tenant_id, nextval('leads_id_seq'), 'Lead ' || n, n || '@many.example', 'Warm', 'New', c.id,
       noun_search_text('Lead ' || n), now(), now(), 1
     from companies c, generate_series(1, 501) n where c.id = $1`,
    [gone],
  )
  await call('DELETE', `/v1/api/companies/${gone}`)
  await t.ownerSql("update companies set deleted_at = now() - interval '31 days' where id = $1", [gone])
  await purgeTrash(t.app.services).run()
  const [left] = await t.ownerSql(
    `select count(*)::int as leads, count(l.company_id)::int as naming, count(distinct l.xmin::text)::int as transactions
     from leads l where l.email like '%@many.example' and l.version = 2`,
  )
  assert.deepEqual(left, { leads: 501, naming: 0, transactions: 2 })
  assert.equal((await call('POST', `/v1/api/companies/${gone}/restore`)).status, 404)
})

test('leads go likewise; invoices stay, without their number', async () => {
  const counted = async () => (await call('GET', '/v1/api/leads?deleted=true')).json.pagination.totalCount
  const before = await counted()
  const contacts = { email: 'old@example.com', phone: '+4930555123' }
  const [old, young] = [
    await create('leads', { name: 'Old', ...contacts }),
    await create('leads', { name: 'Young', ...contacts }),
  ]
  const lines = [{ description: 'Work', quantity: 1, unit_price: 12.5 }]
  const made = await call('POST', '/v1/api/finance/invoices', {
    customer: { name: 'Old' },
    lines,
    lead_id: Number(old),
  })
  assert.equal(made.status, 201, made.text)
  const note = await create('notes', { record_id: `lead:${old}`, body: 'Goes' })
  const kept = await create('notes', { record_id: `lead:${young}`, body: 'Stays' })
  const tag = await create('tags', { name: 'On both' })
  await call('POST', '/v1/api/tags/assign', { record_ids: [`lead:${old}`, `lead:${young}`], add: [tag] })
  await call('PATCH', `/v1/api/leads/${old}`, { status: 'Contacted' })
  for (const id of [old, young]) assert.equal((await call('DELETE', `/v1/api/leads/${id}`)).status, 200)
  await t.ownerSql("update leads set deleted_at = now() - interval '31 days' where id = $1", [old])
  assert.equal(await counted(), before + 2)
  await purgeTrash(t.app.services).run()

  assert.equal(await counted(), before + 1)
  assert.equal((await call('POST', `/v1/api/leads/${old}/restore`)).status, 404)
  assert.equal((await call('POST', `/v1/api/leads/${young}/restore`)).status, 200)
  assert.equal((await call('GET', `/v1/api/notes/${note}`)).status, 404)
  assert.equal((await call('GET', `/v1/api/notes/${kept}`)).status, 200)
  const [left] = await t.ownerSql(
    `select (select count(*)::int from notes where id = $1) as notes,
       (select count(*)::int from record_tags where record_id = 'lead:' || $2) as tags,
       (select count(*)::int from changes where record_id = 'lead:' || $2) as changes`,
    [note, String(old)],
  )
  assert.deepEqual(left, { notes: 0, tags: 0, changes: 0 })
  const { invoice } = (await call('GET', `/v1/api/finance/invoices/${made.json.invoice.id}`)).json
  const { updated_at: at } = invoice
  assert.deepEqual(invoice, { ...made.json.invoice, lead_id: null, version: 2, updated_at: at })
  assert.notEqual(at, made.json.invoice.updated_at)
  const updated = await call('GET', `/v2/events?resourceId=${invoice.id}&type=invoice.updated`)
  assert.deepEqual(
    updated.json.data.map((event: { data: { lead_id: unknown } }) => event.data.lead_id),
    [null],
  )
  const events = await call('GET', `/v2/events?resourceId=${old}&type=lead.purged`)
  assert.deepEqual(
    events.json.data.map((event: { data: unknown }) => event.data),
    [{ id: Number(old) }],
  )
})

test('a tenant whose trash cannot be emptied keeps no other from it', async () => {
  const stuck = await create('companies', { name: 'Stuck' })
  const beside = await create('companies', { name: 'Beside it' })
  const as = t.other.tokens.Admin
  const { json } = await t.call('POST', '/v1/api/companies', { as, body: { name: 'Behind' } })
  const behind = json.company.id
  for (const id of [stuck, beside]) await call('DELETE', `/v1/api/companies/${id}`)
  await t.call('DELETE', `/v1/api/companies/${behind}`, { as })
  const all = [stuck, beside, behind]
  await t.ownerSql("update companies set deleted_at = now() - interval '31 days' where id = any($1)", [all])
  // As a statement that takes too long.
  await t.ownerSql(`
    create function too_long() returns trigger language plpgsql as $$
    begin
      if old.name = 'Stuck' then raise exception using errcode = '57014', message = 'canceled by the test'; end if;
      return old;
    end $$`)
  await t.ownerSql('create trigger too_long before delete on companies for each row execute function too_long()')
  const left = () => t.ownerSql('select id from companies where id = any($1) order by id', [all])
  try {
    await purgeTrash(t.app.services).run()
    assert.deepEqual(
      (await left()).filter(({ id }) => id === behind),
      [],
    )
  } finally {
    await t.ownerSql('drop trigger too_long on companies')
    await t.ownerSql('drop function too_long()')
  }
  await purgeTrash(t.app.services).run()
  assert.deepEqual(await left(), [])
})

test('who is in the trash is found by all that a list of them is filtered by', async () => {
  const company = await create('companies', { name: 'Of the trashed' })
  const contact = await create('contacts', {
    name: 'Trashed',
    emails: [{ value: 'first@trashed.example' }, { value: 'Jörg.Ö@trashed.example' }],
    phones: [{ value: '+1 555 010 7788' }],
    companies: [{ value: company }],
  })
  const other = await create('contacts', { name: 'Other', emails: [{ value: 'other@trashed.example' }] })
  for (const id of [contact, other]) await call('DELETE', `/v1/api/contacts/${id}`)
  const found = async (query: Record<string, string>) => {
    const { json, text } = await call('GET', `/v1/api/contacts?${new URLSearchParams({ deleted: 'true', ...query })}`)
    assert.ok(json.contacts, text)
    return [json.contacts.map(({ id }: { id: string }) => id), json.pagination.totalCount]
  }
  assert.deepEqual(await found({ emails: 'JÖRG.ö@Trashed.example' }), [[contact], 1])
  assert.deepEqual(await found({ phones: '(555) 010-7788' }), [[contact], 1])
  assert.deepEqual(await found({ companies: company }), [[contact], 1])
  assert.deepEqual(await found({ emails: 'nobody@trashed.example' }), [[], 0])
  const { json } = await call('GET', '/v1/api/contacts?emails=first@trashed.example')
  assert.equal(json.pagination.totalCount, 0)
  const filter = { deleted: true, emails: 'first@trashed.example' }
  const restored = await call('POST', '/v1/api/contacts/bulk', { filter, expect: 1, action: 'restore' })
  assert.equal(restored.json.changed, 1, restored.text)
  const back = await call('GET', '/v1/api/contacts?emails=jörg.ö@trashed.example')
  assert.deepEqual([back.json.contacts[0]?.id, back.json.pagination.totalCount], [contact, 1])
})
