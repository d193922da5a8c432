// A node with a database: calls run to their end through rows and events, legs dialled by instructions are calls of their own,
// and what ends elsewhere ends here.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { leftovers, seeCall, startCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, createTestLeg, quietTools, type TestLeg } from '../../../../test/voice/engine.ts'
import type { Call } from '../call_records/rules.ts'
import { conversationOf } from '../control/conversation.ts'
import type { Admission, VoiceEngine } from '../engine/index.ts'
import { type OuterTools, VoiceNode } from './node.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

async function nodeWith(more: Partial<VoiceEngine> = {}, tools: Partial<OuterTools> = {}) {
  const made = createTestEngine(() => t.clock.now(), more)
  const node = new VoiceNode(t.app.services, {
    engines: [() => made.engine],
    tools: () => ({ ...quietTools, ...tools }),
    drainMs: 0,
  })
  await node.ready()
  /** Gives a call to the node as the queue does. */
  async function dial(instructions: unknown[]): Promise<{ callId: string; leg: TestLeg }> {
    const callId = await startCall(t, '+15550100002')
    await t.ownerSql('delete from call_jobs where call_id = $1', [callId])
    const rows = await t.ownerSql<Call>(
      `update calls set engine = 'test', dialed_at = created_at, instructions = $2 where id = $1 returning *`,
      [callId, JSON.stringify(instructions)],
    )
    await t.ownerSql(
      `insert into call_leases (tenant_id, call_id, engine, owner) select tenant_id, id, 'test', $2 from calls where id = $1`,
      [callId, node.owner],
    )
    node.dial({ scope: scope(), mode: 'test', call: rows[0] as Call, engine: made.engine })
    return { callId, leg: made.leg(callId) }
  }
  const others = (callId: string) => [...made.legs.values()].filter(leg => leg.callId !== callId)
  return { ...made, node, dial, others }
}

function until<T>(get: () => Promise<T> | T) {
  return eventually(String(get), get, { withinMs: 10_000, everyMs: 5 })
}

const dialOne = { verb: 'dial', targets: [{ type: 'number', number: '+15550100003' }] }

test('a leg that instructions dial is a call of its own; both name each other and end in order', async () => {
  const { dial, others, node } = await nodeWith()
  const { callId, leg } = await dial([{ verb: 'tag', tags: ['vip'], metadata: { ticket: '42' } }, dialOne])
  leg.happen({ type: 'answered' })
  const child = await until(() => others(callId)[0])
  child.happen({ type: 'ringing' })
  child.happen({ type: 'answered' })
  const held = await until(() => node.held(callId))
  await until(() => conversationOf(held))
  child.happen({ type: 'ended', cause: 'normal', by: 'callee' })
  await until(() => node.held(callId) === undefined)
  await node.flush()
  const [parent, other] = [await seeCall(t, callId), await seeCall(t, child.callId)]
  assert.deepEqual(
    parent.history.map(({ type }) => type),
    ['call.initiated', 'call.answered', 'call.tagged', 'call.bridged', 'call.unbridged', 'call.completed'],
  )
  assert.deepEqual(
    other.history.map(({ type }) => type),
    ['call.initiated', 'call.ringing', 'call.answered', 'call.bridged', 'call.completed'],
  )
  const { json } = await t.call('GET', `/v2/voice/calls/${callId}`, { as: t.main.testKey })
  assert.deepEqual([json.data.tags, json.data.metadata], [['vip'], { ticket: '42' }])
  assert.deepEqual([await leftovers(t, callId), await leftovers(t, child.callId)], [0, 0])
  await node.close()
})

test('a leg waits for room as long as it may ring, and is refused where there is none', async () => {
  const admissions: Admission[] = [
    { type: 'wait', ms: 50 },
    { type: 'wait', ms: 50 },
    { type: 'dial', trunkId: null },
    { type: 'refuse', cause: 'congestion' },
  ]
  const { dial, others, node } = await nodeWith({
    prepare: async () => [admissions.shift() as Admission],
  })
  const { callId, leg } = await dial([dialOne, dialOne, { verb: 'pause', seconds: 600 }])
  leg.happen({ type: 'answered' })
  const child = await until(() => others(callId)[0])
  child.happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
  const states = async () => {
    const rows = await t.ownerSql<{ state: string }>(
      'select state from calls where parent_call_id = $1 order by created_at, id',
      [callId],
    )
    return rows.map(({ state }) => state).join(' ')
  }
  await until(async () => (await states()) === 'busy failed')
  node.drop(callId)
  await node.flush()
  await node.close()
})

