// The voice engine that speaks SIP: calls by the trunks of organizations, one after the other until one takes the call, calls that
// come in by them, sound over RTP. It opens its sockets when there is a first trunk.
import { randomBytes } from 'node:crypto'
import {
  createCachedResolver,
  createSystemResolver,
  type IncomingCall,
  openSipAgent,
  startFrameClock,
} from '@tandem/sip'
import type { Scope, Tx } from '../../kernel/db.ts'
import { allowedRanges, forbiddenAddress } from '../../kernel/egress.ts'
import type { Admission, CallRef, EngineCall, EngineHost, Leg, VoiceEngineMaker } from '../../modules/voice/engine.ts'
import { trunksFor } from '../../modules/voice/trunks/index.ts'
import { takeIncoming } from './incoming.ts'
import { addressesOf, dialByTrunks, storedPlan } from './outgoing.ts'
import { type CallPlan, isSipAddress, type SipParts } from './parts.ts'
import { guardedResolver } from './resolver.ts'
import { findSipCall, insertSipCalls, ownNumbersAmong, removeSipCall, takeTurns } from './store.ts'
import { createTraces } from './traces.ts'
import { createTrunks, type HeldTrunk } from './trunks.ts'

const roundMs = 1_000

export function sipEngine(): VoiceEngineMaker {
  return services => {
    const { db, log, sip: settings } = services
    const traces = createTraces(services)
    const trunks = createTrunks(services, { wake: () => services.wake('call_jobs') })
    const planned = new Map<string, CallPlan>()
    const clock = startFrameClock()
    let parts: SipParts | undefined
    let host: EngineHost | undefined
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> | undefined
    let failing = false

    /** Sockets are opened for the first trunk: a server without one listens nowhere. */
    async function round(): Promise<void> {
      try {
        parts ??= (await hasTrunks()) ? await open() : undefined
        if (parts !== undefined) await trunks.round(parts.agent)
        if (failing) log.info('SIP trunks are looked after again')
        failing = false
      } catch (error) {
        if (!failing) log.error({ err: error }, 'SIP trunks cannot be looked after')
        failing = true
      }
    }

    async function hasTrunks(): Promise<boolean> {
      const rows = await db.work<{ any: boolean }>(
        'any_trunk',
        'select exists (select from enabled_trunks()) as any',
        [],
      )
      return rows[0]?.any === true
    }

    async function open(): Promise<SipParts> {
      const { address, port, tls, advertise } = settings
      const allow = allowedRanges(services.egress.allow)
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
        resolver: guardedResolver(
          createCachedResolver(createSystemResolver(), { now: () => performance.now() }),
          allow,
        ),
        mayReach: target => !forbiddenAddress(target, allow),
        random: bytes => randomBytes(bytes),
        tlsProfiles: key => profileOf(trunks.withKey(key)),
        onCall: incoming => void answer(incoming),
        onTrace: traces.take,
        onUnreachable: error => log.debug({ err: error }, 'a call could not be sent'),
        onError: error => log.error({ err: error }, 'the SIP stack'),
      })
      return { services, settings, agent, clock, trunks, traces }
    }

    async function answer(incoming: IncomingCall): Promise<void> {
      try {
        if (parts === undefined || host === undefined) incoming.reject(503)
        else await takeIncoming(parts, host, incoming)
      } catch (error) {
        log.error({ err: error }, 'a call that came in could not be taken')
        incoming.reject(503, [{ name: 'Retry-After', value: '5' }])
      }
    }

    return {
      name: 'sip',
      virtual: false,
      carries: ['trunk', 'sip'],
      async start(given) {
        host = given
        await round()
        timer = setInterval(() => {
          running ??= round().finally(() => {
            running = undefined
          })
        }, roundMs)
        timer.unref()
      },
      async stop() {
        clearInterval(timer)
        await running
        await trunks.close()
        await traces.flush()
        clock.stop()
        await parts?.agent.close()
      },
      serves: async (_tx, { tenantId }) => parts !== undefined && trunks.ofTenant(tenantId).length > 0,
      async prepare(tx, scope, calls) {
        if (parts === undefined) return calls.map(() => ({ type: 'wait', ms: roundMs }))
        return prepareAll(tx, scope, calls, parts, planned)
      },
      dial(scope, call): Leg {
        const plan = planned.get(call.callId)
        planned.delete(call.callId)
        if (parts === undefined || plan === undefined) throw new Error('the SIP engine has no plan of this call')
        return dialByTrunks(parts, scope, call, plan)
      },
      async endStranded(ref: CallRef) {
        if (parts === undefined) throw new Error('the SIP engine is not open yet')
        const { agent } = parts
        const row = await db.inTenant(ref, tx => findSipCall(tx, ref, ref.callId))
        if (row === undefined) return
        const trunk = row.trunk_id === null ? undefined : trunks.find(ref.tenantId, row.trunk_id)
        await agent.endStored(row.stored, trunk?.key)
        await db.inTenant(ref, tx => removeSipCall(tx, ref, ref.callId))
      },
    }
  }
}

