// `npm run crash [-- --calls --hasty --seed 7 --rounds 3 --defects]`: crash runs of messages, or with `--calls` of calls, with every fault, in
// an order made from the seed, and with `--defects` the proof that the harness can tell: each defect it is given on purpose must be
// caught. `--hasty` lets the server wait seconds where it waits half a minute.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allCallFaults } from './calls/all_faults.ts'
import { catchCallDefects } from './calls/defects.ts'
import { runCallScenario } from './calls/scenario.ts'
import { hastyEdits, hastyPatience, type Patience, usualPatience } from './calls/world.ts'
import { catchMessageDefects, copyTree } from './defects.ts'
import type { Verdict } from './oracle.ts'
import { createRandom, type Random } from './random.ts'
import { type Fault, runScenario } from './scenario.ts'

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
  { kind: 'cut_links' },
]

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[order[i], order[j]] = [order[j] as T, order[i] as T]
  }
  return order
}

type Run = (seed: number, log: (line: string) => void) => Promise<Verdict>

const messages: Run = (seed, log) =>
  runScenario({ tree: root, seed, faults: shuffled(allFaults, createRandom(seed)), log })

const calls = (tree: string, patience: Patience, seed: number, log: (line: string) => void) => {
  const faults = shuffled(allCallFaults(patience.lostMs), createRandom(seed))
  return runCallScenario({ tree, seed, patience, faults, log })
}

const usualCalls: Run = (seed, log) => calls(root, usualPatience, seed, log)

async function hastyCalls(seed: number, log: (line: string) => void): Promise<Verdict> {
  const tree = copyTree(root, 'hasty', hastyEdits)
  try {
    return await calls(tree, hastyPatience, seed, log)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      defects: { type: 'boolean', default: false },
      calls: { type: 'boolean', default: false },
      hasty: { type: 'boolean', default: false },
    },
  })
  const log = (line: string) => process.stdout.write(`${line}\n`)
  let broken = 0
  for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.rounds); seed++) {
    log(`\nseed ${seed}`)
    const run = values.calls ? (values.hasty ? hastyCalls : usualCalls) : messages
    const { violations } = await run(seed, line => log(`  ${line}`))
    for (const violation of violations) log(`  BROKEN: ${violation}`)
    broken += violations.length
  }
  const again = `${values.calls ? '--calls ' : ''}${values.hasty ? '--hasty ' : ''}`
  if (broken > 0)
    log(
      `\n${broken} promises broken; again with: npm run crash -- ${again}--seed ${values.seed} --rounds ${values.rounds}`,
    )
  else log('\nnothing lost, nothing doubled')
  if (!values.defects) return broken > 0 ? 1 : 0
  const missed = await (values.calls ? catchCallDefects : catchMessageDefects)({ root, log })
  return broken > 0 || missed.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main()
