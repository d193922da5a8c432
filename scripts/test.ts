// `npm test [pattern …]`: every test, on one shared test cluster. A pattern is a part of a file's path or a glob. The last
// line says how many passed, failed and were skipped; the exit code is 1 when one failed or none ran. A file that failed
// beside others is run once more alone, and the end says so loudly: see `mayTryAgain`.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startTestCluster } from '../server/test/cluster.ts'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'packages', 'scripts', 'bench', 'sdk', 'portal']
const filesAtOnce = 2
const fileTimeoutMs = 5 * 60_000
/** What Node makes of the sources is kept from file to file and from run to run: each file would make the same again. */
const compiled = join(root, 'node_modules/.cache/tandem-compiled')

/** So many files are tried again: when more of them fail, it is not the company that they were in. */
const mostAgain = 3

/** `faults` tells each test that failed, so that the end of a long log says what its middle would; `seconds` is the file's own. */
type Outcome = { passed: number; failed: number; skipped: string[]; faults: string[]; seconds: number }

function nothingYet(): Outcome {
  return { passed: 0, failed: 0, skipped: [], faults: [], seconds: 0 }
}

function sumOf(outcomes: Iterable<Outcome>): Outcome {
  const total = nothingYet()
  for (const { passed, failed, skipped, faults, seconds } of outcomes) {
    total.passed += passed
    total.failed += failed
    total.skipped.push(...skipped)
    total.faults.push(...faults)
    total.seconds += seconds
  }
  return total
}

function findTests(patterns: readonly string[]): string[] {
  return globSync(
    folders.map(folder => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: name => name.includes('node_modules') },
  )
    .filter(file => patterns.length === 0 || patterns.some(part => file.includes(part) || matchesGlob(file, part)))
    .sort()
}

/** Runs the files in processes of their own, some at a time, and prints each one's course when it is done. */
async function runFiles(
  files: readonly string[],
  atOnce: number,
  interrupted: AbortSignal,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const waiting = [...files]
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined && !interrupted.aborted; file = waiting.shift()) {
      const { text, outcome } = await runFile(file, interrupted)
      process.stdout.write(`\n${file}\n${text}`)
      outcomes.set(file, outcome)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return outcomes
}

/**
 * Whether a file that failed has a second chance, alone on the machine: thousands of tests that talk to browsers, telephones
 * and databases share two cores, and a pause of seconds is no fault of what is tested. A property's counterexample is a
 * fault, however seldom chance finds it: that stands.
 */
function mayTryAgain({ failed, faults }: Outcome): boolean {
  return failed > 0 && !faults.some(fault => fault.includes('Property failed after'))
}

/** Puts what came of second chances into `outcomes`; what failed only beside others. */
async function tryAgain(outcomes: Map<string, Outcome>, interrupted: AbortSignal): Promise<string[]> {
  const files = [...outcomes].filter(([, outcome]) => mayTryAgain(outcome)).map(([file]) => file)
  if (files.length === 0 || files.length > mostAgain || interrupted.aborted) return []
  process.stdout.write(`\nAGAIN, ALONE: ${files.join(', ')}\n`)
  const shaky: string[] = []
  for (const [file, outcome] of await runFiles(files, 1, interrupted)) {
    if (outcome.failed > 0 || outcome.passed === 0) continue
    const faults = outcomes.get(file)?.faults ?? []
    shaky.push(...(faults.length > 0 ? faults : [`${file}: did not end`]))
    outcomes.set(file, outcome)
  }
  return shaky
}

