// A short slice of `npm run crash`: each kind of death once, under load, and nothing is lost or doubled. That the harness notices
// what is: caught.test.ts.
// test: waits, programs
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Fault, runScenario } from './scenario.ts'

const root = join(import.meta.dirname, '../../..')

const faults: readonly Fault[] = [
  { kind: 'die_at', role: 'api', point: 'accept.committed', passes: 10 },
  { kind: 'cut_links' },
  { kind: 'die_at', role: 'worker', point: 'submit.written', passes: 3 },
  { kind: 'webhooks_down', forMs: 500 },
  { kind: 'worker_stalls', forMs: 4_000 },
  { kind: 'kill_database' },
  { kind: 'kill', role: 'worker' },
]

test('processes, database and links die under load: nothing is lost, nothing doubled', async t => {
  const { violations, counts } = await runScenario({ tree: root, seed: 1, faults, log: line => t.diagnostic(line) })
  assert.deepEqual(violations, [])
  assert.ok(counts['delivered']! > 50, 'too little was carried for the run to mean anything')
})
