// Guards: calls that go over to another trunk when one fails keep to what that trunk bears: no more at a time than `concurrentCalls`, no
// quicker than `callsPerSecond`. A trunk that is full is passed over; for the pace of one they wait.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { carryByTestDriver, createTestDriver, until } from '../../../test/engines/trunks.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, startCall } from '../../../test/voice/calls.ts'

const to = '+15550100002'
const callsPerSecond = 4

let t: TestApp
let trunks: string[]
let running: { stop(): Promise<void> }
const { driver, tried } = createTestDriver()
const dialledAt = new Map<string, number>()
before(async () => {
  t = await startTestApp({ env: sipEnv })
  const route = (priority: number) => [{ prefix: '', priority, weight: 1 }]
  trunks = [
    await addTrunk(t, 9, { routes: route(1) }),
    await addTrunk(t, 9, { routes: route(2), settings: { concurrentCalls: 2, callsPerSecond } }),
    await addTrunk(t, 9, { routes: route(3), settings: { concurrentCalls: 1 } }),
  ]
  running = carryByTestDriver(t, {
    ...driver,
    plan(call, trunk) {
      const plan = driver.plan(call, trunk)
      return (
        plan && {
          ...plan,
          dial(attempt) {
            dialledAt.set(`${call.callId} ${trunk?.id}`, performance.now())
            return plan.dial(attempt)
          },
        }
      )
    },
  })
})
after(async () => {
  for (const one of tried) one.end()
  await running?.stop()
  await t?.close()
})

const by = (trunk: number) => tried.filter(({ trunkId }) => trunkId === trunks[trunk])
const wayOf = (callId: string) =>
  tried.filter(one => one.callId === callId).map(one => trunks.indexOf(one.trunkId ?? ''))

test('of calls whose trunk fails the next one gets what it has room for, at its pace, and the one behind it the others', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => startCall(t, to, {}, t.main.liveKey)))
  await until(() => by(0).length === 4)
  for (const one of by(0)) one.refuse(503)
  await until(() => by(1).length === 2 && by(2).length === 1)
  const refused = ids.find(id => wayOf(id).length === 1)
  const { state, sipCode } = await callIn(t, refused ?? '', ['failed'], t.main.liveKey)
  assert.deepEqual([state, sipCode], ['failed', 503])
  assert.deepEqual(ids.map(wayOf).sort(), [[0], [0, 1], [0, 1], [0, 2]])
  const [early = 0, late = 0] = by(1).map(({ callId, trunkId: id }) => dialledAt.get(`${callId} ${id}`) ?? 0)
  assert.ok(late - early > 0.8 * (1_000 / callsPerSecond), `${late - early} ms`)

  by(1)[0]?.end()
  await callIn(t, by(1)[0]?.callId ?? '', ['canceled'], t.main.liveKey)
  const next = await startCall(t, to, {}, t.main.liveKey)
  ;(await until(() => by(0).find(({ callId }) => callId === next))).refuse(503)
  await until(() => wayOf(next).includes(1))
})

test('a call that is given up while it waits for the pace of the next trunk does not start there', async () => {
  for (const one of tried) one.end()
  await until(async () => (await t.ownerSql('select 1 from calls where ended_at is null')).length === 0)
  await t.ownerSql(`update trunk_paces set next_at = clock_timestamp() + interval '20 seconds' where trunk_id = $1`, [
    trunks[1],
  ])
  const id = await startCall(t, to, {}, t.main.liveKey)
  ;(await until(() => by(0).find(({ callId }) => callId === id))).refuse(503)
  await until(
    async () => (await t.ownerSql('select 1 from calls where id = $1 and trunk_id = $2', [id, trunks[1]])).length,
  )
  await t.call('POST', `/v2/voice/calls/${id}/hangup`, { as: t.main.liveKey })
  await until(async () => (await t.ownerSql('select 1 from sip_calls where call_id = $1', [id])).length === 0)
  assert.deepEqual(wayOf(id), [0])
})
