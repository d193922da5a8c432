// A call on its way to its engine.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Call } from '../call_records/index.ts'
import type { EngineCall, VoiceEngine } from '../engine/index.ts'

/** A call that is stored, marked as dialled and committed. */
export type DialedCall = {
  scope: Scope
  mode: 'live' | 'test'
  call: Call
  engine: VoiceEngine
  sip?: EngineCall['sip']
}

/** What its engine needs of a call that it is to dial. */
export function engineCall(call: Call, sip?: EngineCall['sip']): EngineCall {
  return {
    callId: call.id,
    from: call.from_number,
    to: call.to_number,
    keyId: call.key_id,
    callerName: call.caller_name,
    timeoutSeconds: call.timeout_seconds,
    ...(sip && { sip }),
    ...(call.simulated === null ? {} : { simulated: call.simulated }),
    ...(call.fast_clock ? { isFast: true } : {}),
  }
}
