// G.711 against the tables of the standard: decision values and quantized values, built here from the sizes of their intervals
// and not by the arithmetic of the code under test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { G711Law } from '../src/rtp/g711.ts'
import { convertG711, decodeG711, decodeSample, encodeG711, encodeSample, silenceOf } from '../src/rtp/g711.ts'

/** Tables 1a and 2a of ITU-T G.711: interval n ends where the next begins; its code is that of the positive side. */
type Interval = { from: number; to: number; value: number; code: number; negativeCode: number }

function intervals(sizes: number[], scale: number, codeOf: (n: number) => number, sign: number): Interval[] {
  let from = 0
  return sizes.map((size, n) => {
    const interval = {
      from: from * scale,
      to: (from + size) * scale,
      // The first interval of µ-law lies on both sides of zero, so its middle is zero.
      value: size === 1 ? 0 : (from + size / 2) * scale,
      code: codeOf(n),
      negativeCode: codeOf(n) ^ sign,
    }
    from += size
    return interval
  })
}

const sixteen = (size: number) => Array<number>(16).fill(size)
const aLawSizes = [2, 2, 4, 8, 16, 32, 64, 128].flatMap(sixteen)
const muLawSizes = [1, ...Array<number>(15).fill(2), ...[4, 8, 16, 32, 64, 128, 256].flatMap(sixteen)]

const tables: Record<G711Law, Interval[]> = {
  PCMA: intervals(aLawSizes, 8, n => (0x80 | n) ^ 0x55, 0x80),
  PCMU: intervals(muLawSizes, 4, n => 0xff - n, 0x80),
}

for (const law of ['PCMU', 'PCMA'] as const) {
  test(`${law}: all 256 octets have the value of the standard`, () => {
    assert.equal(tables[law].length, 128)
    for (const { value, code, negativeCode } of tables[law]) {
      assert.equal(decodeSample(law, code), value)
      assert.equal(decodeSample(law, negativeCode), value === 0 ? 0 : -value)
    }
    const top = tables[law].at(-1)!
    assert.deepEqual([top.to, top.value], law === 'PCMA' ? [32_768, 32_256] : [32_636, 32_124])
  })

  test(`${law}: all 65,536 samples have the octet of their interval`, () => {
    const top = tables[law].at(-1)!
    for (let sample = -32_768; sample <= 32_767; sample++) {
      const size = Math.abs(sample)
      const octet = encodeSample(law, sample)
      // On a decision value the standard leaves the choice.
      const fitting = tables[law].filter(({ from, to }) => size >= from && (size <= to || to === top.to))
      const allowed = fitting.flatMap(({ code, negativeCode, from }) =>
        from === 0 && size === 0 ? [code, negativeCode] : [sample < 0 ? negativeCode : code],
      )
      assert.ok(allowed.includes(octet), `${sample} is ${octet}, not one of ${allowed}`)
    }
  })

  test(`${law}: octets come back from their samples, and silence is the quietest`, () => {
    const octets = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    const back = encodeG711(law, decodeG711(law, octets))
    // µ-law has two zeros; the negative one becomes the positive.
    const expected = Buffer.from(octets)
    if (law === 'PCMU') expected[0x7f] = 0xff
    assert.deepEqual(back, expected)
    assert.ok(Math.abs(decodeSample(law, silenceOf[law])) <= 8)
  })
}

test('one law as the other keeps the sign and is off by less than a step', () => {
  const octets = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  for (const [from, to] of [
    ['PCMU', 'PCMA'],
    ['PCMA', 'PCMU'],
  ] as const) {
    const before = decodeG711(from, octets)
    const after = decodeG711(to, convertG711(from, octets))
    for (let i = 0; i < 256; i++) {
      const wanted = before[i]!
      assert.ok(Math.sign(wanted) * Math.sign(after[i]!) >= 0, `${wanted} became ${after[i]}`)
      assert.ok(Math.abs(wanted - after[i]!) <= Math.max(8, Math.abs(wanted) / 16), `${wanted} became ${after[i]}`)
    }
  }
})

test('a buffer without room is refused by name', () => {
  assert.throws(() => decodeG711('PCMU', Buffer.alloc(160), new Int16Array(80)), /into: room for 80, needs 160/)
})
