// Calls whose row has ended and of whose remote party nobody has seen the end: their process died in between, or could not write it. Their
// remote party is notified again that they are over, and what was stored of them goes.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { listForgottenRemoteParties } from '../../modules/voice/call_records/index.ts'
import type { CallRef } from '../../modules/voice/engine/index.ts'

const everyMs = 15_000
/** Longer than BYE and CANCEL are repeated: anyone who ended the call is done with it. */
const overSeconds = 60
/** Where a process has died nobody waits that long: a remote party that a living one is still notifying is only notified twice. */
const overSecondsOfDead = 5

/** A call that could not be ended is tried again after this, then after twice as long, and so on, up to the longest. */
const againMs = 5_000
const longestAgainMs = 10 * 60_000

export type Forgotten = {
  /** To be called often; looks now and then. Does not wait for remote parties. */
  round(): Promise<void>
  /** A process has died, which may have left some: they are looked for in the next round. */
  soon(): void
  /** Ends the remote party of one that is known to be left, once, no matter who asks for it meanwhile. Rejects when that failed. */
  end(ref: CallRef): Promise<void>
}

/** @param endStored ends the remote party from what is stored, and removes that */
export function createForgotten(
  { db, log }: Pick<Services, 'db' | 'log'>,
  endStored: (ref: CallRef) => Promise<void>,
): Forgotten {
  const ending = new Map<string, Promise<void>>()
  /** Those that could not be ended: not to be looked at before `atMs`, so that they do not stand in the way of others. */
  const failing = new Map<string, { atMs: number; pauseMs: number }>()
  const startedMs = performance.now()
  let nextMs = 0
  /** Deaths that were reported, and how many of them a look has followed. */
  let [deaths, seen] = [0, 0]

  function end(ref: CallRef): Promise<void> {
    const { callId } = ref
    const running = ending.get(callId) ?? endOne(ref).finally(() => ending.delete(callId))
    ending.set(callId, running)
    return running
  }

  async function endOne(ref: CallRef): Promise<void> {
    const { callId } = ref
    try {
      await endStored(ref)
      failing.delete(callId)
    } catch (error) {
      const pauseMs = Math.min(2 * (failing.get(callId)?.pauseMs ?? againMs / 2), longestAgainMs)
      failing.set(callId, { atMs: performance.now() + pauseMs, pauseMs })
      throw error
    }
  }

  /** A call that another process has ended meanwhile is not kept in mind for ever. */
  function resting(nowMs: number): string[] {
    for (const [callId, { atMs }] of failing) if (nowMs - atMs > longestAgainMs) failing.delete(callId)
    return [...failing].filter(([, { atMs }]) => atMs > nowMs).map(([callId]) => callId)
  }

  return {
    end,
    async round() {
      const nowMs = performance.now()
      const current = deaths
      if (current === seen && nowMs < nextMs) return
      const seconds = current === seen ? overSeconds : overSecondsOfDead
      // What had ended before this process started is another's, which may have died: it is reported at once.
      const over = nextMs > 0 ? seconds : Math.min(seconds, (nowMs - startedMs) / 1_000)
      const calls = await listForgottenRemoteParties(db, over, [...ending.keys(), ...resting(nowMs)])
      nextMs = nowMs + everyMs
      seen = current
      for (const call of calls) {
        end(call).catch(error =>
          log.warn(
            { err: error, call: call.callId },
            'the remote party of a call that is over could not be notified; it is tried again',
          ),
        )
      }
    },
    soon() {
      deaths += 1
    },
  }
}
