// The oracle of times: an end that nobody could hear is none of the server's faults; one that it ignored is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CallRow } from './call_row.ts'
import type { RemoteCall } from './sipp.ts'
import { faultsOfTimes, type Troubles } from './times.ts'
import { hastyPatience } from './world.ts'

const startMs = Date.UTC(2026, 10, 22)
const row = {
  state: 'completed',
  cause: 'normal',
  createdMs: startMs,
  dialedMs: null,
  answeredMs: startMs,
  endedMs: startMs + 60_000,
} as unknown as CallRow
const call = {
  isInbound: true,
  answeredMs: startMs,
  acknowledgedMs: startMs,
  bye: { ms: startMs + 100, isOurs: false },
  byes: 1,
  byeAnsweredMs: undefined,
} as unknown as RemoteCall
const calm: Troubles = {
  patience: hastyPatience,
  deaths: [],
  database: [],
  cuts: [],
  weathers: [],
  reporting: [],
  asking: [],
  seeing: [],
}
const weathers = [{ fromMs: startMs - 500, toMs: startMs + 1_000 }]

test('a BYE that was sent once and got lost is not held against the server', () => {
  assert.deepEqual(faultsOfTimes(row, [call], 60, { ...calm, weathers }), [])
})

test('a BYE that was repeated, answered, or sent while nothing was lost, is', () => {
  for (const [seen, troubles] of [
    [
      { ...call, byes: 4 },
      { ...calm, weathers },
    ],
    [
      { ...call, byeAnsweredMs: startMs + 120 },
      { ...calm, weathers },
    ],
    [call, calm],
  ] as const) {
    assert.match(faultsOfTimes(row, [seen], 60, troubles).join(), /the end is 59\d{3} ms behind that of the/)
  }
})
