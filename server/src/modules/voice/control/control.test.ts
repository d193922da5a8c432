// The interpreter itself: what leads where, what takes the place of what, what is left behind, and what is done about faults.
// And by chance: any lists on legs that do anything at any moment end in order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readInstructions } from '../instructions/index.ts'
import type { Instruction, InstructionList } from '../instructions/schema.ts'
import { clipOf, createWorld, type Far, nothingLeft, type World } from './testing.ts'
import type { Asked } from './tools.ts'

const rest = { verb: 'pause', seconds: 600 } as const
const note = (data: Record<string, unknown>): Instruction => ({ verb: 'notify', data })

/** Fails the test that is running where nobody awaits what failed. */
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))
process.on('warning', warning => unhandled.push(warning))

async function checkEnd(w: World, ...fars: Far[]) {
  for (const far of fars) far.hangsUp()
  await w.run(40)
  assert.deepEqual(w.left(), nothingLeft)
  assert.deepEqual([w.faults, unhandled], [[], []])
}

test('goto jumps as often as it may, each by itself, and out of lists within lists', async () => {
  const w = createWorld()
  const far = await w.call([
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
    far
      .notes('call.notified')
      .map(({ at }) => at)
      .join(' '),
    'a a a b a b nested c',
  )
  await checkEnd(w, far)
})

test('a list that takes no time keeps nobody waiting', async () => {
  const w = createWorld()
  const far = await w.call([
    { ...note({ n: 1 }), label: 'a' },
    { verb: 'goto', to: 'a', times: 1_000 },
  ])
  assert.ok(far.notes('call.notified').length < 100)
  await w.until(() => far.held.isOver)
  assert.equal(far.notes('call.notified').length, 1_001)
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
    const far = await w.call(own ? [note({ by: 'own' })] : null, {
      direction: 'inbound',
      callback_url: 'https://example.com/1',
      fallback_url: 'https://example.com/2',
    })
    await w.run(300)
    assert.deepEqual(
      far.notes('call.notified').map(({ by }) => by),
      expected,
    )
    if (expected.length === 0) assert.ok(far.hears(500))
    await w.run(1_000)
    assert.ok(far.held.isOver)
    await checkEnd(w)
  }
})

test('a fault of ours is heard as an apology, and ends the call as one', async () => {
  const w = createWorld({
    tools: {
      lines: {
        size() {
          throw new Error('broken')
        },
      } as never,
    },
  })
  const far = await w.call([{ verb: 'enqueue', queue: 'q' }])
  await w.run(100)
  assert.deepEqual(far.told.at(-1), { type: 'ended', cause: 'instructions_failed', by: 'system' })
  assert.equal(w.faults.length, 1)
})

test('redirect, tag, message and hangup do what they say; a message that fails is told', async () => {
  const w = createWorld()
  w.answers.set('https://example.com/next', {
    ok: true,
    list: [
      { verb: 'tag', tags: ['vip'], metadata: { ticket: '42' } },
      { verb: 'message', body: 'Thank you' },
      { verb: 'hangup', reason: 'closed' },
    ],
  })
  const far = await w.call([{ verb: 'redirect', url: 'https://example.com/next' }], { direction: 'inbound' })
  await w.run(20)
  assert.deepEqual(w.messages, [{ from: '+15550100002', to: '+15550100001', body: 'Thank you' }])
  assert.deepEqual(far.held.call.metadata, { ticket: '42' })
  assert.deepEqual(far.types(), ['call.tagged', 'call.notified', 'ended'])
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
    const far = await w.call([instruction], { direction: 'inbound' })
    await w.run(20)
    assert.deepEqual(far.asked, [expected])
    await checkEnd(w)
  }
})

test('a list for a call that rings begins with its answer; hangup does not wait', async () => {
  const w = createWorld()
  const far = await w.call([rest], { isUnanswered: true })
  w.command(far, [note({ n: 1 }), rest])
  await w.run(100)
  assert.deepEqual(far.notes('call.notified'), [])
  far.answers()
  await w.run(20)
  assert.equal(far.notes('call.notified').length, 1)
  const ringing = await w.call([rest], { isUnanswered: true })
  w.command(ringing, [{ verb: 'hangup' }])
  await w.run(20)
  assert.ok(ringing.held.isOver)
  await checkEnd(w, far)
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
      const far = await w.call([instruction, note({ passed: true })])
      await w.run(500)
      if (how === 'replaced') {
        w.command(far, [rest, note({ new: true })])
        await w.run(40)
        assert.deepEqual(w.hanging(far), { playing: 0, attached: 0, recorders: 0, sleeps: 2 })
        assert.deepEqual([far.notes('call.notified'), far.held.isOver], [[], false])
        assert.ok(w.dialed.every(child => child.held.isOver))
        assert.equal(far.held.conversation, undefined)
      }
      await checkEnd(w, far)
      assert.ok(w.dialed.every(child => child.told.filter(it => it.type === 'ended').length === 1))
    }
  })
}

