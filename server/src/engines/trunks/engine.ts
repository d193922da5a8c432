// The voice engine that calls by the trunks of organizations: one after the other until one takes the call. What a trunk speaks is the
// business of the driver of its kind (driver.ts); which trunk, how many calls, and what is stored of them is decided here.
import { randomBytes } from 'node:crypto'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { codeOf, type Policy, type Price, waysOut } from '../../modules/destinations/index.ts'
import { findRemoteParty, insertRemoteParties } from '../../modules/voice/call_records/index.ts'
import type { Admission, CallRef, EngineCall, VoiceEngineMaker } from '../../modules/voice/engine/index.ts'
import { hasTrunk, priceBy, trunksFor } from '../../modules/voice/trunks/index.ts'
import { createPlans } from '../plans.ts'
import { type CallPlan, type Dialling, dialByTrunks, isSipAddress } from './dial.ts'
import type { HeldTrunk, TrunkDriver } from './driver.ts'
import { createForgotten } from './forgotten.ts'
import { createHeldTrunks, type KeptTrunks } from './held.ts'
import { type CallTokens, ownNumbersAmong, takeCallTokens } from './store.ts'
import { storedCallsOf } from './stored_calls.ts'

const roundMs = 1_000
const draw = () => randomBytes(4).readUInt32BE() / 2 ** 32

export type DriverMaker = (services: Services) => TrunkDriver

/** @param makers the first is the one that carries calls to SIP addresses, which need no trunk */
export function trunkEngine(makers: readonly [DriverMaker, ...DriverMaker[]]): VoiceEngineMaker {
  return services => {
    const { clock, db, log } = services
    const drivers = makers.map(make => make(services))
    const trunks = createHeldTrunks(services, { drivers, wake: () => services.wake('call_jobs') })
    const plans = createPlans<CallPlan>(() => clock.now())
    const parts: Dialling = {
      services,
      trunks,
      drivers,
      driverOf: trunk => (drivers.find(({ kind }) => kind === trunk?.kind) ?? drivers[0]) as TrunkDriver,
    }
    const forgotten = createForgotten(services, endStranded)
    let timer: NodeJS.Timeout | undefined
    let running: Promise<void> | undefined
    let failing = false

    async function round(): Promise<void> {
      try {
        await openPorts(trunks, drivers)
        await forgotten.round()
        if (failing) log.info('trunks are looked after again')
        failing = false
      } catch (error) {
        if (!failing) log.error({ err: error }, 'trunks cannot be looked after')
        failing = true
      }
    }

    async function endStranded(ref: CallRef): Promise<void> {
      const row = await db.inTenant(ref, tx => findRemoteParty(tx, ref, ref.callId))
      if (row === undefined) return
      const driver = drivers.find(one => one.owns(row.stored))
      await driver?.endStored(ref, row.stored, row.trunk_id)
      await storedCallsOf(db).remove(ref)
    }

    return {
      // Stands in rows: SIP was the only kind of trunk at first.
      name: 'sip',
      virtual: false,
      carries: ['trunk', 'sip'],
      async start(host) {
        for (const driver of drivers) driver.start(trunks, host)
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
        await storedCallsOf(db).flush()
        await Promise.all(drivers.map(driver => driver.close()))
      },
      // The database is asked about who is not known: a process that has just started, or could not read its trunks yet, must not
      // leave their calls to an engine that reaches nobody.
      serves: async (tx, scope) =>
        trunks.ofTenant(scope.tenantId).length > 0 || (await hasTrunk(tx, scope, { enabled: true })),
      inside: to => driverInside(parts, to) !== undefined,
      async prepare(tx, scope, calls, _mode, policies) {
        const { true: own = [], false: others = [] } = Object.groupBy(
          calls,
          ({ to }) => `${driverInside(parts, to) !== undefined}`,
        )
        const prepared = new Map([
          ...(await preparePhones(tx, scope, own, parts)),
          ...(await prepareByTrunks(tx, scope, others, { ...parts, policies })),
        ])
        const stored: Parameters<typeof insertRemoteParties>[2][number][] = []
        const admissions = calls.map(({ callId }): Admission => {
          const decided = prepared.get(callId) ?? { type: 'wait', ms: roundMs }
          if (decided.type !== 'dial') return decided
          const { trunkId, plan, price } = decided
          plans.keep(callId, plan)
          stored.push({ callId, trunkId, stored: plan.first.stored })
          return { type: 'dial', trunkId, ...(price && { price }) }
        })
        // It leaves together with what the transaction says next; should it fail, so does the transaction.
        if (stored.length > 0) insertRemoteParties(tx, scope, stored).catch(() => {})
        return admissions
      },
      dial(scope, call) {
        const plan = plans.take(call.callId)
        if (plan === undefined) throw new Error('there is no plan of this call')
        return dialByTrunks(parts, scope, call, plan)
      },
      async endStranded(ref) {
        forgotten.soon()
        await forgotten.end(ref)
      },
    }
  }
}

