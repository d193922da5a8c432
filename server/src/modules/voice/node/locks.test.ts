// Guards the order of locks that call_records/store.ts names: each test holds one row, lets the other side come as far as it can, and
// asks what it has locked by then. Where the order is broken, two transactions wait for each other, or one for what it need not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { leftovers, seeCall, startCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, quietTools } from '../../../../test/voice/engine.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { insertCall, insertLeases, lockCalls, receiveCallEvents, renewCallLeases } from '../call_records/index.ts'
import type { CallReport } from '../call_records/rules.ts'
import { carryCalls, endLostCalls } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const to = '+15550100002'
const owner = 'node_1'
const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })
const transaction = <T>(work: (tx: Tx) => Promise<T>) => t.app.services.db.inTenant(scope(), work)
const node = () =>
  carryCalls({ engines: [() => createTestEngine(() => t.clock.now()).engine], tools: () => quietTools })

async function heldCall(): Promise<string> {
  const callId = await startCall(t, to)
  await transaction(tx => insertLeases(tx, scope(), 'simulator', owner, [callId]))
  await t.ownerSql(`update call_leases set heartbeat_at = now() - interval '40 seconds' where call_id = $1`, [callId])
  await t.ownerSql('delete from call_jobs where call_id = $1', [callId])
  return callId
}

const ended = (callId: string): CallReport => ({
  callId,
  atMs: t.clock.now(),
  event: { type: 'ended', cause: 'normal', by: 'api' },
})

/** Resolves when a transaction waits for a lock. */
const somebodyWaits = () =>
  eventually('a transaction that waits for a lock', async () => {
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await t.ownerSql(text)).length > 0
  })
const isFree = async (table: string, column: string, callId: string) => {
  const text = `select from ${table} where ${column} = $1 for update skip locked`
  return (await t.ownerSql(text, [callId])).length === 1
}

test('a call that is lost and ended at the same time is ended once: both take the call before its lease', async () => {
  const callId = await heldCall()
  const row = { tenant_id: scope().tenantId, organization_id: scope().organizationId, call_id: callId }
  let lost: Promise<void> | undefined
  await transaction(async tx => {
    await lockCalls(tx, scope(), [callId])
    lost = endLostCalls(t.app.services).work([row as never], '', () => false)
    lost.catch(() => {})
    await somebodyWaits()
    await receiveCallEvents(tx, scope(), [ended(callId)])
  })
  await lost
  assert.deepEqual([(await seeCall(t, callId)).hangupBy, await leftovers(t, callId)], ['api', 0])
})

test('a heartbeat does not wait for a lease that is being removed, and keeps the others', async () => {
  const [ending, talking] = [await heldCall(), await heldCall()]
  const refs = [ending, talking].map(callId => ({ ...scope(), callId }))
  await transaction(async tx => {
    await receiveCallEvents(tx, scope(), [ended(ending)])
    const kept = await renewCallLeases(t.app.services.db, owner, refs)
    assert.ok(kept.some(({ callId }) => callId === talking))
    const silent = `select call_id from call_leases where heartbeat_at < now() - interval '30 seconds'`
    assert.deepEqual(
      (await t.ownerSql<{ call_id: string }>(silent)).map(row => row.call_id),
      [ending],
    )
  })
  assert.deepEqual(await renewCallLeases(t.app.services.db, owner, refs), refs.slice(1))
})

test('a leg is stored while something is written about its parent', async () => {
  const parent = await startCall(t, to)
  const id = newId('call')
  await transaction(async tx => {
    await lockCalls(tx, scope(), [parent])
    await transaction(other =>
      insertCall(other, scope(), {
        id,
        direction: 'outbound',
        parent_call_id: parent,
        from_number: '+15550100001',
        to_number: to,
        caller_name: null,
        callback_url: null,
        timeout_seconds: 30,
        time_limit_seconds: 600,
        tags: [],
        metadata: {},
        created_at: isoMs(t.clock.now()),
      }),
    )
  })
  assert.equal((await seeCall(t, id)).state, 'initiated')
})

test('calls are locked by their ids before they are dialled, also where some have waited too long', async () => {
  const [due, late] = [await startCall(t, to), await startCall(t, to)]
  await t.ownerSql(`update call_jobs set created_at = now() - interval '1 hour' where call_id = $1`, [late])
  const queue = node()(t.app.services)
  const rows = await queue.claim('lse_1', 100)
  let work: Promise<void> | undefined
  await transaction(async tx => {
    await lockCalls(tx, scope(), [due])
    work = queue.work(rows, 'lse_1', () => false)
    await somebodyWaits()
    assert.ok(await isFree('calls', 'id', late))
  })
  await work
  assert.equal((await seeCall(t, late)).hangupCause, 'dial_expired')
})

test('commands are taken out with their calls locked, before their jobs', async () => {
  const callId = await heldCall()
  const instructions = [{ verb: 'pause', seconds: 1 }]
  await t.ownerSql(`update calls set engine = 'simulator' where id = $1`, [callId])
  const asked = await t.call('POST', `/v2/voice/calls/${callId}/commands`, {
    as: t.main.testKey,
    body: { instructions },
  })
  assert.equal(asked.status, 200)
  await t.ownerSql('update call_jobs set owner = null, engine = $2 where call_id = $1', [callId, 'simulator'])
  const queue = node()(t.app.services)
  const { organizationId: organization_id, tenantId: tenant_id } = scope()
  const row = { tenant_id, organization_id, call_id: callId, kind: 'command', mode: 'test', engine: 'simulator' }
  await t.ownerSql(`update call_jobs set lease_token = 'lse_2' where call_id = $1`, [callId])
  let work: Promise<void> | undefined
  await transaction(async tx => {
    await sql`select from calls where id = ${callId} for update`.execute(tx)
    work = queue.work([row as never], 'lse_2', () => false)
    await somebodyWaits()
    assert.ok(await isFree('call_jobs', 'call_id', callId))
  })
  await work
  // The lease is all that is left.
  assert.equal(await leftovers(t, callId), 1)
})
