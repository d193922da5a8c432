// Rows that are so long that a statement manages one of them before its time is over: an erasure and a purge come to their end all the same.
// The time is simulated: a trigger cancels each statement that changed more rows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { askPrivacy, finishPrivacy } from '../../../../test/privacy.ts'
import { purgeByAge } from '../retention/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

/** A statement that changes more than one row of the table takes too long from now on. */
async function slowDown(table: string, does: 'update' | 'delete'): Promise<void> {
  await t.ownerSql(`create or replace function cancel_long() returns trigger language plpgsql as $$
    begin
      if (select count(*) from touched) > 1 then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return null;
    end $$`)
  await t.ownerSql(`create trigger slow_down after ${does} on ${table}
    referencing old table as touched for each statement execute function cancel_long()`)
}

const ada = 'ada@engines.example'
const as = () => t.main.tokens.Admin

test('an erasure takes a name out of rows of which one fits into the time of a statement', async () => {
  const { json } = await t.call('POST', '/v1/api/companies', { as: as(), body: { name: 'Nimbus Ltd' } })
  for (let note = 0; note < 3; note++)
    await t.call('POST', '/v1/api/notes', {
      as: as(),
      body: { record_id: json.company.id, body: `Ask ${ada} ${note}` },
    })
  for (let mail = 0; mail < 3; mail++)
    await t.call('POST', '/v2/mails', {
      as: as(),
      body: { to: [{ address: ada }], subject: 'Offer', text: 'Dear Ada.' },
    })
  await slowDown('notes', 'update')
  await slowDown('mails', 'delete')
  const asked = await askPrivacy(t, { kind: 'erasure', email: ada, confirm: ada })
  const done = await finishPrivacy(t, asked.json.data.privacyRequestId)
  assert.equal(done.state, 'completed', JSON.stringify(done))
  assert.deepEqual(await t.ownerSql('select distinct left(body, 12) as body from notes'), [{ body: 'Ask [erased]' }])
  assert.deepEqual(await t.ownerSql('select id from mails'), [])
})

test('a purge deletes rows of which one fits into the time of a statement', async () => {
  await t.ownerSql(
    `insert into inbound_mails (tenant_id, id, state, direction, door, dedupe, storage, storage_key, size_bytes, sha256, to_list, cc_list,
       subject, text, sender_check, auth, is_automatic, received_at, updated_at)
     select $1, left(first_id_at('inm', now() - interval '1100 days'), -4) || lpad(n::text, 4, '0'), 'unmatched', 'inbound', 'http',
       n::text::bytea, 'disk', 'inbound_mails/0/none', 1, '', '[]', '[]', 'Old', 'Old', 'unknown', '{}', false,
       now() - interval '1100 days', now()
     from generate_series(1, 5) n`,
    [t.main.liveTenantId],
  )
  await slowDown('inbound_mails', 'delete')
  await purgeByAge(t.app.services).run()
  assert.deepEqual(await t.ownerSql('select id from inbound_mails'), [])
})
