// What ends calls after a crash is written in batches: what is stored at last stands, who stores waits for the commit, and one that
// cannot be written fails by itself.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { startCall } from '../../../test/voice/calls.ts'
import { insertRemoteParties } from '../../modules/voice/call_records/index.ts'
import { storedCallsOf } from './stored_calls.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })
const transactions = async () =>
  Number((await t.ownerSql<{ n: string }>(`select count(distinct xmin::text) as n from sip_calls`))[0]?.n)

async function storeFirst(count: number) {
  await t.ownerSql('delete from sip_calls')
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await startCall(t, '+15005550200'))
  const { db } = t.app.services
  const rows = ids.map(callId => ({ callId, trunkId: null, stored: { at: 'first' } }))
  await db.inTenant(scope(), tx => insertRemoteParties(tx, scope(), rows))
  return { calls: storedCallsOf(db), refs: ids.map(callId => ({ ...scope(), callId })) }
}

const stored = () =>
  t.ownerSql<{ call_id: string; trunk_id: string | null; stored: { at: string } }>(
    'select call_id, trunk_id, stored from sip_calls order by call_id',
  )

test('many steps at once are one transaction, and the last of each call stands', async () => {
  const { calls, refs } = await storeFirst(30)
  const steps = refs.flatMap(ref =>
    ['second', 'third'].map(at => calls.update(ref, { trunkId: 'trk_1', stored: { at } })),
  )
  await Promise.all(steps)
  assert.equal(await transactions(), 1)
  for (const row of await stored()) assert.deepEqual([row.trunk_id, row.stored.at], ['trk_1', 'third'])
})

test('calls that are over go together, and none is stored again by a step that was on its way', async () => {
  const { calls, refs } = await storeFirst(10)
  const [kept, ...over] = refs as [(typeof refs)[0], ...typeof refs]
  const late = over.map(ref => calls.update(ref, { trunkId: null, stored: { at: 'late' } }))
  const gone = over.map(ref => calls.remove(ref))
  await calls.flush()
  await Promise.all([...late, ...gone])
  assert.deepEqual(
    (await stored()).map(row => row.call_id),
    [kept.callId],
  )
})

test('one that cannot be written says so, and holds up no other', async () => {
  const { calls, refs } = await storeFirst(3)
  const [bad, ...others] = refs as [(typeof refs)[0], ...typeof refs]
  const refused = calls.update(bad, { trunkId: '\0', stored: { at: 'never' } })
  const written = others.map(ref => calls.update(ref, { trunkId: null, stored: { at: 'second' } }))
  await assert.rejects(refused)
  await Promise.all(written)
  assert.deepEqual((await stored()).map(row => row.stored.at).toSorted(), ['first', 'second', 'second'])
})

test('what is stored and what is removed at the same time are locked by the ids of the calls', async () => {
  const { calls, refs } = await storeFirst(4)
  const [first, ...others] = refs.toSorted((a, b) => (a.callId < b.callId ? -1 : 1)) as [
    (typeof refs)[0],
    ...typeof refs,
  ]
  const backwards = [...others.toReversed(), first]
  const free = 'select call_id from sip_calls where call_id <> $1 for update skip locked'
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let steps: Promise<unknown> | undefined
  await t.app.services.db.inTenant(scope(), async tx => {
    await sql`select from sip_calls where call_id = ${first.callId} for update`.execute(tx)
    steps = Promise.all([
      ...backwards.map(ref => calls.update(ref, { trunkId: null, stored: { at: 'second' } })),
      ...backwards.map(ref => calls.remove(ref)),
    ])
    await eventually('both wait', async () => (await t.ownerSql(waiting)).length === 2)
    assert.equal((await t.ownerSql(free, [first.callId])).length, others.length)
  })
  await steps
  assert.deepEqual(await stored(), [])
})
