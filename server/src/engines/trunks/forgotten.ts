// Calls whose row has ended and of whose far side nobody has seen the end: their process died in between, or could not write it. Their
// far side is told again that they are over, and what was stored of them goes.
import type { Scope } from '../../kernel/db.ts'
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
  round(scopes: readonly Scope[]): Promise<void>
  /** A process has died, which may have left some: they are looked for in the next round. */
  soon(): void
}

/** @param end ends the far side from what is stored, and removes that */
export function createForgotten(
  { db, log }: Pick<Services, 'db' | 'log'>,
  end: (ref: CallRef) => Promise<void>,
): Forgotten {
  const ending = new Set<string>()
  const known = new Set<number>()
  const startedMs = performance.now()
  let nextMs = startedMs + everyMs
  let hasDied = false

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
    async round(scopes) {
      const nowMs = performance.now()
      const isDue = hasDied || nowMs >= nextMs
      const seconds = hasDied ? overSecondsOfDead : overSeconds
      if (isDue) nextMs = nowMs + everyMs
      hasDied = false
      const byTenant = new Map(scopes.map(scope => [scope.tenantId, scope]))
      for (const scope of byTenant.values()) {
        const { tenantId, organizationId } = scope
        // What had ended before this process began was another's, which may have died: it is told at once.
        const isFirst = !known.has(tenantId)
        if (!isDue && !isFirst) continue
        const over = isFirst ? Math.min(seconds, (nowMs - startedMs) / 1_000) : seconds
        const ids = await db.inTenant(scope, tx => listForgottenCalls(tx, scope, over))
        known.add(tenantId)
        for (const callId of ids) void endOne({ tenantId, organizationId, callId })
      }
    },
    soon() {
      hasDied = true
    },
  }
}
