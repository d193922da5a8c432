// `npm test [pattern …]`: every test, on one shared test cluster. A pattern is a part of a file's path or a glob. The last
// line says how many passed, failed and were skipped; the exit code is 1 when one failed or none ran.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startTestCluster } from '../server/test/cluster.ts'

const root = join(import.meta.dirname, '..')
const fileTimeoutMs = 6_000
const concurrency = 2

function findTests(patterns: readonly string[]): string[] {
  const everything = ['server', 'packages', 'scripts', 'bench'].map(folder => `${folder}/**/*.test.ts`)
  return globSync(everything, { cwd: root, exclude: name => name.includes('node_modules') })
    .filter(file => patterns.length === 0 || patterns.some(part => file.includes(part) || matchesGlob(file, part)))
    .sort()
}

type Outcome = { passed: number; failed: number; skipped: string[] }

/** Runs the files, two at a time, each in a process of its own, and prints their course to standard output. */
async function runTests(files: readonly string[]): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, skipped: [] }
  const tests = run({ files: files.map(file => join(root, file)), concurrency, timeout: fileTimeoutMs, cwd: root })
  tests.on('test:pass', ({ name, skip, file }) => {
    if (skip === undefined) return
    const reason = typeof skip === 'string' && skip !== '' ? `: ${skip}` : ''
    outcome.skipped.push(`${file?.replace(`${root}/`, '') ?? ''} "${name}"${reason}`)
  })
  // The last summary, without a file, is that of the whole run.
  tests.on('test:summary', ({ file, counts }) => {
    console.log(file, counts); if (file !== undefined) return
    outcome.passed = counts.passed
    outcome.failed = counts.failed + counts.cancelled
  })
  for await (const text of tests.compose(spec)) process.stdout.write(text)
  return outcome
}

function report({ passed, failed, skipped }: Outcome): void {
  if (skipped.length > 0) process.stdout.write(`\nSKIPPED, NOT TESTED:\n${skipped.map(test => `  ${test}\n`).join('')}`)
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`)
}

async function main(patterns: readonly string[]): Promise<number> {
  const files = findTests(patterns)
  if (files.length === 0) process.stderr.write(`no test file matches ${patterns.join(' ') || 'at all'}\n`)
  spawnSync('bash', [join(root, 'scripts/system_tools.sh')], { stdio: 'inherit' })
  const cluster = await startTestCluster()
  const interrupt = (signal: NodeJS.Signals) =>
    void cluster.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    process.env['TANDEM_TEST_CLUSTER'] = JSON.stringify(cluster.address)
    const outcome = files.length > 0 ? await runTests(files) : { passed: 0, failed: 0, skipped: [] }
    report(outcome)
    return outcome.failed > 0 || outcome.passed === 0 ? 1 : 0
  } finally {
    await cluster.stop()
  }
}

process.exitCode = await main(process.argv.slice(2))
