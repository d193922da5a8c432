// Guards: no call is dialled twice or dialled late; a call whose owner died ends and is billed to the last heartbeat.
// What engine and API do at the same time stands in interleavings.test.ts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { callIn, leftovers, patientWatch, reportEvents, seeCall, startCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, quietTools } from '../../../../test/voice/engine.ts'
import { quotas } from '../../../kernel/data/quota.ts'
import { renewCallLeases } from '../call_records/index.ts'
import type { VoiceEngine } from '../engine/index.ts'
import { carryCalls } from './jobs.ts'
import { VoiceNode } from './node.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const to = '+15550100002'
const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

/** A node with an engine that notes what it is asked. */
function holdingNode(more: Partial<VoiceEngine> = {}) {
  const made = createTestEngine(() => t.clock.now(), more)
  const queue = carryCalls({ engines: [() => made.engine], tools: () => quietTools })(t.app.services)
  return { ...made, queue, dialed: () => [...made.legs.keys()], owner: () => made.host().owner }
}

/** One round of a queue: claims what is due and works on it. */
async function round(
  queue: { claim(token: string, limit: number): Promise<never[]>; work(rows: never[], token: string): Promise<void> },
  token = 'lse_test',
) {
  const rows = await queue.claim(token, 100)
  await queue.work(rows, token)
  return rows.length
}

