// Transfers by REFER, both ways: whom remote parties may have called (RFC 3515 §2.4), and how what a transfer of ours leads to is
// written for the remote party that is to call it. A phone that proved its password may ask; a carrier only where its trunk allows it:
// anyone who is called by a trunk, or calls in by one, would otherwise dial at the organization's cost.
import {
  type CallHandlers,
  escapeUser,
  formatUri,
  isSipUri,
  isTelUri,
  type Referral,
  type SipCall,
  type Uri,
} from '@tandem/sip'
import type { CallRef, SipSettings } from '../../modules/voice/engine/index.ts'
import { phoneServer } from '../../modules/voice/sip_credentials/index.ts'
import { e164From } from '../../modules/voice/trunks/index.ts'
import { isSipAddress } from '../trunks/dial.ts'
import type { SipTrunk } from '../trunks/driver.ts'
import type { RemoteCall, TrunkLeg } from '../trunks/leg.ts'
import { numberUri } from './addresses.ts'
import type { SipParts } from './parts.ts'

/** Who the remote party of a leg is: a phone that proved its password, a trunk, or a SIP address anywhere. */
export type RemoteParty =
  | { type: 'phone'; meant: Meant }
  | { type: 'trunk'; trunk: SipTrunk }
  | { type: 'address'; host: string }

/** What is called where this user part, or telephone number, is asked for: a number, an address of a phone, or nothing. */
export type Meant = (user: string) => string | undefined | Promise<string | undefined>

/** The handlers of a call by which its remote party asks for transfers. 403: it may not. */
export function referralsOf(
  { services, trunks, traces, refusals }: SipParts,
  { leg, ref, side, address }: { leg: TrunkLeg; ref: CallRef; side: RemoteParty; address: string },
): Required<Pick<CallHandlers, 'screenRefer' | 'onRefer'>> {
  let isReported = false

  /** As it is set now: who switches it off means calls under way too. */
  function mayAsk(): boolean {
    if (side.type !== 'trunk') return side.type === 'phone'
    const trunk = trunks.withKey(side.trunk.key)
    return trunk?.kind === 'sip' && trunk.settings.allowTransfers
  }

  async function meant(target: Uri): Promise<string | undefined> {
    const user = isSipUri(target) ? target.user : isTelUri(target) ? target.number : undefined
    if (user === undefined || side.type === 'address') return undefined
    return side.type === 'phone' ? side.meant(user) : e164From(user, side.trunk.settings)
  }

  async function transfer({ target }: Referral, replaces: CallRef | null, report: (status: number) => void) {
    try {
      const to = await meant(target)
      if (to === undefined) report(404)
      else leg.emit({ type: 'transfer_requested', to, replaces, settle: report })
    } catch (error) {
      services.log.error({ err: error, call: ref.callId }, 'a transfer could not be looked at')
      report(500)
    }
  }

  return {
    screenRefer({ target }) {
      if (mayAsk()) return undefined
      // Once a call: anyone who asks again and again writes no history.
      if (!isReported) leg.emit({ type: 'transfer_refused', to: formatUri(target).slice(0, 255), why: 'not_allowed' })
      isReported = true
      const trunk = side.type === 'trunk' ? { trunk: side.trunk.id } : {}
      refusals.report('transfer', { address, to: formatUri(target), ...trunk })
      return 403
    },
    onRefer(referral, report, replaced) {
      void transfer(referral, replaced === undefined ? null : (traces.callOf(replaced.callId) ?? null), report)
    },
  }
}

/** A call as its leg uses it: whom it is transferred to is a number, or a SIP address. */
export function remoteCall(call: SipCall, side: RemoteParty, settings: SipSettings): RemoteCall {
  return { hold: isOn => call.hold(isOn), refer: to => call.refer(referUri(to, side, settings)) }
}

/**
 * What the remote party is asked to call: a number as its trunk has numbers, at the trunk's domain; for a phone at this server, which
 * routes it; for an address somewhere else at that host.
 */
function referUri(to: string, side: RemoteParty, settings: SipSettings): string {
  if (isSipAddress(to)) return to
  if (side.type === 'trunk') return numberUri(to, side.trunk.settings)
  return `sip:${escapeUser(to)}@${side.type === 'phone' ? phoneServer(settings) : side.host}`
}