test('hundreds of verbs on one call hang nothing on it and warn of nothing', async () => {
  const w = createWorld()
  const far = await w.call([
    { verb: 'say', text: 'x', label: 'a', bargeIn: true },
    { verb: 'gather', numDigits: 1, timeoutSeconds: 0.5, prompt: [{ verb: 'say', text: 'x' }] },
    { verb: 'goto', to: 'a', times: 200 },
    rest,
  ])
  for (let i = 0; i < 30; i++) w.command(far, [{ verb: 'say', text: 'x', loop: 100 }])
  await w.until(() => far.notes('gather.completed').length === 201, 300_000)
  await w.run(40)
  assert.deepEqual(w.hanging(far), { playing: 0, attached: 0, recorders: 0, sleeps: 2 })
  await checkEnd(w, far)
})

// By chance.

const numberTarget = fc
  .constantFrom('+15550100003', '+15550100004')
  .map(number => ({ type: 'number' as const, number }))
const key = fc.constantFrom('1', '2', '#')
const url = fc.constantFrom('https://example.com/empty', 'https://example.com/list', 'https://example.com/down')
const prompt = fc.constantFrom<InstructionList>(
  [{ verb: 'say', text: 'short' }],
  [
    { verb: 'play', tone: 'beep' },
    { verb: 'pause', seconds: 0.5 },
  ],
)
const leaf: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.record({ verb: fc.constant('say'), text: fc.constantFrom('short', 'long'), bargeIn: fc.boolean() }),
  fc.record({ verb: fc.constant('play'), tone: fc.constantFrom('beep', 'hold', 'busy'), loop: fc.nat(2) }),
  fc.record({ verb: fc.constant('pause'), seconds: fc.constantFrom(0.1, 1, 5) }),
  fc.record(
    {
      verb: fc.constant('gather'),
      numDigits: fc.constantFrom(1, 3),
      timeoutSeconds: fc.constantFrom(0.5, 3),
      prompt,
      bargeIn: fc.boolean(),
      sensitive: fc.boolean(),
      actionUrl: url,
    },
    { requiredKeys: ['verb', 'numDigits'] },
  ),
  fc.record({ verb: fc.constant('record'), mode: fc.constant('call'), channels: fc.constantFrom('mono', 'dual') }),
  fc.record({ verb: fc.constant('record'), maxSeconds: fc.constantFrom(1, 5), beep: fc.boolean() }),
  fc.record({ verb: fc.constantFrom('recordStop', 'recordPause', 'recordResume', 'answer') }),
  fc.record({
    verb: fc.constantFrom('hold', 'resume', 'mute', 'unmute'),
    leg: fc.constantFrom('self' as const, 'peer' as const),
  }),
  fc.record({ verb: fc.constant('sendDigits'), digits: fc.constant('1w2'), leg: fc.constantFrom('self', 'peer') }),
  fc.record({ verb: fc.constant('redirect'), url }),
  fc.record({ verb: fc.constant('notify'), data: fc.constant({ a: 1 }) }),
  fc.record({ verb: fc.constant('detectMachine') }),
  fc.record({ verb: fc.constant('dequeue'), queue: fc.constant('q'), timeoutSeconds: fc.constantFrom(0, 5) }),
)
const nested = fc.array(leaf, { minLength: 1, maxLength: 2 })
const instruction: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        verb: fc.constant('dial'),
        targets: fc.array(numberTarget, { minLength: 1, maxLength: 3 }),
        strategy: fc.constantFrom('simultaneous', 'sequential'),
        timeLimitSeconds: fc.constantFrom(1, 60),
        answerOnBridge: fc.boolean(),
        record: fc.constantFrom('none', 'dual'),
        finishOnKey: key,
        confirm: prompt,
        onAnswer: prompt,
        onEnd: nested,
        onFail: nested,
      },
      { requiredKeys: ['verb', 'targets'] },
    ),
  },
  fc.record(
    {
      verb: fc.constant('conference'),
      name: fc.constantFrom('a', 'b'),
      startOnEnter: fc.boolean(),
      endOnExit: fc.boolean(),
      muted: fc.boolean(),
      maxParticipants: fc.constantFrom(2, 9),
      wait: prompt,
      record: fc.constantFrom('none', 'mono'),
      timeLimitSeconds: fc.constantFrom(2, 60),
      finishOnKey: key,
    },
    { requiredKeys: ['verb', 'name'] },
  ),
  fc.record(
    {
      verb: fc.constant('enqueue'),
      queue: fc.constant('q'),
      priority: fc.nat(2),
      maxWaitSeconds: fc.constantFrom(5, 60),
      wait: prompt,
      onFail: nested,
    },
    { requiredKeys: ['verb', 'queue'] },
  ),
  fc.record(
    {
      verb: fc.constant('transfer'),
      to: numberTarget,
      mode: fc.constantFrom('blind', 'attended'),
      leg: fc.constantFrom('self', 'peer'),
      onFail: nested,
    },
    { requiredKeys: ['verb', 'to'] },
  ),
  fc.record({ verb: fc.constant('dial'), targets: fc.constant([{ type: 'queue', queue: 'q' }]), onFail: nested }),
)

