// One crash run of mails: clients send from the first second to the last, faults one after another, each with proof that it happened, then what
// is under way comes to its end, and the oracle checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Driver, startDriver } from '../driver.ts'
import { describeProcessFault, inflictOnProcess, isProcessFault, type ProcessFault, proven } from '../faults.ts'
import { type Calm, calmOf, createRandom } from '../random.ts'
import type { Verdict } from '../verdict.ts'
import { checkMails } from './oracle.ts'
import { type MailRole, type MailWorld, startMailWorld } from './world.ts'

export type MailFault = ProcessFault<MailRole> | { kind: 'cut_links' }

/** Every kind of fault. */
export const allMailFaults: readonly MailFault[] = [
  { kind: 'kill', role: 'api' },
  { kind: 'kill', role: 'worker' },
  { kind: 'kill_database' },
  { kind: 'cut_links' },
  { kind: 'die_at', role: 'worker', point: 'mail.claimed', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'mail.sent', passes: 10 },
  { kind: 'die_at', role: 'worker', point: 'mail.known', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'mail.committed', passes: 5 },
]

export type MailScenario = {
  tree: string
  seed: number
  faults: readonly MailFault[]
  perSecond?: number
  /** Between faults. */
  calmMs?: Calm
  damage?: string | undefined
  /** How long the end is waited for. */
  restLimitMs?: number
  log?(line: string): void
}

/** @throws when a fault did not happen: then the run proves nothing */
export async function runMailScenario(scenario: MailScenario): Promise<Verdict> {
  const { tree, seed, faults, perSecond = 40, calmMs = 700, damage, restLimitMs = 120_000, log = () => {} } = scenario
  const random = createRandom(seed)
  const world = await startMailWorld({ tree, random, damage })
  let driver: Driver | undefined
  try {
    driver = startDriver({
      address: world.parts.api.address,
      key: world.liveKey,
      perSecond,
      run: `r${seed}`,
      path: '/v2/mails',
      request(n) {
        const word = `r${seed}m${n}`
        const to = [{ address: `${word}@example.com` }]
        return { word, body: { to, subject: `Crash run #${word}`, text: 'See you on Monday.' } }
      },
      success: 201,
      idOf: reply => (reply as { data: { mailId: string } }).data.mailId,
      arrived: () => world.server.mails.size,
      maxUnderWay: 300,
    })
    await sleep(calmOf(calmMs, random))
    for (const fault of faults) {
      log(isProcessFault(fault) ? describeProcessFault(fault) : 'connections to the mail server cut')
      await inflict(fault, world)
      await sleep(calmOf(calmMs, random))
    }
    await driver.finish(60_000)
    await comeToRest(world, restLimitMs, log)
    const verdict = await checkMails(world, driver.intents)
    log(
      Object.entries(verdict.counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    )
    return verdict
  } finally {
    await driver?.finish(0).catch(() => {})
    await world.close()
  }
}

async function inflict(fault: MailFault, world: MailWorld): Promise<void> {
  if (isProcessFault(fault))
    return inflictOnProcess(world, fault, {
      // Their time passes while no worker runs: it would be a minute.
      whileDead: async role => void (role === 'worker' && (await passTime(world))),
    })
  const deadline = performance.now() + 10_000
  while (world.server.cut() === 0) {
    proven(performance.now() < deadline, 'connections to the mail server cut')
    await sleep(50)
  }
}

/** Leases of the dead end now, and what was put off is due. */
async function passTime({ sql }: MailWorld): Promise<void> {
  await sql('update mail_jobs set due_at = now()')
}

/** Lets what is under way come to its end; leases and pauses pass while no worker runs. */
async function comeToRest(world: MailWorld, restLimitMs: number, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + restLimitMs
  for (let looks = 0; ; looks++) {
    const [row] = await world.sql<{ count: number }>(
      "select count(*)::integer as count from mails where state in ('queued', 'sending')",
    )
    if (row!.count === 0) return
    if (performance.now() > deadline) return log(`has not come to rest: ${row!.count} mails under way`)
    if (looks % 8 === 4) {
      await world.parts.worker.stop()
      await passTime(world)
      await world.parts.worker.start()
    }
    await sleep(500)
  }
}
