// The range of times that a list is asked for: days and local times of the organization, bounds that are met exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bounds, rangeOf } from './moments.ts'

const range = (bounds: Bounds) => rangeOf(bounds, 'Europe/Berlin')

test('a date is a whole day in the time zone of the organization, a time without offset local time there', () => {
  const day = '2026-07-01'
  assert.deepEqual(range({ gte: day, lte: day }), {
    from: '2026-06-30T22:00:00.000Z',
    before: '2026-07-01T22:00:00.000Z',
  })
  assert.deepEqual(range({ gt: day, lt: '2026-07-03' }), {
    from: '2026-07-01T22:00:00.000Z',
    before: '2026-07-02T22:00:00.000Z',
  })
  // The night in which clocks go forward has no 02:30; the day has 23 hours.
  assert.deepEqual(range({ gte: '2026-03-29', lte: '2026-03-29' }), {
    from: '2026-03-28T23:00:00.000Z',
    before: '2026-03-29T22:00:00.000Z',
  })
  assert.equal(range({ gte: '2026-01-01T12:00' }).from, '2026-01-01T11:00:00.000Z')
  assert.equal(range({ gte: '2026-01-01T12:00:00+05:30' }).from, '2026-01-01T06:30:00.000Z')
})

test('bounds are met exactly, the narrower of two counts, and none leaves the years of the database', () => {
  const moment = '2026-01-01T00:00:00.123Z'
  assert.equal(range({ gt: moment }).from, '2026-01-01T00:00:00.124Z')
  assert.equal(range({ lte: moment }).before, '2026-01-01T00:00:00.124Z')
  assert.equal(range({ lt: moment }).before, moment)
  assert.equal(range({ gte: '2026-02-02T00:00:00Z', gt: moment }).from, '2026-02-02T00:00:00.000Z')
  assert.deepEqual(range({ gte: '0000-01-01', lte: '9999-12-31' }), {
    from: '0001-01-02T00:00:00.000Z',
    before: '9999-12-31T00:00:00.000Z',
  })
  assert.deepEqual(range({}), {})
})
