// What a noun's table lacks: whatever was taken from it or added to it, the statements lead back to what is declared.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import '../server/src/catalog.ts'
import { tableNamed } from '../server/src/kernel/noun/registry.ts'
import { type FreshDatabase, freshDatabase } from '../server/test/cluster.ts'
import { changesOf } from './noun_changes.ts'

let database: FreshDatabase
let client: pg.Client
before(async () => {
  database = await freshDatabase()
  client = new pg.Client(database.owner)
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

const noun = tableNamed('company')
const changes = () => changesOf(client, noun, name => tableNamed(name).table)
const isStatement = (text: string) => !text.startsWith('--')

for (const [what, done, expected] of [
  ['a column is missing', 'alter table companies drop column phone', /add column phone text collate "C";/],
  [
    'a column that is never empty is missing',
    'alter table companies drop column name',
    /add column name text;[\s\S]*give them one/,
  ],
  ['a column is left over', 'alter table companies add column fax text', /drop column fax/],
  [
    'a type differs',
    'alter table companies alter column parent_id type text',
    /alter column parent_id type text collate "C"/,
  ],
  ['a value may be missing', 'alter table companies alter column name drop not null', /alter column name set not null/],
  [
    'the words of a choice differ',
    "alter table companies drop constraint companies_industry_check, add constraint companies_industry_check check (industry in ('Retail'))",
    /drop constraint companies_industry_check;\n.*add constraint companies_industry_check CHECK .*Manufacturing/,
  ],
  [
    'a reference is missing',
    'alter table companies drop constraint companies_tenant_id_parent_id_fkey',
    /FOREIGN KEY \(tenant_id, parent_id\)/,
  ],
  ['an index is missing', 'drop index companies_by_name', /CREATE INDEX companies_by_name/],
  [
    'an index is on something else',
    'drop index companies_deleted; create index companies_deleted on companies (tenant_id, id)',
    /drop index companies_deleted;\n.*CREATE INDEX companies_deleted.*deleted_at IS NOT NULL/,
  ],
  ['its records hold no tags', 'drop trigger companies_tags_marked on companies', /^select hold_tags\('companies'\);/],
] as const)
  test(`${what}: the statements lead back`, async () => {
    assert.deepEqual(await changes(), [])
    await client.query(done)
    const statements = await changes()
    assert.match(statements.join('\n'), expected)
    await client.query(statements.filter(isStatement).join('\n'))
    assert.deepEqual(await changes(), [])
  })

test('a table that is not there is made, and what a migration adds beside the declaration stays', async () => {
  await client.query('alter table companies add constraint round check (annual_revenue_minor % 100 = 0)')
  await client.query('create index companies_of_mine on companies (tenant_id, domain)')
  assert.deepEqual(await changes(), [])
  await client.query('drop trigger companies_counted_insert on companies')
  assert.match((await changes()).join('\n'), /other facets, or another owner/)
  await client.query('drop table companies cascade')
  const [migration, ...others] = await changes()
  assert.match(migration!, /^-- An organization .*\ncreate table companies \(/)
  assert.deepEqual(others, [])
})
