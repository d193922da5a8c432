// Calls whose row has ended and of whose far side nobody has seen the end: their process died in between, or could not write it. Their
// far side is told again that they are over, and what was stored of them goes.
import type { Scope } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import type { CallRef } from '../../modules/voice/engine.ts'
import { listForgottenCalls } from './store.ts'

const everyMs = 15_000
/** Longer than BYE and CANCEL are repeated: whoever ended the call is done with it. */
const overSeconds = 60

export type Forgotten = {
  /** To be called often; looks now and then. Does not wait for far sides. */
  round(scopes: readonly Scope[]): Promise<void>
}

/** @param end ends the far side from what is stored, and removes that */
export function createForgotten(
  { db, log }: Pick<Services, 'db' | 'log'>,
  end: (ref: CallRef) => Promise<void>,
): Forgotten {
  const ending = new Set<string>()
  let nextMs = performance.now() + everyMs

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
      if (performance.now() < nextMs) return
      nextMs = performance.now() + everyMs
      const byTenant = new Map(scopes.map(scope => [scope.tenantId, scope]))
      for (const scope of byTenant.values()) {
        const ids = await db.inTenant(scope, tx => listForgottenCalls(tx, scope, overSeconds))
        const { tenantId, organizationId } = scope
        for (const callId of ids) void endOne({ tenantId, organizationId, callId })
      }
    },
  }
}
