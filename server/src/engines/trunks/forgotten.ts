// Calls whose row has ended and of whose far side nobody has seen the end: their process died in between, or could not write it. Their
// far side is told again that they are over, and what was stored of them goes.
import type { Services } from '../../kernel/endpoint.ts'
import type { CallRef } from '../../modules/voice/engine.ts'
import { listForgottenCalls } from './store.ts'

const everyMs = 15_000
/** Longer than BYE and CANCEL are repeated: whoever ended the call is done with it. */
const overSeconds = 60
/** Where a process has died nobody waits that long: a far side that a living one is still telling is only told twice. */
const overSecondsOfDead = 5

export type Forgotten = {
  /** To be called often; looks now and then. Does not wait for far sides. */
  round(): Promise<void>
  /** A process has died, which may have left some: they are looked for in the next round. */
  soon(): void
}

/** @param end ends the far side from what is stored, and removes that */
export function createForgotten(
  { db, log }: Pick<Services, 'db' | 'log'>,
  end: (ref: CallRef) => Promise<void>,
): Forgotten {
  const ending = new Set<string>()
  const startedMs = performance.now()
  let nextMs = 0
  /** Deaths that were told, and those after which it was looked. */
  let [deaths, seen] = [0, 0]

  async function endOne(ref: CallRef): Promise<void> {
    if (ending.has(ref.callId)) return
    ending.add(ref.callId)
    try {
      await end(ref)
    } catch (error) {
      log.warn(
        { err: error, call: ref.callId },
        'the far side of a call that is over could not be told; it is tried again',
      )
    } finally {
      ending.delete(ref.callId)
    }
  }

  return {
    async round() {
      const nowMs = performance.now()
      const told = deaths
      if (told === seen && nowMs < nextMs) return
      const seconds = told === seen ? overSeconds : overSecondsOfDead
      // What had ended before this process began was another's, which may have died: it is told at once.
      const over = nextMs > 0 ? seconds : Math.min(seconds, (nowMs - startedMs) / 1_000)
      const calls = await listForgottenCalls(db, over, [...ending])
      nextMs = nowMs + everyMs
      seen = told
      for (const call of calls) void endOne(call)
    },
    soon() {
      deaths += 1
    },
  }
}
