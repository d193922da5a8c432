// What the parts of the SIP engine share.
import type { PlannedCall, RunningClock, SipAgent } from '@tandem/sip'
import type { Services, SipSettings } from '../../kernel/endpoint.ts'
import type { CallRef } from '../../modules/voice/engine.ts'
import { removeSipCall } from './store.ts'
import type { Traces } from './traces.ts'
import type { Trunks } from './trunks.ts'

export type SipParts = {
  services: Services
  settings: SipSettings
  agent: SipAgent
  clock: RunningClock
  trunks: Trunks
  traces: Traces
}

/** What is decided of a call before it is dialled: its ids, and its trunks in their order. */
export type CallPlan = { sip: PlannedCall; trunkIds: readonly string[] }

export function isSipAddress(to: string): boolean {
  return /^sips?:/i.test(to)
}

/** A call is over: nobody need end it after a crash any more. */
export async function forgetCall({ services, traces }: SipParts, ref: CallRef): Promise<void> {
  traces.forget(ref.callId)
  try {
    await services.db.inTenant(ref, tx => removeSipCall(tx, ref, ref.callId))
  } catch (error) {
    services.log.warn({ err: error, call: ref.callId }, 'what was stored of a call could not be removed')
  }
}
