// Spans of time, as they are shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanText } from './span.ts'

test('spans are shown in the units they were meant in', () => {
  assert.deepEqual([14_400, 5_400, 90, 86_400, 0].map(spanText), ['4 h', '1 h 30 min', '1 min 30 s', '1 d', '0 s'])
})