/** A file whose process does not end by itself (a handle left open, a test that hangs) is ended, and has failed. */
async function runFile(file: string, interrupted: AbortSignal): Promise<{ text: string; outcome: Outcome }> {
  const outcome = nothingYet()
  const startMs = performance.now()
  const path = join(root, file)
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(fileTimeoutMs)])
  const events = run({ files: [path], cwd: root, signal, execArgv: ['--conditions=source'] })
  let notes = ''
  events.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined)
      outcome.skipped.push(`${file}: ${name}${typeof skip === 'string' && skip ? ` (${skip})` : ''}`)
    // Node counts a file without tests as one test that passed.
    if (name !== path) return
    notes = `✖ ${file} holds no test\n`
    outcome.failed += 1
    outcome.passed -= 1
  })
  events.on('test:fail', ({ name, details }) => {
    const { failureType, cause = details.error } = details.error as Error & { failureType?: string; cause?: unknown }
    if (failureType === 'subtestsFailed' || failureType === 'cancelledByParent') return
    outcome.faults.push(`${file}: ${name}\n${indented(String((cause as Error)?.stack ?? cause))}`)
  })
  // The summary without a file is that of the run.
  events.on('test:summary', ({ file: part, counts, success }) => {
    if (part !== undefined) return
    outcome.passed += counts.passed
    outcome.failed += success ? 0 : Math.max(1, counts.tests - counts.passed - counts.skipped - counts.todo)
  })
  const text = await Readable.from(withoutTotals(events)).compose(spec).setEncoding('utf8').toArray()
  outcome.seconds = (performance.now() - startMs) / 1_000
  return { text: text.join('') + notes, outcome }
}

/** The run's own totals are left out: with one run a file they would stand there for every file. */
async function* withoutTotals(events: ReturnType<typeof run>) {
  for await (const event of events) {
    if (event.type === 'test:diagnostic' && event.data.file === undefined) continue
    if (event.type !== 'test:summary') yield event
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}

/** Where the time goes, for whoever wants the run to be shorter. */
function reportSlowest(outcomes: ReadonlyMap<string, Outcome>): void {
  const slowest = [...outcomes].sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, 12)
  const lines = slowest.map(([file, { seconds }]) => `  ${seconds.toFixed(0).padStart(4)} s  ${file}\n`)
  const total = sumOf(outcomes.values()).seconds
  process.stdout.write(`\nSLOWEST OF ${outcomes.size} FILES (${total.toFixed(0)} s in all):\n${lines.join('')}`)
}

function report({ passed, failed, skipped, faults }: Outcome, shaky: readonly string[]): void {
  if (shaky.length > 0)
    process.stdout.write(`\nFAILED BESIDE OTHERS, PASSED ALONE:\n${shaky.map(fault => `  ${fault}\n`).join('')}`)
  if (faults.length > 0) process.stdout.write(`\nFAILED:\n${faults.map(fault => `  ${fault}\n`).join('')}`)
  if (skipped.length > 0) process.stdout.write(`\nSKIPPED, NOT TESTED:\n${skipped.map(test => `  ${test}\n`).join('')}`)
  const again = shaky.length === 0 ? '' : `, ${shaky.length} passed only alone`
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped${again}\n`)
}

async function main(patterns: readonly string[]): Promise<number> {
  const files = findTests(patterns)
  if (files.length === 0) process.stderr.write(`no test file matches ${patterns.join(' ')}\n`)
  spawnSync('bash', [join(root, 'scripts/system_tools.sh')], { stdio: 'inherit' })
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const cluster = await startTestCluster()
  try {
    process.env['NODE_COMPILE_CACHE'] ??= compiled
    process.env['TANDEM_TEST_CLUSTER'] = JSON.stringify(cluster.address)
    const outcomes = await runFiles(files, filesAtOnce, interruption.signal)
    const shaky = await tryAgain(outcomes, interruption.signal)
    if (interruption.signal.aborted) process.stdout.write('\nINTERRUPTED: not all tests ran\n')
    const outcome = sumOf(outcomes.values())
    if (outcomes.size > 12) reportSlowest(outcomes)
    report(outcome, shaky)
    return outcome.failed > 0 || outcome.passed === 0 || interruption.signal.aborted ? 1 : 0
  } finally {
    await cluster.stop()
  }
}

process.exitCode = await main(process.argv.slice(2))
