// Takes a call that comes in by the application of an Asterisk trunk: whose it is by the number that was dialled; then it is stored, and
// its instructions run.
import type { RunningClock } from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { numberClaims } from '../../modules/messaging/numbers/index.ts'
import type { EngineHost, InboundCall } from '../../modules/voice/engine/index.ts'
import { e164From } from '../../modules/voice/trunks/index.ts'
import { isFullAnywhere } from '../trunks/admission.ts'
import { forgetCall } from '../trunks/dial.ts'
import type { AsteriskTrunk } from '../trunks/driver.ts'
import { createTrunkLeg, type TrunkLeg } from '../trunks/leg.ts'
import { tryOccupy } from '../trunks/load.ts'
import { type AriChannel, type AriEvent, part } from './ari.ts'
import { type AsteriskCall, openAsteriskCall, reasonOf, type StoredChannel } from './channel.ts'
import type { AriLink } from './link.ts'

type Parts = { services: Services; clock: RunningClock; link: AriLink; trunk: AsteriskTrunk; host: EngineHost }

/** Q.850 of what is refused. */
const causes = { unallocated: 1, congestion: 34, failure: 41, decline: 21, busy: 17 } as const

/** Of SIP statuses that instructions refuse with. */
const causeOfStatus: Readonly<Record<number, number>> = {
  404: 1,
  408: 18,
  480: 19,
  484: 28,
  486: causes.busy,
  488: 58,
  503: causes.congestion,
  600: causes.busy,
  603: causes.decline,
}

export async function acceptChannel(parts: Parts, { channel, args = [] }: AriEvent): Promise<void> {
  const { services, link, trunk, host } = parts
  if (channel === undefined) return
  const path = `/channels/${part(channel.id)}`
  const refuse = async (cause: number) => {
    await link.end([`${path}${reasonOf(cause)}`])
  }
  const { inboundContext } = trunk.settings
  if (inboundContext !== null && channel.dialplan.context !== inboundContext) {
    // The dialplan goes on with it.
    await link.ari.request('POST', `${path}/continue`)
    return
  }
  const to = e164From(args[0] ?? channel.dialplan.exten, trunk.settings)
  // Nobody else's Asterisk is asked: anyone who the organization shares the number with, these calls are its own.
  const claims = to === undefined ? [] : await numberClaims(services.db, to)
  if (to === undefined || !claims.some(({ tenant_id, voice }) => tenant_id === trunk.scope.tenantId && voice))
    return refuse(causes.unallocated)
  const isTooMany = await isFullAnywhere(trunk, services, host.owner)
  const leave = isTooMany ? undefined : tryOccupy(trunk)
  if (leave === undefined) return refuse(causes.congestion)
  try {
    await acceptCall(parts, host, channel, { to, leave })
  } catch (error) {
    leave()
    services.log.error({ err: error, trunk: trunk.id }, 'a call that came in could not be taken')
    await refuse(causes.failure)
  }
}

/** The number that is called, and what gives back the place of the call at its trunk. */
type Taken = { to: string; leave(): void }

async function acceptCall(parts: Parts, host: EngineHost, channel: AriChannel, { to, leave }: Taken): Promise<void> {
  const { trunk, link } = parts
  // Its events go to the process that leads; that it is this one may change while the call lasts.
  const subscribed = await link.ari.request('POST', `/applications/${part(link.application)}/subscription`, {
    eventSource: `channel:${channel.id}`,
  })
  if (!subscribed.ok) throw new Error(`the Asterisk does not report a call: ${subscribed.message}`)
  let leg: TrunkLeg | undefined
  const call = await openAsteriskCall({ ...parts, channelId: channel.id, leg: () => leg })
  const { name, number } = channel.caller
  const stored: StoredChannel = { asterisk: { channelId: channel.id } }
  const inbound: InboundCall = {
    from: e164From(number, trunk.settings) ?? (number.slice(0, 255) || 'anonymous'),
    to,
    callerName:
      name
        .replace(/\p{Cc}/gu, '')
        .trim()
        .slice(0, 64)
        .toWellFormed() || null,
    trunkId: trunk.id,
    mode: 'live',
    stored,
  }
  try {
    const storedCall = await host.store(trunk.scope, inbound)
    try {
      leg = createInboundLeg({ ...parts, leave }, call, channel.id, storedCall.id)
    } catch (error) {
      host.fail(storedCall)
      throw error
    }
    host.run(storedCall, leg)
  } catch (error) {
    await call.close()
    throw error
  }
}

function createInboundLeg(
  { services, link, trunk, leave }: Parts & Pick<Taken, 'leave'>,
  call: AsteriskCall,
  channelId: string,
  callId: string,
): TrunkLeg {
  const { ari } = link
  const path = `/channels/${part(channelId)}`
  const ref = { tenantId: trunk.scope.tenantId, organizationId: trunk.scope.organizationId, callId }
  let isAnswered = false
  let connecting: Promise<string | undefined> | undefined
  trunk.counters.calls++

  /** The sound is there once somebody is to hear it. */
  function connect(): Promise<string | undefined> {
    connecting ??= call.connect().then(failure => failure ?? call.join())
    return connecting
  }

  function failed(why: string): void {
    if (call.isEnded) return
    services.log.warn({ call: callId, trunk: trunk.id, why }, 'a call by an Asterisk failed')
    leg.emit({ type: 'ended', cause: 'network', by: 'system' })
    call.end(causes.failure)
  }

  const leg = createTrunkLeg(callId, {
    clock: services.clock,
    ring(withSound) {
      void ari.request('POST', `${path}/${withSound ? 'progress' : 'ring'}`).then(async reply => {
        // An Asterisk that knows no progress rings.
        if (withSound && !reply.ok) await ari.request('POST', `${path}/ring`)
        const failure = withSound ? await connect() : undefined
        if (failure !== undefined) failed(failure)
      })
    },
    async answer() {
      const failure = await connect()
      if (failure !== undefined) return failed(failure)
      const reply = await ari.request('POST', `${path}/answer`)
      if (!reply.ok) return failed(`it could not be answered: ${reply.message}`)
      if (call.isEnded || isAnswered) return
      isAnswered = true
      call.talk()
      leg.emit({ type: 'answered' })
    },
    reject: sipCode => call.end(causeOfStatus[sipCode] ?? causes.decline),
    hangup: q850 => call.end(q850),
  })
  call.start({
    ringing() {},
    answered() {},
    ended({ q850, isLost }) {
      leave()
      const cause = q850 === null || q850 < 1 ? {} : { q850 }
      if (isLost) leg.emit({ type: 'ended', cause: 'network', by: 'carrier' })
      else if (isAnswered) leg.emit({ type: 'ended', cause: 'normal', by: 'caller', ...cause })
      else leg.emit({ type: 'ended', cause: 'canceled', by: 'caller', ...cause })
      void call.close()
      void forgetCall({ services, drivers: [] }, ref)
    },
  })
  leg.use({ call, sound: call.sound })
  // It may have gone between its coming and our listening.
  call.look()
  return leg
}
