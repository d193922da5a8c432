// One crash run: load from the first second to the last, faults one after another, each with proof that it happened, then
// everything is made whole, what is under way comes to its end, and the oracle checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Driver, startDriver } from './driver.ts'
import { describeProcessFault, inflictOnProcess, isProcessFault, type ProcessFault, proven } from './faults.ts'
import { check } from './oracle.ts'
import { type Calm, calmOf, createRandom, type Random } from './random.ts'
import type { Verdict } from './verdict.ts'
import { type MessageRole, startWorld, type World } from './world.ts'

export type Fault =
  | ProcessFault<MessageRole>
  | { kind: 'cut_links' }
  | { kind: 'webhooks_down'; forMs: number }
  /** The worker stands still for longer than the carrier waits for an acknowledgement, which repeats what it delivered. */
  | { kind: 'worker_stalls'; forMs: number }

export type Scenario = {
  tree: string
  seed: number
  faults: readonly Fault[]
  perSecond?: number
  /** Between faults. */
  calmMs?: Calm
  damage?: string | undefined
  log?(line: string): void
}

/** @throws when a fault did not happen: then the run proves nothing */
export async function runScenario(scenario: Scenario): Promise<Verdict> {
  const { tree, seed, faults, perSecond = 60, calmMs = 700, damage, log = () => {} } = scenario
  const random = createRandom(seed)
  const world = await startWorld({ tree, random, damage })
  const texting = keepTexting(world, random, seed)
  let driver: Driver | undefined
  try {
    driver = startDriver({
      address: world.api.address,
      key: world.liveKey,
      perSecond,
      run: `r${seed}`,
      path: '/v2/messages/sms',
      request(n) {
        const word = `r${seed}w${n}`
        const from = world.senders[n % world.senders.length] as string
        return { word, body: { from, to: `+49151${String(10_000_000 + n)}`, body: `Crash run #${word}` } }
      },
      idOf: reply => (reply as { messageId: string }).messageId,
      arrived: () => world.carrier.messages.size,
      maxUnderWay: 300,
    })
    await sleep(calmOf(calmMs, random))
    for (const fault of faults) {
      log(describe(fault))
      await inflict(fault, world)
      await sleep(calmOf(calmMs, random))
    }
    texting.stop()
    await driver.finish(60_000)
    await comeToRest(world, log)
    log('the carrier is removed')
    await world.sendWithoutCarrier(Array.from({ length: 5 }, (_, n) => `r${seed}u${n}`))
    await comeToRest(world, log)
    const verdict = await check(world, driver.intents)
    log(
      Object.entries(verdict.counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    )
    return verdict
  } finally {
    texting.stop()
    await driver?.finish(0).catch(() => {})
    await world.close()
  }
}

export function describe(fault: Fault): string {
  if (isProcessFault(fault)) return describeProcessFault(fault)
  switch (fault.kind) {
    case 'cut_links':
      return 'links to the carrier cut'
    case 'worker_stalls':
      return `worker stands still for ${fault.forMs} ms`
    case 'webhooks_down':
      return `receiver of webhooks down for ${fault.forMs} ms`
  }
}

function keepTexting({ carrier, senders }: World, random: Random, seed: number): { stop(): void } {
  let n = 0
  const timer = setInterval(
    () => carrier.text(`t${seed}x${n++}`, `+49160${String(10_000_000 + n)}`, random.pick(senders) as string),
    200,
  )
  return { stop: () => clearInterval(timer) }
}

async function inflict(fault: Fault, world: World): Promise<void> {
  if (isProcessFault(fault))
    return inflictOnProcess(world, fault, {
      async whileDead(role) {
        if (role === 'worker') await passLeases(world)
      },
    })
  const happened = (is: boolean) => proven(is, describe(fault))
  if (fault.kind === 'cut_links' || fault.kind === 'worker_stalls') {
    // The links may only be coming back.
    const deadline = performance.now() + 10_000
    while (world.carrier.links() === 0) {
      happened(performance.now() < deadline)
      await sleep(50)
    }
  }
  if (fault.kind === 'cut_links') return happened(world.carrier.cut() > 0)
  if (fault.kind === 'worker_stalls') {
    const before = world.carrier.unanswered()
    await world.worker.pause(fault.forMs)
    return happened(world.carrier.unanswered() > before)
  }
  const before = world.webhooks.turnedAway()
  world.webhooks.setDown(true)
  const deadline = performance.now() + 20_000
  while (world.webhooks.turnedAway() === before && performance.now() < deadline) await sleep(50)
  await sleep(fault.forMs)
  world.webhooks.setDown(false)
  happened(world.webhooks.turnedAway() > before)
}

/** While no worker runs: lets the time of the leases pass that the dead one held. It would be most of a minute. */
async function passLeases({ sql }: World): Promise<void> {
  await sql('update message_jobs set due_at = now() where lease_token is not null')
  await sql('update webhook_lanes set leased_until = now()')
}

const restLimitMs = 120_000

/**
 * Lets what is under way come to its end. Leases of the dead and parked receipts would take minutes: while no worker runs,
 * their time is made to pass.
 */
async function comeToRest(world: World, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + restLimitMs
  let pauseMs = 2_000
  let passedMs = performance.now()
  for (;;) {
    const rest = await unrest(world)
    if (rest.length === 0) return
    if (performance.now() > deadline) return log(`has not come to rest: ${rest.join(', ')}`)
    if (performance.now() - passedMs > pauseMs) {
      await world.worker.stop()
      await passLeases(world)
      await world.sql('update message_jobs set due_at = now() where due_at > now()')
      // A receipt is parked for longer than a lease lasts.
      await world.sql(`update message_routes set due_at = now() where receipt is not null
        and not exists (select from messages where status = 'sending')`)
      await world.sql('update webhook_lanes set resume_at = null, failing_since = null, next_at = now()')
      await world.sql('update webhook_jobs set due_at = now() where due_at > now()')
      await world.worker.start()
      passedMs = performance.now()
      // A machine that is full needs longer to begin than it was given: each worker gets more time than the one before.
      pauseMs = 2 * pauseMs
    }
    await sleep(500)
  }
}

async function unrest({ sql, carrier }: World): Promise<string[]> {
  const [row] = await sql<Record<string, number>>(`select
    (select count(*)::integer from messages where status in ('queued', 'sending')) as "messages under way",
    (select count(*)::integer from message_routes where receipt is not null and message_id is null) as "receipts parked",
    (select count(*)::integer from webhook_jobs) as "webhooks to deliver"`)
  const open = Object.entries({ ...row, 'deliveries of the carrier': carrier.outstanding() })
  return open.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`)
}
