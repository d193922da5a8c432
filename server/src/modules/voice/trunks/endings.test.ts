// What SIP statuses and Q.850 causes make of a call, row by row of the table in the documentation.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hangupCauses } from '../call_records/rules.ts'
import { endOfStatus, type FinalResponse, mayFailOver } from './endings.ts'

const response = (sipStatus: number | null, more: Partial<FinalResponse> = {}): FinalResponse => ({
  sipStatus,
  heard18x: false,
  ...more,
})

const endOf = (sipStatus: number | null, more: Partial<FinalResponse> = {}) => {
  const { cause, by } = endOfStatus(response(sipStatus, more))
  return `${hangupCauses[cause].state} ${cause} ${by} ${mayFailOver(response(sipStatus, more)) ? 'yes' : 'no'}`
}

describe('a status alone', () => {
  const rows: [statuses: (number | null)[], before18x: string, after18x?: string][] = [
    [[486, 600], 'busy user_busy callee no'],
    [[480], 'no_answer no_answer callee no'],
    [[603, 607, 608], 'rejected declined callee no'],
    [[401, 403, 407], 'failed trunk_rejected carrier yes', 'failed trunk_rejected carrier no'],
    [[402, 400, 420, 302, 482], 'failed trunk_rejected carrier no'],
    [[404, 604], 'failed unallocated carrier no'],
    [[410], 'failed number_changed carrier no'],
    [[484, 485, 416], 'failed bad_format carrier no'],
    [[488, 415], 'failed codec_mismatch carrier yes', 'failed codec_mismatch carrier no'],
    [[606], 'failed codec_mismatch carrier no'],
    [[428, 433, 438], 'failed caller_id_not_allowed carrier no'],
    [[500, 501, 502, 504, 513], 'failed network carrier yes', 'failed network carrier no'],
    [[503], 'failed congestion carrier yes', 'failed congestion carrier no'],
    [[408, null], 'failed network carrier yes', 'no_answer no_answer callee no'],
    [[487], 'failed network carrier no'],
  ]
  for (const [statuses, before, after = before] of rows) {
    for (const status of statuses)
      test(`${status ?? 'silence'} is ${before}`, () => {
        assert.equal(endOf(status), before)
        assert.equal(endOf(status, { heard18x: true }), after)
      })
  }
})

describe('a Q.850 cause goes before the status', () => {
  const rows: [q850: number, status: number, expected: string][] = [
    [17, 503, 'busy user_busy callee no'],
    [1, 480, 'failed unallocated carrier no'],
    [34, 480, 'failed congestion carrier yes'],
    [42, 503, 'failed congestion carrier yes'],
    [38, 503, 'failed network carrier yes'],
    [3, 404, 'failed network carrier yes'],
    [22, 404, 'failed number_changed carrier no'],
    [28, 404, 'failed bad_format carrier no'],
    [18, 408, 'no_answer no_answer callee no'],
    [20, 480, 'no_answer no_answer callee no'],
    [21, 480, 'rejected declined callee no'],
    [21, 603, 'rejected declined callee no'],
    [65, 503, 'failed codec_mismatch carrier yes'],
    [102, 504, 'failed network carrier yes'],
  ]
  for (const [q850, status, expected] of rows)
    test(`${q850} with ${status} is ${expected}`, () => assert.equal(endOf(status, { q850 }), expected))

  test('but not where it says nothing, or means something else', () => {
    for (const q850 of [16, 30, 31, 127, 0, 999]) assert.equal(endOf(486, { q850 }), 'busy user_busy callee no')
    assert.equal(endOf(403, { q850: 21 }), 'failed trunk_rejected carrier yes')
    assert.equal(endOf(407, { q850: 21 }), 'failed trunk_rejected carrier yes')
  })

  test('and is kept as it was said', () => {
    assert.deepEqual(endOfStatus(response(503, { q850: 42 })), {
      cause: 'congestion',
      by: 'carrier',
      sipCode: 503,
      q850: 42,
    })
    assert.equal(endOfStatus(response(486, { q850: 16 })).q850, 16)
    assert.equal(endOfStatus(response(486)).q850, undefined)
    assert.equal(endOfStatus(response(486, { q850: 200 })).q850, undefined)
    assert.equal(endOfStatus(response(null)).sipCode, null)
  })
})

test('what we canceled is canceled, unless the remote party was quicker', () => {
  const canceled = { canceled: true, heard18x: true }
  assert.equal(endOf(487, canceled), 'canceled canceled caller no')
  assert.equal(endOf(487, { ...canceled, q850: 16 }), 'canceled canceled caller no')
  assert.equal(endOf(null, canceled), 'canceled canceled caller no')
  assert.equal(endOf(486, canceled), 'busy user_busy callee no')
  assert.equal(mayFailOver(response(503, { canceled: true })), false)
})

test('no other trunk is tried once a phone can have rung, or for what lies with the callee', () => {
  const any = fc.record({
    sipStatus: fc.option(fc.integer({ min: 300, max: 699 })),
    q850: fc.option(fc.integer({ min: 0, max: 130 })),
    heard18x: fc.boolean(),
    canceled: fc.boolean(),
  })
  fc.assert(
    fc.property(any, last => {
      const { cause } = endOfStatus(last)
      assert.ok(Object.hasOwn(hangupCauses, cause))
      assert.notEqual(hangupCauses[cause].state, 'completed')
      if (mayFailOver(last)) {
        assert.ok(!last.heard18x && !last.canceled)
        assert.equal(hangupCauses[cause].state, 'failed')
      }
    }),
  )
})
