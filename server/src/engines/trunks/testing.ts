// For tests: trunks whose far sides are in the hands of the test, so that nothing but the trunks engine itself is asked.
import type { TestApp } from '../../../test/harness.ts'
import { carryCalls } from '../../modules/voice/calls/jobs.ts'
import { settleCallSpend } from '../../modules/voice/calls/spend_jobs.ts'
import { type RunningQueues, startQueues } from '../../modules/voice/calls/testing.ts'
import type { EngineHost, LegHappening } from '../../modules/voice/engine.ts'
import { callTools } from '../../modules/voice/tools.ts'
import { trunkEngine } from './engine.ts'
import type { Line, Outcome } from './line.ts'

/** One try of a call by one trunk. */
export type Tried = {
  readonly callId: string
  readonly to: string
  readonly trunkId: string | null
  /** Whether this side has ended it. */
  readonly isEnded: boolean
  happen(happening: LegHappening): void
  /** The trunk does not take it. */
  refuse(sipStatus: number): void
  /** The far side hangs up, or does not take it. */
  end(cause?: 'normal' | 'user_busy'): void
}

/** A line of the kind `sip` that reaches nobody; `tried` is what was dialled by it, the latest last. */
export function createTestLine() {
  const tried: Tried[] = []
  let host: EngineHost | undefined
  const line: Line = {
    kind: 'sip',
    isOpen: true,
    start(_trunks, given) {
      host = given
    },
    async open() {},
    keep(_trunk, { changed }) {
      changed('up', null)
      return { lead() {}, abandon() {}, async close() {} }
    },
    plan: (call, trunk) => ({
      stored: { test: true },
      dial({ leg, made }) {
        const { promise, resolve } = Promise.withResolvers<Outcome>()
        let isEnded = false
        tried.push({
          callId: call.callId,
          to: call.to,
          trunkId: trunk?.id ?? null,
          get isEnded() {
            return isEnded
          },
          happen: happening => leg.tell(happening),
          refuse: sipStatus => resolve({ type: 'refused', word: { sipStatus, heard18x: false } }),
          end(cause = 'normal') {
            leg.tell({ type: 'ended', cause, by: 'callee' })
            resolve({ type: 'over' })
          },
        })
        made({
          end() {
            isEnded = true
            resolve({ type: 'over' })
          },
        })
        return promise
      },
    }),
    owns: () => true,
    async endStored() {},
    forget() {},
    async close() {},
  }
  return {
    line,
    tried,
    host(): EngineHost {
      if (host === undefined) throw new Error('the engine was not started')
      return host
    },
  }
}

/** Carries the calls of live mode by such a line, and settles what they cost. */
export function carryByTestLine(t: TestApp, line: Line): RunningQueues {
  const engines = [trunkEngine([() => line])]
  return startQueues(t, [carryCalls({ engines, tools: callTools, drainMs: 100 }), settleCallSpend])
}

/** What `find` answers once it answers something. */
export async function until<T>(find: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const found = await find()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`it did not come: ${find}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
