// An idempotency key that is purged by age just after a request has found it taken: the request is not answered with what is no longer
// there, nothing of it is lost, and once more it is done. A trigger purges here at that very moment.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TestApp } from './harness.ts'
import { number, sender, startSms } from './sms.ts'

const { t }: { t: TestApp } = await startSms()

before(() =>
  t.ownerSql(`
    create function purge_key() returns trigger language plpgsql security definer as $$ begin
      delete from idempotency_keys where key like 'old%' and fingerprint = 'purged';
      return null;
    end $$;
    create trigger purge_key after insert on idempotency_keys for each statement execute function purge_key()`),
)

const kinds: [noun: string, path: string, table: string, isInGroups: boolean, body: object][] = [
  ['text', '/v2/messages/sms', 'messages', true, { from: sender, to: number('0006'), body: 'once' }],
  ['lead', '/v1/api/leads', 'leads', true, { name: 'Ada', email: 'ada@example.com' }],
  ['company', '/v1/api/companies', 'companies', false, { name: 'Analytical Engines' }],
]
for (const [noun, path, table, isInGroups, body] of kinds) {
  test(`a ${noun} is made once, and its key kept`, async () => {
    const key = `old ${noun}`
    await t.ownerSql(`
      alter table idempotency_keys disable trigger purge_key;
      insert into idempotency_keys (tenant_id, key, fingerprint, status, body, version)
      values (${t.main.liveTenantId}, '${key}', 'purged', 201, '{}', 1);
      alter table idempotency_keys enable trigger purge_key`)
    const call = () => t.call('POST', path, { as: t.main.tokens.Admin, headers: { 'idempotency-key': key }, body })
    const first = await call()
    if (isInGroups) {
      // All of the group was rolled back, and with it what was purged here.
      assert.deepEqual([first.status, first.headers['retry-after']], [503, '1'], first.text)
      await t.ownerSql(`delete from idempotency_keys where key = '${key}'`)
    } else assert.ok(first.status < 300, first.text)
    const answers = [await call(), await call()]
    if (!isInGroups) answers.unshift(first)
    for (const answer of answers) assert.deepEqual([answer.status < 300, answer.text], [true, answers[0]!.text])
    const [counted] = await t.ownerSql<{ count: number }>(
      `select count(*)::integer as count from ${table} where tenant_id = ${t.main.liveTenantId}`,
    )
    assert.equal(counted!.count, 1)
  })
}