function driverInside({ drivers }: Dialling, to: string): TrunkDriver | undefined {
  return drivers.find(driver => driver.inside?.(to) === true)
}

/** What is decided of a call: one that is dialled has its plan, whose remote party is stored before it is started. */
type Decision =
  | Exclude<Admission, { type: 'dial' }>
  | { type: 'dial'; trunkId: string | null; plan: CallPlan; price?: Price }

/** Of each call to a phone that is registered here: it needs no trunk, and who is not there is refused at once. */
async function preparePhones(
  tx: Tx,
  scope: Scope,
  calls: readonly EngineCall[],
  parts: Dialling,
): Promise<[string, Decision][]> {
  const driver = calls[0] && driverInside(parts, calls[0].to)
  const plans = (await driver?.planInside?.(tx, scope, calls)) ?? []
  return calls.map(({ callId }, index) => {
    const plan = plans[index]
    if (plan === undefined) return [callId, { type: 'wait', ms: roundMs }]
    if (typeof plan === 'string') return [callId, { type: 'refuse', cause: plan }]
    return [callId, { type: 'dial', trunkId: null, plan: { first: plan, firstTrunk: null, trunkIds: [] } }]
  })
}

const leaving = ({ callId, keyId = null }: EngineCall) => ({ callId, keyId })

/** Which callers are the organization's own numbers, and what holds for calls by its trunks. */
function readWays(
  tx: Tx,
  scope: Scope,
  calls: readonly EngineCall[],
  { own, policies, nowMs }: { own: readonly HeldTrunk[]; policies: readonly Policy[] | undefined; nowMs: number },
) {
  // A number that is not the organization's own goes only by trunks that show foreign ones; a phone without one by none.
  const isAsked = own.some(({ settings }) => !settings.foreignCallerIds)
  return Promise.all([
    isAsked ? ownNumbersAmong(tx, scope, [...new Set(calls.map(({ from }) => from))]) : new Set<string>(),
    waysOut(tx, scope, {
      // Trunks belong to live mode.
      mode: 'live',
      keyIds: calls.map(({ keyId = null }) => keyId),
      trunkIds: own.map(({ id }) => id),
      nowMs,
      isPriced: own.some(({ routes }) => routes.some(({ cost }) => Number(cost ?? 0) > 0)),
      ...(policies && { policies }),
    }),
  ])
}