test('what ended elsewhere ends here, with the legs it has; a call that cannot be started fails', async () => {
  const { dial, others, node, leg: legOf } = await nodeWith()
  const { callId, leg } = await dial([dialOne])
  leg.happen({ type: 'answered' })
  const child = await until(() => others(callId)[0])
  node.drop(callId)
  await until(() => node.held(child.callId) === undefined)
  assert.deepEqual([legOf(callId).asked, child.asked], [['hangup'], ['hangup']])
  await node.flush()
  assert.equal((await seeCall(t, child.callId)).state, 'canceled')
  await node.close()

  const broken = await nodeWith({
    dial() {
      throw new Error('no socket')
    },
  })
  await assert.rejects(broken.dial([dialOne]), /was not dialled/)
  await broken.node.flush()
  await broken.node.close()
})

test('an inbound call without a leg, or whose leg cannot run, ends; it runs once', async () => {
  const { host, node } = await nodeWith()
  const inbound = { from: '+15550100003', to: '+15550100001', callerName: null, trunkId: null, mode: 'test' as const }
  const [unmade, broken] = [await host().store(scope(), inbound), await host().store(scope(), inbound)]
  host().fail(unmade)
  const leg = createTestLeg({ ...inbound, callId: broken.id, timeoutSeconds: 60 }, () => t.clock.now())
  const gone = {
    ...leg,
    listen() {
      throw new Error('it is gone')
    },
  }
  assert.throws(() => host().run(broken, gone), /it is gone/)
  assert.throws(() => host().run(broken, leg), /was not stored by this host, or runs already/)
  await node.flush()
  for (const { id } of [unmade, broken]) {
    const call = await seeCall(t, id)
    assert.deepEqual([call.state, call.hangupCause, await leftovers(t, id)], ['failed', 'network', 0])
  }
  await node.close()
})

test('a node that stops ends what is left, and reports it', async () => {
  const { dial, node } = await nodeWith()
  const { callId, leg } = await dial([{ verb: 'conference', name: 'c' }])
  leg.happen({ type: 'answered' })
  await node.drain()
  assert.deepEqual(leg.asked, ['hangup 41'])
  const call = await seeCall(t, callId)
  assert.deepEqual([call.state, call.hangupBy], ['failed', 'system'])
  await node.close()
})

test('a list that takes the place of another is what the call is read with', async () => {
  const asked: string[] = []
  const node = await nodeWith(
    {},
    {
      async ask(_held, url) {
        asked.push(url)
        return { ok: true, list: answered }
      },
    },
  )
  const answered = [{ verb: 'pause' as const, seconds: 600 }]
  const { callId, leg } = await node.dial([{ verb: 'redirect', url: 'https://example.com/next' }])
  const shown = async () => (await t.call('GET', `/v2/voice/calls/${callId}`, { as: t.main.testKey })).json.data
  assert.deepEqual((await shown()).instructions, [{ verb: 'redirect', url: 'https://example.com/next' }])
  leg.happen({ type: 'answered' })
  await until(async () => (await shown()).instructions[0].verb === 'pause')
  assert.deepEqual(asked, ['https://example.com/next'])
  const target = { type: 'sip' as const, uri: 'sip:ada@example.com', user: 'ada', password: 'hunter22' }
  node.node.command(callId, 'cmd_1', { kind: 'instructions', instructions: [{ verb: 'dial', targets: [target] }] })
  const shownTarget = await until(async () => (await shown()).instructions[0].targets?.[0])
  assert.deepEqual(shownTarget, { ...target, password: '••••••••' })
  const [row] = await t.ownerSql<{ text: string }>('select instructions::text as text from calls where id = $1', [
    callId,
  ])
  assert.doesNotMatch(row?.text ?? '', /hunter22/)
  await node.node.drain()
})

test('a caller whose name was cut inside an emoji is read, and so is what is reported of the call', async () => {
  const { host, node } = await nodeWith()
  const callerName = `${'a'.repeat(63)}\ud83d`
  const inbound = { from: '+15550100003', to: '+15550100001', callerName, trunkId: null, mode: 'test' as const }
  const stored = await host().store(scope(), inbound)
  const { id } = stored
  const { status, json } = await t.call('GET', `/v2/voice/calls/${id}`, { as: t.main.testKey })
  assert.deepEqual([status, json.data?.callerName], [200, `${'a'.repeat(63)}\ufffd`])
  const events = await t.ownerSql("select data ->> 'from' as from from event_log where resource_id = $1", [id])
  assert.deepEqual(events, [{ from: '+15550100003' }])
  host().fail(stored)
  await node.drain()
})
