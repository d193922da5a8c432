// What the parts of the SIP line share.
import type { CallEnd, DigestGuard, RunningClock, SipAgent } from '@tandem/sip'
import type { Services, SipSettings } from '../../kernel/endpoint.ts'
import type { HeldTrunks } from '../trunks/line.ts'
import type { Phones } from './phones.ts'
import type { Sources } from './sources.ts'
import type { Traces } from './traces.ts'

export type SipParts = {
  services: Services
  settings: SipSettings
  agent: SipAgent
  clock: RunningClock
  trunks: HeldTrunks
  phones: Phones
  guard: DigestGuard
  traces: Traces
  /** Where calls come in from. */
  sources: Sources
}

/** Why the call ended, where the far side said it by a number (RFC 3326). */
export function q850Of({ reasons }: CallEnd): number | undefined {
  return reasons.find(({ protocol, cause }) => protocol === 'Q.850' && cause !== undefined)?.cause
}
