// The stretches of time that a day begins with: by the calendar of the organization, also where clocks change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoMs } from '../../../kernel/values/clock.ts'
import { stretchesOf } from './rules.ts'

const shown = (timeZone: string, now: string) => {
  const { today, yesterdayMs, weekMs, weekBeforeMs, weekBeforeUntilMs } = stretchesOf(timeZone, Date.parse(now))
  return [today, ...[yesterdayMs, weekMs, weekBeforeMs, weekBeforeUntilMs].map(isoMs)]
}

test('the week begins on Monday, and is compared with the one before by the same moment', () => {
  assert.deepEqual(shown('UTC', '2026-11-26T15:30:00Z'), [
    '2026-11-26',
    '2026-11-25T00:00:00.000Z',
    '2026-11-23T00:00:00.000Z',
    '2026-11-16T00:00:00.000Z',
    '2026-11-19T15:30:00.000Z',
  ])
  // On a Sunday evening in New York it is Monday already by UTC.
  assert.deepEqual(shown('America/New_York', '2026-11-30T03:00:00Z'), [
    '2026-11-29',
    '2026-11-28T05:00:00.000Z',
    '2026-11-23T05:00:00.000Z',
    '2026-11-16T05:00:00.000Z',
    '2026-11-23T03:00:00.000Z',
  ])
})

test('where the clocks went back this week, the same time by the clock is meant', () => {
  // Berlin, 25 October 2026.
  assert.deepEqual(shown('Europe/Berlin', '2026-10-26T12:00:00Z').slice(2), [
    '2026-10-25T23:00:00.000Z',
    '2026-10-18T22:00:00.000Z',
    '2026-10-19T11:00:00.000Z',
  ])
  // The last hour of the day that has 25 of them has no counterpart: it is compared with the whole day.
  assert.equal(shown('Europe/Berlin', '2026-10-25T22:30:00Z')[4], '2026-10-18T22:00:00.000Z')
})
