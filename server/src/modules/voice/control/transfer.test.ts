// Somebody else in the place of one who talks: transfers of ours and of remote parties, and commands for a leg that was dialled.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clipOf, createWorld } from '../../../../test/voice/control_world.ts'
import { dialTo, hear, number, over, rest, talking } from '../../../../test/voice/talk.ts'
import { conversationOf } from './conversation.ts'

describe('commands for a leg that was dialled', () => {
  test('act on its side of the conversation; a list of its own takes it out', async () => {
    const w = createWorld()
    w.speech.set('x', clipOf(1_300, 300))
    const { caller, callee } = await talking(w)
    w.command(callee, [{ verb: 'mute' }])
    w.command(callee, [{ verb: 'record', mode: 'call' }])
    await w.run(300)
    assert.ok(!caller.hears(900) && callee.hears(500))
    w.command(callee, [{ verb: 'say', text: 'x' }])
    await w.run(240)
    assert.ok(callee.hears(1_300) && !caller.hears(1_300))
    w.command(callee, [{ verb: 'say', text: 'x', loop: 0 }, rest])
    await w.run(300)
    assert.ok(callee.hears(1_300) && !callee.hears(500))
    assert.ok(!callee.held.isOver && !caller.held.isOver && conversationOf(caller.held) === undefined)
    w.command(callee, [{ verb: 'hangup' }])
    await over(w, caller)
  })

  test('hangup ends one that rings', async () => {
    const w = createWorld()
    const caller = await w.call([dialTo(1), rest])
    w.command(w.child(0), [{ verb: 'hangup' }])
    await w.run(40)
    assert.ok(w.child(0).held.isOver)
    await over(w, caller)
  })
})

describe('transfer', () => {
  test('blind: the remote party calls the target itself, or its refusal is reported', async () => {
    const w = createWorld()
    const caller = await w.call([{ verb: 'transfer', to: number(5) }, rest])
    await w.run(40)
    assert.deepEqual(caller.asked, ['refer +15550100005', 'hangup'])
    assert.deepEqual(caller.types(), ['answered', 'call.transferred', 'ended'])
    await over(w)
  })

  test('attended from a list: as dial, and the end of the conversation ends the call', async () => {
    const w = createWorld()
    const caller = await w.call([{ verb: 'transfer', to: number(5), mode: 'attended' }, rest])
    await w.run(300)
    assert.ok(caller.hears(440))
    w.child(0).answers()
    caller.speak(500)
    w.child(0).speak(900)
    await w.run(300)
    assert.ok(hear(caller, w.child(0)))
    w.child(0).hangsUp()
    await w.run(40)
    assert.ok(caller.held.isOver)
    await over(w)
  })

  test('attended in a conversation: of the call itself, its peer is let go', async () => {
    const w = createWorld()
    const { caller, callee } = await talking(w)
    w.command(caller, [{ verb: 'transfer', to: number(5), mode: 'attended' }])
    await w.run(400)
    assert.ok(hear(caller, callee) && !caller.hears(440), 'they talk on while it rings')
    const target = w.child(1)
    target.answers()
    target.speak(1_300)
    await w.run(400)
    assert.ok(callee.held.isOver && caller.hears(1_300) && target.hears(500))
    await over(w, caller)
  })

  test('attended in a conversation: of the peer, who talks on without us', async () => {
    const w = createWorld()
    const { caller, callee } = await talking(w)
    w.command(caller, [{ verb: 'transfer', to: number(5), mode: 'attended', leg: 'peer' }])
    await w.run(40)
    const target = w.child(1)
    target.answers()
    target.speak(1_300)
    await w.run(400)
    assert.ok(!caller.held.isOver && conversationOf(caller.held) === undefined, 'its list goes on')
    caller.hangsUp()
    await w.run(400)
    assert.ok(callee.hears(1_300) && target.hears(900))
    target.hangsUp()
    await w.run(40)
    assert.ok(callee.held.isOver)
    await over(w)
  })

  test('the callee asks by REFER: the caller is connected with the target, and its list goes on afterwards', async () => {
    const w = createWorld()
    const { caller, callee } = await talking(w)
    const settled: number[] = []
    callee.happen({
      type: 'transfer_requested',
      to: '+15550100005',
      replaces: null,
      settle: code => settled.push(code),
    })
    await w.run(300)
    assert.ok(caller.hears(440) && !callee.hears(500))
    // Many phones hang up at once.
    callee.hangsUp()
    await w.run(40)
    const target = w.child(1)
    assert.equal(target.held.call.parent_call_id, caller.held.call.id)
    target.answers()
    target.speak(1_300)
    await w.run(400)
    assert.deepEqual(settled, [200])
    assert.ok(caller.hears(1_300) && target.hears(500))
    target.hangsUp()
    await w.run(40)
    assert.ok(!caller.held.isOver)
    await over(w, caller)
  })

  test('a target that does not answer: both go on, and the remote party is sent the reason', async () => {
    for (const asker of ['callee', 'caller'] as const) {
      const w = createWorld()
      const { caller, callee } = await talking(w)
      const settled: number[] = []
      const who = asker === 'callee' ? callee : caller
      who.happen({ type: 'transfer_requested', to: '+15550100005', replaces: null, settle: code => settled.push(code) })
      await w.run(100)
      w.child(1).happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
      await w.run(400)
      assert.deepEqual(settled, [486])
      assert.ok(hear(caller, callee), asker)
      callee.hangsUp()
      await w.run(40)
      assert.ok(!caller.held.isOver)
      await over(w, caller)
    }
  })

  test('the caller asks by REFER: whom it called is connected with the target', async () => {
    const w = createWorld()
    const { caller, callee } = await talking(w)
    const settled: number[] = []
    caller.happen({
      type: 'transfer_requested',
      to: 'sip:a@example.com',
      replaces: null,
      settle: code => settled.push(code),
    })
    await w.run(100)
    caller.hangsUp()
    await w.run(200)
    assert.ok(callee.hears(440))
    const target = w.child(1)
    target.answers()
    target.speak(1_300)
    await w.run(300)
    assert.deepEqual(settled, [200])
    assert.ok(callee.hears(1_300) && target.hears(900))
    await over(w, callee)
  })

  test('with Replaces: whom it talks with on both calls are joined; it leaves both', async () => {
    const w = createWorld()
    const one = await talking(w)
    const caller = await w.call([dialTo(1), rest])
    const other = w.child(1)
    other.answers()
    other.speak(1_300)
    await w.run(40)
    const settled: number[] = []
    one.caller.happen({
      type: 'transfer_requested',
      to: 'sip:x@example.com',
      replaces: caller.held.ref,
      settle: code => settled.push(code),
    })
    await w.run(400)
    assert.deepEqual(settled, [200])
    assert.ok(one.caller.held.isOver && caller.held.isOver)
    assert.ok(one.callee.hears(1_300) && other.hears(900))
    await over(w, other)
    assert.ok(one.callee.held.isOver)
  })

  test('who talks with nobody is refused', async () => {
    const w = createWorld()
    const caller = await w.call([rest])
    const settled: number[] = []
    caller.happen({
      type: 'transfer_requested',
      to: '+15550100005',
      replaces: null,
      settle: code => settled.push(code),
    })
    assert.deepEqual(settled, [603])
    await over(w, caller)
  })
})
