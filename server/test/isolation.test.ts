// Guards: what a test tenant does at its worst stays bounded while live mode is at work on the node: its requests wait for their
// turn before they are read, batches count as what they bring, its messages are carried little by little, and no more of its requests
// are under way than it may have. Live mode waits for none of it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { quotas } from '../src/kernel/data/quota.ts'
import { endpoint } from '../src/kernel/endpoint/endpoint.ts'
import { type Answer, startTestApp, type TestApp } from './harness.ts'

/** Requests that are held until the test lets them go. */
const held = Promise.withResolvers<void>()
let arrived = 0
const holding = endpoint({
  id: 'trial.held',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/trial/held',
  name: 'Wait',
  description: 'An endpoint of this test only.',
  permission: 'profile:read',
  transaction: 'none',
  envelope: 'data',
  reply: Type.Object({ done: Type.Boolean() }),
  sample: { reply: { done: true } },
  async handle() {
    arrived++
    await held.promise
    return { done: true }
  },
})

/** Without a pace, for what is counted at once; and one at its pace, with its workers. */
let free: TestApp
let paced: TestApp
before(async () => {
  ;[free, paced] = await Promise.all([
    startTestApp({ endpoints: [holding] }),
    startTestApp({ env: { TANDEM_TESTS_PACE: '5' }, work: true }),
  ])
})
after(async () => {
  await Promise.all([free?.close(), paced?.close()])
})

const text = (n: number) => ({ from: '+15005550006', to: `+1500555${1_000 + n}`, body: `Text ${n}` })
const send = (as: string, n: number) => paced.call('POST', '/v2/messages/sms', { as, body: text(n) })
const sendMany = (count: number) =>
  paced.call('POST', '/v2/messages/sms/batch', {
    as: paced.main.testKey,
    body: { messages: Array.from({ length: count }, (_, n) => text(n)) },
  })
const statusCount = (answers: readonly Answer[], status: number) => answers.filter(one => one.status === status).length

test('alone on the node a test tenant is as fast as it likes', async () => {
  // Logins of the harness were in live mode, and are no requests of it.
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => send(paced.main.testKey, n)))
  assert.equal(statusCount(answers, 200), 40, 'at its pace some would have been refused')
})

test('beside live mode its requests wait, are refused late and name the remedy; live mode waits for none of them', async () => {
  assert.equal((await send(paced.main.liveKey, 0)).status, 200)
  const began = performance.now()
  let liveMs = 0
  const flood = Array.from({ length: 60 }, async (_, n) => ({
    ...(await send(paced.main.testKey, n)),
    atMs: performance.now() - began,
  }))
  for (let n = 0; n < 10; n++) {
    const sentMs = performance.now()
    assert.equal((await send(paced.main.liveKey, n)).status, 200)
    liveMs = Math.max(liveMs, performance.now() - sentMs)
  }
  const strangers = await paced.call('POST', '/v2/messages/sms', { as: paced.other.testKey, body: text(1) })
  assert.equal(strangers.status, 200, 'another test tenant has turns of its own')
  assert.ok(liveMs < 4_000, `a live text took ${Math.round(liveMs)} ms`)
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  const went = statusCount(answers, 200)
  // Five at once, then five a second for the five seconds that one waits.
  assert.ok(went >= 10 && went <= 35, `${went} went`)
  assert.equal(refused.length, 60 - went)
  for (const { atMs, headers, json } of refused) {
    assert.ok(atMs > 4_500, `refused after ${Math.round(atMs)} ms`)
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assert.equal(json.error.code, 'rate_limited')
    assert.match(json.error.message, /Live mode is at work.*tests have 5 requests a second.*TANDEM_TESTS_PACE/)
  }
})

test('beside live mode a batch counts as many as it brings, and is carried little by little', async () => {
  const deliveredIn = async () =>
    Number(
      (await paced.sql<{ n: string }>("select count(*) as n from messages where status in ('sent', 'delivered')"))[0]
        ?.n,
    )
  while ((await paced.sql("select 1 from messages where status in ('queued', 'sending')")).length > 0) await sleep(50)
  await send(paced.main.liveKey, 0)
  const before = await deliveredIn()
  const [first, second] = await Promise.all([sendMany(300), sendMany(300)])
  assert.deepEqual([first.status, second.status].sort(), [200, 429])
  const refusal = first.status === 429 ? first : second
  // Twenty a second: the other three hundred are due in a quarter of a minute.
  assert.ok(Number(refusal.headers['retry-after']) > 5, `after ${refusal.headers['retry-after']} s`)
  assert.match(refusal.json.error.message, /tests have 20 messages of batches a second/)
  // Two every tenth of a second have gone for the five seconds of the refusal, and some more.
  const carried = (await deliveredIn()) - before
  assert.ok(carried >= 5 && carried <= 200, `${carried} were carried`)
})

test('of the requests under way tests have a part, one test tenant less; live mode has room beside them', async () => {
  const get = (as: string) => free.call('GET', '/v2/trial/held', { as })
  const { testTenant } = quotas.connections
  const flood = Array.from({ length: testTenant }, () => get(free.main.testKey))
  while (arrived < testTenant) await sleep(10)
  const refused = (await Promise.race([get(free.main.testKey), sleep(5_000)])) as Answer
  assert.ok(refused, 'one more is under way')
  assert.equal(refused.status, 503)
  assert.deepEqual([refused.headers['retry-after'], refused.headers['connection']], ['1', 'close'])
  assert.match(refused.json.error.message, /500 requests under way.*Wait for answers/)
  const others = [get(free.main.liveKey), get(free.other.testKey)]
  while (arrived < testTenant + 2) await sleep(10)
  held.resolve()
  const answers = await Promise.all([...flood, ...others])
  assert.equal(statusCount(answers, 200), testTenant + 2)
  assert.equal((await get(free.main.testKey)).status, 200, 'its places are free again')
})
