// Runs `npm test` on a tree with defects and reads which tests failed.
import { spawn } from 'node:child_process'

/** `failed` names the tests; it is empty although the run failed, when a file did not begin or did not end in time. */
export type TestRun = { passed: boolean; failed: string[]; skipped: string[]; seconds: number; output: string }

/** A run that lasts longer is ended: a defect may make tests wait for ever. */
const longestRunMs = 15 * 60_000

/** @param patterns parts of the paths of test files */
export async function runTests(tree: string, patterns: readonly string[]): Promise<TestRun> {
  const startMs = performance.now()
  const { NODE_COMPILE_CACHE: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const child = spawn('npm', ['test', '--', ...patterns], {
    cwd: tree,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM')
  const late = setTimeout(end, longestRunMs)
  process.once('exit', end)
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.on('data', chunk => chunks.push(chunk))
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearTimeout(late)
  process.off('exit', end)
  const output = Buffer.concat(chunks).toString('utf8')
  const seconds = (performance.now() - startMs) / 1_000
  return {
    passed: code === 0,
    failed: testsUnder('FAILED:', output),
    skipped: testsUnder('SKIPPED, NOT TESTED:', output),
    seconds,
    output,
  }
}

/** The tests that the end of a run lists below a heading, as `file: name`. */
export function testsUnder(heading: string, output: string): string[] {
  const start = output.lastIndexOf(`\n${heading}\n`)
  if (start === -1) return []
  const lines = output.slice(start + heading.length + 2).split('\n')
  const end = lines.indexOf('')
  // A file that did not end in time is listed as a whole: that says nothing of what it tests.
  return lines
    .slice(0, end === -1 ? undefined : end)
    .flatMap(line => /^ {2}(\S+\.test\.ts: .+(?<!\.test\.ts|: the file))$/.exec(line)?.[1] ?? [])
}
