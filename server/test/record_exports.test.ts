// Lists as CSV, for every noun that is one value: the filters, order and rows of the list, safe for spreadsheets, streamed page by page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import '../src/catalog.ts'
import { allTables } from '../src/kernel/noun/registry.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { insertRecords, sampleBody } from './noun_records.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const companies = '/v1/api/companies'
async function create(path: string, body: object, as = t.main.tokens.Admin) {
  const { status, json, text } = await t.call('POST', path, { as, body })
  assert.equal(status, 201, text)
  return json.company ?? json.contact
}
async function lines(query: string, as = t.main.tokens.Admin, path = companies): Promise<string[]> {
  const { status, text } = await t.call('GET', `${path}/export${query}`, { as })
  assert.equal(status, 200, text)
  assert.ok(text.endsWith('\r\n'))
  return text.slice(0, -2).split('\r\n')
}

test('an export has the rows of the list in its order, and the columns that are chosen', async () => {
  const owner = t.main.users['Sales Executive'].id
  const own = await create(companies, {
    name: 'Zeta',
    industry: 'Retail',
    owner_id: owner,
    notes: 'two\nlines, "quoted"',
  })
  await create(companies, { name: '=SUM(1)', industry: 'Retail', annual_revenue: { amount: -5.5, currency: 'EUR' } })
  await create(companies, { name: 'Elsewhere', industry: 'Public', owner_id: t.main.users.Admin.id })
  const [head, ...rows] = await lines('?industry=Retail&sort=-name&fields=name,owner_id,annual_revenue')
  assert.equal(head, 'id,name,annual_revenue,annual_revenue.currency,owner_id,owner_id.title,created_at,updated_at')
  assert.deepEqual(
    rows.map(row => row.split(',').slice(1, 4)),
    [
      ['Zeta', '', ''],
      ["'=SUM(1)", '-5.5', 'EUR'],
    ],
  )
  assert.ok(rows[0]!.includes(`${own.id},Zeta,,,${owner},`))
  const [labels] = await lines('?fields=annual_revenue,owner_id&header=labels&bom=true')
  assert.equal(labels, '\ufeffID,Annual revenue,Annual revenue (currency),Owner,Owner (title),Created at,Updated at')
  const notes = await t.call('GET', `${companies}/export?fields=notes&q=Zeta`, { as: t.main.tokens.Admin })
  assert.match(notes.text, /"two\nlines, ""quoted"""/)
  assert.match(String(notes.headers['content-type']), /^text\/csv/)
  assert.match(String(notes.headers['content-disposition']), /^attachment; filename="companies-\d{4}-\d\d-\d\d\.csv"$/)
  const executive = await lines('?sort=name', t.main.tokens['Sales Executive'])
  assert.deepEqual(
    executive.slice(1).map(row => row.split(',')[1]),
    ["'=SUM(1)", 'Zeta'],
    'own and unassigned ones only',
  )
  const trash = await t.call('GET', `${companies}/export?deleted=true`, { as: t.main.tokens['Sales Executive'] })
  assert.equal(trash.json.code, 'insufficient_role')
})

test('lists stand in one cell, the primary entry first', async () => {
  const contact = await create('/v1/api/contacts', {
    name: 'Ada',
    emails: [{ value: 'ada@example.com' }, { value: 'ada@home.example', label: 'home', is_primary: true }],
    phones: [{ value: '+15550100001' }],
    addresses: [{ value: { city: 'London' } }, { value: { city: 'Paris' }, label: 'summer' }],
  })
  const [, row] = await lines('?fields=emails,phones,addresses', undefined, '/v1/api/contacts')
  const [id, ...cells] = row!.split(',')
  assert.deepEqual(
    [id, ...cells.slice(0, 4)],
    [contact.id, '"home: ada@home.example; ada@example.com"', "'+15550100001", '', 'London'],
  )
  assert.match(row!, /""city"":""Paris"".*""label"":""summer""/)
})

// Many of them are called the same, which unique ones cannot be.
const exported = allTables().filter(({ spec }) => spec.only?.includes('export') !== false && spec.unique !== true)
for (const { spec } of exported) {
  test(`${spec.names[1]}: all rows are there, each once, however many pages they are`, async () => {
    const path = `/v1/api/${spec.names[1].replaceAll('_', '-')}`
    const sample = await sampleBody(t, t.main.tokens.Admin, spec)
    const bodies = Array.from({ length: 2_300 }, (_, n) => ({ ...sample, [spec.title]: `Page ${n % 700}` }))
    await insertRecords(t, spec.names[0], bodies)
    const [head, ...rows] = await lines(`?sort=${spec.title}`, undefined, path)
    assert.equal(head!.split(',')[0], 'id')
    const ids = rows
      .map(row => row.slice(0, 30))
      .filter(id => id.startsWith(spec.prefix === undefined ? '' : `${spec.prefix}_`))
    assert.ok(ids.length >= 2_300)
    assert.equal(new Set(ids).size, ids.length)
    const { json } = await t.call('GET', `${path}?limit=1`, { as: t.main.tokens.Admin })
    assert.equal(ids.length, json.pagination.totalCount)
  })
}
