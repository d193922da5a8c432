// Segments against the known limits: 160/153 septets, 70/67 units, escapes and surrogate pairs never split.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { segmentsOf, smartText, wideCharacters } from './segments.ts'

const cases: [what: string, text: string, encoding: string, units: number, segments: number][] = [
  ['one character', 'a', 'GSM-7', 1, 1],
  ['160 septets', 'a'.repeat(160), 'GSM-7', 160, 1],
  ['161 septets', 'a'.repeat(161), 'GSM-7', 161, 2],
  ['two full parts', 'a'.repeat(306), 'GSM-7', 306, 2],
  ['one more', 'a'.repeat(307), 'GSM-7', 307, 3],
  ['ten full parts', 'a'.repeat(1530), 'GSM-7', 1530, 10],
  ['an eleventh', 'a'.repeat(1531), 'GSM-7', 1531, 11],
  ['the euro takes two', '€'.repeat(80), 'GSM-7', 160, 1],
  ['81 euros', '€'.repeat(81), 'GSM-7', 162, 2],
  ['an escape is not split', `${'a'.repeat(152)}€${'a'.repeat(10)}`, 'GSM-7', 164, 2],
  ['and costs a segment when it does not fit', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 3],
  ['every extension character', '\f^{}\\[~]|€', 'GSM-7', 20, 1],
  ['letters with accents of the alphabet', 'äöüßÄÖÜñàèéùìòÇØøÅåÆæÉ', 'GSM-7', 22, 1],
  ['Greek capitals of the alphabet', 'ΔΦΓΛΩΠΨΣΘΞ', 'GSM-7', 10, 1],
  ['small ç is outside', 'ç', 'UCS-2', 1, 1],
  ['a backtick is outside', '`', 'UCS-2', 1, 1],
  ['a typographic quote is outside', 'it’s', 'UCS-2', 4, 1],
  ['70 units', 'я'.repeat(70), 'UCS-2', 70, 1],
  ['71 units', 'я'.repeat(71), 'UCS-2', 71, 2],
  ['two full parts in UCS-2', 'я'.repeat(134), 'UCS-2', 134, 2],
  ['one more in UCS-2', 'я'.repeat(135), 'UCS-2', 135, 3],
  ['35 pairs', '😀'.repeat(35), 'UCS-2', 70, 1],
  ['36 pairs', '😀'.repeat(36), 'UCS-2', 72, 2],
  ['a pair is not split', `${'я'.repeat(66)}😀${'я'.repeat(10)}`, 'UCS-2', 78, 2],
  ['and costs a segment when it does not fit', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, 'UCS-2', 134, 3],
  ['67 pairs need three: 33 fit a part', '😀'.repeat(67), 'UCS-2', 134, 3],
]

for (const [what, text, encoding, units, segments] of cases) {
  test(`${what}: ${encoding}, ${segments}`, () => {
    const { unitsLeft: _, ...found } = segmentsOf(text)
    assert.deepEqual(found, { encoding, units, segments })
  })
}

test('whatever the text, its segments hold it and one fewer could not', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 900 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '€', '[', 'ß'), maxLength: 900 }),
  )
  fc.assert(
    fc.property(text, body => {
      const { encoding, units, segments } = segmentsOf(body)
      const [single, part] = encoding === 'GSM-7' ? [160, 153] : [70, 67]
      if (units <= single) return segments === 1
      // A part may stay one unit short, when what comes next takes two.
      return segments >= Math.ceil(units / part) && segments <= Math.ceil(units / (part - 1))
    }),
  )
})

test('the room left in the last segment is exact: filled it stays, one more opens another', () => {
  for (const text of [
    '',
    'a',
    'a'.repeat(160),
    'a'.repeat(161),
    `${'a'.repeat(152)}€`,
    'я'.repeat(70),
    'я'.repeat(71),
  ]) {
    const { encoding, segments, unitsLeft } = segmentsOf(text)
    const letter = encoding === 'GSM-7' ? 'a' : 'я'
    const filled = segmentsOf(text + letter.repeat(unitsLeft))
    assert.deepEqual([filled.segments, filled.unitsLeft], [segments, 0], JSON.stringify(text))
    assert.ok(segmentsOf(text + letter.repeat(unitsLeft + 1)).segments > segments)
  }
})

test('wide characters are named once each, whole, in order, and not more than asked for', () => {
  assert.deepEqual(wideCharacters('a–b–😀c“ç', 10), ['–', '😀', '“', 'ç'])
  assert.deepEqual(wideCharacters('a–b–😀c“ç', 2), ['–', '😀'])
  assert.deepEqual(wideCharacters('plain €', 10), [])
})

test('smart encoding replaces what looks the same, where that is enough', () => {
  for (const [text, plain] of [
    ['“It’s ready” – see you…', '"It\'s ready" - see you...'],
    ['non\u00a0breaking\u2009thin\u200bnothing', 'non breaking thinnothing'],
    ['tab\there', 'tab here'],
    ['GSM äöü € stays', 'GSM äöü € stays'],
    // Another alphabet stays as it is, quotes and all: nothing would be gained.
    ['“Привет”', '“Привет”'],
    ['naïve “quote”', 'naïve “quote”'],
    ['', ''],
  ] as const)
    assert.equal(smartText(text), plain)
})

test('smart encoding never makes a text dearer, touches no GSM text, and does nothing twice', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('“', '’', '–', '…', '\u00a0', '™', 'ffi', '\ufb03', 'я', '😀', '€'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
      const text = pieces.join('')
      const smart = smartText(text)
      assert.equal(smartText(smart), smart)
      const [before, after] = [segmentsOf(text), segmentsOf(smart)]
      if (before.encoding === 'GSM-7') assert.equal(smart, text)
      else assert.ok(smart === text || after.encoding === 'GSM-7')
      assert.ok(after.segments <= before.segments, `${before.segments} became ${after.segments}`)
    }),
  )
})
