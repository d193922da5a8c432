// Guards: the table of states is sound; a call ends exactly once whatever is reported in whatever order; every live state
// can be ended by every cause; facts and times of a call never contradict each other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkTable } from '../../../kernel/values/states.ts'
import {
  type Call,
  type CallEvent,
  type CallStep,
  callStates,
  callTransitions,
  durationsOf,
  endOf,
  type HangupCause,
  hangupCauses,
  hangupParties,
  initiatedEvent,
  isLive,
  liveCallStates,
  nextCall,
  terminalCallStates,
} from './rules.ts'
import { initialCall } from './store.ts'

const startMs = Date.parse('2026-11-21T08:00:00.000Z')
const causes = Object.keys(hangupCauses) as HangupCause[]

function newCall(): Call {
  const scope = { tenantId: 1, organizationId: 1 }
  return initialCall(scope, {
    id: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
    direction: 'outbound',
    from_number: '+15550100001',
    to_number: '+15005550200',
    caller_name: null,
    callback_url: null,
    timeout_seconds: 60,
    time_limit_seconds: 14_400,
    tags: [],
    metadata: {},
    created_at: new Date(startMs).toISOString(),
  })
}

const events: fc.Arbitrary<CallEvent> = fc.oneof(
  fc.record({ type: fc.constant('ringing' as const), earlyMedia: fc.boolean() }),
  fc.record({ type: fc.constant('answered' as const), answeredBy: fc.constantFrom('human', 'machine', undefined) }),
  fc.record({
    type: fc.constant('ended' as const),
    cause: fc.constantFrom(...causes),
    by: fc.constantFrom(...hangupParties),
  }),
  fc.constant({ type: 'early_media' as const }),
  fc.constant({ type: 'machine_detected' as const }),
  fc.record({ type: fc.constant('dtmf' as const), digit: fc.constantFrom('1', '#') }),
  fc.constant({ type: 'rerouted' as const, trunk: 'a', sipCode: 503, nextTrunk: 'b' }),
)

function play(happened: readonly { event: CallEvent; offsetMs: number }[]): { call: Call; steps: CallStep[] } {
  let call = newCall()
  const steps: CallStep[] = []
  for (const { event, offsetMs } of happened) {
    const step = nextCall(call, event, startMs + offsetMs)
    if (step === undefined) continue
    steps.push(step)
    call = step.call
  }
  return { call, steps }
}

test('the table reaches every state and ends in the terminal ones', () => {
  const faults = checkTable(callTransitions, {
    states: callStates,
    initial: ['initiated'],
    terminal: terminalCallStates,
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(liveCallStates, ['initiated', 'ringing', 'answered'])
})

test('every cause ends a call in every live state, and none ends it twice', () => {
  for (const cause of causes) {
    for (const state of liveCallStates) {
      const transition = endOf(state, cause)
      assert.ok(transition !== undefined && callTransitions[transition].from.includes(state), `${cause} in ${state}`)
    }
    for (const state of terminalCallStates) assert.equal(endOf(state, cause), undefined, `${cause} in ${state}`)
  }
  assert.equal(endOf('ringing', 'normal'), 'canceled')
  assert.equal(endOf('answered', 'normal'), 'completed')
  assert.equal(endOf('answered', 'user_busy'), 'completed')
  assert.equal(endOf('answered', 'media_timeout'), 'failed')
})

test('whatever is reported, in any order: at most one terminal event, nothing after it, sequences without a gap', () => {
  const reported = fc.array(fc.record({ event: events, offsetMs: fc.integer({ min: -60_000, max: 600_000 }) }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(reported, happened => {
      const { call, steps } = play(happened)
      const ends = steps.filter(step => !isLive(step.call))
      assert.ok(ends.length <= 1)
      if (ends.length === 1) assert.equal(ends[0], steps.at(-1))
      assert.equal(
        ends.length === 1,
        happened.some(({ event }) => event.type === 'ended'),
      )
      assert.deepEqual(
        steps.map(step => step.event.sequence),
        steps.map((_, index) => index + 2),
      )
      assert.equal(call.sequence, steps.length + 1)
      const moments = steps.map(step => (step.event.data as { occurredAt: string }).occurredAt)
      assert.deepEqual(moments, [...moments].sort(), 'times never run backwards')
      const { ringSeconds, durationSeconds, billableSeconds } = durationsOf(call)
      for (const seconds of [ringSeconds, durationSeconds, billableSeconds]) assert.ok(seconds === null || seconds >= 0)
      if (call.answered_at === null && !isLive(call)) assert.equal(billableSeconds, 0)
    }),
    { numRuns: 2_000 },
  )
})

test('an event is a snapshot of the call as it is now, with the state it left', () => {
  const { steps } = play([
    { event: { type: 'ringing', earlyMedia: true }, offsetMs: 100 },
    { event: { type: 'answered', answeredBy: 'human' }, offsetMs: 2_100 },
    { event: { type: 'dtmf', digit: '5' }, offsetMs: 3_000 },
    { event: { type: 'ended', cause: 'normal', by: 'callee' }, offsetMs: 5_200 },
  ])
  const data = (index: number) => steps[index]?.event.data as Record<string, unknown>
  assert.deepEqual(
    steps.map(step => step.event.type),
    ['call.ringing', 'call.answered', 'call.dtmf', 'call.completed'],
  )
  assert.deepEqual(
    steps.map((_, index) => data(index)['previousState']),
    ['initiated', 'ringing', null, 'answered'],
  )
  assert.equal(data(0)['earlyMedia'], true)
  assert.deepEqual(data(2)['details'], { digit: '5' })
  const end = data(3)
  assert.equal(end['state'], 'completed')
  assert.deepEqual([end['hangupCause'], end['hangupBy'], end['sipCode'], end['q850']], ['normal', 'callee', 200, 16])
  assert.deepEqual([end['ringSeconds'], end['durationSeconds'], end['billableSeconds']], [2, 5, 4])
  assert.equal(initiatedEvent(newCall()).sequence, 1)
})

test("an engine's own SIP status and cause stand before the usual ones, and null means it had none", () => {
  const end = (event: CallEvent) => nextCall(newCall(), event, startMs)?.call
  assert.equal(end({ type: 'ended', cause: 'user_busy', by: 'callee' })?.sip_code, 486)
  assert.equal(end({ type: 'ended', cause: 'user_busy', by: 'callee', sipCode: 600 })?.sip_code, 600)
  assert.equal(end({ type: 'ended', cause: 'user_busy', by: 'callee', sipCode: null, q850: null })?.q850, null)
})
