// One crash run of calls: calls of every kind in both directions, faults one after another, each with proof that it happened, then
// everything is made whole, calls come to their end, and the oracle checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { describeProcessFault, inflictOnProcess, isProcessFault, type ProcessFault, proven } from '../faults.ts'
import { type Calm, calmOf, createRandom } from '../random.ts'
import type { Verdict } from '../verdict.ts'
import type { Mood } from './callbacks.ts'
import { callsUnderWay, count } from './leftovers.ts'
import { type CallLoad, startCallLoad } from './load.ts'
import { checkCalls } from './oracle.ts'
import { type CallRole, type CallWorld, type Patience, startCallWorld } from './world.ts'

export type CallFault =
  | ProcessFault<CallRole>
  /** Datagrams of all carriers are lost, doubled and reordered, so many of a thousand each. */
  | { kind: 'weather'; perMille: number; forMs: number }
  /** Nothing comes through, from and to any carrier. */
  | { kind: 'cut_links'; forMs: number }
  | { kind: 'callbacks'; main: Mood; fallback: Mood; forMs: number }
  | { kind: 'webhooks_down'; forMs: number }

export type CallScenario = {
  tree: string
  seed: number
  patience: Patience
  faults: readonly CallFault[]
  perSecond?: number
  inboundPerSecond?: number
  maxUnderWay?: number
  /** Between faults. */
  calmMs?: Calm
  damage?: string | undefined
  /** How long calls may take to come to their end, beyond the time after which those of a dead process are ended. */
  restLimitMs?: number
  log?(line: string): void
}

/** @throws when a fault did not happen: then the run proves nothing */
export async function runCallScenario(scenario: CallScenario): Promise<Verdict> {
  const { tree, seed, patience, faults, damage, log = () => {} } = scenario
  const { perSecond = 4, inboundPerSecond = 0.7, maxUnderWay = 60, calmMs = 2_000 } = scenario
  // What an INVITE takes that nobody answers, and BYE behind it.
  const { restLimitMs = 90_000 } = scenario
  const random = createRandom(seed)
  const world = await startCallWorld({ tree, random, patience, damage, inboundPerSecond })
  let over = 0
  const counting = setInterval(async () => {
    const rows = await world
      .sql<{ n: number }>(
        'select count(*)::integer as n from calls where ended_at is not null and parent_call_id is null and direction = $1',
        ['outbound'],
      )
      .catch(() => [])
    over = rows[0]?.n ?? over
  }, 500)
  let load: CallLoad | undefined
  try {
    load = startCallLoad({ world, seed, perSecond, maxUnderWay, over: () => over })
    await sleep(calmOf(calmMs, random))
    for (const fault of faults) {
      log(describeCallFault(fault))
      await inflict(fault, world)
      await sleep(calmOf(calmMs, random))
    }
    world.stopCalling()
    await load.finish(60_000)
    await comeToRest(world, restLimitMs + patience.lostMs, log)
    for (const why of world.broken()) throw new Error(`a carrier has ended: ${why}`)
    const verdict = await checkCalls(world, load)
    log(
      Object.entries(verdict.counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    )
    for (const [role, part] of verdict.violations.length > 0 ? Object.entries(world.parts) : [])
      for (const [error, times] of part.errors()) log(`the ${role} logged ${times} times: ${error.slice(0, 300)}`)
    for (const callId of new Set(verdict.violations.flatMap(text => text.match(/call_\w+/g) ?? [])))
      log(JSON.stringify(await known(world, callId), null, 1))
    return verdict
  } finally {
    clearInterval(counting)
    await load?.finish(0).catch(() => {})
    await world.close()
  }
}

/** What is kept of a call that broke a rule: how it went, and what was said by SIP. */
async function known(world: CallWorld, callId: string): Promise<object> {
  const [row] = await world.sql('select * from calls where id = $1', [callId])
  const traces = await world.sql(
    'select at, direction, left(message, 900) as message from call_traces where call_id = $1 order by position',
    [callId],
  )
  return { row, traces }
}

export function describeCallFault(fault: CallFault): string {
  if (isProcessFault(fault)) return describeProcessFault(fault)
  switch (fault.kind) {
    case 'weather':
      return `datagrams lost, doubled and late, ${fault.perMille / 10} % each, for ${fault.forMs} ms`
    case 'cut_links':
      return `carriers cannot be reached for ${fault.forMs} ms`
    case 'callbacks':
      return `callback address is ${fault.main}, the other one ${fault.fallback}, for ${fault.forMs} ms`
    case 'webhooks_down':
      return `receiver of webhooks down for ${fault.forMs} ms`
  }
}

/** Waits until a living process holds calls: behind a death of the database it may be a while before it does. False when `isOver`. */
async function untilHeld(world: CallWorld, isOver: () => boolean): Promise<boolean> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(100)) {
    if (isOver()) return false
    const rows = await world
      .sql<{ n: number }>(
        `select count(*)::integer as n from call_leases where heartbeat_at > now() - interval '1 second'`,
      )
      .catch(() => [])
    if ((rows[0]?.n ?? 0) > 0) return true
  }
  throw new Error('no process has held calls for 30 s')
}

