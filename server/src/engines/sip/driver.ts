// The driver that speaks SIP: calls by SIP trunks and to SIP addresses, calls that come in by them, sound over RTP. It opens its sockets
// when there is a first trunk or phone.
import { randomBytes } from 'node:crypto'
import {
  createCachedResolver,
  createSystemResolver,
  type IncomingCall,
  openSipAgent,
  type StoredCall,
  startFrameClock,
} from '@tandem/sip'
import { onlyHere } from '../../config/voice_addresses.ts'
import { allowedRanges } from '../../kernel/outbound/egress.ts'
import type { Clock } from '../../kernel/values/clock.ts'
import { crashPoint } from '../../kernel/values/crash_points.ts'
import { isLoopback } from '../../kernel/values/loopback.ts'
import type { EngineHost } from '../../modules/voice/engine/index.ts'
import { anyCredential, contactsOf, ownUser } from '../../modules/voice/sip_credentials/index.ts'
import type { HeldTrunk, HeldTrunks, Keeping, Kept, SipTrunk } from '../trunks/driver.ts'
import type { DriverMaker } from '../trunks/engine.ts'
import { accountOf, tlsOf } from './addresses.ts'
import { openGuard } from './guard.ts'
import { acceptInbound, screenCall } from './incoming.ts'
import { planSipCall } from './outgoing.ts'
import type { SipParts } from './parts.ts'
import { createPhones } from './phones.ts'
import { createRefusals } from './refusals.ts'
import { guardedResolver, mayReach } from './resolver.ts'
import { planRings } from './rings.ts'
import { createSources } from './sources.ts'
import { createTraces, type Traces } from './traces.ts'
import { isRegisteredAlike, type Watch, watchTrunk } from './watch.ts'

export const sipDriver: DriverMaker = services => {
  const { log, sip: settings } = services
  const traces = createTraces(services)
  const clock = startFrameClock()
  const guard = openGuard(services)
  const refusals = createRefusals(services)
  const phones = createPhones(services, refusals)
  const registrations = new Map<string, Watch>()
  const keep = createKeeper(services, registrations, () => parts)
  let parts: SipParts | undefined
  let opening: Promise<void> | undefined
  let held: HeldTrunks | undefined
  let host: EngineHost | undefined

  async function open(): Promise<void> {
    if (parts !== undefined) return
    opening ??= openAgent().finally(() => {
      opening = undefined
    })
    await opening
  }

  async function openAgent(): Promise<void> {
    if (held === undefined || host === undefined) throw new Error('the SIP driver was not started')
    const [trunks, { owner }] = [held, host]
    const { address, port, tls, advertise } = settings
    const allow = allowedRanges(services.egress.allow)
    const reach = { allow, bound: address }
    const at = (bound: number) => ({
      address,
      port: bound,
      ...(advertise === null ? {} : { advertise: { host: advertise } }),
    })
    const agent = await openSipAgent({
      product: 'Tandem/1.0',
      udp: [at(port)],
      tcp: [at(port)],
      tls: tls === null ? [] : [{ ...at(tls.port), key: tls.key, cert: tls.cert }],
      resolver: guardedResolver(createCachedResolver(createSystemResolver(), { now: () => performance.now() }), reach),
      // Phones are called back where they came from, whatever is allowed: by `hop`, which only they set.
      mayReach: target => phones.isProxy(target) || mayReach(target, reach),
      random: bytes => randomBytes(bytes),
      tlsProfiles: key => profileOf(trunks.withKey(key)),
      screen(request, core, flow) {
        if (request.method === 'REGISTER') return phones.screen(request, core, flow)
        if (request.method !== 'INVITE') return 'usual'
        return parts === undefined ? { status: 503 } : screenCall(parts, { request, core, flow })
      },
      // An office whose phones all come back at once has a few hundred.
      strangers: { perSecond: 100, burst: 1_000, isExempt: phones.isProxy },
      onCall: incoming => void answer(incoming),
      onRequest: (request, core, flow) =>
        request.method === 'REGISTER' ? phones.answer(request, core, flow) : undefined,
      onTrace(entry) {
        traces.take(entry)
        passing(entry)
      },
      onUnreadable: ({ detail }, { remote }) => refusals.report('unreadable', { address: remote.address, why: detail }),
      onUnreachable: error => log.debug({ err: error }, 'a call could not be sent'),
      onError: error => log.error({ err: error }, 'the SIP stack'),
    })
    if (isLoopback(address)) log.info(onlyHere(address))
    const watching = { guard, traces, sources: createSources(agent), registrations, refusals }
    parts = { services, settings, agent, clock, allow, trunks, phones, owner, ...watching }
  }

  async function answer(incoming: IncomingCall): Promise<void> {
    try {
      if (parts === undefined || host === undefined) incoming.reject(503)
      else await acceptInbound(parts, host, incoming)
    } catch (error) {
      log.error({ err: error }, 'a call that came in could not be taken')
      incoming.reject(503, [{ name: 'Retry-After', value: '5' }])
    }
  }

  return {
    kind: 'sip',
    start(trunks, given) {
      held = trunks
      host = given
    },
    open,
    get isOpen() {
      return parts !== undefined
    },
    keep(trunk, keeping) {
      if (trunk.kind !== 'sip') throw new Error('this is no SIP trunk')
      return keep(trunk, keeping)
    },
    plan(call, trunk) {
      if (parts === undefined || (trunk !== null && trunk.kind !== 'sip')) return undefined
      return planSipCall(parts, call, trunk)
    },
    isWanted: () => anyCredential(services.db),
    inside: to => ownUser(to, settings) !== undefined,
    async planInside(tx, scope, calls) {
      if (parts === undefined) return calls.map(() => undefined)
      const userOf = (to: string) => ownUser(to, settings) ?? ''
      const users = calls.map(({ to }) => userOf(to))
      const contactsAt = await contactsOf(tx, scope, users, services.clock.now())
      const { agent } = parts
      const own = parts
      return calls.map(call => {
        const contacts = contactsAt(userOf(call.to))
        if (contacts === undefined) return 'unallocated'
        return planRings(own, call, contacts, () => agent.plan()) ?? 'not_registered'
      })
    },
    owns: stored => 'dialog' in stored || 'rings' in stored,
    async endStored({ tenantId }, stored, trunkId) {
      await open()
      const trunk = trunkId === null ? undefined : held?.find(tenantId, trunkId)
      const all = 'rings' in stored ? (stored.rings as StoredCall[]) : [stored as StoredCall]
      const account = trunk?.kind === 'sip' ? accountOf(trunk.settings) : undefined
      // All at once: one that is gone must not keep the others waiting.
      await Promise.all(all.map(one => parts?.agent.endStored(one, trunk?.key, account)))
    },
    forget: traces.forget,
    async close() {
      await opening?.catch(() => {})
      await traces.flush()
      clock.stop()
      parts?.sources.close()
      await parts?.agent.close()
    },
  }
}