describe('dialling', () => {
  test('a call is given to an engine once, however often its job comes back', async () => {
    const { queue, dialed } = holdingNode()
    const callId = await startCall(t, to)
    const rows = await queue.claim('lse_slow', 100)
    await t.ownerSql('update call_jobs set due_at = now() where call_id = $1', [callId])
    await round(queue as never, 'lse_quick')
    await queue.work(rows, 'lse_slow', () => false)
    assert.deepEqual(dialed(), [callId])
    const call = await seeCall(t, callId)
    assert.notEqual(call.dialedAt, null)
  })

  test('what is asked of a call under way is claimed before calls that wait to be dialled, however late those are', async () => {
    const { queue } = holdingNode()
    const held = await startCall(t, to)
    await round(queue as never)
    const ids = [await startCall(t, to), await startCall(t, to)]
    await t.ownerSql(`update call_jobs set due_at = now() - interval '1 minute' where call_id = any($1)`, [ids])
    await t.call('POST', `/v2/voice/calls/${held}/hangup`, { as: t.main.testKey })
    const claimed = [...(await queue.claim('lse_test', 1)), ...(await queue.claim('lse_test', 2))]
    assert.deepEqual(
      claimed.map(({ kind, call_id }) => `${kind} ${call_id}`),
      [`hangup ${held}`, ...ids.map(id => `originate ${id}`)],
    )
    await queue.work(claimed, 'lse_test', () => false)
  })

  test('a call canceled before it was dialled never reaches the engine', async () => {
    const { queue, dialed } = holdingNode()
    const callId = await startCall(t, to)
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
    await round(queue as never)
    assert.deepEqual(dialed(), [])
    assert.equal(await leftovers(t, callId), 0)
  })

  test('a fault while preparing leaves the call and its job as they were; one bad call holds up no other', async () => {
    const bad = await startCall(t, '+15550100003')
    const good = await startCall(t, to)
    const { queue, dialed } = holdingNode({
      async prepare(_tx, _scope, calls) {
        if (calls.some(call => call.callId === bad)) throw new Error('cannot be prepared')
        return calls.map(() => ({ type: 'dial', trunkId: null }))
      },
    })
    await assert.rejects(round(queue as never), /cannot be prepared/)
    assert.deepEqual(dialed(), [good])
    assert.equal((await seeCall(t, bad)).dialedAt, null)
    assert.equal(await leftovers(t, bad), 1)

    await t.ownerSql(
      `update call_jobs set due_at = now(), created_at = now() - interval '6 minutes' where call_id = $1`,
      [bad],
    )
    await round(queue as never)
    const call = await seeCall(t, bad)
    assert.deepEqual([call.state, call.errorCode, call.hangupBy], ['failed', 'dial_expired', 'system'])
    assert.equal(await leftovers(t, bad), 0)
  })

  test('what one tenant has marked is dialled though another of its batch has to wait, and a hang-up finds it', async () => {
    const gate = Promise.withResolvers<void>()
    let asked = 0
    const { queue, dialed, leg, stranded } = holdingNode({
      async prepare(_tx, _scope, calls) {
        if (asked++ === 0) await gate.promise
        return calls.map(() => ({ type: 'dial', trunkId: null }))
      },
    })
    const ours = await startCall(t, to)
    const theirs = await startCall(t, to, {}, t.other.testKey)
    const working = round(queue as never)
    try {
      await until(() => dialed().length === 1)
      const [quick = ''] = dialed()
      const as = quick === ours ? t.main.testKey : t.other.testKey
      await t.call('POST', `/v2/voice/calls/${quick}/hangup`, { as })
      await round(queue as never)
      assert.deepEqual([dialed(), leg(quick).asked, stranded], [[quick], ['hangup'], []])
    } finally {
      gate.resolve()
    }
    assert.equal(await working, 2)
    assert.deepEqual(dialed().toSorted(), [ours, theirs].toSorted())
  })

  test('a call that cannot be followed ends; others that were marked with it are dialled all the same', async () => {
    const made = createTestEngine(() => t.clock.now())
    const bad = await startCall(t, '+15550100003')
    const good = await startCall(t, to)
    const { queue } = holdingNode({
      dial(ref, call) {
        const leg = made.engine.dial(ref, call)
        if (call.callId !== bad) return leg
        return {
          ...leg,
          listen() {
            throw new Error('nobody listens')
          },
        }
      },
    })
    const { log } = t.app.services
    const { level } = log
    log.level = 'silent'
    await round(queue as never)
    log.level = level
    assert.deepEqual([...made.legs.keys()].toSorted(), [bad, good].toSorted())
    const call = await callIn(t, bad, ['failed'])
    assert.equal(call.errorCode, 'network_failure')
    assert.deepEqual([made.leg(bad).asked, made.leg(good).asked], [['hangup'], []])
    await t.call('POST', `/v2/voice/calls/${good}/hangup`, { as: t.main.testKey })
    await round(queue as never)
  })

  test('a test tenant holds as many calls on a node as it may; the next waits for one to end, and nobody else does', async () => {
    const { testTenant } = quotas.calls
    const { queue, dialed, leg } = holdingNode()
    const started: string[] = []
    while (started.length < testTenant + 3)
      started.push(...(await Promise.all(Array.from({ length: 29 }, () => startCall(t, to)))))
    while ((await round(queue as never)) > 0) {}
    assert.equal(dialed().length, testTenant)
    const theirs = await startCall(t, to, {}, t.other.testKey)
    await round(queue as never)
    assert.deepEqual(dialed().slice(testTenant), [theirs])

    leg(dialed()[0] as string).happen({ type: 'ended', cause: 'normal', by: 'callee' })
    await t.ownerSql("update call_jobs set due_at = now() where kind = 'originate'")
    await round(queue as never)
    assert.equal(dialed().length, testTenant + 2, 'one ended, and one went in its place')
    await t.ownerSql('delete from call_jobs')
  })

  test('an engine that fails to dial ends the call; it is not dialled again', async () => {
    let tries = 0
    const { queue } = holdingNode({
      dial() {
        tries++
        throw new Error('no socket')
      },
    })
    const log = t.app.services.log
    const level = log.level
    log.level = 'silent'
    const callId = await startCall(t, to)
    await round(queue as never)
    const call = await callIn(t, callId, ['failed'])
    log.level = level
    assert.deepEqual([tries, call.state, call.errorCode], [1, 'failed', 'network_failure'])
    assert.equal(await leftovers(t, callId), 0)
    assert.equal(await round(queue as never), 0)
  })

  test('a call that finds no room waits; one that is refused fails', async () => {
    const waiting = await startCall(t, '+15550100003')
    const refused = await startCall(t, '+15550100004')
    const { queue, dialed } = holdingNode({
      async prepare(_tx, _scope, calls) {
        return calls.map(call => {
          if (call.callId === refused) return { type: 'refuse', cause: 'trunk_rejected' }
          return call.callId === waiting ? { type: 'wait', ms: 60_000 } : { type: 'dial', trunkId: 'trk_1' }
        })
      },
    })
    await round(queue as never)
    assert.deepEqual(dialed(), [])
    assert.equal((await seeCall(t, refused)).errorCode, 'trunk_rejected')
    assert.deepEqual([(await seeCall(t, waiting)).state, (await seeCall(t, waiting)).dialedAt], ['initiated', null])
    assert.equal(await round(queue as never), 0)
    await t.ownerSql('update call_jobs set due_at = now() where call_id = $1', [waiting])
    const { queue: free, dialed: taken } = holdingNode()
    await round(free as never)
    assert.deepEqual(taken(), [waiting])
  })

  test('test calls never leave the house; live ones take the real engine where it has a way', async () => {
    const virtual = createTestEngine(() => t.clock.now(), { name: 'virtual' }).engine
    let isReady = true
    const serves = async () => isReady
    const real = createTestEngine(() => t.clock.now(), {
      name: 'real',
      virtual: false,
      carries: ['trunk'],
      serves,
    }).engine
    const tools = () => quietTools
    const choose = (engines: VoiceEngine[], mode: 'live' | 'test', by?: 'client') =>
      t.app.services.db.inTenant(scope(), tx =>
        new VoiceNode(t.app.services, { engines: engines.map(engine => () => engine), tools }).engines.carrying(
          tx,
          scope(),
          mode,
          by,
        ),
      )
    assert.equal(await choose([real, virtual], 'test'), virtual)
    assert.equal(await choose([virtual, real], 'live'), real)
    assert.equal(await choose([virtual, real], 'live', 'client'), virtual)
    isReady = false
    assert.equal(await choose([virtual, real], 'live'), virtual)
    await assert.rejects(choose([real], 'test'), /no voice engine carries test calls/)
  })
})

