// What every voice engine must do, as tests: the suite runs the real API, the real queues and one engine against remote
// parties that behave in known ways. An engine's own test file calls it; see the port in modules/voice/engine/index.ts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueMaker } from '../../src/kernel/jobs/background.ts'
import type { VoiceEngineMaker } from '../../src/modules/voice/engine/index.ts'
import { carryCalls } from '../../src/modules/voice/node/jobs.ts'
import { startTestApp, type TestApp } from '../harness.ts'
import { callIn, leftovers, type RunningQueues, seeCall, startCall, startQueues } from '../voice/calls.ts'
import { quietTools } from '../voice/engine.ts'

export type EngineUnderTest = {
  engine: VoiceEngineMaker
  /** Real engines carry calls of live mode only. */
  mode?: 'live' | 'test'
  env?: Record<string, string>
  /** Before the first call; answers what ends it. */
  setUp?(t: TestApp): Promise<() => Promise<void>>
  /** Queues the engine itself needs. */
  queues: readonly QueueMaker[]
  /** How long a second of a call takes here, in ms: less than 1000 where remote parties can be hurried. */
  secondMs: number
  /** Remote parties. `answers` rings, answers within 3 s, talks for 3 s or more; `stays` answers and talks 30 s or more. */
  numbers: Record<'answers' | 'stays' | 'busy' | 'silent' | 'declines' | 'unallocated', string>
}

const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

/** Registers the suite for one engine. */
export function voiceEngineSuite(
  name: string,
  { engine, mode = 'test', env = {}, setUp, queues, secondMs, numbers }: EngineUnderTest,
): void {
  describe(`voice engine ${name}`, () => {
    let t: TestApp
    let running: RunningQueues
    let end: (() => Promise<void>) | undefined
    before(async () => {
      t = await startTestApp({ env })
      end = await setUp?.(t)
      running = startQueues(t, [carryCalls({ engines: [engine], tools: () => quietTools }), ...queues])
    })
    after(async () => {
      await running.stop()
      await end?.()
      await t.close()
    })
    const key = () => (mode === 'live' ? t.main.liveKey : t.main.testKey)
    const startTo = (to: string, more: Record<string, unknown> = {}) => startCall(t, to, more, key())
    const ended = (callId: string) => callIn(t, callId, terminal, key(), 10_000 + 60 * secondMs)
    const aWhile = () => sleep(10 * secondMs + 200)

    // They mostly wait, each for a call of its own.
    describe('a call', { concurrency: true }, () => {
      test('an answered call rings, is answered, and is completed by the callee', async () => {
        const call = await ended(await startTo(numbers.answers))
        assert.deepEqual(
          call.history.map(entry => entry.type).filter(type => !['call.rerouted', 'call.early_media'].includes(type)),
          ['call.initiated', 'call.ringing', 'call.answered', 'call.completed'],
        )
        assert.deepEqual(
          [call.state, call.hangupCause, call.hangupBy, call.errorCode],
          ['completed', 'normal', 'callee', null],
        )
        assert.equal(call.sipCode, 200)
        const times = [call.createdAt, call.dialedAt, call.ringingAt, call.answeredAt, call.endedAt]
        assert.ok(times.every(time => time !== null))
        assert.deepEqual(times, [...times].sort())
        assert.ok((call.billableSeconds ?? 0) >= 1)
      })

      for (const [remote, state, errorCode, sipCode] of [
        ['busy', 'busy', 'callee_busy', 486],
        ['declines', 'rejected', 'callee_declined', 603],
        ['unallocated', 'failed', 'number_unallocated', 404],
      ] as const) {
        test(`a remote party of the kind ${remote} ends the call as ${state}`, async () => {
          const call = await ended(await startTo(numbers[remote]))
          assert.deepEqual([call.state, call.errorCode, call.sipCode], [state, errorCode, sipCode])
          assert.equal(call.answeredAt, null)
          assert.equal(call.billableSeconds, 0)
        })
      }

      test('a remote party that never answers rings for timeoutSeconds, then the call is no_answer', async () => {
        const started = performance.now()
        const call = await ended(await startTo(numbers.silent, { timeoutSeconds: 5 }))
        assert.ok(performance.now() - started >= 4.5 * secondMs, 'not before the timeout')
        assert.deepEqual([call.state, call.hangupBy, call.errorCode], ['no_answer', 'system', 'callee_no_answer'])
        assert.notEqual(call.ringingAt, null)
      })

      test('a call that reaches its time limit is completed by the system', async () => {
        const call = await ended(await startTo(numbers.answers, { timeLimitSeconds: 1 }))
        assert.deepEqual([call.state, call.hangupCause, call.hangupBy], ['completed', 'time_limit', 'system'])
      })

      for (const [remote, state, end] of [
        ['silent', 'ringing', 'canceled'],
        ['stays', 'answered', 'completed'],
      ] as const) {
        test(`hung up while ${state}, a call is ${end} and stays so; nothing is left of it`, async () => {
          const callId = await startTo(numbers[remote])
          await callIn(t, callId, [state], key())
          const hangup = await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: key() })
          assert.equal(hangup.status, 200, hangup.text)
          assert.deepEqual([hangup.json.data.state, hangup.json.data.hangupBy], [end, 'api'])
          const { history } = await seeCall(t, callId, key())
          await aWhile()
          const later = await seeCall(t, callId, key())
          assert.deepEqual(later.history, history)
          assert.equal(later.state, end)
          assert.equal(await leftovers(t, callId), 0)
        })
      }
    })

    test('many calls at once: each ends in one terminal state with one terminal event', async () => {
      const remote = [numbers.answers, numbers.busy, numbers.declines, numbers.unallocated]
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, index) => startTo(remote[index % remote.length] as string)),
      )
      for (const callId of ids) {
        const call = await ended(callId)
        assert.equal(call.history.filter(entry => terminal.includes(entry.state)).length, 1)
        assert.deepEqual(
          call.history.map(entry => entry.sequence),
          call.history.map((_, index) => index + 1),
        )
        assert.equal(await leftovers(t, callId), 0)
      }
    })
  })
}
