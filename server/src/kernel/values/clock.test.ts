// Guards: the cached local date equals what a calendar library says, in every zone, on both sides of every clock
// change and in any order of asking; date strings are real dates; day arithmetic is exact.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addDays, dateIn, dayStartIn, hourStartIn, isDate, isoMs, isTimeZone, systemClock, yearIn } from './clock.ts'

const slowDate = (zone: string, ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString()

// Zones whose changes fall on midnight, skip a whole day, move by half an hour, or repeat a minute of the next day.
const zoneNames = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Etc/GMT+12',
]
const instant = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) })

test('dateIn agrees with Temporal for any zones and instants, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...zoneNames), instant), { minLength: 1, maxLength: 30 }), asked => {
      for (const [zone, ms] of asked) assert.equal(dateIn(zone, ms), slowDate(zone, ms), `${zone} ${isoMs(ms)}`)
    }),
    { numRuns: 400 },
  )
})

test('dateIn agrees with Temporal around every clock change and every midnight near it', () => {
  for (const zone of zoneNames) {
    let change = Temporal.Instant.fromEpochMilliseconds(Date.UTC(1985, 0, 1)).toZonedDateTimeISO(zone)
    for (let i = 0; i < 60; i++) {
      const next = change.getTimeZoneTransition('next')
      if (next === null || next.epochMilliseconds > Date.UTC(2040, 0, 1)) break
      change = next
      for (const offset of [
        0, -86_400_000, -3_600_000, -60_000, -1, 0, 1, 59_999, 60_000, 3_599_999, 3_600_000, 86_400_000,
      ]) {
        const ms: number = next.epochMilliseconds + offset
        assert.equal(dateIn(zone, ms), slowDate(zone, ms), `${zone} ${isoMs(ms)}`)
      }
    }
  }
})

test('the year is the one of the zone, not of UTC', () => {
  const newYearUtc = Date.UTC(2027, 0, 1)
  assert.equal(yearIn('UTC', newYearUtc), 2027)
  assert.equal(yearIn('America/New_York', newYearUtc), 2026)
  assert.equal(yearIn('Asia/Tokyo', newYearUtc - 1), 2027)
  assert.throws(() => dateIn('Mars/Olympus', newYearUtc), RangeError)
})

test('isTimeZone takes IANA names in their spelling only', () => {
  for (const name of [...zoneNames, 'US/Pacific', 'EST']) assert.equal(isTimeZone(name), true, name)
  for (const name of [
    '',
    '+01:00',
    '-0500',
    'Z',
    'utc',
    'europe/berlin',
    'Europe/Atlantis',
    'Europe/Berlin ',
    'E'.repeat(99),
  ])
    assert.equal(isTimeZone(name), false, name)
})

test('isDate accepts exactly the real calendar dates', () => {
  for (const s of ['2026-02-28', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
    assert.equal(isDate(s), true, s)
  for (const s of ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01'])
    assert.equal(isDate(s), false, s)
  for (const s of ['', '2026-1-01', '2026/01/01', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '٢٠٢٦-٠١-٠١'])
    assert.equal(isDate(s), false, s)
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(14), fc.nat(33), (y, m, d) => {
      const s = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
      let real = y > 0
      try {
        Temporal.PlainDate.from(s)
      } catch {
        real = false
      }
      assert.equal(isDate(s), real, s)
    }),
    { numRuns: 2000 },
  )
})

test('addDays is exact and undone by its opposite', () => {
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
  assert.equal(addDays('0050-01-01', 0), '0050-01-01')
  const date = fc.date({ min: new Date('1000-01-01'), max: new Date('3000-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(date, fc.integer({ min: -50_000, max: 50_000 }), (at, days) => {
      const start = isoMs(at.getTime()).slice(0, 10)
      const moved = addDays(start, days)
      assert.equal(moved, Temporal.PlainDate.from(start).add({ days }).toString())
      assert.equal(addDays(moved, -days), start)
    }),
  )
  assert.throws(() => addDays('2026-02-30', 1), RangeError)
  assert.throws(() => addDays('2026-02-01', 0.5), RangeError)
  assert.throws(() => addDays('9999-12-31', 1), RangeError)
})

test('an hour begins where clocks show :00, and holds its instant, in every zone', () => {
  const at = fc.integer({ min: Date.parse('1980-01-01'), max: Date.parse('2040-01-01') })
  fc.assert(
    fc.property(fc.constantFrom(...zoneNames), at, (zone, ms) => {
      const start = hourStartIn(zone, ms)
      assert.ok(start <= ms && ms - start < 3_600_000)
      const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
      assert.equal((start + offsetNanoseconds / 1e6) % 3_600_000, 0)
    }),
    { numRuns: 1000 },
  )
  assert.equal(isoMs(hourStartIn('Asia/Kolkata', Date.parse('2026-11-21T10:29:59Z'))), '2026-11-21T09:30:00.000Z')
})

test('a day begins at its first instant, also where midnight is skipped', () => {
  assert.equal(isoMs(dayStartIn('Europe/Berlin', '2026-03-29')), '2026-03-28T23:00:00.000Z')
  assert.equal(isoMs(dayStartIn('Europe/Berlin', '2026-03-30')), '2026-03-29T22:00:00.000Z')
  // Chile's clocks go from 23:59:59 to 01:00.
  assert.equal(isoMs(dayStartIn('America/Santiago', '2026-09-06')), '2026-09-06T04:00:00.000Z')
})

test('the system clock returns milliseconds, written with three digits', () => {
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 1000)
  assert.equal(isoMs(0), '1970-01-01T00:00:00.000Z')
  const anyMs = fc.oneof(
    fc.integer({ min: -120_000, max: 120_000 }),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.double({ min: -1e13, max: 1e13, noNaN: true }),
  )
  // The last one asked for makes the next of its minute.
  const near = fc.tuple(anyMs, fc.array(fc.integer({ min: -90_000, max: 90_000 }), { maxLength: 5 }))
  fc.assert(
    fc.property(near, ([ms, steps]) => {
      for (const step of [0, ...steps]) {
        const at = ms + step
        if (Math.abs(at) <= 8.64e15) assert.equal(isoMs(at), new Date(at).toISOString())
      }
    }),
  )
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1]) assert.throws(() => isoMs(none), RangeError)
})
