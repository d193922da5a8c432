// Dials one call by one SIP trunk, or straight to a SIP address.
import {
  type CallEnd,
  isFault,
  isSipUri,
  nextRequest,
  type PlannedCall,
  parseUri,
  planCall,
  type SipCall,
  type StoredCall,
} from '@tandem/sip'
import { unlistedHost } from '../../kernel/outbound/egress.ts'
import { isNumberIn } from '../../modules/destinations/index.ts'
import type { EngineCall } from '../../modules/voice/engine/index.ts'
import { isSipAddress } from '../trunks/dial.ts'
import type { Attempt, Outcome, Plan, SipTrunk } from '../trunks/driver.ts'
import type { TrunkLeg } from '../trunks/leg.ts'
import { openSound } from '../trunks/sound.ts'
import { accountOf, type CallAddresses, callAddresses } from './addresses.ts'
import { emitEnd, q850Of, type SipParts, unusableAnswer } from './parts.ts'
import { type RemoteParty, referralsOf, remoteCall } from './referrals.ts'

/** A call as it would be dialled; undefined for what is no address. */
export function planSipCall(parts: SipParts, call: EngineCall, trunk: SipTrunk | null): Plan | undefined {
  const addresses = addressesOf(call, trunk)
  if (addresses === undefined) return undefined
  const planned = parts.agent.plan()
  return {
    stored: storedPlan(addresses, planned),
    dial: attempt => dialSipCall({ ...parts, ...attempt, call, trunk, planned, addresses }),
  }
}

/** Where a call goes and what it says of who calls; undefined for what cannot be dialled. */
export function addressesOf(call: EngineCall, trunk: SipTrunk | null): CallAddresses | undefined {
  return trunk === null ? sipAddresses(call) : callAddresses(call, trunk.settings)
}

/** What can take an INVITE back that has not left yet: the call as it is about to be dialled. */
export function storedPlan(
  { from, to, target, routes, hop }: CallAddresses & { hop?: string },
  { callId, localTag, branch }: PlannedCall,
): StoredCall {
  const way = hop === undefined ? {} : { hop }
  const call = planCall({ callId, localTag, from, to, target, routes, contact: '<sip:unused@invalid>', ...way })
  return { dialog: nextRequest(call, 'INVITE', { via: 'SIP/2.0/UDP invalid' }).dialog, branch }
}

type Dialling = SipParts &
  Attempt & {
    call: EngineCall
    trunk: SipTrunk | null
    planned: PlannedCall
    addresses: CallAddresses
  }

async function dialSipCall(parts: Dialling): Promise<Outcome> {
  const { leg, ref, call, trunk, planned, addresses, agent, services, settings, clock, allow, traces } = parts
  const side: RemoteParty =
    trunk === null ? { type: 'address', host: hostPortOf(addresses.target) } : { type: 'trunk', trunk }
  traces.belong(planned.callId, ref)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let sipCall: SipCall | undefined
  const sound = await openSound({
    settings,
    clock,
    toward: hostOf(addresses),
    codecs: trunk?.settings.codecs ?? ['PCMU', 'PCMA'],
    srtp: trunk?.settings.srtp ?? 'off',
    allow,
    signalling: () => sipCall?.remoteAddress,
    nowMs: services.clock.now(),
    onDigit: digit => leg.emit({ type: 'dtmf', digit }),
    onSilence() {
      leg.emit({ type: 'ended', cause: 'media_timeout', by: 'system' })
      sipCall?.end({ q850: 41 })
    },
    sendInfo: async (digit, durationMs) => sipCall?.sendInfo(digit, durationMs) ?? false,
  })
  const account = trunk === null ? accountOfSip(call) : accountOf(trunk.settings)
  let isRinging = false
  const fence = trunk === null ? await openFence(parts) : undefined
  try {
    const made = agent.call({
      ...addresses,
      ...(fence === undefined ? {} : { mayReach: fence.mayReach }),
      local: sound.local,
      planned,
      store: parts.store,
      ...(account === undefined ? {} : { account }),
      ...(trunk === null
        ? {}
        : { profile: trunk.key, timer: { interval: trunk.settings.sessionExpiresSeconds, minimum: 90 } }),
      handlers: {
        onMedia: stream => leg.agree(stream),
        onProgress(status, early) {
          if (isRinging) {
            if (early !== undefined) leg.emit({ type: 'early_media' })
          } else if (status === 180 || early !== undefined) {
            isRinging = true
            leg.emit({ type: 'ringing', ...(early === undefined ? {} : { earlyMedia: true }) })
          }
        },
        onAnswered() {
          parts.answered()
          leg.emit({ type: 'answered' })
        },
        onInfo: digit => leg.emit({ type: 'dtmf', digit }),
        ...referralsOf(parts, { leg, ref, side, address: hostOf(addresses) }),
        onEnded(end) {
          // Nothing has left: every address it leads to was refused.
          if (fence?.hasRefused() === true && made.remoteAddress === undefined)
            leg.emit({ type: 'ended', cause: 'address_of_trunk', by: 'system' })
          resolve(outcomeOf(leg, end))
        },
      },
    })
    sipCall = made
    leg.use({ call: remoteCall(made, side, settings), sound })
    parts.made({ end: q850 => made.end(q850 === undefined ? {} : { q850 }) })
    const outcome = await promise
    return outcome.type === 'over' ? { ...outcome, disconnected: made.terminated() } : outcome
  } finally {
    await sound.close()
  }
}

