/**
 * Guards the benches' frame: subjects take turns, no request number is used twice, and a lost row cannot pass unseen.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durabilityCheck } from './durability.ts'
import type { LoadResult } from './load.ts'
import { runRounds, summarizeRuns, summaryTable } from './rounds.ts'
import { startFloor } from './servers.ts'

test('subjects are loaded in turns, with numbers that never repeat on one server', async t => {
  const server = await startFloor()
  t.after(() => server.stop())
  const template = { method: 'GET', path: '/v1/api/finance/invoices?page={{n:5}}1' }
  const seen: LoadResult[] = []
  const check = async (result: LoadResult) => {
    seen.push(result)
    return `${result.succeeded} fine`
  }
  const subjects = [
    { name: 'one', server, template },
    { name: 'two', server, template, check },
  ]
  const lines: string[] = []
  const pace = { rounds: 2, seconds: 0.3, warmupSeconds: 0.1, connections: 4 }
  const runs = await runRounds(subjects, pace, line => lines.push(line))
  assert.deepEqual(
    runs.map(({ round, subject }) => `${round} ${subject}`),
    ['1 one', '1 two', '2 one', '2 two'],
  )
  assert.equal(lines.length, 4)
  let previous = 0
  for (const { load } of runs) {
    assert.equal(load.nextN - previous, load.succeeded, 'numbers go on where the run before stopped')
    assert.equal(load.unexpected + load.unknown, 0)
    previous = load.nextN
  }
  assert.deepEqual(
    seen,
    [runs[1]!, runs[3]!].map(run => run.load),
  )
  const [one, two] = summarizeRuns(runs)
  assert.equal(one!.ratio, 1)
  assert.deepEqual(
    two!.ratios,
    [1, 3].map(i => runs[i]!.load.requestsPerSecond / runs[i - 1]!.load.requestsPerSecond),
  )
  assert.equal(two!.checks.length, 2)
  if (process.platform === 'linux') assert.ok(one!.serverUs! > 0 && one!.pssBytes! > 1e6)
  assert.equal(summaryTable([one!, two!]).split('\n').length, 4)
})

test('an acknowledged row that is missing, or a row that was acknowledged to nobody, fails the run', async () => {
  let rows = 7
  const check = await durabilityCheck('messages', async () => rows)
  const after = (added: number, succeeded: number, unknown = 0) => {
    rows += added
    return check({ succeeded, unknown } as LoadResult)
  }
  assert.equal(await after(1000, 1000), '1,000 new rows in messages for 1,000 answers 2xx')
  await after(12, 10, 3)
  await assert.rejects(after(9, 10, 3), /Lost/)
  await assert.rejects(after(11, 10), /Doubled/)
})