const context = {
  phone: (text: string) => text,
  url: (text: string) => ({ href: text }),
}
/** Only what is valid. */
const list = fc.array(instruction, { minLength: 1, maxLength: 5 }).filter(it => {
  return 'instructions' in readInstructions(it, context as never)
}) as unknown as fc.Arbitrary<InstructionList>

/** What happens to some leg, or is commanded, after a while. */
const event = fc.record({
  afterMs: fc.constantFrom(0, 20, 100, 500, 2_000),
  leg: fc.nat(9),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('answer', 'hangup', 'transfer', 'replaces') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('busy', 'early', 'ringing', 'key 1', 'key #', 'leave', 'decline'),
    },
    { weight: 2, arbitrary: list },
  ),
})

test('whatever happens, every leg ends once, nothing is left behind, and nothing told later does harm', async () => {
  const slow = fc.constantFrom(0, 20, 300)
  const calls = fc.array(fc.record({ list, isInbound: fc.boolean() }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(calls, fc.array(event, { maxLength: 14 }), slow, async (begun, events, slowMs) => {
      const all: Far[] = []
      const w = createWorld({
        slowMs,
        onDial(far) {
          all.push(far)
          if (far.held.call.to_number.endsWith('4')) far.answers()
        },
      })
      w.speech.set('short', clipOf(500, 200))
      w.speech.set('long', clipOf(500, 8_000))
      w.answers.set('https://example.com/list', { ok: true, list: [{ verb: 'say', text: 'short' }, { verb: 'pause' }] })
      w.answers.set('https://example.com/down', { ok: false, why: 'timeout' })
      let settled = 0
      let asked = 0
      for (const { list, isInbound } of begun)
        all.push(await w.call(list, { direction: isInbound ? 'inbound' : 'outbound', time_limit_seconds: 60 }))
      for (const { afterMs, leg, what } of events) {
        await w.run(afterMs)
        const far = all[leg % all.length] as Far
        if (Array.isArray(what)) w.command(far, what)
        else if (what === 'answer') far.answers()
        else if (what === 'hangup') far.hangsUp()
        else if (what === 'busy') far.happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
        else if (what === 'decline') far.happen({ type: 'ended', cause: 'declined', by: 'callee' })
        else if (what === 'early') far.happen({ type: 'early_media' })
        else if (what === 'ringing') far.happen({ type: 'ringing', earlyMedia: true })
        else if (what === 'leave') w.command(far, [{ verb: 'leave' }])
        else if (what.startsWith('key')) far.presses(what.slice(4))
        else if (!far.held.isOver) {
          asked++
          const replaces = what === 'replaces' ? (all[(leg + 1) % all.length] as Far).held.ref : null
          const to = leg % 2 === 0 ? '+15550100003' : '+15550100004'
          far.happen({ type: 'transfer_asked', to, replaces, settle: () => settled++ })
        }
      }
      await w.run(3_000)
      for (const far of all.filter(({ child }) => child === undefined)) far.hangsUp()
      await w.run(1_000)
      for (const { held } of all)
        assert.ok(
          // It talks, has a list, or is rung by one that has.
          held.isOver ||
            held.conversation !== undefined ||
            [held.call.id, held.call.parent_call_id ?? ''].some(id => w.controls.has(id)),
          'nobody is left on the line whom nobody talks with',
        )
      for (let round = 0; round < 20 && all.some(far => !far.held.isOver); round++) {
        for (const far of [...all]) far.hangsUp()
        await w.run(200)
      }
      // A call that is over may have left somebody a message to wait for.
      await w.run(1_000)
      for (const far of all) {
        assert.equal(far.told.filter(it => it.type === 'ended').length, 1)
        assert.equal(far.told.at(-1)?.type, 'ended', 'nothing is told behind the end')
        far.held.tell({ type: 'noted', event: 'call.notified', details: null })
        far.held.end('normal', 'system')
        assert.equal(far.told.at(-1)?.type, 'ended')
        assert.equal(far.held.conversation, undefined)
      }
      assert.equal(settled, asked, 'each far side that asked is told what became of it')
      assert.deepEqual(w.left(), nothingLeft)
      assert.deepEqual([w.faults, unhandled], [[], []])
    }),
    { numRuns: 250 },
  )
})
