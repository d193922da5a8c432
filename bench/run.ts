/**
 * `npm run bench -- [name…] [--rounds 3] [--seconds 8] [--warmup 2] [--settle 120] [--connections 64]`
 * `                [--set NAME=value]… [--list]`
 *
 * Runs the named benches (all without a name), prints their tables as Markdown and keeps the figures as JSON in
 * `bench/results/`, one file for each bench and run.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bench, BenchContext } from './bench.ts'
import { benches } from './benches.ts'
import { describeMachine, machineFacts } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    warmup: { type: 'string', default: '2' },
    settle: { type: 'string', default: '120' },
    connections: { type: 'string', default: '64' },
    set: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
})

function fail(line: string): never {
  console.error(line)
  process.exit(1)
}

function numberOf(name: 'rounds' | 'seconds' | 'warmup' | 'settle' | 'connections'): number {
  const value = Number(values[name])
  const least = name === 'warmup' || name === 'settle' ? 0 : 1
  return value >= least ? value : fail(`--${name} takes a number from ${least}, not ${values[name]}`)
}

function settingsFrom(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? fail(`--set takes NAME=value, not ${pair}`)
      return [name, value]
    }),
  )
}

function chosenBenches(names: string[]): Bench[] {
  if (names.length === 0) return benches
  return names.map(name => benches.find(bench => bench.name === name) ?? fail(`no bench ${name}; --list shows them`))
}

async function runBench(bench: Bench, context: BenchContext): Promise<void> {
  console.log(`## ${bench.name}: ${bench.description}\n`)
  const startedAt = new Date().toISOString()
  const { markdown, postgres, ...figures } = await bench.run(context)
  const machine = machineFacts(tmpdir(), postgres)
  console.log(`\n${markdown}\n\n${describeMachine(machine)}\n`)
  const folder = fileURLToPath(new URL('./results/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const file = `${folder}${startedAt.replaceAll(':', '-')}_${bench.name}.json`
  const { pace, settings } = context
  const result = { bench: bench.name, startedAt, machine, pace, settings, markdown, ...figures }
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`)
  console.log(`Figures: ${file}\n`)
}

if (values.list) {
  for (const { name, description } of benches) console.log(`${name.padEnd(10)} ${description}`)
} else {
  const chosen = chosenBenches(positionals)
  const context: BenchContext = {
    pace: {
      rounds: numberOf('rounds'),
      seconds: numberOf('seconds'),
      warmupSeconds: numberOf('warmup'),
      settleSeconds: numberOf('settle'),
      connections: numberOf('connections'),
    },
    settings: settingsFrom(values.set),
    log: line => console.log(`- ${line}`),
  }
  for (const bench of chosen) {
    try {
      await runBench(bench, context)
    } catch (error) {
      console.error(`\n${bench.name} failed: ${(error as Error).stack}\n`)
      process.exitCode = 1
    }
  }
}
