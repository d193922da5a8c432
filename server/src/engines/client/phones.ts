// The phones in browsers of one process: which calls they can have, and the legs of those they have. The engine of `client:` calls
// and the handsets of the simulator are both made of it.
import { type RunningClock, startFrameClock } from '@tandem/sip'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { findLeadsByPhone } from '../../modules/crm/leads/index.ts'
import { insertClientLegs, listOffers, type NewClientLeg, registeredAmong } from '../../modules/voice/clients/index.ts'
import type { CallRef, EngineCall, Leg } from '../../modules/voice/engine/index.ts'
import { createPlans } from '../plans.ts'
import { createBrowserLeg } from './leg.ts'

export type Phones = {
  stop(): void
  /**
   * Takes those of these calls that a browser makes, or whose identity a browser is connected as, within the transaction that marks
   * them as dialled; answers the ids of those taken.
   */
  take(
    tx: Tx,
    scope: Scope,
    calls: readonly EngineCall[],
    identityOf: (call: EngineCall) => string,
  ): Promise<Set<string>>
  /** The leg of a call that was taken; undefined for others. */
  dial(ref: CallRef, call: EngineCall): Leg | undefined
}

export type PhonesOptions = {
  /** Without sound of a browser for so long its call ends; 30 s when not said. */
  silenceMs?: number
}

export function createPhones(services: Services, { silenceMs = 30_000 }: PhonesOptions = {}): Phones {
  const plans = createPlans<NewClientLeg>(() => services.clock.now())
  let clock: RunningClock | undefined

  return {
    stop() {
      clock?.stop()
    },
    async take(tx, scope, calls, identityOf) {
      const made = await listOffers(
        tx,
        scope,
        calls.map(call => call.callId),
      )
      const isMade = new Set(made.map(leg => leg.call_id))
      const others = calls.filter(call => !isMade.has(call.callId) && call.simulated === undefined)
      const there = await registeredAmong(tx, scope, [...new Set(others.map(identityOf))])
      const rung: NewClientLeg[] = []
      for (const call of others) {
        const identity = identityOf(call)
        if (!there.has(identity)) continue
        const lead_id = await leadWith(tx, scope, call.from)
        rung.push({ call_id: call.callId, identity, kind: 'rings', lead_id, offer: null })
      }
      await insertClientLegs(tx, scope, rung)
      for (const leg of [...made, ...rung]) plans.keep(leg.call_id, leg)
      return new Set([...made, ...rung].map(leg => leg.call_id))
    },
    dial(ref, call) {
      const leg = plans.take(call.callId)
      if (leg === undefined) return undefined
      clock ??= startFrameClock()
      return createBrowserLeg({ ref, call, planned: leg, services, clock, silenceMs })
    },
  }
}

async function leadWith(tx: Tx, scope: Scope, from: string): Promise<number | null> {
  if (!from.startsWith('+')) return null
  const [lead] = await findLeadsByPhone(tx, scope, from)
  return lead ?? null
}
