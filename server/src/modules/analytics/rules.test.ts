// The time axis: buckets follow each other without gap or overlap, cover what was asked, and are hours and days of the
// tenant's clocks, on days of 23 and 25 hours too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoMs } from '../../kernel/values/clock.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { presentAxis, type RangeInput, timeAxis } from './rules.ts'

const now = Date.parse('2026-11-21T10:20:00Z')
const limits = { maxDays: 400 }
const axis = (range: RangeInput, zone = 'UTC', maxDays = 400) => presentAxis(timeAxis(range, zone, now, { maxDays }))

test('without a word it is the last 24 hours, the present one included', () => {
  const { after, before, interval, buckets } = axis({})
  assert.deepEqual([after, before, interval], ['2026-11-20T11:00:00.000Z', '2026-11-21T11:00:00.000Z', 'hour'])
  assert.equal(buckets.length, 24)
  assert.deepEqual(axis({ interval: 'day' }, 'Europe/Berlin').buckets, ['2026-11-20T23:00:00.000Z'])
})

test('a long stretch is reported by days unless hours are asked for', () => {
  assert.equal(axis({ after: '2026-11-15' }).interval, 'hour')
  assert.equal(axis({ after: '2026-11-13' }).interval, 'day')
  assert.equal(axis({ after: '2026-11-01', interval: 'hour' }).buckets.length, 20 * 24 + 11)
})

test('bounds are moved out to whole hours and days; a date is a day of the zone', () => {
  const hours = axis({ after: '2026-11-21T07:59:59Z', before: '2026-11-21T09:00:00.001Z' })
  assert.deepEqual([hours.after, hours.before], ['2026-11-21T07:00:00.000Z', '2026-11-21T10:00:00.000Z'])
  const exact = axis({ after: '2026-11-21T07:00:00Z', before: '2026-11-21T09:00:00Z' })
  assert.equal(exact.buckets.length, 2)
  const days = axis({ after: '2026-11-19', before: '2026-11-21', interval: 'day' }, 'Asia/Kolkata')
  assert.deepEqual(days.buckets, ['2026-11-18T18:30:00.000Z', '2026-11-19T18:30:00.000Z'])
  assert.equal(days.before, '2026-11-20T18:30:00.000Z')
})

test('days have 23 and 25 hours where the clocks change, and hours occur twice', () => {
  const length = (date: string, next: string, zone: string) => {
    const { after, before, buckets } = axis({ after: date, before: next, interval: 'day' }, zone)
    assert.equal(buckets.length, 1)
    const hours = axis({ after: date, before: next, interval: 'hour' }, zone).buckets
    return [(Date.parse(before) - Date.parse(after)) / 3_600_000, hours.length]
  }
  assert.deepEqual(length('2026-03-29', '2026-03-30', 'Europe/Berlin'), [23, 23])
  assert.deepEqual(length('2026-10-25', '2026-10-26', 'Europe/Berlin'), [25, 25])
  // Lord Howe moves its clocks by half an hour.
  assert.deepEqual(length('2026-10-04', '2026-10-05', 'Australia/Lord_Howe'), [23.5, 24])
  assert.deepEqual(length('2026-04-05', '2026-04-06', 'Australia/Lord_Howe'), [24.5, 25])
})

test('buckets rise, touch, and hold the stretch, in any zone', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia']
  const start = fc.integer({ min: Date.parse('2025-10-20'), max: Date.parse('2026-10-20') })
  const length = fc.integer({ min: 1, max: 30 * 86_400_000 })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('hour', 'day'),
      start,
      length,
      (zone, interval, from, ms) => {
        const range = { after: isoMs(from), before: isoMs(from + ms), interval } as const
        const { bounds } = timeAxis(range, zone, now, limits)
        const longest = interval === 'hour' ? 3_600_000 : 25 * 3_600_000
        assert.ok(bounds[0]! <= from && bounds.at(-1)! >= from + ms)
        assert.ok(from - bounds[0]! < longest && bounds.at(-1)! - (from + ms) < longest)
        for (const [index, bound] of bounds.entries()) {
          if (index > 0) assert.ok(bound > bounds[index - 1]! && bound - bounds[index - 1]! <= longest)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a stretch that is empty, turned round or too long is refused', () => {
  const refused: [RangeInput, number][] = [
    [{ after: '2026-11-22' }, 400],
    [{ after: '2026-11-20', before: '2026-11-20' }, 400],
    [{ after: '2026-11-20', before: '2026-11-19' }, 400],
    [{ after: '2025-10-01' }, 400],
    [{ after: '2026-08-01', before: '2026-11-20' }, 92],
    [{ after: '2026-10-01', interval: 'hour' }, 400],
  ]
  for (const [range, maxDays] of refused) {
    const isReported = (error: unknown) => error instanceof Problem && error.details?.[0]?.field === 'after'
    assert.throws(() => axis(range, 'UTC', maxDays), isReported, JSON.stringify(range))
  }
  assert.equal(axis({ after: '2025-10-18', interval: 'day' }).buckets.length, 400)
  assert.equal(
    axis({ after: '2026-08-20', before: '2026-11-20', interval: 'day' }, 'Europe/Berlin', 92).buckets.length,
    92,
  )
})
