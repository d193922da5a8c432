// Guards: which moments are offered, which base backup leads there, what is removed and when a new one is due, by names alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BaseFile, baseFileName, nextSegment, readBaseFileName, readWalFileName, walFileName } from './names.ts'
import { chainsOf, chainTo, isBaseDue, needless, type Shelf, windowsOf } from './windows.ts'

const hourMs = 3_600_000
const t0 = Date.parse('2026-11-27T00:00:00Z')
const at = (hours: number) => t0 + hours * hourMs

const segment = (timeline: number, number: number) => {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return `${hex(timeline)}${hex(Math.floor(number / 256))}${hex(number % 256)}`
}

/** A segment an hour, from one hour to another: number 7 is finished at 7. */
const wal = (timeline: number, from: number, to: number, without: readonly number[] = []) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
    .filter(number => !without.includes(number))
    .map(number => {
      const parts = { wal: segment(timeline, number), atMs: at(number), sum: '0123456789abcdef', isSealed: false }
      return readWalFileName(walFileName(parts))!
    })

/** Made in half an hour of the segment after `hour`. */
function base(timeline: number, hour: number): BaseFile {
  const name = segment(timeline, hour + 1)
  const parts = { beginMs: at(hour + 0.25), endMs: at(hour + 0.5), first: name, last: name, isSealed: true }
  return readBaseFileName(baseFileName(parts))!
}

describe('the moments of an archive', () => {
  test('names say all there is to know, and are read as they were written', () => {
    const [first] = wal(3, 256, 256)
    assert.equal(first!.file, '000000030000000100000000-20261207T160000000Z-0123456789abcdef.zst')
    assert.equal(base(1, 2).endMs, at(2.5))
    assert.equal(nextSegment('0000000100000001000000FF'), '000000010000000200000000')
    for (const name of ['x', '000000010000000000000001', `${first!.file}.part`, 'base-1.part'])
      assert.deepEqual([readWalFileName(name), readBaseFileName(name)], [undefined, undefined], name)
    for (const wal of [
      '00000002.history',
      '000000010000000000000003.partial',
      '000000010000000000000003.00000028.backup',
    ])
      assert.equal(readWalFileName(walFileName({ ...first!, wal, isSealed: true }))!.wal, wal)
  })

  test('begin with the end of a base backup and end with the last segment before a gap', () => {
    const shelf: Shelf = { bases: [base(1, 2), base(1, 26)], wal: wal(1, 1, 40, [20]) }
    assert.deepEqual(windowsOf(shelf), [
      { fromMs: at(2.5), toMs: at(19) },
      { fromMs: at(26.5), toMs: at(40) },
    ])
    assert.equal(chainTo(shelf, at(10))!.base.file, base(1, 2).file)
    assert.equal(chainTo(shelf, at(30))!.base.file, base(1, 26).file)
    for (const hour of [2.4, 19.5, 26.4, 40.1]) assert.equal(chainTo(shelf, at(hour)), undefined, String(hour))
    assert.deepEqual(
      chainsOf(shelf).map(({ missing, isBroken }) => [missing, isBroken]),
      [
        [segment(1, 20), true],
        [segment(1, 41), false],
      ],
    )
    assert.deepEqual(windowsOf({ ...shelf, wal: wal(1, 1, 40) }), [{ fromMs: at(2.5), toMs: at(40) }])
  })

  test('of a base backup whose last segment is not archived are none', () => {
    assert.deepEqual(windowsOf({ bases: [base(1, 9)], wal: wal(1, 1, 9) }), [])
    assert.deepEqual(windowsOf({ bases: [base(1, 9)], wal: wal(1, 1, 10) }), [{ fromMs: at(9.5), toMs: at(10) }])
  })

  test('are those of the timeline that was there then', () => {
    const shelf: Shelf = { bases: [base(1, 2), base(2, 14)], wal: [...wal(1, 1, 16), ...wal(2, 12, 30)] }
    assert.equal(chainTo(shelf, at(14))!.base.first, segment(1, 3))
    assert.equal(chainTo(shelf, at(15))!.base.first, segment(2, 15))
    assert.equal(chainTo(shelf, at(30))!.base.first, segment(2, 15))
  })
})

describe('what is kept', () => {
  const shelf: Shelf = { bases: [base(1, 2), base(1, 26), base(1, 50)], wal: wal(1, 1, 60) }
  const left = (nowHour: number, of = shelf) => {
    const gone = needless(of, at(nowHour), 24 * hourMs)
    return {
      bases: of.bases.filter(one => !gone.bases.includes(one)).length,
      first: of.wal.find(one => !gone.wal.includes(one))!.wal,
    }
  }

  test('leads to every moment of the last hours, and not to much more', () => {
    assert.deepEqual(left(50.4), { bases: 3, first: segment(1, 3) })
    assert.deepEqual(left(50.6), { bases: 2, first: segment(1, 27) })
    assert.deepEqual(left(75), { bases: 1, first: segment(1, 51) })
  })

  test('is all while a newer base backup is of no use yet', () => {
    const cut = { bases: shelf.bases.slice(0, 2), wal: wal(1, 1, 26) }
    assert.deepEqual(left(80, cut), { bases: 2, first: segment(1, 3) })
    assert.deepEqual(needless({ bases: [], wal: wal(1, 1, 9) }, at(100), hourMs), { bases: [], wal: [] })
  })

  test('histories of timelines stay', () => {
    const history = readWalFileName(walFileName({ ...wal(1, 1, 1)[0]!, wal: '00000002.history' }))!
    const { wal: gone } = needless({ ...shelf, wal: [history, ...shelf.wal] }, at(75), 24 * hourMs)
    assert.equal(gone.length, 50)
    assert.ok(!gone.includes(history))
  })
})

test('a base backup is due after a day, on a new timeline, and behind a segment that was lost', () => {
  const shelf: Shelf = { bases: [base(1, 2)], wal: wal(1, 1, 20) }
  assert.equal(isBaseDue({ bases: [], wal: [] }, 1, at(1)), true)
  assert.equal(isBaseDue(shelf, 1, at(20)), false)
  assert.equal(isBaseDue(shelf, 1, at(26.5)), true)
  assert.equal(isBaseDue(shelf, 2, at(20)), true)
  assert.equal(isBaseDue({ ...shelf, wal: wal(1, 1, 20, [19]) }, 1, at(18.5)), false)
  assert.equal(isBaseDue({ ...shelf, wal: wal(1, 1, 20, [18]) }, 1, at(20)), true)
})

test('a base backup is due when the root key was made since the last one began', () => {
  const shelf: Shelf = { bases: [base(1, 2)], wal: wal(1, 1, 20) }
  const { beginMs } = shelf.bases[0]!
  assert.equal(isBaseDue(shelf, 1, at(20), beginMs - 1), false)
  assert.equal(isBaseDue(shelf, 1, at(20), beginMs + 1), true)
  assert.equal(isBaseDue(shelf, 1, at(20), at(21)), false, 'of a clock that was ahead')
})