function profileOf(trunk: HeldTrunk | undefined) {
  if (trunk === undefined) return undefined
  const { tlsCa } = trunk.settings
  return tlsCa === null ? {} : { ca: tlsCa }
}

/** Says of each call whether its first trunk has room now, and stores what can end it after a crash. */
async function prepareAll(
  tx: Tx,
  scope: Scope,
  calls: readonly EngineCall[],
  { trunks, agent }: SipParts,
  planned: Map<string, CallPlan>,
): Promise<Admission[]> {
  const own = trunks.ofTenant(scope.tenantId)
  const draw = () => randomBytes(4).readUInt32BE() / 2 ** 32
  // A number that is not the organization's own goes only by trunks that show foreign ones.
  const isAsked = own.some(({ settings }) => !settings.foreignCallerIds)
  const ownNumbers = isAsked ? await ownNumbersAmong(tx, scope, [...new Set(calls.map(({ from }) => from))]) : new Set()
  const routes = calls.map(({ from, to }) => {
    const able = ownNumbers.has(from) ? own : own.filter(({ settings }) => settings.foreignCallerIds)
    return {
      isKnown: able.length > 0,
      trunkIds: isSipAddress(to) ? [] : trunksFor(to, able, { draw }).map(({ trunkId }) => trunkId),
    }
  })
  const firsts = routes.map(({ trunkIds: [first] }) => own.find(({ id }) => id === first))
  const granted = new Map<string, { turns: number; waitMs: number }>()
  // In one order everywhere, so that no two processes wait for each other.
  for (const trunk of [...new Set(firsts)]
    .filter(trunk => trunk !== undefined)
    .sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const wanted = firsts.filter(other => other === trunk).length
    granted.set(trunk.id, await takeTurns(tx, scope, trunk.id, trunk.settings, wanted))
  }
  const stored: Parameters<typeof insertSipCalls>[2][number][] = []
  const admissions = calls.map((call, index): Admission => {
    const trunk = firsts[index]
    const { isKnown, trunkIds } = routes[index] ?? { isKnown: true, trunkIds: [] }
    if (trunk === undefined && !isSipAddress(call.to)) {
      return { type: 'refuse', cause: isKnown ? 'network' : 'caller_id_not_allowed' }
    }
    const turns = trunk && granted.get(trunk.id)
    if (turns !== undefined && turns.turns-- <= 0) return { type: 'wait', ms: turns.waitMs }
    const addresses = addressesOf(call, trunk ?? null)
    if (addresses === undefined) return { type: 'refuse', cause: 'bad_format' }
    const plan = agent.plan()
    planned.set(call.callId, { sip: plan, trunkIds })
    stored.push({ callId: call.callId, trunkId: trunk?.id ?? null, stored: storedPlan(addresses, plan) })
    return { type: 'dial', trunkId: trunk?.id ?? null }
  })
  // It leaves together with what the transaction says next; should it fail, so does the transaction.
  if (stored.length > 0) insertSipCalls(tx, scope, stored).catch(() => {})
  return admissions
}
