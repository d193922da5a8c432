// What crash runs are made of and what is reported of them at the end: so that a claim can be read from their last lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRuns, pointsOf } from './plan.ts'
import { addVerdict, breachOf, emptyTally, tallyLines } from './tally.ts'

const faults = [
  { kind: 'kill_database' },
  { kind: 'die_at', point: 'accept.taken' },
  { kind: 'die_at', point: 'claim.committed' },
] as const
const kills = { faults: [{ kind: 'kill', role: 'api' } as const, { kind: 'kill', role: 'worker' } as const], calmMs: 5 }
const plan = (wanted: { rounds?: number; kills?: number; points?: number }) =>
  planRuns<(typeof faults)[number] | (typeof kills.faults)[number]>(faults, kills, {
    seed: 7,
    rounds: 0,
    kills: 0,
    points: 0,
    ...wanted,
  })

test('a hundred kills are a hundred, half of each process, checked after twenty-five', () => {
  const runs = plan({ kills: 100 })
  assert.deepEqual(
    runs.map(run => [run.seed, run.faults.length, run.calmMs]),
    [7, 8, 9, 10].map(seed => [seed, 25, 5]),
  )
  const all = runs.flatMap(run => run.faults)
  assert.equal(all.filter(fault => 'role' in fault && fault.role === 'api').length, 50)
  assert.equal(all.filter(({ kind }) => kind === 'kill').length, 100)
  assert.deepEqual(
    plan({ kills: 7 }).map(run => run.faults.length),
    [7],
  )
})

test('three deaths at each named place are three of each, and nothing else; a round has every fault', () => {
  const all = plan({ points: 3 }).flatMap(run => run.faults)
  assert.equal(all.length, 6)
  for (const point of pointsOf(faults))
    assert.equal(all.filter(fault => 'point' in fault && fault.point === point).length, 3)
  assert.deepEqual(
    plan({ rounds: 2 }).map(run => run.faults.length),
    [3, 3],
  )
  assert.deepEqual(
    plan({ rounds: 1, points: 1 }).map(run => run.seed),
    [7, 8],
  )
})

test('a broken promise is reported as lost, doubled or false', () => {
  const reported = {
    lost: [
      'r1w5 was acknowledged as msg_1, and is lost',
      'the text t1x2 was never acknowledged',
      'message.sent of msg_1 (evt_1) was never delivered',
      'r1w5 has not come to its end: it is sending',
      'r1w5 is sent, but its receipt (delivered) was acknowledged',
      'left over: 2 call_jobs',
    ],
    doubled: [
      'r1w5 is there 2 times: msg_1 msg_2',
      'r1w5 was submitted 2 times (accepted, silent)',
      'r1w5 was acknowledged under msg_1 and msg_2',
      'outbound +1 from +2 (call_1, normal): was dialled 2 times at waits: a b',
      'outbound +1 from +2 (call_1, null): was dialled at 2 carriers, and rerouted 0 times',
      'msg_1 ended 2 times',
    ],
    false: [
      'r1w5 is delivered by its row, but the carrier never said so',
      'outbound +1 from +2 (call_1, node_lost): is lost, but nothing had died',
      'outbound +1 from +2 (call_1, normal): is completed, but nobody has picked up',
    ],
  }
  for (const [breach, violations] of Object.entries(reported))
    for (const violation of violations) assert.equal(breachOf(violation), breach, violation)
})

test('the last lines report deaths, places that nothing died at, and what was broken', () => {
  const tally = emptyTally()
  const verdict = { violations: ['msg_1 ended 2 times'], counts: { intents: 40, 'ms to the slowest INVITE': 7 } }
  addVerdict(tally, {
    ...verdict,
    deaths: { kills: { api: 3, worker: 2, database: 1 }, points: { 'accept.taken': 2 } },
  })
  addVerdict(tally, {
    ...verdict,
    deaths: { kills: { api: 1, worker: 0, database: 0 }, points: { 'accept.taken': 1 } },
  })
  assert.deepEqual(tallyLines(tally, pointsOf(faults)), [
    'runs             2',
    'kill -9          6 (api 4, worker 2); of the database 1',
    'at named places  3: 1 of 2 places, each at least 0 times',
    '                 accept.taken 3, claim.committed 0',
    'seen             intents 80, ms to the slowest INVITE 7',
    'broken           0 lost, 2 doubled, 0 false',
  ])
})
