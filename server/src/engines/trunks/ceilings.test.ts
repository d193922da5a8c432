// Guards: ceilings of a trunk hold for all that goes by it, also when it is another's turn that failed; calls are priced by the way
// they took; what they cost stays within what may be spent, minute by minute, and what was not used comes back no matter who ends them.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { keyWithPolicy, setPolicy } from '../../../test/destinations.ts'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { carryByTestDriver, createTestDriver, until } from '../../../test/engines/trunks.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, patientWatch, startCall } from '../../../test/voice/calls.ts'

const to = '+15550100002'
const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

let t: TestApp
let first: string
let second: string
let advanced = 0
let running: { stop(): Promise<void> }
const { driver, tried } = createTestDriver()
before(async () => {
  t = await startTestApp({ env: sipEnv })
  const route = (priority: number, cost: string) => [{ prefix: '', priority, weight: 1, cost }]
  first = await addTrunk(t, 9, { routes: route(1, '0.5') })
  second = await addTrunk(t, 9, { routes: route(2, '0.25') })
  running = carryByTestDriver(t, driver)
})
afterEach(async () => {
  for (const one of tried) one.end()
  t.clock.advance(-advanced)
  advanced = 0
  const as = t.main.liveKey
  for (const policy of ['organization', first, second])
    await t.call('DELETE', `/v2/destinations/policies/${policy}`, { as })
  await until(async () => (await underWay()) === 0 && (await reserved()) === 0)
  await t.ownerSql('delete from destination_usage')
})
after(async () => {
  await running?.stop()
  await t?.close()
})

function advance(ms: number): void {
  t.clock.advance(ms)
  advanced += ms
}
const start = (as = t.main.liveKey) => startCall(t, to, {}, as)
const dialled = (callId: string, trunkId?: string) =>
  until(() => tried.find(one => one.callId === callId && (trunkId === undefined || one.trunkId === trunkId)))
const ended = (callId: string) => callIn(t, callId, over, t.main.liveKey) as Promise<Seen>
type Seen = Awaited<ReturnType<typeof callIn>> & {
  trunkId: string | null
  price: string | null
  currency: string | null
}
const count = async (text: string) => Number((await t.ownerSql<{ count: string }>(text))[0]?.count)
const underWay = () => count('select count(*) from calls where ended_at is null')
const reserved = () => count('select count(*) from call_spend')
const policy = (of: string, body: object) => setPolicy(t, of, body, t.main.liveKey)
const spentBy = async (of: string) => {
  const { json } = await t.call('GET', `/v2/destinations/policies/${of}`, { as: t.main.liveKey })
  return json.data.today.spend[0]?.amount ?? '0'
}
const usd = (amount: string) => ({ dailySpend: [{ currency: 'USD', amount }] })

describe('ceilings of a trunk', () => {
  test('a full one is passed over, also within one batch; where all are full the call is refused, with an event', async () => {
    await policy(first, { concurrentCalls: 2 })
    await policy(second, { dailyCalls: 3 })
    const ids = await Promise.all(Array.from({ length: 7 }, () => start()))
    const ends = await until(() => {
      const going = tried.filter(one => ids.includes(one.callId))
      return going.length === 5 && going
    })
    assert.equal(ends.filter(one => one.trunkId === first).length, 2)
    assert.equal(ends.filter(one => one.trunkId === second).length, 3)
    const refused = ids.filter(id => !ends.some(one => one.callId === id))
    for (const id of refused) {
      const { state, errorCode, sipCode } = await ended(id)
      assert.deepEqual([state, errorCode, sipCode], ['failed', 'concurrent_calls_exceeded', 603])
    }
    const events = await t.ownerSql<{ ceiling: string }>(
      `select data->>'policy' || ' ' || (data->>'ceiling') as ceiling from event_log
       where type = 'destination.ceiling_reached' order by 1`,
    )
    assert.deepEqual(
      events.map(({ ceiling }) => ceiling),
      [`${first} concurrent_calls`, `${second} daily_calls`].sort(),
    )
    const { json } = await t.call('GET', `/v2/destinations/policies/${first}`, { as: t.main.liveKey })
    assert.deepEqual([json.data.today.activeCalls, json.data.today.calls], [2, 2])
    const leg = await dialled(ends.find(one => one.trunkId === first)?.callId ?? '')
    leg.end()
    // Its place is free once its end is stored: a call that starts before is refused, as it should be.
    await ended(leg.callId)
    assert.equal((await dialled(await start())).trunkId, first, 'one place is free')
  })

  test('one call goes over to the next trunk only where its policy has room, and costs what it does there', async () => {
    await policy(second, { concurrentCalls: 0 })
    const shut = await start()
    ;(await dialled(shut, first)).refuse(503)
    assert.equal((await ended(shut)).trunkId, first)
    assert.equal(
      tried.some(one => one.callId === shut && one.trunkId === second),
      false,
    )
    await policy(second, { concurrentCalls: 1, ...usd('1') })
    const open = await start()
    ;(await dialled(open, first)).refuse(503)
    const taken = await dialled(open, second)
    taken.happen({ type: 'answered' })
    await callIn(t, open, ['answered'], t.main.liveKey)
    assert.equal(await spentBy(second), '0.25')
    taken.end()
    const { trunkId, price, currency } = await ended(open)
    assert.deepEqual([trunkId, price, currency], [second, '0.25', 'USD'])
  })
})

