// The interpreter by chance: any lists on legs that do anything at any moment end in order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clipOf, createWorld, nothingLeft, type Remote } from '../../../../test/voice/control_world.ts'
import { readInstructions } from '../instructions/index.ts'
import type { InstructionList } from '../instructions/schema.ts'
import { conversationOf } from './conversation.ts'

/** Fails the test that is running where nobody awaits what failed. */
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))
process.on('warning', warning => unhandled.push(warning))

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

test('whatever happens, every leg ends once, nothing is left behind, and nothing reported later does harm', async () => {
  const slow = fc.constantFrom(0, 20, 300)
  const calls = fc.array(fc.record({ list, isInbound: fc.boolean() }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(calls, fc.array(event, { maxLength: 14 }), slow, async (begun, events, slowMs) => {
      const all: Remote[] = []
      const w = createWorld({
        slowMs,
        onDial(remote) {
          all.push(remote)
          if (remote.held.call.to_number.endsWith('4')) remote.answers()
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
        const remote = all[leg % all.length] as Remote
        if (Array.isArray(what)) w.command(remote, what)
        else if (what === 'answer') remote.answers()
        else if (what === 'hangup') remote.hangsUp()
        else if (what === 'busy') remote.happen({ type: 'ended', cause: 'user_busy', by: 'callee' })
        else if (what === 'decline') remote.happen({ type: 'ended', cause: 'declined', by: 'callee' })
        else if (what === 'early') remote.happen({ type: 'early_media' })
        else if (what === 'ringing') remote.happen({ type: 'ringing', earlyMedia: true })
        else if (what === 'leave') w.command(remote, [{ verb: 'leave' }])
        else if (what.startsWith('key')) remote.presses(what.slice(4))
        else if (!remote.held.isOver) {
          asked++
          const replaces = what === 'replaces' ? (all[(leg + 1) % all.length] as Remote).held.ref : null
          const to = leg % 2 === 0 ? '+15550100003' : '+15550100004'
          remote.happen({ type: 'transfer_requested', to, replaces, settle: () => settled++ })
        }
      }
      await w.run(3_000)
      for (const remote of all.filter(({ child }) => child === undefined)) remote.hangsUp()
      await w.run(1_000)
      for (const { held } of all)
        assert.ok(
          // It talks, has a list, or is rung by one that has.
          held.isOver ||
            conversationOf(held) !== undefined ||
            [held.call.id, held.call.parent_call_id ?? ''].some(id => w.controls.has(id)),
          'nobody is left on the line whom nobody talks with',
        )
      for (let round = 0; round < 20 && all.some(remote => !remote.held.isOver); round++) {
        for (const remote of [...all]) remote.hangsUp()
        await w.run(200)
      }
      // A call that is over may have left somebody a message to wait for.
      await w.run(1_000)
      for (const remote of all) {
        assert.equal(remote.reported.filter(it => it.type === 'ended').length, 1)
        assert.equal(remote.reported.at(-1)?.type, 'ended', 'nothing is reported after the end')
        remote.held.report({ type: 'noted', event: 'call.notified', details: null })
        remote.held.end('normal', 'system')
        assert.equal(remote.reported.at(-1)?.type, 'ended')
        assert.equal(conversationOf(remote.held), undefined)
      }
      assert.equal(settled, asked, 'each remote party that asked is sent the outcome')
      assert.deepEqual(w.left(), nothingLeft)
      assert.deepEqual([w.faults, unhandled], [[], []])
    }),
    { numRuns: 250 },
  )
})
