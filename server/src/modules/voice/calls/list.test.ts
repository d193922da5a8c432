// Guards: lists of calls that came in read an index of these, however many others there are, and leave none of them away.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { listCalls } from '../call_records/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

async function addCalls(prefix: string, direction: 'inbound' | 'outbound', count: number): Promise<void> {
  await t.ownerSql(
    `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state,
       created_at, ended_at, changed_at, hangup_cause, hangup_by)
     select $1, $2 || lpad(n::text, 6, '0'), $3, '+15005550006', '+14155550100', 30, 3600, 'no_answer',
       now() - n * interval '1 minute', now(), now(), 'no_answer', 'callee' from generate_series(1, $4::integer) n`,
    [t.main.liveTenantId, prefix, direction, count],
  )
}

test('calls that came in are read by an index of their own', async () => {
  await addCalls('call_out', 'outbound', 5_000)
  await addCalls('call_in', 'inbound', 3)
  await t.ownerSql('analyze calls')
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const { found, plan } = await t.app.services.db.inTenant(scope, async tx => {
    const asked: RootOperationNode[] = []
    const watched = tx.withPlugin({
      transformQuery({ node }) {
        asked.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const calls = await listCalls(watched as Tx, scope, { direction: 'inbound' }, undefined, 51)
    const { sql, parameters } = tx.getExecutor().compileQuery(asked[0] as RootOperationNode, createQueryId())
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${sql}`, [...parameters]),
    )
    return { found: calls.map(({ id }) => id), plan: rows.map(row => row['QUERY PLAN']).join('\n') }
  })
  assert.deepEqual(found, ['call_in000001', 'call_in000002', 'call_in000003'])
  assert.match(plan, /calls_received/)
})
