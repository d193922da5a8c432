// For tests: trunks whose remote parties are in the hands of the test, so that nothing but the trunks engine itself is asked.

import type { Outcome, TrunkDriver } from '../../src/engines/trunks/driver.ts'
import { trunkEngine } from '../../src/engines/trunks/engine.ts'
import { settleCallSpend } from '../../src/modules/voice/calls/spend_jobs.ts'
import type { EngineHost, LegEvent } from '../../src/modules/voice/engine/index.ts'
import { carryCalls } from '../../src/modules/voice/node/jobs.ts'
import { callTools } from '../../src/modules/voice/node/tools.ts'
import { eventually } from '../eventually.ts'
import type { TestApp } from '../harness.ts'
import { type RunningQueues, startQueues } from '../voice/calls.ts'

/** One try of a call by one trunk. */
export type Tried = {
  readonly callId: string
  readonly to: string
  readonly trunkId: string | null
  /** Whether this side has ended it. */
  readonly isEnded: boolean
  happen(event: LegEvent): void
  /** The trunk does not take it. */
  refuse(sipStatus: number): void
  /** The remote party hangs up, or does not take it. */
  end(cause?: 'normal' | 'user_busy'): void
}

/** A driver of the kind `sip` that reaches nobody; `tried` is what was dialled by it, the latest last. */
export function createTestDriver() {
  const tried: Tried[] = []
  let host: EngineHost | undefined
  const driver: TrunkDriver = {
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
          happen: event => leg.emit(event),
          refuse: sipStatus => resolve({ type: 'refused', response: { sipStatus, heard18x: false } }),
          end(cause = 'normal') {
            leg.emit({ type: 'ended', cause, by: 'callee' })
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
    driver,
    tried,
    host(): EngineHost {
      if (host === undefined) throw new Error('the engine was not started')
      return host
    },
  }
}

/** Carries the calls of live mode by such a driver, and settles what they cost. */
export function carryByTestDriver(t: TestApp, driver: TrunkDriver): RunningQueues {
  const engines = [trunkEngine([() => driver])]
  return startQueues(t, [carryCalls({ engines, tools: callTools, drainMs: 100 }), settleCallSpend])
}

/** What `find` answers once it answers something. */
export function until<T>(find: () => Promise<T> | T) {
  return eventually(String(find), find)
}
