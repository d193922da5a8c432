// Which backups stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepOf, thinnedOut } from './rotation.ts'

const named = (at: string) => ({ name: at, atMs: Date.parse(at) })

test('the newest of each day, week and month stays, of as many as are wanted', () => {
  const backups = [
    ...['2026-11-27T02:00:00Z', '2026-11-27T14:00:00Z', '2026-11-26T02:00:00Z', '2026-11-25T02:00:00Z'],
    // A Sunday, and the Monday before; the month before, and the one before that.
    ...['2026-11-22T02:00:00Z', '2026-11-16T02:00:00Z', '2026-10-31T02:00:00Z', '2026-10-01T02:00:00Z'],
    '2026-09-30T02:00:00Z',
  ].map(named)
  assert.deepEqual(thinnedOut(backups, { days: 2, weeks: 2, months: 2 }).sort(), [
    '2026-09-30T02:00:00Z',
    '2026-10-01T02:00:00Z',
    '2026-11-16T02:00:00Z',
    '2026-11-25T02:00:00Z',
    '2026-11-27T02:00:00Z',
  ])
})

test('whatever there is, the newest stays, no more than wanted stay, and a second look removes nothing', () => {
  const day = fc.integer({ min: 0, max: 3_000 })
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(1_000 * 86_400), { maxLength: 60 }),
      fc.record({ days: day, weeks: day, months: day }),
      (seconds, keep) => {
        const backups = seconds.map(second => named(new Date(second * 1_000).toISOString()))
        const gone = new Set(thinnedOut(backups, keep))
        const left = backups.filter(({ name }) => !gone.has(name))
        assert.ok(left.length <= Math.max(1, keep.days + keep.weeks + keep.months))
        const newest = backups.toSorted((a, b) => b.atMs - a.atMs)[0]
        assert.ok(newest === undefined || !gone.has(newest.name))
        assert.deepEqual(thinnedOut(left, keep), [])
      },
    ),
  )
})

test('what to keep is said in days, weeks and months', () => {
  assert.deepEqual(keepOf('7d 4w 12m'), { days: 7, weeks: 4, months: 12 })
  assert.deepEqual(keepOf('30d'), { days: 30, weeks: 0, months: 0 })
  for (const wrong of ['', '7', '0d', '7 d', '1y', 'all']) assert.equal(keepOf(wrong), undefined, wrong)
})