/**
 * Keeps a call to a SIP address from where a trunk leads: many carriers know who pays by the address of this server alone, which all
 * organizations here share. So nobody calls there past another organization's trunk; nor numbers past one of the own, whose destination
 * policy and prices would not count.
 */
async function openFence({ sources, refusals, call, ref, services, addresses }: Dialling) {
  const uri = parseUri(addresses.target)
  const unlisted = isFault(uri) || !isSipUri(uri) ? undefined : unlistedHost(uri.host, services.egress.hosts)
  await sources.settled()
  const isNumber = isNumberIn(call.to)
  let refused = false
  return {
    hasRefused: () => refused,
    mayReach(address: string): true | string {
      if (unlisted !== undefined) return unlisted
      const isOpen = sources
        .leadingTo(address)
        .every(({ scope }) => scope.organizationId === ref.organizationId && !isNumber)
      if (isOpen) return true
      if (!refused) refusals.report('address_of_trunk', { address, to: call.to })
      refused = true
      return 'a trunk leads to this address'
    },
  }
}

function outcomeOf(leg: TrunkLeg, end: CallEnd): Outcome {
  if (leg.isOver) return { type: 'over' }
  const unusable = unusableAnswer(end)
  if (unusable !== undefined) return { type: 'refused', response: unusable }
  if (end.wasAnswered) {
    emitEnd(leg, end)
    return { type: 'over' }
  }
  const sipStatus = end.isSilent ? null : end.status
  return { type: 'refused', response: { sipStatus, q850: q850Of(end) ?? null, heard18x: end.hasRung } }
}

/** A call to a SIP address: as it is, from an address of ours. */
export function sipAddresses({ to, from, callerName, sip }: EngineCall): CallAddresses | undefined {
  const uri = parseUri(to)
  if (isFault(uri)) return undefined
  const name = callerName === null ? '' : `${JSON.stringify(callerName)} `
  const headers = Object.entries(sip?.headers ?? {}).map(([header, value]) => ({ name: header, value }))
  return {
    from: `${name}<${isSipAddress(from) ? from : `sip:${from.replace(/^\+/, '%2B')}@tandem.invalid`}>`,
    to: `<${to}>`,
    target: to,
    routes: [],
    headers,
  }
}

function accountOfSip({ sip }: EngineCall) {
  return sip?.user === undefined || sip.password === undefined
    ? undefined
    : { username: sip.user, password: sip.password }
}

/** The host of a SIP address, with its port. */
function hostPortOf(address: string): string {
  const uri = parseUri(address)
  if (isFault(uri) || !isSipUri(uri)) return 'invalid'
  return uri.port === undefined ? uri.host : `${uri.host}:${uri.port}`
}

/** Any address of the same network will do to choose ours by. */
function hostOf({ routes, target }: CallAddresses): string {
  const text = routes[0] ?? target
  return /@?(\d+\.\d+\.\d+\.\d+)/.exec(text)?.[1] ?? /\[([0-9a-f:]+)\]/i.exec(text)?.[1] ?? '192.0.2.1'
}
