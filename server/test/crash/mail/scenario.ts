// One crash run of mails: clients send from the first second to the last, and mails come in over SMTP and into a mailbox; faults one after
// another, each with proof that it happened, then what is under way comes to its end, and the oracle checks.
import { setTimeout as sleep } from 'node:timers/promises'
import { noDovecot } from '../../dovecot.ts'
import { type Driver, startDriver } from '../driver.ts'
import { describeProcessFault, inflictOnProcess, isProcessFault, type ProcessFault, proven } from '../faults.ts'
import { type Calm, calmOf, createRandom } from '../random.ts'
import type { Verdict } from '../verdict.ts'
import { type Arrivals, startArrivals } from './arrivals.ts'
import { checkArrivals } from './arrivals_oracle.ts'
import { checkMails } from './oracle.ts'
import { type MailRole, type MailWorld, startMailWorld } from './world.ts'

export type MailFault = ProcessFault<MailRole> | { kind: 'cut_links' }

/** Deaths with mails in hand that come in; those of the mailbox where there is one to be read. */
export const arrivalFaults: readonly MailFault[] = [
  { kind: 'die_at', role: 'worker', point: 'arrival.kept', passes: 4 },
  { kind: 'die_at', role: 'worker', point: 'arrival.committed', passes: 4 },
  ...(['fetch.kept', 'fetch.committed'] as const).flatMap((point): MailFault[] =>
    noDovecot === false ? [{ kind: 'die_at', role: 'worker', point, passes: 1 }] : [],
  ),
]

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
  ...arrivalFaults,
]

export type MailScenario = {
  tree: string
  seed: number
  faults: readonly MailFault[]
  perSecond?: number
  /** Mails that come in, a second. */
  inboundPerSecond?: number
  /** Between faults. */
  calmMs?: Calm
  damage?: string | undefined
  /** How long the end is waited for. */
  restLimitMs?: number
  log?(line: string): void
}

/** @throws when a fault did not happen: then the run proves nothing */
export async function runMailScenario(scenario: MailScenario): Promise<Verdict> {
  const { tree, seed, faults, perSecond = 40, inboundPerSecond = 12, calmMs = 700, damage } = scenario
  const { restLimitMs = 120_000, log = () => {} } = scenario
  const random = createRandom(seed)
  const world = await startMailWorld({ tree, random, damage })
  let driver: Driver | undefined
  let arrivals: Arrivals | undefined
  try {
    driver = startSending(world, seed, perSecond)
    const { door, mailbox, sender } = world
    arrivals = startArrivals({
      random,
      run: `r${seed}`,
      perSecond: inboundPerSecond,
      port: door.port,
      to: door.address,
      from: sender.address,
      deliver: mailbox && (mail => mailbox.deliver(mail)),
    })
    await sleep(calmOf(calmMs, random))
    for (const fault of faults) {
      log(isProcessFault(fault) ? describeProcessFault(fault) : 'connections to the mail server cut')
      await inflict(fault, world)
      await sleep(calmOf(calmMs, random))
    }
    await Promise.all([driver.finish(60_000), arrivals.finish(60_000)])
    await comeToRest(world, arrivals, { limitMs: restLimitMs, log })
    const sent = await checkMails(world, driver.intents)
    const came = await checkArrivals(world, arrivals.all)
    const verdict = {
      ...sent,
      violations: [...sent.violations, ...came.violations],
      counts: { ...sent.counts, ...came.counts },
    }
    log(
      Object.entries(verdict.counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    )
    return verdict
  } finally {
    await driver?.finish(0).catch(() => {})
    await arrivals?.finish(0).catch(() => {})
    await world.close()
  }
}

function startSending(world: MailWorld, seed: number, perSecond: number): Driver {
  return startDriver({
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
  await sql('update mailboxes set due_at = now()')
}

/** Lets what is under way come to its end; leases and pauses pass while no worker runs. */
async function comeToRest(
  world: MailWorld,
  arrivals: Arrivals,
  { limitMs, log }: { limitMs: number; log(line: string): void },
): Promise<void> {
  const wanted = arrivals.all.filter(({ byImap }) => byImap).map(({ word }) => `${word}@crash.invalid`)
  const deadline = performance.now() + limitMs
  for (let looks = 0; ; looks++) {
    const [left] = await world.sql<{ mails: number; unread: number }>(
      `select (select count(*)::integer from mails where state in ('queued', 'sending')) as mails,
         (select count(*)::integer from unnest($1::text[]) as w (id)
          where not exists (select from inbound_mails m where m.message_id = w.id)) as unread`,
      [wanted],
    )
    const { mails, unread } = left!
    if (mails === 0 && unread === 0) return
    if (performance.now() > deadline) return log(`has not come to rest: ${mails} mails under way, ${unread} not read`)
    if (looks % 8 === 4) {
      await world.parts.worker.stop()
      await passTime(world)
      await world.parts.worker.start()
    }
    await sleep(500)
  }
}
