// Where calls meet: queues and those who take from them, and conferences.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clipOf, createWorld, type Remote } from '../../../../test/voice/control_world.ts'
import { hear, over, rest } from '../../../../test/voice/talk.ts'
import type { ConferenceRecords } from '../conferences/index.ts'
import type { InstructionList } from '../instructions/index.ts'
import { createConferences } from './conferences.ts'
import { conversationOf } from './conversation.ts'

describe('queues', () => {
  const wait = (priority = 0) => [{ verb: 'enqueue' as const, queue: 'q', priority }, rest]
  const take = (more = {}) => [{ verb: 'dequeue' as const, queue: 'q', timeoutSeconds: 10, ...more }, rest]

  test('the highest priority and the longest wait are taken first, and both lists go on afterwards', async () => {
    const w = createWorld()
    const callers = [await w.call(wait()), await w.call(wait(5)), await w.call(wait())]
    await w.run(1_000)
    assert.ok(
      callers[0]?.heard(400).some(sample => Math.abs(sample) > 300),
      'music',
    )
    for (const expected of [1, 0, 2]) {
      const agent = await w.call(take())
      await w.run(40)
      const caller = callers[expected] as Remote
      caller.speak(900)
      agent.speak(500)
      await w.run(300)
      assert.ok(hear(agent, caller), `${expected}`)
      if (expected === 0) caller.hangsUp()
      else agent.hangsUp()
      await w.run(40)
      assert.equal(caller.notes('queue.left')[0]?.['reason'], 'taken')
      assert.equal(caller.held.isOver, expected === 0)
      assert.equal(agent.held.isOver, expected !== 0)
      if (expected === 0) await agent.hangsUp()
    }
    await over(w, callers[1] as Remote, callers[2] as Remote)
  })

  test('a caller who hangs up is reported to have left, and is handed to nobody', async () => {
    const w = createWorld()
    const caller = await w.call(wait())
    await w.run(2_000)
    caller.hangsUp()
    await w.run(20)
    assert.deepEqual(caller.types().slice(-2), ['queue.left', 'ended'])
    assert.deepEqual(caller.notes('queue.left'), [{ queue: 'q', reason: 'hangup', waitedSeconds: 2 }])
    const agent = await w.call(take({ actionUrl: 'https://example.com/a' }))
    await w.run(10_200)
    assert.equal(w.asks[0]?.data['dialResult'], 'queue_empty')
    await over(w, agent)
  })

  test('two takers: each gets a caller of its own, and one who leaves in that moment gives it back', async () => {
    const w = createWorld()
    const agents = [await w.call(take()), await w.call(take())] as const
    await w.run(100)
    // Handed out and left in one moment.
    const { enter } = w.tools.queues
    w.tools.queues.enter = (...given) => {
      const takeOut = enter(...given)
      agents[0].hangsUp()
      return takeOut
    }
    const first = await w.call(wait())
    const second = await w.call(wait())
    await w.run(100)
    assert.ok(conversationOf(agents[1].held)?.otherOf(agents[1].held)?.held === first.held)
    assert.equal(conversationOf(second.held), undefined)
    agents[1].hangsUp()
    await over(w, first, second)
  })

  test('one who takes a caller and leaves before both are joined: the caller waits on, with music, at the old place', async () => {
    for (const agentList of [
      [{ verb: 'dial', targets: [{ type: 'queue', queue: 'q' }], onAnswer: [{ verb: 'say', text: 'whisper' }] }],
      [{ verb: 'dequeue', queue: 'q', beep: true }],
    ] as InstructionList[]) {
      const w = createWorld()
      w.speech.set('whisper', clipOf(700, 3_000))
      const first = await w.call([{ verb: 'enqueue', queue: 'q', maxWaitSeconds: 60 }, rest])
      await w.run(1_000)
      const second = await w.call(wait())
      const agent = await w.call(agentList)
      await w.run(agentList[0]?.verb === 'dial' ? 1_000 : 20)
      assert.ok(first.heard(400).some(sample => Math.abs(sample) > 300))
      agent.hangsUp()
      await w.run(100)
      assert.deepEqual([first.held.isOver, first.notes('queue.left')], [false, []])
      const other = await w.call(take())
      await w.run(100)
      assert.equal(conversationOf(other.held)?.otherOf(other.held)?.held, first.held)
      assert.equal(first.notes('queue.left')[0]?.['reason'], 'taken')
      await over(w, first, second, other)
    }
  })

  test('the longest wait does not end in a whisper; a caller who leaves in one makes room for the next', async () => {
    const w = createWorld()
    w.speech.set('whisper', clipOf(700, 3_000))
    const onFail = [{ verb: 'notify' as const, data: { failed: true } }]
    const list: InstructionList = [{ verb: 'enqueue', queue: 'q', maxWaitSeconds: 2, onFail }, rest]
    const agentList: InstructionList = [
      { verb: 'dial', targets: [{ type: 'queue', queue: 'q' }], onAnswer: [{ verb: 'say', text: 'whisper' }] },
      rest,
    ]
    const joined = await w.call(list)
    const agent = await w.call(agentList)
    await w.run(4_000)
    assert.equal(conversationOf(agent.held)?.otherOf(agent.held)?.held, joined.held)
    const late = await w.call(list)
    const leaving = await w.call(agentList)
    await w.run(2_500)
    assert.deepEqual(late.notes('queue.left'), [])
    leaving.hangsUp()
    await w.run(100)
    assert.equal(late.notes('queue.left')[0]?.['reason'], 'timeout')
    assert.deepEqual(late.notes('call.notified'), [{ failed: true }])
    const gone = await w.call(wait())
    const next = await w.call(wait())
    const patient = await w.call(agentList)
    await w.run(1_000)
    gone.hangsUp()
    await w.run(3_200)
    assert.equal(conversationOf(patient.held)?.otherOf(patient.held)?.held, next.held)
    await over(w, joined, agent, late, next, patient)
  })

  test('callers who need skills wait for one who has them all; others are taken meanwhile, and a named one by anybody', async () => {
    const w = createWorld()
    const needing = async (...skills: string[]) => w.call([{ verb: 'enqueue', queue: 'q', skills }, rest])
    const both = await needing('german', 'billing')
    const german = await needing('german')
    const anything = await needing()
    const partner = (remote: Remote) => conversationOf(remote.held)?.otherOf(remote.held)?.held.call.id
    const take = (more = {}) => w.call([{ verb: 'dequeue', queue: 'q', ...more }, rest])
    const plain = await take()
    const waiting = await take({ skills: ['french'] })
    const speaker = await w.call([
      { verb: 'dial', targets: [{ type: 'queue', queue: 'q', skills: ['french', 'german'] }] },
      rest,
    ])
    await w.run(100)
    assert.deepEqual([plain, waiting, speaker].map(partner), [anything.held.call.id, undefined, german.held.call.id])
    const french = await needing('french')
    await w.run(100)
    assert.equal(partner(waiting), french.held.call.id)
    const named = await take({ callId: both.held.call.id })
    await w.run(100)
    assert.equal(partner(named), both.held.call.id)
    await over(w, both, german, anything, french, plain, waiting, speaker, named)
  })

  test('the longest wait, leave, branches, and what is done then', async () => {
    const w = createWorld()
    const onFail = [{ verb: 'notify' as const, data: { failed: true } }]
    const late = await w.call([{ verb: 'enqueue', queue: 'q', maxWaitSeconds: 5, onFail }, rest])
    const leaving = await w.call([
      { verb: 'enqueue', queue: 'q', onFail, wait: [{ verb: 'pause', seconds: 2 }, { verb: 'leave' }] },
      rest,
    ])
    const branching = await w.call([
      {
        verb: 'enqueue',
        queue: 'q',
        wait: [{ verb: 'gather', numDigits: 1, branches: { '1': 'out' }, timeoutSeconds: 60 }],
      },
      { verb: 'notify', data: { at: 'out' }, label: 'out' },
      rest,
    ])
    await w.run(3_000)
    branching.presses('1')
    await w.run(3_000)
    assert.deepEqual(
      [late, leaving, branching].map(remote => remote.notes('queue.left')[0]?.['reason']),
      ['timeout', 'left', 'left'],
    )
    assert.deepEqual(
      [late, leaving, branching].map(remote => remote.notes('call.notified')),
      [[{ failed: true }], [{ failed: true }], [{ at: 'out' }]],
    )
    await over(w, late, leaving, branching)
  })

  test('what takes the place of the list of one who is talked with ends the conversation', async () => {
    const w = createWorld()
    const caller = await w.call(wait())
    const agent = await w.call([
      { verb: 'dial', targets: [{ type: 'queue', queue: 'q' }], onEnd: [{ verb: 'notify', data: { a: 1 } }] },
      rest,
    ])
    await w.run(100)
    assert.ok(conversationOf(caller.held))
    w.command(caller, [{ verb: 'notify', data: { new: 1 } }, rest])
    await w.run(100)
    assert.equal(conversationOf(caller.held), undefined)
    assert.deepEqual([caller.notes('call.notified'), agent.notes('call.notified')], [[{ new: 1 }], [{ a: 1 }]])
    await over(w, caller, agent)
  })
})

