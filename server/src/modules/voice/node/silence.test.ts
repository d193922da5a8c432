// Guards: a database that was away ends no call of a process that lives: silence counts only while there was somebody to hear, and a
// heartbeat that was not heard is repeated at once.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { seeCall, startCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, quietTools } from '../../../../test/voice/engine.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { carryCalls, endLostCalls } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

/** A database that is there, or is not. */
function shakyDatabase() {
  const { db } = t.app.services
  const state = { isAway: false }
  const unlessAway =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      state.isAway ? Promise.reject(new Error('the database is away')) : run(...args)
  const shaky = { ...db, call: unlessAway(db.call), work: unlessAway(db.work) } as Services['db']
  return { state, services: { ...t.app.services, db: shaky } }
}

async function heldCall(services: Services): Promise<{ callId: string; close(): Promise<void> }> {
  const made = createTestEngine(() => t.clock.now())
  const queue = carryCalls({ engines: [() => made.engine], tools: () => quietTools, drainMs: 0 })(services)
  const callId = await startCall(t, '+15550100002')
  await queue.work(await queue.claim('lse_test', 100), 'lse_test', () => false)
  return {
    callId,
    async close() {
      await queue.draining?.()
      await queue.closed?.()
    },
  }
}

const beatWas = (callId: string, seconds: number) =>
  t.ownerSql('update call_leases set heartbeat_at = now() - make_interval(secs => $2) where call_id = $1', [
    callId,
    seconds,
  ])

test('who looks for silent processes gives their calls up after half a minute in which the database was there', async () => {
  const { state, services } = shakyDatabase()
  const { callId, close } = await heldCall(t.app.services)
  let nowMs = 0
  const lost = endLostCalls({ ...services, clock: { now: () => nowMs } })
  const look = async () => {
    nowMs += 5_000
    const rows = await lost.claim('lse_test', 100)
    if (rows.length > 0) await lost.work(rows, 'lse_test', () => false)
    return rows.length
  }
  for (let looks = 0; looks < 10; looks++) assert.equal(await look(), 0)
  state.isAway = true
  await assert.rejects(look(), /away/)
  state.isAway = false
  await beatWas(callId, 40)
  for (let looks = 0; looks < 6; looks++) assert.equal(await look(), 0, 'it may beat first')
  assert.equal((await seeCall(t, callId)).state, 'initiated')
  assert.equal(await look(), 1)
  assert.equal((await seeCall(t, callId)).errorCode, 'node_lost')
  await close()
})

test('a heartbeat that was not heard is repeated a second later', async () => {
  const { state, services } = shakyDatabase()
  const { log } = t.app.services
  const { level } = log
  log.level = 'silent'
  mock.timers.enable({ apis: ['setInterval'] })
  const { callId, close } = await heldCall(services)
  await beatWas(callId, 40)
  state.isAway = true
  mock.timers.tick(10_000)
  mock.timers.reset()
  state.isAway = false
  const silent = "select from call_leases where call_id = $1 and heartbeat_at < now() - interval '30 seconds'"
  assert.equal((await t.ownerSql(silent, [callId])).length, 1)
  const deadline = performance.now() + 5_000
  while ((await t.ownerSql(silent, [callId])).length > 0) assert.ok(performance.now() < deadline, 'it was not repeated')
  log.level = level
  await close()
})