describe('simulated callers', () => {
  const inject = async () => {
    const body = { from: '+15005550100', to: '+15005550006', digits: '7', seconds: 9 }
    const { json } = await t.call('POST', '/v2/test/calls', { as: t.main.liveKey, body })
    return json.data.callId as string
  }

  test('are given to an engine that reaches nobody, with what they do', async () => {
    const { queue, leg } = holdingNode()
    const callId = await inject()
    await round(queue as never)
    assert.deepEqual(leg(callId).call.simulated, { digits: '7', seconds: 9 })
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.liveKey })
    await round(queue as never)
  })

  test('have numbers of the simulator in live mode: calls from others are ignored', async () => {
    const body = { from: '+4915123456789', to: '+15005550006' }
    const { status, json } = await t.call('POST', '/v2/test/calls', { as: t.main.liveKey, body })
    assert.deepEqual([status, json.error.code, json.error.details[0].field], [422, 'invalid_from_number', 'from'])
    assert.match(json.error.message, /simulator.*test mode/)
    const tried = await t.call('POST', '/v2/test/calls', { as: t.main.testKey, body })
    assert.equal(tried.status, 201, tried.text)
    await t.call('POST', `/v2/voice/calls/${tried.json.data.callId}/hangup`, { as: t.main.testKey })
  })

  test('never reach a real network that came in between', async () => {
    const { queue, dialed } = holdingNode({ virtual: false })
    const callId = await inject()
    await round(queue as never)
    assert.deepEqual(dialed(), [])
    const call = await seeCall(t, callId, t.main.liveKey)
    assert.deepEqual([call.state, call.errorCode, call.dialedAt], ['failed', 'network_failure', null])
    assert.equal(await leftovers(t, callId), 0)
  })
})

