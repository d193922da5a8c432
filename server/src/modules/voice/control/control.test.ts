// The interpreter itself: what leads where, what takes the place of what, what is left behind, and what is done about faults.
// Lists and events by chance stand in chance.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipOf, createWorld, nothingLeft, type Remote, type World } from '../../../../test/voice/control_world.ts'
import type { Instruction } from '../instructions/schema.ts'
import { conversationOf } from './conversation.ts'
import type { Asked } from './run.ts'

const rest = { verb: 'pause', seconds: 600 } as const
const note = (data: Record<string, unknown>): Instruction => ({ verb: 'notify', data })

/** Fails the test that is running where nobody awaits what failed. */
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))
process.on('warning', warning => unhandled.push(warning))

async function checkEnd(w: World, ...remotes: Remote[]) {
  for (const remote of remotes) remote.hangsUp()
  await w.run(40)
  assert.deepEqual(w.left(), nothingLeft)
  assert.deepEqual([w.faults, unhandled], [[], []])
}

test('goto jumps as often as it may, each by itself, and out of lists within lists', async () => {
  const w = createWorld()
  const remote = await w.call([
    { ...note({ at: 'a' }), label: 'a' },
    { verb: 'goto', to: 'a', times: 2 },
    { ...note({ at: 'b' }), label: 'b' },
    { verb: 'goto', to: 'a', times: 1 },
    {
      verb: 'dial',
      targets: [{ type: 'number', number: '+15550100003' }],
      onFail: [note({ at: 'nested' }), { verb: 'goto', to: 'c' }, note({ at: 'never' })],
    },
    note({ at: 'never' }),
    { ...note({ at: 'c' }), label: 'c' },
    rest,
  ])
  await w.run(20)
  w.child(0).happen({ type: 'ended', cause: 'no_answer', by: 'callee' })
  await w.run(20)
  assert.equal(
    remote
      .notes('call.notified')
      .map(({ at }) => at)
      .join(' '),
    'a a a b a b nested c',
  )
  await checkEnd(w, remote)
})

test('a list that takes no time keeps nobody waiting', async () => {
  const w = createWorld()
  const remote = await w.call([
    { ...note({ n: 1 }), label: 'a' },
    { verb: 'goto', to: 'a', times: 1_000 },
  ])
  assert.ok(remote.notes('call.notified').length < 100)
  await w.until(() => remote.held.isOver)
  assert.equal(remote.notes('call.notified').length, 1_001)
  await checkEnd(w)
})

test('addresses: the fallback, then the instructions of the number, then an apology; never silence', async () => {
  const answers: { up: Asked; down: Asked } = {
    up: { ok: true, list: [note({ by: 'answer' })] },
    down: { ok: false, why: 'timeout' },
  }
  for (const [first, second, own, expected] of [
    ['up', 'down', false, ['answer']],
    ['down', 'up', false, ['answer']],
    ['down', 'down', true, ['own']],
    ['down', 'down', false, []],
  ] as const) {
    const w = createWorld()
    w.speech.set(
      'We are sorry, this call cannot go on because of a technical problem. Please call again later.',
      clipOf(500, 1_000),
    )
    w.answers.set('https://example.com/1', answers[first])
    w.answers.set('https://example.com/2', answers[second])
    const remote = await w.call(own ? [note({ by: 'own' })] : null, {
      direction: 'inbound',
      callback_url: 'https://example.com/1',
      fallback_url: 'https://example.com/2',
    })
    await w.run(300)
    assert.deepEqual(
      remote.notes('call.notified').map(({ by }) => by),
      expected,
    )
    if (expected.length === 0) assert.ok(remote.hears(500))
    await w.run(1_000)
    assert.ok(remote.held.isOver)
    await checkEnd(w)
  }
})

test('a fault of ours is heard as an apology, and ends the call as one', async () => {
  const w = createWorld({
    tools: {
      queues: {
        size() {
          throw new Error('broken')
        },
      } as never,
    },
  })
  const remote = await w.call([{ verb: 'enqueue', queue: 'q' }])
  await w.run(100)
  assert.deepEqual(remote.reported.at(-1), { type: 'ended', cause: 'instructions_failed', by: 'system' })
  assert.equal(w.faults.length, 1)
})

test('redirect, tag, message and hangup do what they say; a message that fails is reported', async () => {
  const w = createWorld()
  w.answers.set('https://example.com/next', {
    ok: true,
    list: [
      { verb: 'tag', tags: ['vip'], metadata: { ticket: '42' } },
      { verb: 'message', body: 'Thank you' },
      { verb: 'hangup', reason: 'closed' },
    ],
  })
  const remote = await w.call([{ verb: 'redirect', url: 'https://example.com/next' }], { direction: 'inbound' })
  await w.run(20)
  assert.deepEqual(w.messages, [{ from: '+15550100002', to: '+15550100001', body: 'Thank you' }])
  assert.deepEqual(remote.held.call.metadata, { ticket: '42' })
  assert.deepEqual(remote.types(), ['call.tagged', 'call.notified', 'ended'])
  const failing = createWorld({ tools: { message: async () => Promise.reject(new Error('no number')) } })
  const other = await failing.call([{ verb: 'message', body: 'x' }, rest])
  await failing.run(20)
  assert.deepEqual(other.notes('call.message_failed'), [{ why: 'no number' }])
  await checkEnd(w)
})

