// Calls that ring others and talk with them: dial in all its ways, holding and muting.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clipOf, createWorld } from '../../../../test/voice/control_world.ts'
import { dialTo, hear, over, rest, talking } from '../../../../test/voice/talk.ts'
import type { InstructionOf } from '../instructions/index.ts'
import { conversationOf } from './conversation.ts'

describe('dial', () => {
  test('rings all, joins the first that answers, and lets the others go as answered elsewhere', async () => {
    const w = createWorld()
    const caller = await w.call([dialTo(3), { verb: 'notify', data: { done: true } }, rest])
    await w.run(300)
    assert.ok(caller.hears(440) && caller.hears(480), 'ringback')
    w.child(1).answers()
    await w.run(40)
    caller.speak(500)
    w.child(1).speak(900)
    await w.run(300)
    assert.ok(hear(caller, w.child(1)) && !caller.hears(440))
    assert.deepEqual([w.child(0).asked, w.child(2).asked], [['hangup 26'], ['hangup 26']])
    w.child(1).hangsUp()
    await w.run(40)
    assert.equal(caller.notes('call.notified').length, 1)
    assert.equal(w.hanging(caller).attached, 0)
    await over(w, caller)
  })

  test('shows our own number where that of the instruction may not be shown, and says so', async () => {
    const w = createWorld({ tools: { mayShow: async (_held, number) => number === '+15550100044' } })
    const caller = await w.call([
      dialTo(1, { callerId: '+15550100077' }),
      dialTo(1, { callerId: '+15550100044' }),
      rest,
    ])
    await w.until(() => w.dialed.length === 1)
    const ours = caller.held.call.from_number
    assert.equal(w.child(0).held.call.from_number, ours)
    assert.deepEqual(caller.notes('call.caller_id_refused'), [{ callerId: '+15550100077', shown: ours }])
    w.child(0).happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
    await w.until(() => w.dialed.length === 2)
    assert.equal(w.child(1).held.call.from_number, '+15550100044')
    assert.equal(caller.notes('call.caller_id_refused').length, 1)
    caller.hangsUp()
    await w.run(20)
    await over(w)
  })

  test('rings one after the other, each with its own ringback and early sound', async () => {
    const w = createWorld()
    const caller = await w.call([dialTo(2, { strategy: 'sequential' }), rest])
    await w.run(100)
    const first = w.child(0)
    first.happen({ type: 'ringing', earlyMedia: true })
    first.speak(900)
    await w.run(300)
    assert.ok(caller.hears(900) && !caller.hears(440))
    first.happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
    await w.run(300)
    assert.ok(caller.hears(440), 'the ringback of the second')
    w.child(1).answers()
    w.child(1).happen({ type: 'early_media' })
    caller.speak(500)
    w.child(1).speak(900)
    await w.run(300)
    assert.ok(hear(caller, w.child(1)))
    caller.hangsUp()
    await w.run(20)
    assert.deepEqual(w.child(1).reported.at(-1), { type: 'ended', cause: 'normal', by: 'caller' })
    await over(w)
  })

  test('anyone who answers in the same moment as another is let go', async () => {
    const w = createWorld({ onDial: child => child.answers() })
    const caller = await w.call([dialTo(3), rest])
    await w.run(100)
    assert.deepEqual(
      w.dialed.map(child => child.held.isOver),
      [false, true, true],
    )
    assert.deepEqual(w.child(2).reported.at(-1), { type: 'ended', cause: 'canceled', by: 'system', q850: 26 })
    await over(w, caller)
  })

  test('a caller who hangs up while it rings cancels all, and nobody is notified that it was answered elsewhere', async () => {
    const w = createWorld()
    const caller = await w.call([dialTo(2), rest])
    await w.run(100)
    caller.hangsUp()
    await w.run(20)
    for (const child of w.dialed) {
      assert.deepEqual(child.asked, ['hangup'])
      assert.deepEqual(child.reported.at(-1), { type: 'ended', cause: 'canceled', by: 'caller' })
    }
    await over(w)
  })

  test('an inbound call is answered only when it is joined, where it says so', async () => {
    const w = createWorld()
    const caller = await w.call([dialTo(1, { answerOnBridge: true }), rest], { direction: 'inbound' })
    await w.run(200)
    assert.deepEqual(caller.asked, ['ring'])
    w.child(0).answers()
    await w.run(100)
    assert.deepEqual(caller.asked, ['ring', 'answer'])
    assert.equal(w.child(0).child?.from_number, '+15550100002')
    await over(w, caller)
  })

  test('who answers takes the call by a key, or by what an address says', async () => {
    for (const [more, act, expected] of [
      [{ confirm: [{ verb: 'say', text: 'x' }], confirmKey: '1' }, '1', true],
      [{ confirm: [{ verb: 'say', text: 'x' }], confirmKey: '1' }, '2', false],
      [{ confirm: [{ verb: 'say', text: 'x' }], confirmKey: '1' }, '', false],
      [{ confirmUrl: 'https://example.com/yes' }, '', true],
      [{ confirmUrl: 'https://example.com/no' }, '', false],
      [{ confirmUrl: 'https://example.com/down' }, '', false],
    ] as const) {
      const w = createWorld()
      w.answers.set('https://example.com/no', { ok: true, list: [{ verb: 'hangup' }] })
      w.answers.set('https://example.com/down', { ok: false, why: 'timeout' })
      w.speech.set('x', clipOf(700, 2_000))
      const caller = await w.call([
        dialTo(1, more as Partial<InstructionOf<'dial'>>),
        { verb: 'notify', data: { a: 1 } },
        rest,
      ])
      w.child(0).answers()
      await w.run(100)
      if ('confirm' in more) assert.ok(caller.hears(440) && w.child(0).hears(700, 60))
      w.child(0).presses(act)
      await w.run(13_000)
      assert.equal(conversationOf(caller.held) !== undefined, expected, JSON.stringify([more, act]))
      assert.equal(caller.notes('call.notified').length, expected ? 0 : 1)
      await over(w, caller)
    }
  })

  test('how it went decides how it goes on: onEnd, onFail, an address', async () => {
    for (const ending of ['answered', 'busy'] as const) {
      for (const byAddress of [false, true]) {
        const w = createWorld()
        const lists = byAddress
          ? { actionUrl: 'https://example.com/a' }
          : {
              onEnd: [{ verb: 'notify' as const, data: { list: 'answered' } }],
              onFail: [{ verb: 'notify' as const, data: { list: 'busy' } }],
            }
        const caller = await w.call([dialTo(1, lists), rest])
        if (ending === 'answered') {
          w.child(0).answers()
          await w.run(2_000)
          w.child(0).hangsUp()
        } else w.child(0).happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
        await w.run(60)
        if (!byAddress) assert.deepEqual(caller.notes('call.notified'), [{ list: ending }])
        else {
          const { dialResult, talkSeconds } = w.asks[0]?.data ?? {}
          assert.deepEqual(
            [dialResult, talkSeconds],
            ending === 'answered' ? ['answered', 2] : ['user_busy', undefined],
          )
        }
        await over(w, caller)
      }
    }
  })

  test('a conversation ends by its key and by its time, and what the caller hears first is heard', async () => {
    const w = createWorld()
    w.speech.set('recorded', clipOf(700, 1_000))
    const { caller, callee } = await talking(w, {
      finishOnKey: '*',
      onAnswer: [{ verb: 'say', text: 'recorded' }],
      record: 'dual',
    })
    assert.ok(caller.hears(700) && !caller.hears(900))
    await w.run(1_200)
    assert.ok(hear(caller, callee))
    caller.presses('*')
    await w.run(40)
    assert.ok(callee.held.isOver && !caller.held.isOver)
    assert.ok(Math.abs((w.recordings[0]?.durationMs ?? 0) - 500) < 120, `${w.recordings[0]?.durationMs}`)
    await over(w, caller)

    const other = createWorld()
    const two = await talking(other, { timeLimitSeconds: 5 })
    await other.run(5_000)
    assert.ok(two.callee.held.isOver && !two.caller.held.isOver)
    await over(other, two.caller)
  })

  test('a leg that cannot be dialled fails as the network does, and holds nothing up', async () => {
    const w = createWorld({
      tools: {
        dial: async () => {
          throw new Error('the database is away')
        },
      },
    })
    const caller = await w.call([dialTo(2, { onFail: [{ verb: 'notify', data: { a: 1 } }] }), rest])
    await w.run(100)
    assert.equal(caller.notes('call.notified').length, 1)
    assert.equal(w.hanging(caller).playing, 0)
  })
})