async function inflict(fault: CallFault, world: CallWorld): Promise<void> {
  if (isProcessFault<CallRole>(fault)) {
    // Only where calls were lost are there some to be ended.
    const needsLost = fault.kind === 'die_at' && fault.point.startsWith('lost.')
    const part = world.parts.worker
    const deaths = part.deaths()
    return inflictOnProcess(world, fault, {
      ...(needsLost && {
        async armed() {
          // Calls of an earlier death may have let it die already.
          if (await untilHeld(world, () => part.deaths() > deaths))
            await inflict({ kind: 'kill', role: 'voice' }, world)
        },
      }),
      async whileDead(role) {
        if (role === 'worker') await world.sql('update webhook_lanes set leased_until = now()')
        // Jobs that the dead one had claimed are anybody's in half a minute.
        if (role === 'voice') await world.sql('update call_jobs set due_at = now() where lease_token is not null')
      },
    })
  }
  const happened = (is: boolean) => proven(is, describeCallFault(fault))
  const links = Object.values(world.links)
  const sum = (what: 'lost' | 'doubled' | 'reordered' | 'cutOff') =>
    links.reduce((total, { counts }) => total + counts[what], 0)
  /** Lets it last as long as it is to, and on until it has shown. */
  async function last(forMs: number, hasShown: () => boolean): Promise<void> {
    await sleep(forMs)
    const deadline = performance.now() + 20_000
    while (!hasShown() && performance.now() < deadline) await sleep(50)
    happened(hasShown())
  }
  switch (fault.kind) {
    case 'weather': {
      const before = { lost: sum('lost'), doubled: sum('doubled'), reordered: sum('reordered') }
      const fromMs = Date.now()
      for (const link of links) link.setWeather(fault.perMille)
      await last(fault.forMs, () => (['lost', 'doubled', 'reordered'] as const).every(what => sum(what) > before[what]))
      for (const link of links) link.setWeather(0)
      world.weathers.push({ fromMs, toMs: Date.now() })
      return
    }
    case 'cut_links': {
      const before = sum('cutOff')
      const fromMs = Date.now()
      for (const link of links) link.setCut(true)
      await last(fault.forMs, () => sum('cutOff') > before)
      for (const link of links) link.setCut(false)
      world.cuts.push({ fromMs, toMs: Date.now() })
      return
    }
    case 'callbacks': {
      const { counts } = world.callbacks
      const before = { ...counts }
      world.callbacks.setMoods(fault.main, fault.fallback)
      await last(
        fault.forMs,
        () =>
          counts.spoiled > before.spoiled &&
          (fault.fallback === 'well'
            ? counts.fallback > before.fallback
            : counts.spoiledFallback > before.spoiledFallback),
      )
      world.callbacks.setMoods('well', 'well')
      return
    }
    case 'webhooks_down': {
      const before = world.webhooks.turnedAway()
      world.webhooks.setDown(true)
      await last(fault.forMs, () => world.webhooks.turnedAway() > before)
      world.webhooks.setDown(false)
    }
  }
}

/**
 * Lets calls come to their end; no time is made to pass for them. Webhooks that wait for a receiver which was down would take minutes:
 * while no worker runs, their time is.
 */
async function comeToRest(world: CallWorld, limitMs: number, log: (line: string) => void): Promise<void> {
  const startedMs = performance.now()
  const deadline = startedMs + limitMs
  for (let looks = 0; ; looks++) {
    const calls = await callsUnderWay(world)
    const webhooks = await count(world, 'webhook_jobs')
    if (calls.length === 0 && webhooks === 0)
      return log(`at rest after ${Math.round((performance.now() - startedMs) / 1_000)} s`)
    if (performance.now() > deadline)
      return log(`has not come to rest: ${[...calls, `${webhooks} webhooks to send`].join(', ')}`)
    if (looks % 8 === 4 && calls.length === 0) {
      await world.parts.worker.stop()
      await world.sql(
        'update webhook_lanes set leased_until = now(), resume_at = null, failing_since = null, next_at = now()',
      )
      await world.sql('update webhook_jobs set due_at = now() where due_at > now()')
      await world.parts.worker.start()
    }
    await sleep(500)
  }
}