describe('what calls cost', () => {
  test('a minute is taken when the call leaves, and comes back when nobody answers', async () => {
    const { secret, keyId } = await keyWithPolicy(t, usd('1'), { mode: 'live' })
    await policy('organization', usd('1.2'))
    const ids = await Promise.all(Array.from({ length: 5 }, () => start(secret)))
    const going = await until(() => {
      const some = tried.filter(one => ids.includes(one.callId))
      return some.length === 2 && some
    })
    const refused = ids.filter(id => !going.some(one => one.callId === id))
    assert.deepEqual(
      (await Promise.all(refused.map(ended))).map(call => call.errorCode),
      refused.map(() => 'daily_spend_exceeded'),
    )
    assert.deepEqual([await spentBy(keyId), await spentBy('organization')], ['1', '1'])
    going[0]?.end('user_busy')
    assert.equal((await ended(going[0]?.callId ?? '')).price, '0')
    await until(async () => (await spentBy(keyId)) === '0.5')
    await dialled(await start(secret))
  })

  test('further minutes are taken while it talks; with nothing left the call is ended, within what may be spent', async () => {
    await policy('organization', usd('1'))
    const callId = await start()
    const leg = await dialled(callId)
    leg.happen({ type: 'answered' })
    await callIn(t, callId, ['answered'], t.main.liveKey)
    advance(50_000)
    await until(async () => (await spentBy('organization')) === '1')
    assert.equal(leg.isEnded, false)
    advance(55_000)
    // The third minute is refused; what is left of the second is let go on.
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.equal(leg.isEnded, false)
    advance(10_000)
    const { state, errorCode, hangupBy, price } = await ended(callId)
    assert.deepEqual([state, errorCode, hangupBy, price], ['failed', 'daily_spend_exceeded', 'system', '1'])
    await until(() => leg.isEnded)
    assert.equal(await spentBy('organization'), '1')
  })

  test('a call whose process died gives back what it did not use, and its place', async () => {
    await policy(first, { concurrentCalls: 1, ...usd('5') })
    const callId = await start()
    ;(await dialled(callId)).happen({ type: 'answered' })
    await callIn(t, callId, ['answered'], t.main.liveKey)
    const ago = "- interval '70 seconds'"
    await t.ownerSql(`
      update calls set created_at = created_at ${ago}, dialed_at = dialed_at ${ago}, answered_at = answered_at ${ago},
        changed_at = changed_at ${ago} where id = '${callId}'`)
    await until(async () => (await spentBy(first)) === '1')
    await t.ownerSql(`update call_leases set heartbeat_at = clock_timestamp() - interval '35 seconds'`)
    const lost = await patientWatch(t)
    await lost.work(await lost.claim('', 100), '', () => false)
    assert.equal((await ended(callId)).errorCode, 'node_lost')
    await until(async () => (await reserved()) === 0)
    assert.equal(await spentBy(first), '0.5', 'one minute was begun')
    assert.equal((await dialled(await start())).trunkId, first)
  })

  test('nothing is counted where there is no ceiling, and the price is stored all the same', async () => {
    const callId = await start()
    const leg = await dialled(callId)
    leg.happen({ type: 'answered' })
    await callIn(t, callId, ['answered'], t.main.liveKey)
    assert.equal(await reserved(), 0)
    advance(61_000)
    leg.end()
    const { price, currency } = await ended(callId)
    assert.deepEqual([price, currency], ['1', 'USD'])
  })
})
