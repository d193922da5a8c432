// `npm run crash [-- --calls --mail --hasty --seed 7 --rounds 3 --kills 100 --points 3 --defects]`: crash runs of messages, with `--calls` of
// calls, with `--mail` of mails, out and in. A round has every fault, in an order made from the seed; `--kills` are deaths by kill -9 alone, at any moment; `--points` lets processes
// die at every named place so many times. `--defects` proves that the harness notices: each defect it is given on purpose must
// be caught. `--hasty` lets the server wait seconds where it waits half a minute. At the end stands what all runs came to.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CrashPoint } from '../../src/kernel/values/crash_points.ts'
import { allCallFaults } from './calls/all_faults.ts'
import { catchCallDefects } from './calls/defects.ts'
import { type CallFault, runCallScenario } from './calls/scenario.ts'
import { hastyEdits, hastyPatience, usualPatience } from './calls/world.ts'
import { catchMessageDefects, copyTree } from './defects.ts'
import { catchMailDefects } from './mail/defects.ts'
import { allMailFaults, type MailFault, runMailScenario } from './mail/scenario.ts'
import { type Planned, planRuns, pointsOf, type Wanted } from './plan.ts'
import { type Fault, runScenario } from './scenario.ts'
import { addVerdict, breachOf, emptyTally, tallyLines } from './tally.ts'
import type { Verdict } from './verdict.ts'

const root = join(import.meta.dirname, '../../..')

/** Every kind of fault, some of them twice. */
export const allFaults: readonly Fault[] = [
  { kind: 'kill', role: 'api' },
  { kind: 'kill', role: 'worker' },
  { kind: 'kill_database' },
  { kind: 'cut_links' },
  { kind: 'webhooks_down', forMs: 1_500 },
  { kind: 'die_at', role: 'api', point: 'accept.taken', passes: 15 },
  { kind: 'die_at', role: 'api', point: 'accept.committed', passes: 15 },
  { kind: 'die_at', role: 'worker', point: 'claim.committed', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'submit.written', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'answers.known', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'answers.committed', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'receipts.taken', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'receipts.committed', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'inbound.taken', passes: 2 },
  { kind: 'die_at', role: 'worker', point: 'inbound.committed', passes: 2 },
  { kind: 'die_at', role: 'worker', point: 'webhooks.claimed', passes: 1 },
  { kind: 'die_at', role: 'worker', point: 'webhooks.sent', passes: 5 },
  { kind: 'die_at', role: 'worker', point: 'webhooks.committed', passes: 5 },
  { kind: 'kill', role: 'worker' },
  { kind: 'worker_stalls', forMs: 4_000 },
  { kind: 'cut_links' },
]

type Log = (line: string) => void
type Chosen = { calls: boolean; mail: boolean; hasty: boolean }

const runMessages = (scenario: Planned<Fault>, log: Log) => runScenario({ tree: root, ...scenario, log })

async function runCalls(scenario: Planned<CallFault>, isHasty: boolean, log: Log): Promise<Verdict> {
  if (!isHasty) return runCallScenario({ tree: root, patience: usualPatience, ...scenario, log })
  const tree = copyTree(root, 'hasty', hastyEdits)
  try {
    return await runCallScenario({ tree, patience: hastyPatience, ...scenario, log })
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** The runs that are wanted, each ready to go. */
function plannedRuns(
  { calls, mail, hasty }: Chosen,
  wanted: Wanted,
): { seed: number; go(log: Log): Promise<Verdict> }[] {
  const both = [
    { kind: 'kill', role: 'api' },
    { kind: 'kill', role: 'worker' },
  ] as const
  if (mail) {
    const plans = planRuns<MailFault>(allMailFaults, { faults: both, calmMs: [50, 1_200] }, wanted)
    return plans.map(plan => ({ seed: plan.seed, go: log => runMailScenario({ tree: root, ...plan, log }) }))
  }
  if (!calls) {
    const plans = planRuns<Fault>(allFaults, { faults: both, calmMs: [50, 1_200] }, wanted)
    return plans.map(plan => ({ seed: plan.seed, go: log => runMessages(plan, log) }))
  }
  const { lostMs } = hasty ? hastyPatience : usualPatience
  // Half of the deaths are of what holds the calls.
  const kills: CallFault[] = (['api', 'voice', 'worker', 'voice'] as const).map(role => ({ kind: 'kill', role }))
  const plans = planRuns(allCallFaults(lostMs), { faults: kills, calmMs: [500, 3_500] }, wanted)
  return plans.map(plan => ({ seed: plan.seed, go: log => runCalls(plan, hasty, log) }))
}

function faultsOf({ calls, mail }: Chosen): readonly { kind: string; point?: CrashPoint }[] {
  if (mail) return allMailFaults
  return calls ? allCallFaults(0) : allFaults
}

function catcherOf({ calls, mail }: Chosen) {
  if (mail) return catchMailDefects
  return calls ? catchCallDefects : catchMessageDefects
}

/** A run in which a fault did not happen proves nothing, for nor against: then there is another one. */
async function runTwice(go: (log: Log) => Promise<Verdict>, log: Log): Promise<Verdict> {
  try {
    return await go(log)
  } catch (error) {
    log(`again: ${(error as Error).message}`)
    return go(log)
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string' },
      kills: { type: 'string' },
      points: { type: 'string' },
      defects: { type: 'boolean', default: false },
      calls: { type: 'boolean', default: false },
      mail: { type: 'boolean', default: false },
      hasty: { type: 'boolean', default: false },
    },
  })
  const log = (line: string) => process.stdout.write(`${line}\n`)
  const wanted = {
    seed: Number(values.seed),
    rounds: Number(values.rounds ?? (values.kills === undefined && values.points === undefined ? 1 : 0)),
    kills: Number(values.kills ?? 0),
    points: Number(values.points ?? 0),
  }
  const tally = emptyTally()
  for (const { seed, go } of plannedRuns(values, wanted)) {
    log(`\nseed ${seed}`)
    const verdict = await runTwice(go, line => log(`  ${line}`))
    for (const violation of verdict.violations) log(`  BROKEN, ${breachOf(violation)}: ${violation}`)
    addVerdict(tally, verdict)
  }
  const broken = Object.values(tally.broken).reduce((sum, count) => sum + count, 0)
  if (tally.runs > 0) {
    log('')
    for (const line of tallyLines(tally, pointsOf(faultsOf(values)))) log(line)
    const again = process.argv.slice(2).join(' ')
    log(
      broken > 0
        ? `${broken} promises broken; again with: npm run crash -- ${again}`
        : 'nothing lost, nothing doubled, nothing false',
    )
  }
  if (!values.defects) return broken > 0 ? 1 : 0
  const missed = await catcherOf(values)({ root, log })
  return broken > 0 || missed.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main()