/** Of each call whether its first trunk has room now. */
async function prepareByTrunks(
  tx: Tx,
  scope: Scope,
  calls: readonly EngineCall[],
  { services, trunks, driverOf, policies }: Dialling & { policies: readonly Policy[] | undefined },
): Promise<[string, Decision][]> {
  if (calls.length === 0) return []
  const own = trunks.ofTenant(scope.tenantId)
  // They are taken up in the next round.
  const isEarly = !trunks.knows(scope.tenantId)
  const [ownNumbers, ways] = await readWays(tx, scope, calls, { own, policies, nowMs: services.clock.now() })
  const wayOf = (trunk: HeldTrunk | null, { to }: EngineCall) => ({
    trunkId: trunk?.id ?? null,
    price: (trunk && priceBy(trunk, to)) ?? { micros: null, currency: null },
  })
  const byId = new Map(own.map(trunk => [trunk.id, trunk]))
  const routes = calls.map(call => {
    const { from, to } = call
    const shown = isSipAddress(from) ? [] : own.filter(({ settings }) => settings.foreignCallerIds)
    const able = ownNumbers.has(from) ? own : shown
    const taking = isSipAddress(to) ? [] : trunksFor(to, able, { draw }).map(({ trunkId }) => trunkId)
    // A trunk whose destination policy is against the number is passed over, also when another one fails.
    const trunkIds = taking.filter(trunkId => ways.against(trunkId, to) === undefined)
    return {
      // Where the trunks cannot be read, the caller id is not what is wrong.
      isKnown: able.length > 0 || own.length === 0,
      trunkIds,
      shut: taking[0] === undefined ? undefined : ways.against(taking[0], to)?.code,
      // So is one that has no room by its policy, as long as there is another.
      first: trunkIds.find(id => ways.reached(leaving(call), wayOf(byId.get(id) ?? null, call)) === undefined),
    }
  })
  const firsts = routes.map(({ first }) => (first === undefined ? undefined : byId.get(first)))
  const granted = new Map<string, CallTokens>()
  // In one order everywhere, so that no two processes wait for each other.
  for (const trunk of [...new Set(firsts)]
    .filter(trunk => trunk !== undefined)
    .sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const wanted = firsts.filter(other => other === trunk).length
    granted.set(trunk.id, await takeCallTokens(tx, scope, trunk.id, trunk.settings, wanted))
  }
  const decide = async (call: EngineCall, index: number): Promise<Decision> => {
    const trunk = firsts[index]
    const { isKnown, trunkIds, shut = 'network' } = routes[index] ?? { isKnown: true, trunkIds: [] }
    if (isEarly && !isSipAddress(call.to)) return { type: 'wait', ms: roundMs }
    if (trunk === undefined && !isSipAddress(call.to)) {
      const [full] = trunkIds.flatMap(id => byId.get(id) ?? [])
      // Asked to take it, the ceiling that is reached says so, in an event too.
      const reached = full && (await ways.take(leaving(call), wayOf(full, call)))
      if (reached !== undefined) return { type: 'refuse', cause: codeOf(reached) }
      return { type: 'refuse', cause: isKnown ? shut : 'caller_id_not_allowed' }
    }
    const driver = driverOf(trunk ?? null)
    if (!driver.isOpen) {
      // A SIP address is called without a trunk that would have opened it.
      void driver.open().catch(() => {})
      return { type: 'wait', ms: roundMs }
    }
    const tokens = trunk && granted.get(trunk.id)
    if (tokens !== undefined && tokens.tokens-- <= 0) return { type: 'wait', ms: tokens.waits.shift() ?? roundMs }
    const first = driver.plan(call, trunk ?? null)
    if (first === undefined) return { type: 'refuse', cause: 'bad_format' }
    const way = wayOf(trunk ?? null, call)
    // The last place of the trunk went to a call before it: the next round finds another way, or none.
    if ((await ways.take(leaving(call), way)) !== undefined) return { type: 'wait', ms: 1 }
    // That one first: those before it had no room.
    const order = way.trunkId === null ? trunkIds : [way.trunkId, ...trunkIds.filter(id => id !== way.trunkId)]
    const price = way.price.micros === null ? undefined : way.price
    const plan: CallPlan = { first, firstTrunk: trunk ?? null, trunkIds: order }
    return { type: 'dial', trunkId: way.trunkId, plan, ...(price && { price }) }
  }
  const decided: [string, Decision][] = []
  for (const [index, call] of calls.entries()) decided.push([call.callId, await decide(call, index)])
  return decided
}

/** The trunks first: once a port is open, calls come in by any of them. One that cannot be opened keeps nothing else closed. */
async function openPorts(trunks: KeptTrunks, drivers: readonly TrunkDriver[]): Promise<void> {
  const [known] = await Promise.allSettled([trunks.round()])
  for (const driver of drivers) if (!driver.isOpen && (await driver.isWanted?.()) === true) await driver.open()
  if (known.status === 'rejected') throw known.reason
}
