// The archive of an organization holds all that it has: the migrated database is asked, so a new table is tested by existing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from '../../../../test/cluster.ts'
import { archivedOfOrganization, archivedOfTenant, notArchived, withheld } from './archived.ts'

let database: FreshDatabase
let owner: pg.Client
before(async () => {
  database = await freshDatabase()
  owner = new pg.Client(database.owner)
  await owner.connect()
})
after(async () => {
  await owner?.end()
  await database?.drop()
})

type Table = { name: string; key: string | null; columns: string[] }

/** Tables that force row-level security by a tenant or an organization. */
async function tables(): Promise<Table[]> {
  const { rows } = await owner.query<Table>(
    `select c.relname as name, substring(pg_get_expr(p.polqual, c.oid) from 'app\\.(tenant_id|organization_id)') as key,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
     from pg_class c join pg_policy p on p.polrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
       and pg_get_expr(p.polqual, c.oid) ~ 'current_setting\\(''app\\.(tenant_id|organization_id)'
     order by c.relname`,
  )
  return rows
}

test('every table is in the archive, or on the list of those that are not, and in one of them alone', async () => {
  const known = [...archivedOfTenant, ...archivedOfOrganization, ...Object.keys(notArchived)]
  assert.deepEqual(
    (await tables()).map(({ name }) => name),
    known.toSorted(),
  )
})

test('each is read with the key that its rows are kept apart by', async () => {
  const found = new Map((await tables()).map(({ name, key }) => [name, key]))
  for (const name of archivedOfTenant) assert.equal(found.get(name), 'tenant_id', name)
  for (const name of archivedOfOrganization) assert.equal(found.get(name), 'organization_id', name)
})

test('a column that is named like a secret is withheld', async () => {
  const archived: readonly string[] = [...archivedOfTenant, ...archivedOfOrganization]
  // The DKIM key of the DNS, and the names of settings that are secret.
  const open = /^(public_key|secrets_set|tokens_not_before|password_min)$/
  for (const { name, columns } of await tables()) {
    if (!archived.includes(name)) continue
    for (const column of columns)
      if (/secret|sealed|hash|token|password|private/.test(column) && !open.test(column))
        assert.match(column, withheld, `${name}.${column} would be in the archive`)
  }
})
