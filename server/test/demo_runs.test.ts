// Filling an installation with the demo company more than once, or where somebody has worked before: nothing is doubled, nothing of
// others changes, and every login that is printed works.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { demoLines } from '../src/demo/report.ts'
import {
  callOn,
  config,
  countAll,
  endInstallations,
  type Filled,
  type Installation,
  install,
  logIn,
  rowsOf,
} from './demo_company.ts'

let used: Installation
let demo: Filled

before(async () => {
  used = await install()
})
after(endInstallations)

test('an organization that was used before keeps its records, name, time zone and way of numbering', async () => {
  const call = callOn(used)
  const admin = await logIn(call, config.adminEmail, config.adminPassword as string)
  const settings = { name: 'Our Company', timeZone: 'Pacific/Auckland', invoiceNumbering: 'on_issue' }
  assert.equal((await call('PATCH', '/v2/organization', admin, settings)).status, 200)
  const lead = await call('POST', '/v1/api/leads', admin, { name: 'Ada Byron', email: 'ada@example.com' })
  const invoice = { customer: { name: 'Ada Byron' }, amount: 12.5 }
  const drafts = [
    await call('POST', '/v1/api/finance/invoices', admin, invoice),
    await call('POST', '/v1/api/finance/invoices', admin, invoice),
  ]
  const sent = await call('POST', `/v1/api/finance/invoices/${drafts[0]?.json.invoice.id}/send`, admin)
  assert.equal(sent.status, 200)

  demo = (await used.fill()) as Filled
  assert.equal(demo.outcome, 'filled')
  const [organization] = (await used.owner.query('select name, time_zone from organizations')).rows
  assert.deepEqual(organization, { name: 'Our Company', time_zone: 'Pacific/Auckland' })
  const again = await call('GET', `/v1/api/leads/${lead.json.lead.id}`, admin)
  assert.deepEqual(again.json.lead, lead.json.lead)
  const list = await call('GET', '/v1/api/finance/invoices?limit=1', admin)
  assert.equal(list.json.pagination.totalCount, 5_002)
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(Date.now())
  const naive = await used.owner.query(
    "select count(*) from invoices where state = 'Sent' and due_date < $1 and paid_minor < total_minor",
    [today],
  )
  const overdue = await call('GET', '/v1/api/finance/invoices?status=Overdue&limit=1', admin)
  assert.equal(overdue.json.pagination.totalCount, naive.rows[0].count)
  const { rows: unnumbered } = await used.owner.query(
    `select count(*) filter (where (sequence is null) <> (sent_at is null)) as wrong, min(year), max(year)
     from invoices`,
  )
  assert.equal(unnumbered[0].wrong, 0, 'only what was sent has a number')
  for (let year = unnumbered[0].min; year <= unnumbered[0].max; year++) {
    const { json } = await call('GET', `/v1/api/finance/invoices/number-audit?year=${year}`, admin)
    assert.deepEqual([json.gaps, json.duplicates, json.assigned], [[], [], json.lastSequence], String(year))
  }
  const next = await call('POST', '/v1/api/finance/invoices', admin, invoice)
  const issued = await call('POST', `/v1/api/finance/invoices/${next.json.invoice.id}/send`, admin)
  assert.equal(issued.status, 200)
  assert.ok(issued.json.invoice.number > sent.json.invoice.number)
})

test('a second run adds nothing, and prints the logins again but for passwords that were changed', async () => {
  const before = await countAll(used)
  const changed = demo.logins.find(login => login.role === 'Finance Manager') as { email: string }
  await rowsOf(used, "update accounts set password_hash = null, email = 'new@harborroast.example' where email = $1", [
    changed.email,
  ])
  const again = await used.fill()
  assert.deepEqual(await countAll(used), before)
  assert.equal(again.outcome, 'there')
  if (again.outcome !== 'there') return
  assert.deepEqual(
    again.logins,
    demo.logins.map(login =>
      login.email === changed.email ? { ...login, email: 'new@harborroast.example', password: null } : login,
    ),
  )
  const text = demoLines(again).join('\n')
  for (const { secret } of demo.keys) assert.ok(!text.includes(secret))
  const first = demoLines(demo).join('\n')
  for (const { secret } of demo.keys) assert.ok(first.includes(secret))
  for (const { email, password } of demo.logins) assert.ok(first.includes(email) && first.includes(password as string))
})

test('an organization at work is left alone', async () => {
  const busy = await install()
  await busy.owner.query(
    `insert into leads (tenant_id, id, name, email, priority, status, find, created_at, updated_at, version)
     select (select id from tenants where mode = 'live'), nextval('leads_id_seq'), 'Somebody', n || '@example.com',
       'Warm', 'New', noun_search_text('Somebody'), now(), now(), 1
     from generate_series(1, 101) n`,
  )
  const refused = await busy.fill()
  assert.equal(refused.outcome, 'declined')
  const left = await busy.owner.query(
    'select (select count(*) from leads) as leads, (select count(*) from users) as users',
  )
  assert.deepEqual(left.rows[0], { leads: 101, users: 1 })
  assert.match(demoLines(refused).join('\n'), /No demo data: .* records of its own/)
})
