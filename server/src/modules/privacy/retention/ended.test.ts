// What ended long ago goes; what is open, what is younger, the last session of a person, and all of an organization on hold stay.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { purgeFinished } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const purge = () => purgeFinished(t.app.services).run()
const organization = () => t.main.organizationId
const count = async (table: string, ids: readonly string[]) =>
  Number((await t.ownerSql<{ n: string }>(`select count(*) as n from ${table} where id = any($1)`, [ids]))[0]!.n)

async function addSession(lastUsedDays: number, revokedDays: number | null): Promise<string> {
  const id = newId('ses')
  await t.ownerSql(
    `insert into sessions (organization_id, id, login_id, user_id, tenant_id, created_at, last_used_at, revoked_at)
     select $1, $2, $2, u.id, $3, now() - interval '900 days', now() - make_interval(days => $4), now() - make_interval(days => $5)
     from users u where u.organization_id = $1 order by u.id limit 1`,
    [organization(), id, t.main.liveTenantId, lastUsedDays, revokedDays],
  )
  return id
}

async function addInvitation(decidedDays: number | null, expiredDays: number): Promise<string> {
  const id = newId('inv')
  await t.ownerSql(
    `insert into invitations (organization_id, id, email, role, invited_by, token_hash, token_sealed, state, expires_at, decided_at)
     select $1, $2, 'old@example.com', 'Admin', u.id, decode(md5($2), 'hex'), '', case when $3::int is null then 'pending' else 'revoked' end,
       now() - make_interval(days => $4), now() - make_interval(days => $3)
     from users u where u.organization_id = $1 order by u.id limit 1`,
    [organization(), id, decidedDays, expiredDays],
  )
  return id
}

async function addBatch(finishedDays: number | null, tenant = t.main.liveTenantId): Promise<string> {
  const id = newId('bat')
  await t.ownerSql(
    `insert into batches (tenant_id, id, created_at, noun, source, state, user_id, behind, total, changed, unchanged, failed, finished_at)
     values ($1, $2, now() - interval '900 days', 'lead', 'bulk', case when $3::int is null then 'running' else 'completed' end, 1, '', 1, 1,
       0, 0, now() - make_interval(days => $3))`,
    [tenant, id, finishedDays],
  )
  await t.ownerSql(
    `insert into batch_failures (tenant_id, batch_id, record_id, code, message) values ($1, $2, 'lead:1', 'conflict', 'Changed meanwhile.')`,
    [tenant, id],
  )
  return id
}

async function addImport(finishedDays: number, storageKey: string | null): Promise<string> {
  const id = newId('imp')
  await t.ownerSql(
    `insert into imports (tenant_id, id, version, created_at, updated_at, noun, state, user_id, storage, storage_key, size_bytes, sha256,
       encoding, delimiter, columns, mapping, options, done, created, updated, unchanged, skipped, refused, finished_at)
     values ($1, $2, 1, now() - interval '900 days', now(), 'lead', 'completed', 1, case when $4::text is not null then 'disk' end, $4, 1, '',
       'utf-8', ',', '[]', '{}', '{}', 0, 0, 0, 0, 0, 0, now() - make_interval(days => $3))`,
    [t.main.liveTenantId, id, finishedDays, storageKey],
  )
  return id
}

test('what ended long ago goes, and nothing else', async () => {
  const gone = {
    sessions: [await addSession(500, null), await addSession(100, 100)],
    invitations: [await addInvitation(91, 95), await addInvitation(null, 91)],
    batches: [await addBatch(401)],
    imports: [await addImport(401, null)],
  }
  const kept = {
    sessions: [await addSession(500, 10), await addSession(20, null)],
    invitations: [await addInvitation(89, 95), await addInvitation(null, -1)],
    batches: [await addBatch(399), await addBatch(null)],
    imports: [await addImport(399, null), await addImport(401, 'a-file-that-is-there')],
  }
  await purge()
  for (const [table, ids] of Object.entries(gone)) assert.equal(await count(table, ids), 0, table)
  for (const [table, ids] of Object.entries(kept)) assert.equal(await count(table, ids), ids.length, table)
  assert.deepEqual(await t.ownerSql('select from batch_failures where batch_id = $1', [gone.batches[0]]), [])
})

test('the last session of a person says when they were here', async () => {
  await t.ownerSql('delete from sessions where organization_id = $1', [organization()])
  const [older, last] = [await addSession(700, 700), await addSession(600, 600)]
  await purge()
  assert.equal(await count('sessions', [older]), 0)
  assert.equal(await count('sessions', [last]), 1)
})

test('an organization on hold keeps it, more than one step goes where it ends', async () => {
  await t.ownerSql('delete from batches')
  const hold = newId('hold')
  await t.ownerSql(
    `insert into legal_holds (organization_id, id, reason, placed_by, placed_at)
     select $1, $2, 'A lawsuit.', u.id, now() from users u where u.organization_id = $1 order by u.id limit 1`,
    [organization(), hold],
  )
  const ids = []
  for (let n = 0; n < 25; n++) ids.push(await addBatch(500))
  const invitation = await addInvitation(500, 500)
  await purge()
  assert.equal(await count('batches', ids), ids.length)
  assert.equal(await count('invitations', [invitation]), 1)
  await t.ownerSql('update legal_holds set released_at = now(), released_by = placed_by where id = $1', [hold])
  await purge()
  assert.equal(await count('batches', ids), 0)
  assert.equal(await count('invitations', [invitation]), 0)
})
