// Lanes and their processes: each file has an outcome of its own, whatever a file does to the process that it shares.
// test: waits
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runAgainAlone, runInLanes, type TestFile } from './lanes.ts'
import { marksIn } from './marks.ts'
import type { FileResult } from './worker_process.ts'

const root = join(import.meta.dirname, '../..')

type Mark = Partial<Omit<TestFile, 'file'>>

function fixture(name: string, marks: Mark = {}): TestFile {
  const file = `scripts/testing/fixtures/${name}.ts`
  return { file, ownProcess: false, waits: false, programs: false, expectedSeconds: 1, ...marks }
}

/** Runs fixtures one after another in one lane; their results by name. */
async function ran(names: readonly (string | [name: string, marks: Mark])[], fileTimeoutMs = 30_000) {
  const results = new Map<string, FileResult>()
  const files = names.map(entry => (typeof entry === 'string' ? fixture(entry) : fixture(...entry)))
  await runInLanes(files, {
    root,
    busyLanes: 1,
    waitingLanes: 0,
    fileTimeoutMs,
    signal: new AbortController().signal,
    onResult: (file, result) => void results.set(file.replace(/^.*\/(\w+)\.ts$/, '$1'), result),
  })
  assert.equal(results.size, names.length)
  return (name: string) => (results.get(name) as FileResult).outcome
}

const counts = ({ passed, failed, skipped }: { passed: number; failed: number; skipped: string[] }) => ({
  passed,
  failed,
  skipped: skipped.length,
})

test('files share a process, each with its own hooks and its own outcome', async () => {
  const of = await ran([
    'passes',
    'fails',
    'does_not_load',
    'holds_none',
    'skips_suite',
    'process_id',
    'process_id_too',
  ])
  assert.deepEqual(counts(of('passes')), { passed: 1, failed: 0, skipped: 1 })
  assert.deepEqual(of('passes').skipped, ['scripts/testing/fixtures/passes.ts: is skipped (for a reason)'])
  assert.deepEqual(counts(of('fails')), { passed: 1, failed: 1, skipped: 0 })
  assert.deepEqual(of('skips_suite'), {
    ...of('skips_suite'),
    failed: 0,
    skipped: ['scripts/testing/fixtures/skips_suite.ts: a suite (no peer)'],
  })
  assert.match(of('fails').faults.join(), /fails\.ts: fails\n {4}AssertionError.*one is not two/)
  assert.match(of('does_not_load').faults.join(), /no such thing/)
  assert.match(of('holds_none').faults.join(), /holds no test/)
  assert.equal(of('process_id').passed, 1)
})

test('a file that ends its process or never ends fails by name, and those after it run', async () => {
  const of = await ran(['ends_process', 'passes', 'hangs', 'process_id'], 3_000)
  assert.deepEqual(counts(of('ends_process')), { passed: 1, failed: 1, skipped: 0 })
  assert.match(of('ends_process').faults.join(), /It ended its process \(exit code 3\).* was "ends the process"/)
  assert.deepEqual(counts(of('hangs')), { passed: 0, failed: 1, skipped: 0 })
  assert.match(of('hangs').faults.join(), /did not end within 3 s.* was "hangs"/)
  assert.match(of('hangs').faults.join(), /It used \d+ % of a processor.*It was at:\s.*hangs\.ts:7/s)
  assert.deepEqual(counts(of('passes')), { passed: 1, failed: 0, skipped: 1 })
  assert.deepEqual(counts(of('process_id')), { passed: 1, failed: 0, skipped: 0 })
})

test('what a file leaves behind for others is its own failure', async () => {
  const of = await ran(['stays_open', 'changes_all', 'throws_late', 'passes'])
  assert.match(of('stays_open').faults.join(), /TCPSERVERWRAP stayed open/i)
  assert.match(of('changes_all').faults.join(), /process\.env\.TANDEM_FIXTURE was changed/)
  assert.match(of('throws_late').faults.join(), /too late/)
  assert.deepEqual(counts(of('passes')), { passed: 1, failed: 0, skipped: 1 })
})

test('a file that moves its clock far ahead leaves no ids that stand still to those after it', async () => {
  const of = await ran(['moves_clock', 'makes_ids'])
  assert.deepEqual(of('makes_ids').faults, [])
  assert.deepEqual(counts(of('moves_clock')), { passed: 1, failed: 0, skipped: 0 })
})

test('a file with a process of its own fails when that does not end', async () => {
  const own = { ownProcess: true }
  const of = await ran([
    ['stays_open', own],
    ['passes', own],
  ])
  assert.match(of('stays_open').faults.join(), /stayed open|did not end by itself/)
  assert.deepEqual(counts(of('passes')), { passed: 1, failed: 0, skipped: 1 })
})

test('the longest file comes first', async () => {
  const order: string[] = []
  await runInLanes(
    ['passes', 'process_id', 'process_id_too'].map((name, index) => fixture(name, { expectedSeconds: index })),
    {
      root,
      busyLanes: 1,
      waitingLanes: 0,
      fileTimeoutMs: 30_000,
      signal: new AbortController().signal,
      onResult: file => void order.push(file.replace(/^.*\//, '')),
    },
  )
  assert.deepEqual(order, ['process_id_too.ts', 'process_id.ts', 'passes.ts'])
})

test('only a file marked with programs is run again, alone; what it failed with is kept', async () => {
  const options = {
    root,
    busyLanes: 2,
    waitingLanes: 0,
    fileTimeoutMs: 30_000,
    signal: new AbortController().signal,
    onResult() {},
  }
  const twice = async (files: readonly TestFile[]) => {
    const outcomes = await runInLanes(files, options)
    const beside = await runAgainAlone(files, outcomes, options)
    return { beside: beside.join(), failed: [...outcomes.values()].reduce((sum, { failed }) => sum + failed, 0) }
  }
  const programs = { programs: true }
  const late = await twice([fixture('passes', programs), fixture('fails_first', programs)])
  assert.equal(late.failed, 0)
  assert.match(late.beside, /fails_first\.ts: fails the first time\n.*too slow beside others/)
  assert.deepEqual(await twice([fixture('fails', programs)]), { beside: '', failed: 1 })
  // Not run again: the next time is its second.
  assert.deepEqual(await twice([fixture('fails_first')]), { beside: '', failed: 1 })
  assert.deepEqual(await twice([fixture('fails_first')]), { beside: '', failed: 0 })
})

test('marks are read from the head of a file, and a misspelt one is refused', () => {
  const none = { ownProcess: false, waits: false, programs: false }
  assert.deepEqual(marksIn('// What it is for.\n// test: own process\nimport {}'), { ...none, ownProcess: true })
  const both = { ownProcess: true, waits: true, programs: false }
  assert.deepEqual(marksIn('// What it is for.\n// test: own process, waits\n'), both)
  assert.deepEqual(marksIn('// What it is for.\n// test: programs\n'), { ...none, programs: true })
  assert.deepEqual(marksIn('import {}\n// test: waits\n'), none)
  assert.throws(() => marksIn('// test: alone\n'), /"\/\/ test: alone" means nothing/)
})
