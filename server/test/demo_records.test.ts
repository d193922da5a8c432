// The customers of the demo company as records: companies and contacts, what is written down about them, and the leads that became them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type Call,
  callOn,
  endInstallations,
  type Filled,
  type Installation,
  install,
  type Json,
  logIn,
  rowsOf,
} from './demo_company.ts'

let home: Installation
let call: Call
let admin: string
before(async () => {
  home = await install()
  call = callOn(home)
  const { logins } = (await home.fill()) as Filled
  const { email, password } = logins.find(({ role }) => role === 'Admin')!
  admin = await logIn(call, email, password as string)
})
after(endInstallations)

test('customers are companies and contacts, as if they had been written by requests', async () => {
  const [faults] = await rowsOf(
    home,
    `select count(*) filter (where l.status = 'Converted' and c.id is null) as without_contact,
       count(*) filter (where l.status = 'Converted' and (l.company_id is null) <> (l.company is null)) as without_company,
       count(*) filter (where l.status <> 'Converted' and l.contact_id is not null) as early,
       count(*) filter (where l.company_id is not null and m.name is distinct from l.company) as misnamed,
       count(*) filter (where l.contact_id is not null and c.name <> l.name) as strangers,
       count(*) filter (where l.status <> 'Converted' and m.created_at > l.created_at) as unknown_yet,
       count(*) filter (where l.status = 'Converted' and l.converted_at is distinct from l.updated_at) as times,
       count(*) filter (where l.status <> 'Converted' and l.company_id is not null) as of_customers,
       count(*) filter (where l.status = 'Converted') as converted
     from leads l left join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
     left join companies m on m.tenant_id = l.tenant_id and m.id = l.company_id`,
  )
  const { of_customers: ofCustomers, converted, ...none } = faults
  assert.deepEqual(new Set(Object.values(none)), new Set([0]), JSON.stringify(none))
  assert.ok(ofCustomers > 20 && converted > 200, JSON.stringify({ ofCustomers, converted }))
  for (const [many, query] of [
    ['companies', 'industry=Services'],
    ['companies', 'q=bakery'],
    ['contacts', 'sms_consent=true'],
    ['tasks', 'status=open'],
    ['tasks', 'status=done'],
  ] as const) {
    const { status, json } = await call('GET', `/v1/api/${many}?limit=5&${query}`, admin)
    assert.equal(status, 200)
    assert.ok(
      json[many].length === 5 && json.pagination.totalCount > 5,
      `${many}?${query}: ${json.pagination.totalCount}`,
    )
  }
  for (const many of ['leads', 'companies', 'contacts', 'tasks', 'notes']) {
    const [{ count }] = await rowsOf(home, `select count(*) from ${many}`)
    const { json } = await call('GET', `/v1/api/${many}?limit=1`, admin)
    assert.equal(json.pagination.totalCount, count, `counters of ${many}`)
  }
  const tagged = await call('GET', '/v1/api/tags/counts', admin)
  const [{ tags }] = await rowsOf(home, 'select count(*) as tags from record_tags')
  assert.equal(
    tagged.json.counts.reduce((sum: number, { records }: Json) => sum + records, 0),
    tags,
  )
  const [won] = await rowsOf(
    home,
    'select company_id, contact_id, email from leads where contact_id is not null and company_id is not null and email is not null limit 1',
  )
  const found = await call('GET', `/v1/api/contacts?emails=${won.email}&include=companies`, admin)
  assert.equal(found.json.contacts[0].id, won.contact_id)
  assert.deepEqual(
    found.json.contacts[0].companies.map(({ value }: Json) => value),
    [won.company_id],
  )
  for (const path of [`companies/${won.company_id}`, `contacts/${won.contact_id}`]) {
    assert.equal((await call('GET', `/v1/api/${path}/history`, admin)).json.changes.length, 1)
    assert.equal((await call('GET', `/v1/api/${path}/timeline`, admin)).status, 200)
  }
  const [late] = await rowsOf(
    home,
    `select count(*) from (select created_at, updated_at from companies union all select created_at, updated_at from contacts
       union all select created_at, updated_at from notes union all select created_at, updated_at from tasks) r
     where updated_at > now() or updated_at < created_at`,
  )
  assert.equal(late.count, 0)
})
