// Guards: what is asked of a call is done once, also where nobody knows whether the transaction that takes it has committed, and where one
// command fails.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { leftovers, startCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, quietTools } from '../../../../test/voice/engine.ts'
import { unavailable } from '../../../kernel/data/db_errors.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { insertCommand, lockCalls } from '../call_records/index.ts'
import { carryCalls } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

/** A node of which the next transactions commit, or do not, and in either case end as one whose outcome nobody knows. */
function nodeInDoubt() {
  const signals: string[] = []
  const doubts: ('committed' | 'rolled back')[] = []
  const made = createTestEngine(() => t.clock.now())
  const engine = {
    ...made.engine,
    dial(...args: Parameters<typeof made.engine.dial>) {
      const leg = made.engine.dial(...args)
      return { ...leg, handleSignal: ({ type }: { type: string }) => void signals.push(`${leg.callId} ${type}`) }
    },
  }
  const { services } = t.app
  const inTenant: Services['db']['inTenant'] = async (of, work) => {
    const doubt = doubts.shift()
    if (doubt === undefined) return services.db.inTenant(of, work)
    await services.db
      .inTenant(of, async tx => {
        await work(tx)
        if (doubt === 'rolled back') throw new Error('the connection broke')
      })
      .catch(() => {})
    throw unavailable(new Error('the outcome of COMMIT is unknown'))
  }
  const queue = carryCalls({ engines: [() => engine], tools: () => quietTools })({
    ...services,
    db: { ...services.db, inTenant },
  })
  async function round(): Promise<unknown> {
    const rows = await queue.claim('lse_test', 100)
    return queue.work(rows, 'lse_test', () => false).catch(error => error)
  }
  return { ...made, round, doubts, signals }
}

const mute = { kind: 'client', signal: { type: 'mute' } } as never

const ask = (callId: string, id: string, command = mute) =>
  t.app.services.db.inTenant(scope(), async tx => {
    const [call] = await lockCalls(tx, scope(), [callId])
    assert.ok(call !== undefined)
    await insertCommand(tx, scope(), call, id, command)
  })

/** As when their leases have ended. */
const dueNow = () => t.ownerSql('update call_jobs set due_at = now()')

for (const outcome of ['committed', 'rolled back'] as const)
  for (const count of [1, 2])
    test(`${count} asked for in a transaction that ${outcome}, which nobody knows: done once each`, async () => {
      const node = nodeInDoubt()
      const calls = await Promise.all(Array.from({ length: count }, () => startCall(t, '+15550100002')))
      await node.round()
      for (const callId of calls) await ask(callId, `cmd_${callId}`)
      node.doubts.push(outcome)
      await node.round()
      const done = calls.map(callId => `${callId} mute`).toSorted()
      assert.deepEqual(node.signals.toSorted(), done)
      await dueNow()
      await node.round()
      assert.deepEqual(node.signals.toSorted(), done)
      // What is left is that the node holds them.
      for (const callId of calls) assert.equal(await leftovers(t, callId), 1)
    })

test('a command that fails holds up none behind it', async () => {
  const node = nodeInDoubt()
  const callId = await startCall(t, '+15550100002')
  await node.round()
  await ask(callId, 'cmd_1', { kind: 'instructions', instructions: 'sealed for somebody else' } as never)
  await ask(callId, 'cmd_2')
  const { log } = t.app.services
  const { level } = log
  log.level = 'silent'
  await node.round()
  log.level = level
  assert.deepEqual(node.signals, [`${callId} mute`])
})