describe('calls held in memory', () => {
  test('a heartbeat keeps them; silence ends them as of the last one, and the remote party is hung up', async () => {
    const { queue, stranded, owner } = holdingNode()
    const other = holdingNode()
    const lost = await patientWatch(t)
    const log = t.app.services.log
    log.level = 'silent'
    const [talking, ringing] = [await startCall(t, to), await startCall(t, to)]
    await round(queue as never)
    await reportEvents(t, ringing, [{ type: 'ringing' }], t.clock.now() - 60_000)
    await reportEvents(t, talking, [{ type: 'answered' }], t.clock.now() - 60_000)
    await t.ownerSql(
      `update calls set created_at = created_at - interval '2 minutes', dialed_at = dialed_at - interval '2 minutes',
         changed_at = changed_at - interval '2 minutes', answered_at = now() - interval '60 seconds' where id = $1`,
      [talking],
    )
    const silence = () =>
      t.ownerSql(`update call_leases set heartbeat_at = now() - interval '40 seconds' where call_id = any($1)`, [
        [talking, ringing],
      ])
    await silence()
    const refs = [talking, ringing].map(callId => ({ ...scope(), callId }))
    assert.deepEqual(await renewCallLeases(t.app.services.db, 'node_2', refs), [], "another's calls cannot be kept")
    assert.deepEqual(await renewCallLeases(t.app.services.db, owner(), refs), refs)
    assert.equal(await round(lost as never), 0)

    await silence()
    assert.equal(await round(lost as never), 2)
    assert.equal(await round(lost as never), 0)
    const call = await seeCall(t, talking)
    assert.deepEqual([call.state, call.errorCode, call.hangupBy], ['failed', 'node_lost', 'system'])
    assert.ok(
      call.billableSeconds !== null && call.billableSeconds >= 20 && call.billableSeconds <= 21,
      `${call.billableSeconds}`,
    )
    assert.equal((await seeCall(t, ringing)).state, 'failed')
    assert.deepEqual(await renewCallLeases(t.app.services.db, owner(), refs), [], 'the owner learns that it lost them')
    // The process is gone; another one ends the remote parties from what was stored.
    await round(other.queue as never)
    assert.deepEqual([stranded, other.stranded.sort()], [[], [talking, ringing].sort()])
    for (const callId of [talking, ringing]) await until(async () => (await leftovers(t, callId)) === 0)
    log.level = 'error'
  })

  test('an end gives the lease back', async () => {
    const { queue } = holdingNode()
    const callId = await startCall(t, to)
    await round(queue as never)
    assert.equal(await leftovers(t, callId), 1)
    await reportEvents(t, callId, [{ type: 'ended', cause: 'user_busy', by: 'callee' }])
    assert.equal(await leftovers(t, callId), 0)
  })

  test('an end by the API reaches the leg of the process that holds it, and nobody else', async () => {
    const [first, second] = [holdingNode(), holdingNode()]
    const callId = await startCall(t, to)
    await round(first.queue as never)
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
    assert.equal(await round(second.queue as never), 0)
    assert.equal(await leftovers(t, callId), 1)
    await round(first.queue as never)
    assert.deepEqual([first.leg(callId).asked, second.stranded, await leftovers(t, callId)], [['hangup'], [], 0])
  })

  test('an end by the API does not wait again for a process that died before it', async () => {
    const [first, second] = [holdingNode(), holdingNode()]
    const callId = await startCall(t, to)
    await round(first.queue as never)
    await t.ownerSql(`update call_leases set heartbeat_at = now() - interval '41 seconds' where call_id = $1`, [callId])
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
    await round(second.queue as never)
    assert.deepEqual(second.stranded, [callId])
    await until(async () => (await leftovers(t, callId)) === 0)
  })

  test('a remote party that does not answer holds up no other call', async () => {
    const { queue } = holdingNode()
    const left = await startCall(t, to)
    await round(queue as never)
    await t.call('POST', `/v2/voice/calls/${left}/hangup`, { as: t.main.testKey })
    const next = holdingNode({ endStranded: () => new Promise(() => {}) })
    await t.ownerSql(`update call_jobs set created_at = now() - interval '1 minute' where call_id = $1`, [left])
    const callId = await startCall(t, to)
    assert.equal(await round(next.queue as never), 2)
    assert.deepEqual([next.leg(callId).callId, await leftovers(t, left)], [callId, 1])
    await t.ownerSql('delete from call_jobs where call_id = $1', [left])
  })

  test('ending a remote party that cannot be ended now is tried again', async () => {
    let tries = 0
    const { queue } = holdingNode()
    const callId = await startCall(t, to)
    await round(queue as never)
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.testKey })
    const next = holdingNode({
      async endStranded() {
        if (++tries === 1) throw new Error('not now')
      },
    })
    await t.ownerSql(`update call_jobs set created_at = now() - interval '1 minute' where call_id = $1`, [callId])
    const { log } = t.app.services
    log.level = 'fatal'
    await round(next.queue as never)
    await until(() => tries === 1)
    assert.equal(await leftovers(t, callId), 1)
    await t.ownerSql('update call_jobs set due_at = now() where call_id = $1', [callId])
    await round(next.queue as never)
    await until(async () => (await leftovers(t, callId)) === 0)
    assert.equal(tries, 2)
    log.level = 'error'
  })
})

/** Remote parties are ended beside the queue. */
function until(holds: () => unknown) {
  return eventually(String(holds), holds, { withinMs: 10_000, everyMs: 10 })
}
