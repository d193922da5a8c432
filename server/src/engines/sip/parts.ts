// What the parts of the SIP driver share.
import {
  type CallEnd,
  type DigestGuard,
  type IncomingCall,
  isSipUri,
  q850In,
  type RunningClock,
  type SipAgent,
} from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { Cidr } from '../../kernel/outbound/egress.ts'
import type { SipSettings } from '../../modules/voice/engine/index.ts'
import type { FinalResponse } from '../../modules/voice/trunks/index.ts'
import type { HeldTrunks } from '../trunks/driver.ts'
import type { TrunkLeg } from '../trunks/leg.ts'
import type { Phones } from './phones.ts'
import type { Refusals } from './refusals.ts'
import type { Sources } from './sources.ts'
import type { Traces } from './traces.ts'

export type SipParts = {
  services: Services
  settings: SipSettings
  agent: SipAgent
  clock: RunningClock
  /** Private ranges that the operator opened. */
  allow: readonly Cidr[]
  trunks: HeldTrunks
  phones: Phones
  guard: DigestGuard
  traces: Traces
  /** Where calls come in from. */
  sources: Sources
  /** Of trunks, by key, that this process watches: where each is registered. */
  registrations: ReadonlyMap<string, { readonly registeredAt: string | undefined }>
  /** Which of them were refused. */
  refusals: Refusals
  /** This process, in what it stores. */
  owner: string
}

/** Why the call ended, where the remote party said it by a number (RFC 3326). */
export function q850Of({ reasons }: CallEnd): number | undefined {
  return q850In(reasons)
}

/** What is called, by the Request-URI: To may say what was dialled before a diversion. */
export function dialledUser({ core: { uri }, request }: Pick<IncomingCall, 'core' | 'request'>): string | undefined {
  return uri !== undefined && isSipUri(uri) ? uri.user : /^tel:([^;]+)/i.exec(request.uri)?.[1]
}

/**
 * Answered with a description of sound that cannot be used: we hung up, and for the caller it was no answer. A phone has rung,
 * so nobody else is tried.
 */
export function unusableAnswer({ by, status, wasAnswered }: CallEnd): FinalResponse | undefined {
  return wasAnswered && by === 'local' && status === 488 ? { sipStatus: 488, heard18x: true } : undefined
}

/** Emits how a call that we made and that was answered came to its end. */
export function emitEnd(leg: TrunkLeg, end: CallEnd): void {
  if (end.isSilent) leg.emit({ type: 'ended', cause: 'network', by: 'carrier', sipCode: end.status })
  else {
    const by = end.by === 'remote' ? 'callee' : 'system'
    leg.emit({ type: 'ended', cause: 'normal', by, sipCode: 200, q850: q850Of(end) ?? 16 })
  }
}
