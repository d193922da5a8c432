// `npm test [pattern …]`: every test, on one shared test cluster. A pattern is a part of a file's path or a glob. The last
// line says how many passed, failed and were skipped; the exit code is 1 when one failed or none ran.
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

/** `faults` tells each test that failed, so that the end of a long log says what its middle would. */
type Outcome = { passed: number; failed: number; skipped: string[]; faults: string[] }

function nothingYet(): Outcome {
  return { passed: 0, failed: 0, skipped: [], faults: [] }
}

function findTests(patterns: readonly string[]): string[] {
  return globSync(
    folders.map(folder => `${folder}/**/*.test.ts`),
    { cwd: root, exclude: name => name.includes('node_modules') },
  )
    .filter(file => patterns.length === 0 || patterns.some(part => file.includes(part) || matchesGlob(file, part)))
    .sort()
}

/** Runs the files in processes of their own, a few at a time, and prints each one's course when it is done. */
async function runFiles(files: readonly string[], interrupted: AbortSignal): Promise<Outcome> {
  const total = nothingYet()
  const waiting = [...files]
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined && !interrupted.aborted; file = waiting.shift()) {
      const { text, outcome } = await runFile(file, interrupted)
      process.stdout.write(`\n${file}\n${text}`)
      total.passed += outcome.passed
      total.failed += outcome.failed
      total.skipped.push(...outcome.skipped)
      total.faults.push(...outcome.faults)
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, lane))
  return total
}

/** A file whose process does not end by itself (a handle left open, a test that hangs) is ended, and has failed. */
async function runFile(file: string, interrupted: AbortSignal): Promise<{ text: string; outcome: Outcome }> {
  const outcome = nothingYet()
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

function report({ passed, failed, skipped, faults }: Outcome): void {
  if (faults.length > 0) process.stdout.write(`\nFAILED:\n${faults.map(fault => `  ${fault}\n`).join('')}`)
  if (skipped.length > 0) process.stdout.write(`\nSKIPPED, NOT TESTED:\n${skipped.map(test => `  ${test}\n`).join('')}`)
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`)
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
    const outcome = await runFiles(files, interruption.signal)
    if (interruption.signal.aborted) process.stdout.write('\nINTERRUPTED: not all tests ran\n')
    report(outcome)
    return outcome.failed > 0 || outcome.passed === 0 || interruption.signal.aborted ? 1 : 0
  } finally {
    await cluster.stop()
  }
}

process.exitCode = await main(process.argv.slice(2))