describe('conferences', () => {
  const enter = (more = {}) => [{ verb: 'conference' as const, name: 'c', beep: 'none' as const, ...more }, rest]

  test('all hear each other, muted ones are not heard, and coaches only by one', async () => {
    const w = createWorld()
    const a = await w.call(enter())
    await w.run(300)
    assert.ok(
      a.heard(200).some(sample => Math.abs(sample) > 300),
      'music as long as nobody else is there',
    )
    const b = await w.call(enter())
    const muted = await w.call(enter({ muted: true }))
    const coach = await w.call(enter({ coach: b.held.call.id }))
    a.speak(500)
    b.speak(900)
    muted.speak(1_300)
    coach.speak(1_700)
    await w.run(400)
    const frequencies = [500, 900, 1_300, 1_700]
    const heard = (remote: Remote) => frequencies.filter(frequency => remote.hears(frequency))
    assert.deepEqual([a, b, muted, coach].map(heard), [[900], [500, 1_700], [500, 900], [500, 900]])
    await over(w, a, b, muted, coach)
    assert.deepEqual(w.conferenceEvents.at(-1)?.type, 'ended')
  })

  test('where the frames of the first do not come any more, the others hear each other as before', async () => {
    const w = createWorld()
    const first = await w.call(enter())
    const b = await w.call(enter())
    const c = await w.call(enter())
    b.speak(900)
    c.speak(500)
    await w.run(300)
    assert.ok(hear(c, b))
    first.frame = () => Buffer.alloc(160)
    await w.run(100)
    b.speak(1_300)
    await w.run(300)
    assert.ok(c.hears(1_300) && b.hears(500))
    const frames = c.heard(200)
    for (let at = 0; at < frames.length; at += 160)
      assert.ok(
        frames.subarray(at, at + 160).some(sample => Math.abs(sample) > 300),
        'no frame is missing',
      )
    await over(w, first, b, c)
  })

  test('calls that are not alone have met each other, and say when they are alone again', async () => {
    const w = createWorld()
    const met = (remote: Remote) => [
      remote.reported.flatMap(it => (it.type === 'bridged' ? [it.callId] : [])),
      remote.notes('call.unbridged').map(({ callId }) => callId),
    ]
    const caller = await w.call(enter({ startOnEnter: false }), { direction: 'inbound' })
    const listener = await w.call(enter({ startOnEnter: false }))
    await w.run(100)
    assert.deepEqual(met(caller), [[], []], 'it has not started')
    const host = await w.call(enter())
    await w.run(100)
    const [callerId, listenerId] = [caller.held.call.id, listener.held.call.id]
    assert.deepEqual([caller, listener, host].map(met), [
      [[listenerId], []],
      [[callerId], []],
      [[callerId], []],
    ])
    listener.hangsUp()
    await w.run(40)
    assert.deepEqual(met(caller), [[listenerId], []])
    w.command(host, [{ verb: 'leave' }])
    await w.run(40)
    assert.deepEqual([caller, host].map(met), [
      [[listenerId], [listenerId]],
      [[callerId], [callerId]],
    ])
    await over(w, caller, host)
  })

  test('one waits for who starts it, ends with who ends it, and takes no more than it may', async () => {
    const w = createWorld()
    w.speech.set('wait', clipOf(700, 1_000))
    const listener = await w.call(enter({ startOnEnter: false, wait: [{ verb: 'say', text: 'wait' }] }))
    await w.run(300)
    assert.ok(listener.hears(700))
    const host = await w.call(enter({ endOnExit: true, maxParticipants: 2 }))
    host.speak(500)
    await w.run(400)
    assert.ok(listener.hears(500) && !listener.hears(700))
    const third = await w.call(enter({ maxParticipants: 2, actionUrl: 'https://example.com/full' }))
    await w.run(40)
    assert.equal(w.asks[0]?.data['conferenceResult'], 'full')
    host.hangsUp()
    await w.run(40)
    assert.deepEqual(
      w.conferenceEvents.flatMap(it => (it.type === 'left' ? [it.reason] : [])),
      ['hangup', 'ended'],
    )
    assert.ok(!listener.held.isOver)
    await over(w, listener, third)
  })

  test('tones report who comes and goes; a key, time and leave let one go', async () => {
    const w = createWorld()
    const a = await w.call(enter({ beep: 'both' }))
    await w.run(100)
    const b = await w.call(enter({ beep: 'both', finishOnKey: '*' }))
    await w.run(100)
    assert.ok(a.hears(600, 80))
    await w.run(1_000)
    b.presses('*')
    await w.run(120)
    assert.ok(a.hears(900, 80))
    const c = await w.call(enter({ timeLimitSeconds: 1 }))
    await w.run(1_100)
    w.command(a, [{ verb: 'leave' }])
    await w.run(40)
    assert.deepEqual(
      w.conferenceEvents.flatMap(it => (it.type === 'left' ? [it.reason] : [])),
      ['key', 'timeout', 'left'],
    )
    await over(w, a, b, c)
  })

  test('who is taken out was taken out, though the call ends in the same moment', async () => {
    const reasons: string[] = []
    let id = ''
    const records: ConferenceRecords = {
      open: async () => true,
      report(_scope, conferenceId, event) {
        id = conferenceId
        if (event.type === 'left') reasons.push(event.reason)
      },
      flush: async () => {},
    }
    const conferences = createConferences(records, 'node_test')
    const w = createWorld({ tools: { conferences } })
    const a = await w.call(enter())
    await w.run(100)
    conferences.change(a.held.call.id, { conferenceId: id, removed: true })
    a.hangsUp()
    await w.run(40)
    assert.deepEqual(reasons, ['removed'])
    await over(w, a)
  })
})
