// `npm run fuzz -- [kind …] [--count 1000000] [--seed 1] [--from 0]`: mutated inputs of these kinds, or of all, and a line for each with what came
// of them. Exit code 1 when something crashed, went silent or was answered with 5xx but 503. A run is continued with `--from`.
import { parseArgs } from 'node:util'
import { fuzzKinds } from './kinds.ts'
import { isClean, runFuzz } from './runner.ts'

function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
    },
  })
  const names = fuzzKinds.map(({ name }) => name)
  const unknown = positionals.filter(name => !names.includes(name))
  if (unknown.length > 0) throw new Error(`no kind ${unknown.join(', ')}; there are ${names.join(', ')}`)
  const [count, seed, from] = [values.count, values.seed, values.from].map((text, at) =>
    wholeNumber(text, ['count', 'seed', 'from'][at] ?? ''),
  ) as [number, number, number]
  let isAllClean = true
  for (const kind of fuzzKinds.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const report = await runFuzz(kind, { seed, from, count, log: line => console.error(line) })
    const { inputs, seconds, outcomes, ended, crashes } = report
    const reported = `${outcomes.answered} answered, ${outcomes.refused} refused, ${outcomes.server_error} × 500, ${outcomes.overloaded} × 503`
    console.log(
      `${kind.name}: ${inputs} inputs in ${seconds.toFixed(0)} s, ${outcomes.read} read, ${reported}, ${ended} ended, ${crashes.length} crashes`,
    )
    isAllClean &&= isClean(report)
  }
  return isAllClean ? 0 : 1
}

process.exitCode = await main()