describe('hold and mute', () => {
  test('of both sides; a hold ends with the conversation', async () => {
    const w = createWorld()
    const { caller, callee } = await talking(w, { onEnd: [{ verb: 'say', text: 'bye', loop: 0 }] })
    w.speech.set('bye', clipOf(1_300, 1_000))
    w.command(caller, [{ verb: 'mute' }])
    await w.run(300)
    assert.ok(caller.hears(900) && !callee.hears(500))
    w.command(caller, [{ verb: 'unmute' }])
    w.command(caller, [{ verb: 'mute', leg: 'peer' }])
    await w.run(300)
    assert.ok(!caller.hears(900) && callee.hears(500))
    w.command(caller, [{ verb: 'unmute', leg: 'peer' }])
    w.command(caller, [{ verb: 'hold', leg: 'peer' }])
    await w.run(500)
    assert.ok(!caller.hears(900) && !callee.hears(500))
    assert.ok(
      callee.heard(300).some(sample => Math.abs(sample) > 300),
      'music',
    )
    w.command(caller, [{ verb: 'resume', leg: 'peer' }])
    w.command(caller, [{ verb: 'hold' }])
    await w.run(400)
    callee.hangsUp()
    await w.run(400)
    assert.ok(caller.hears(1_300), 'held alone it would hear nothing of its list')
    assert.deepEqual(
      [callee.types().slice(2, -1), caller.types().slice(2)],
      [
        ['call.muted', 'call.unmuted', 'call.held', 'call.resumed'],
        ['call.muted', 'call.unmuted', 'call.held', 'call.unbridged'],
      ],
    )
    await over(w, caller)
  })
})