test('a refusal by the reason or a status; what was answered is ended', async () => {
  for (const [instruction, expected] of [
    [{ verb: 'reject', reason: 'busy' }, 'reject 486'],
    [{ verb: 'reject', sipCode: 404 }, 'reject 404'],
  ] as const) {
    const w = createWorld()
    const remote = await w.call([instruction], { direction: 'inbound' })
    await w.run(20)
    assert.deepEqual(remote.asked, [expected])
    await checkEnd(w)
  }
})

test('a list for a call that rings starts with its answer; hangup does not wait', async () => {
  const w = createWorld()
  const remote = await w.call([rest], { isUnanswered: true })
  w.command(remote, [note({ n: 1 }), rest])
  await w.run(100)
  assert.deepEqual(remote.notes('call.notified'), [])
  remote.answers()
  await w.run(20)
  assert.equal(remote.notes('call.notified').length, 1)
  const ringing = await w.call([rest], { isUnanswered: true })
  w.command(ringing, [{ verb: 'hangup' }])
  await w.run(20)
  assert.ok(ringing.held.isOver)
  await checkEnd(w, remote)
})

const speech = 'https://example.com/a.wav'
const long: { readonly [name: string]: Instruction } = {
  say: { verb: 'say', text: 'long' },
  play: { verb: 'play', url: speech, loop: 0 },
  pause: rest,
  gather: { verb: 'gather', numDigits: 3, prompt: [{ verb: 'say', text: 'long' }] },
  'gather that waits': { verb: 'gather', numDigits: 3, timeoutSeconds: 300 },
  dial: { verb: 'dial', targets: [{ type: 'number', number: '+15550100003' }] },
  'dial that is answered': { verb: 'dial', targets: [{ type: 'number', number: '+15550100004' }] },
  'dial that confirms': {
    verb: 'dial',
    targets: [{ type: 'number', number: '+15550100004' }],
    confirm: [{ verb: 'say', text: 'long' }],
    confirmKey: '1',
  },
  conference: { verb: 'conference', name: 'c', record: 'mono' },
  'conference with a list': { verb: 'conference', name: 'c', wait: [{ verb: 'say', text: 'long' }] },
  enqueue: { verb: 'enqueue', queue: 'q' },
  'enqueue with a list': { verb: 'enqueue', queue: 'q', wait: [{ verb: 'say', text: 'long' }] },
  'enqueue with an address': { verb: 'enqueue', queue: 'q', waitUrl: 'https://example.com/never' },
  dequeue: { verb: 'dequeue', queue: 'q', timeoutSeconds: 300 },
  record: { verb: 'record', maxSeconds: 300, silenceSeconds: 0 },
  detectMachine: { verb: 'detectMachine' },
  transfer: { verb: 'transfer', to: { type: 'number', number: '+15550100003' }, mode: 'attended' },
  redirect: { verb: 'redirect', url: 'https://example.com/never' },
}

for (const [name, instruction] of Object.entries(long)) {
  test(`${name}: what takes its place leaves nothing of it, and so does the end of the call`, async () => {
    for (const how of ['replaced', 'ended'] as const) {
      const w = createWorld({
        onDial: child => child.held.call.to_number.endsWith('4') && child.answers(),
      })
      w.speech.set('long', clipOf(500, 60_000))
      w.speech.set(speech, clipOf(500, 60_000))
      w.answers.set('https://example.com/never', () => new Promise(() => {}))
      const remote = await w.call([instruction, note({ passed: true })])
      await w.run(500)
      if (how === 'replaced') {
        w.command(remote, [rest, note({ new: true })])
        await w.run(40)
        assert.deepEqual(w.hanging(remote), { playing: 0, attached: 0, recorders: 0, sleeps: 2 })
        assert.deepEqual([remote.notes('call.notified'), remote.held.isOver], [[], false])
        assert.ok(w.dialed.every(child => child.held.isOver))
        assert.equal(conversationOf(remote.held), undefined)
      }
      await checkEnd(w, remote)
      assert.ok(w.dialed.every(child => child.reported.filter(it => it.type === 'ended').length === 1))
    }
  })
}

test('hundreds of verbs on one call hang nothing on it and warn of nothing', async () => {
  const w = createWorld()
  const remote = await w.call([
    { verb: 'say', text: 'x', label: 'a', bargeIn: true },
    { verb: 'gather', numDigits: 1, timeoutSeconds: 0.5, prompt: [{ verb: 'say', text: 'x' }] },
    { verb: 'goto', to: 'a', times: 200 },
    rest,
  ])
  for (let i = 0; i < 30; i++) w.command(remote, [{ verb: 'say', text: 'x', loop: 100 }])
  await w.until(() => remote.notes('gather.completed').length === 201, 300_000)
  await w.run(40)
  assert.deepEqual(w.hanging(remote), { playing: 0, attached: 0, recorders: 0, sleeps: 2 })
  await checkEnd(w, remote)
})