/** Watches trunks. Only one process asks a carrier whether it is there, and registers. */
function createKeeper(
  { clock }: { clock: Clock },
  registrations: Map<string, Watch>,
  partsNow: () => SipParts | undefined,
): (trunk: SipTrunk, keeping: Keeping) => Kept {
  /** Of trunks that go on with other settings: where this server is registered already. */
  const registeredAt = new Map<string, string>()
  return (trunk, { changed, onError }) => {
    let watch: Watch | undefined
    const leave = partsNow()?.sources.add(trunk)
    const forget = () => {
      // With other settings it may be watched again already.
      if (registrations.get(trunk.key) === watch) registrations.delete(trunk.key)
      watch = undefined
    }
    return {
      lead() {
        const parts = partsNow()
        if (parts === undefined || watch !== undefined) return
        const at = registeredAt.get(trunk.key)
        registeredAt.delete(trunk.key)
        watch = watchTrunk(parts.agent, trunk, { clock, changed, onError, registeredAt: at })
        registrations.set(trunk.key, watch)
      },
      abandon() {
        watch?.abandon()
        forget()
      },
      async close(next) {
        leave?.()
        // Of a certificate that is not trusted any more nothing may be left, nor be used by what comes next.
        if (next !== undefined) partsNow()?.agent.retire(trunk.key)
        if (next?.kind === 'sip' && isRegisteredAlike(trunk.settings, next.settings)) {
          const at = watch?.registeredAt
          if (at !== undefined) registeredAt.set(trunk.key, at)
          watch?.abandon()
          return forget()
        }
        const closing = watch?.close()
        forget()
        await closing
        if (next === undefined) partsNow()?.agent.retire(trunk.key)
      },
    }
  }
}

/** A message is traced just before it leaves. */
function passing({ direction, message }: Parameters<Traces['take']>[0]): void {
  if (direction === 'in' || message.kind !== 'request') return
  if (message.method !== 'INVITE' && message.method !== 'BYE') return
  const name = message.method === 'INVITE' ? 'invite' : 'bye'
  crashPoint(`${name}.leaving`)
  setImmediate(crashPoint, `${name}.sent`)
}

function profileOf(trunk: HeldTrunk | undefined) {
  if (trunk?.kind !== 'sip') return undefined
  return tlsOf(trunk.settings)
}
