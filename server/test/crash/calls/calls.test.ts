// A short slice of `npm run crash -- --calls`: a process of calls dies in mid-call and datagrams get lost, and every call ends once, at the second
// that sipp knows. With TANDEM_TEST_CRASH_CALLS=1 it is a longer one, with deaths of each process and of the database. That the harness
// would notice is proven by `npm run crash -- --calls --defects`.
// test: waits, programs
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyTree } from '../defects.ts'
import { type CallFault, runCallScenario } from './scenario.ts'
import { hastyEdits, hastyPatience } from './world.ts'

const root = join(import.meta.dirname, '../../../..')
const isThere = spawnSync('sipp', ['-v']).error === undefined
const isWhole = process.env['TANDEM_TEST_CRASH_CALLS'] === '1'
const skip = !isThere && 'NOT TESTED: deaths in mid-call need sipp installed: bash scripts/system_tools.sh'

const few: readonly CallFault[] = [
  { kind: 'die_at', role: 'voice', point: 'invite.sent', passes: 5 },
  { kind: 'weather', perMille: 50, forMs: 1_500 },
]
/** Minutes, in which nothing else should use the machine. */
const many: readonly CallFault[] = [
  ...few,
  { kind: 'callbacks', main: 'down', fallback: 'well', forMs: 0 },
  { kind: 'kill_database' },
  { kind: 'die_at', role: 'worker', point: 'lost.taken', passes: 1 },
  { kind: 'kill', role: 'api' },
]

test('what holds calls dies in mid-call: nobody is called twice or left on the line', { skip }, async t => {
  const tree = copyTree(root, 'hasty', hastyEdits)
  try {
    const log = (line: string) => t.diagnostic(line)
    const run = () =>
      runCallScenario({ tree, seed: 1, patience: hastyPatience, faults: isWhole ? many : few, calmMs: 500, log })
    // A run in which a fault did not happen proves nothing, for nor against: then there is another one.
    const { violations, counts } = await run().catch(error => {
      log(`again: ${error.message}`)
      return run()
    })
    assert.deepEqual(violations, [])
    assert.ok(counts['completed']! > (isWhole ? 15 : 5), 'too few calls went through for the run to mean anything')
    assert.ok(counts['lost']! > 1 && counts['silent']! > 0, 'nothing was lost, or nothing silent')
    assert.ok(counts['datagrams lost']! > 0, 'no datagram was lost')
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})
