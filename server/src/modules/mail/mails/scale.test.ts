// Few mails among very many: a list of one state, stream or template, and the purge of old ones read those few alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { listMails, type MailFilter } from './store.ts'

const many = 20_000
let t: TestApp
before(async () => {
  t = await startTestApp()
  // Of every thousand one failed, one is a notice, and one was made of a template; every mail but ten in all stands on a record.
  await t.ownerSql(
    `insert into mails (tenant_id, id, stream, state, template, record_id, subject, expires_at, created_at, updated_at)
     select $1, 'mail_' || lpad(n::text, 26, '0'), case n % 1000 when 1 then 'marketing' else 'transactional' end,
       case n % 1000 when 2 then 'failed' when 3 then 'queued' else 'sent' end, case n % 1000 when 4 then 'welcome' end,
       case when n > $2 - 10 then null else 'lead:1' end, 'Old', now(), now() - interval '1 year', now()
     from generate_series(1, $2) n`,
    [t.main.liveTenantId, many],
  )
  await t.ownerSql('analyze mails')
})
after(() => t?.close())

const readSql = `select coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::integer as read from pg_stat_xact_all_tables where relname = 'mails'`

const filters: Partial<MailFilter>[] = [
  { state: 'failed' },
  { state: 'queued' },
  { stream: 'marketing' },
  { template: 'welcome' },
]
for (const filter of filters)
  test(`a list of ${JSON.stringify(filter)} reads those alone`, async () => {
    const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
    const none = { state: undefined, stream: undefined, template: undefined, recordId: undefined, userIds: undefined }
    const all: MailFilter = { beforeId: 'mail_z', ...none, withSecurity: true, to: undefined, ...filter }
    await t.app.services.db.inTenant(scope, async tx => {
      assert.equal((await listMails(tx, scope, all, 50)).length, many / 1000)
      const { rows } = await sql.raw<{ read: number }>(readSql).execute(tx)
      assert.ok(rows[0]!.read <= 100, `${rows[0]!.read} rows read`)
    })
  })

test('the purge passes over no mails on records', async () => {
  await t.asOwner(async client => {
    await client.query('begin')
    const { rows: gone } = await client.query("select purge_mails(now() - interval '90 days', 1000) as gone")
    assert.equal(gone[0].gone, 10)
    const { rows } = await client.query(readSql)
    assert.ok(rows[0].read <= 100, `${rows[0].read} rows read`)
    await client.query('rollback')
  })
})
