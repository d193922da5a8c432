// Whether a trunk has room: for a call that comes in, and for one whose trunk failed and that may go by the next one, within its settings,
// as calls that start there, and within the destination policies. That is counted and priced there in the same transaction.
import type { Scope } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { waysOut } from '../../modules/destinations/index.ts'
import type { EngineCall } from '../../modules/voice/engine/index.ts'
import { priceBy } from '../../modules/voice/trunks/index.ts'
import type { HeldTrunk } from './driver.ts'
import { isFull } from './load.ts'
import { persist } from './persist.ts'
import { callsElsewhere, moveCall, takeCallTokens } from './store.ts'

/** After how many ms the call may start by the trunk; undefined where it may not. Asks until it knows, or rejects once that is for nothing. */
export async function admitTo(
  trunk: HeldTrunk,
  services: Services,
  scope: Scope,
  call: EngineCall,
  isOver: () => boolean,
): Promise<number | undefined> {
  const { callId, keyId = null, to, timeoutSeconds } = call
  const price = priceBy(trunk, to) ?? { micros: null, currency: null }
  const way = { trunkId: trunk.id, price }
  const leaving = { callId, keyId }
  const asked = { mode: 'live', keyIds: [keyId], trunkIds: [trunk.id], isPriced: price.micros !== null } as const
  const take = () =>
    services.db.inTenant(scope, async tx => {
      const ways = await waysOut(tx, scope, { ...asked, again: callId, nowMs: services.clock.now() })
      let startMs = 0
      // What the policy refuses takes nobody's token.
      if (ways.reached(leaving, way) === undefined) {
        const pace = await takeCallTokens(tx, scope, trunk.id, trunk.settings, 1, timeoutSeconds * 1_000)
        if (pace.tokens === 0) return undefined
        startMs = pace.startMs
      }
      if ((await ways.take(leaving, way)) !== undefined) return undefined
      await moveCall(tx, scope, callId, way)
      return startMs
    })
  return persist(take, isOver)
}

/**
 * Whether a trunk has as many calls as it may, those of other processes with them. Calls that come to several of them at the same moment
 * may all be let in.
 * @param owner this process, in what it stores
 */
export async function isFullAnywhere(trunk: HeldTrunk, { db }: Pick<Services, 'db'>, owner: string): Promise<boolean> {
  if (isFull(trunk)) return true
  const elsewhere = await db.inTenant(trunk.scope, tx => callsElsewhere(tx, trunk.scope, trunk.id, owner))
  return trunk.load.active + elsewhere >= trunk.settings.concurrentCalls
}
