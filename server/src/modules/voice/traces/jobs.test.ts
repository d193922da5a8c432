// What calls leave behind goes after its time, more than one batch of it, and nothing of a call that is under way or ended lately.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { purgeCalls } from './jobs.ts'

const days = 7
let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_CALL_TRACE_DAYS: String(days) } })
})
after(() => t?.close())

/** A call that ended so many days ago (null: that is under way), started long before, with all that calls leave behind. */
async function callOf(endedDaysAgo: number | null, messages: number): Promise<string> {
  const id = newId('call')
  const tenant = t.main.liveTenantId
  const ended = endedDaysAgo === null ? 'null' : `now() - interval '${endedDaysAgo} days'`
  const isOver = endedDaysAgo !== null
  await t.ownerSql(
    `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state,
       hangup_cause, hangup_by, created_at, answered_at, ended_at, changed_at)
     values ($1, $2, 'outbound', '+15550100001', '+15550100002', 60, 86400, $3, $4, $5, now() - interval '90 days',
       now() - interval '90 days', ${ended}, now())`,
    [tenant, id, ...(isOver ? ['completed', 'normal', 'callee'] : ['answered', null, null])],
  )
  await t.ownerSql(
    `insert into call_traces (tenant_id, call_id, position, at, direction, transport, remote, message)
     select $1, $2, n, now() - interval '90 days', 'sent', 'udp', '203.0.113.10:5060', 'BYE' from generate_series(1, $3) n`,
    [tenant, id, messages],
  )
  await t.ownerSql(`insert into sip_calls (tenant_id, call_id, stored) values ($1, $2, '{}')`, [tenant, id])
  await t.ownerSql(`insert into call_jobs (tenant_id, call_id, kind, engine) values ($1, $2, 'hangup', 'sip')`, [
    tenant,
    id,
  ])
  await t.ownerSql(`insert into call_commands (tenant_id, id, call_id, command) values ($1, $2, $3, '{}')`, [
    tenant,
    newId('cmd'),
    id,
  ])
  await t.ownerSql(`insert into call_leases (tenant_id, call_id, engine, owner) values ($1, $2, 'sip', 'gone')`, [
    tenant,
    id,
  ])
  return id
}

async function left(id: string): Promise<Record<string, number>> {
  const tables = ['call_traces', 'sip_calls', 'call_jobs', 'call_commands', 'call_leases', 'calls']
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const column = table === 'calls' ? 'id' : 'call_id'
    const [row] = await t.ownerSql<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [id])
    counts[table] = row?.n ?? -1
  }
  return counts
}

test('old SIP messages and stray rows go, whole; calls, and all of those under way or ended lately, stay', async () => {
  const old = await callOf(days + 1, 6_000)
  const lately = await callOf(days - 1, 3)
  const justNow = await callOf(0, 3)
  const underWay = await callOf(null, 3)
  await purgeCalls(t.app.services).run()
  const strays = { sip_calls: 0, call_jobs: 0, call_commands: 0, call_leases: 0 }
  const all = { call_traces: 3, sip_calls: 1, call_jobs: 1, call_commands: 1, call_leases: 1, calls: 1 }
  assert.deepEqual(await left(old), { call_traces: 0, ...strays, calls: 1 })
  assert.deepEqual(await left(lately), { call_traces: 3, ...strays, calls: 1 })
  assert.deepEqual(await left(justNow), all)
  assert.deepEqual(await left(underWay), all)
})

test('an organization keeps them for the days that it chose', async () => {
  const chosen = await callOf(3, 2)
  const body = { classes: [{ class: 'call_traces', days: 2 }] }
  const { status, text } = await t.call('PATCH', '/v2/organization/retention', { as: t.main.liveKey, body })
  assert.equal(status, 200, text)
  await purgeCalls(t.app.services).run()
  assert.equal((await left(chosen))['call_traces'], 0)
})
