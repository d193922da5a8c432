// `npm test [pattern …]`: every test, on one shared test cluster. A pattern is a part of a file's path or a glob. With
// `--since <ref>`: what a change since that commit can touch. The last lines name the slowest files and what failed, and how many
// passed, failed and were skipped; the exit code is 1 when one failed or none ran. A test that fails now and then is a fault to
// mend; only files marked with `programs` (testing/marks.ts) are run once more, alone, and the end says so.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestCluster } from '../server/test/cluster.ts'
import { commitDurations, readDurations, rememberDurations } from './testing/durations.ts'
import { runAgainAlone, runInLanes, type TestFile } from './testing/lanes.ts'
import { marksOf } from './testing/marks.ts'
import { type Outcome, sumOf } from './testing/outcome.ts'
import { touchedTests } from './testing/touched.ts'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'packages', 'scripts', 'bench', 'sdk', 'portal']
// A file is several processes: its own, a server, PostgreSQL, a browser. More files at once have the same processors, and each waits longer
// than its promises allow.
const busyLanes = Math.min(5, Math.max(2, availableParallelism()))
const waitingLanes = 1
/** The longest file takes two minutes on a quiet machine, and twice as long on a full one. */
const fileTimeoutMs = 8 * 60_000
/** What Node makes of the sources is kept from process to process and from run to run: each would make the same again. */
const compiled = join(root, 'node_modules/.cache/tandem-compiled')

function findTests(): string[] {
  const found = globSync(
    folders.map(folder => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: name => name.includes('node_modules') },
  )
  return found.sort()
}

/** The tests that were asked for. */
function chosenTests(patterns: readonly string[], since: string | undefined): string[] {
  const all = findTests()
  const touched = since === undefined ? all : touchedTests(root, since, all)
  return touched.filter(
    file => patterns.length === 0 || patterns.some(part => file.includes(part) || matchesGlob(file, part)),
  )
}

/** Where the time goes, for anyone who wants the run to be shorter. */
function reportSlowest(outcomes: ReadonlyMap<string, Outcome>, wallSeconds: number): void {
  const whole = (seconds: number) => seconds.toFixed(0).padStart(4)
  const slowest = [...outcomes].sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, 12)
  const lines = slowest.map(
    ([file, { seconds, processorSeconds }]) => `  ${whole(seconds)} s ${whole(processorSeconds)} s  ${file}\n`,
  )
  const { seconds, processorSeconds } = sumOf(outcomes.values())
  const times = `${whole(seconds).trim()} s in all, of a processor ${whole(processorSeconds).trim()} s, by the clock ${wallSeconds.toFixed(0)} s`
  process.stdout.write(`\nSLOWEST OF ${outcomes.size} FILES (${times}):\n${lines.join('')}`)
}

/** Every file's line: for who decides which of them wait. */
function reportTimes(outcomes: ReadonlyMap<string, Outcome>): void {
  const lines = [...outcomes].map(
    ([file, { seconds, processorSeconds }]) => `${seconds.toFixed(1)} ${processorSeconds.toFixed(1)} ${file}\n`,
  )
  process.stdout.write(`\nSECONDS, OF A PROCESSOR, FILE:\n${lines.sort().join('')}`)
}

function report({ passed, failed, skipped, faults }: Outcome, beside: readonly string[]): void {
  const lines = (texts: readonly string[]) => texts.map(text => `  ${text}\n`).join('')
  if (beside.length > 0) process.stdout.write(`\nFAILED BESIDE OTHERS, PASSED ALONE:\n${lines(beside)}`)
  if (faults.length > 0) process.stdout.write(`\nFAILED:\n${lines(faults)}`)
  if (skipped.length > 0) process.stdout.write(`\nSKIPPED, NOT TESTED:\n${lines(skipped)}`)
  const again = beside.length === 0 ? '' : `, ${beside.length} of the passed only alone`
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped${again}\n`)
}

type Run = {
  outcomes: Map<string, Outcome>
  /** Faults of those that failed beside others, and passed alone. */
  beside: string[]
}

async function runTests(files: readonly TestFile[], signal: AbortSignal): Promise<Run> {
  const cluster = await startTestCluster()
  try {
    process.env['NODE_COMPILE_CACHE'] ??= compiled
    process.env['TANDEM_TEST_CLUSTER'] = JSON.stringify(cluster.address)
    const onResult = (file: string, { text }: { text: string }) => void process.stdout.write(`\n${file}\n${text}`)
    const options = { root, busyLanes, waitingLanes, fileTimeoutMs, signal, onResult }
    const outcomes = await runInLanes(files, options)
    return { outcomes, beside: await runAgainAlone(files, outcomes, options) }
  } finally {
    await cluster.stop()
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: 'string' },
      'commit-durations': { type: 'boolean', default: false },
      times: { type: 'boolean' },
    },
  })
  const startMs = performance.now()
  const files = chosenTests(positionals, values.since)
  if (files.length === 0 && values.since !== undefined) {
    process.stdout.write(`no test is touched by what changed since ${values.since}\n`)
    return 0
  }
  if (files.length === 0) process.stderr.write(`no test file matches ${positionals.join(' ')}\n`)
  spawnSync('bash', [join(root, 'scripts/system_tools.sh')], { stdio: 'inherit' })
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const expected = readDurations(root)
  const tests = files.map(file => ({ file, expectedSeconds: expected(file), ...marksOf(join(root, file)) }))
  const { outcomes, beside } = await runTests(tests, interruption.signal)
  if (interruption.signal.aborted) process.stdout.write('\nINTERRUPTED: not all tests ran\n')
  const seconds = new Map([...outcomes].map(([file, outcome]) => [file, outcome.seconds]))
  rememberDurations(root, seconds)
  if (values['commit-durations']) commitDurations(seconds)
  const outcome = sumOf(outcomes.values())
  if (values.times === true) reportTimes(outcomes)
  if (outcomes.size > 12) reportSlowest(outcomes, (performance.now() - startMs) / 1_000)
  report(outcome, beside)
  return outcome.failed > 0 || outcome.passed === 0 || interruption.signal.aborted ? 1 : 0
}

process.exitCode = await main()
