// A slice of `npm run fuzz` for those kinds that have no tests of their own beside what they attack.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpFuzz } from './fuzz/http.ts'
import { isClean, runFuzz } from './fuzz/runner.ts'
import { sdpFuzz } from './fuzz/sdp.ts'
import { sipFuzz } from './fuzz/sip.ts'
import { smppFuzz } from './fuzz/smpp.ts'

const slices = [
  [httpFuzz, 500],
  [sipFuzz, 2_000],
  [sdpFuzz, 5_000],
  [smppFuzz, 2_000],
] as const

for (const [kind, count] of slices)
  test(`${kind.name}: ${kind.description}, leave what they attack as it was`, async context => {
    const seed = 1 + (Date.now() % 1e6)
    const report = await runFuzz(kind, { seed, from: 0, count, log: line => context.diagnostic(line) })
    assert.ok(isClean(report), `seed ${seed}: ${JSON.stringify(report)}`)
    assert.equal(report.inputs, count)
  })
