// Texts: alphabets, data_coding by profile, splitting and joining, user data headers, times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packSeptets, unpackSeptets } from '../src/alphabets.ts'
import type { ConcatenationForm, MessagePart, TextEncoding } from '../src/index.ts'
import {
  composeMessage,
  dataCodingOf,
  decodeText,
  encodeText,
  encodingOf,
  formatAbsoluteTime,
  formatRelativeTime,
  joinKey,
  parseTime,
  parseUdh,
  readMessage,
  splitText,
} from '../src/index.ts'

const base =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('the default alphabet has 127 characters and ten behind an escape', () => {
  const { bytes, encoding, dataCoding } = encodeText(base)
  assert.deepEqual([encoding, dataCoding], ['gsm', 0])
  assert.deepEqual(
    [...bytes],
    Array.from({ length: 128 }, (_, code) => code).filter(code => code !== 0x1b),
  )
  assert.equal(decodeText(bytes, 0), base)
  const escaped = encodeText(extension).bytes
  assert.deepEqual(escaped, hex('1B0A 1B14 1B28 1B29 1B2F 1B3C 1B3D 1B3E 1B40 1B65'))
  assert.equal(decodeText(escaped, 0), extension)
})

test('what the default alphabet lacks goes out as UCS-2, surrogate pairs whole', () => {
  assert.deepEqual(encodeText('ç 😀'), { encoding: 'ucs2', dataCoding: 8, bytes: hex('00E7 0020 D83D DE00') })
  assert.equal(decodeText(hex('00E7 0020 D83D DE00'), 8), 'ç 😀')
  assert.equal(decodeText(hex('0041 00'), 8), 'A\ufffd')
  assert.equal(encodeText('\x1b').encoding, 'ucs2')
})

test('a profile says what data_coding 0 is, and which number says what', () => {
  const latin = { defaultAlphabet: 'latin1' } as const
  assert.deepEqual(encodeText('ç[é]', latin), { encoding: 'latin1', dataCoding: 0, bytes: hex('E7 5B E9 5D') })
  assert.equal(decodeText(hex('E75BE95D'), 0, { profile: latin }), 'ç[é]')
  assert.equal(decodeText(hex('40'), 0), '¡')
  assert.equal(decodeText(hex('40'), 0, { profile: latin }), '@')
  assert.equal(encodeText('Ω', latin).dataCoding, 8)
  const labelled = { dataCodings: { gsm: 1, ucs2: 0x18 } }
  assert.deepEqual(encodeText('@', labelled), { encoding: 'gsm', dataCoding: 1, bytes: hex('00') })
  assert.equal(decodeText(hex('00'), 1, { profile: labelled }), '@')
  assert.equal(dataCodingOf('ucs2', labelled), 0x18)
  assert.deepEqual(encodeText('é', {}, 'latin1'), { encoding: 'latin1', dataCoding: 3, bytes: hex('E9') })
  assert.equal(encodeText('a', { defaultAlphabet: 'ascii' }).dataCoding, 0)
  assert.equal(encodeText('a', {}, 'ascii').dataCoding, 1)
})

test('an encoding that is asked for and lacks a character says which', () => {
  assert.throws(() => encodeText('ab😀', {}, 'gsm'), /text: character 3 \(U\+1F600\) is not in gsm/)
  assert.throws(() => encodeText('aé', {}, 'ascii'), /character 2 \(U\+00E9\) is not in ascii/)
  assert.throws(() => splitText('ç', 'gsm'), /is not in gsm/)
})

test('every data_coding is read as the standard has it, or as no text', () => {
  const expected: [number, TextEncoding | null][] = [
    [0, 'gsm'],
    [1, 'ascii'],
    [2, null],
    [3, 'latin1'],
    [4, null],
    [8, 'ucs2'],
    [9, null],
    [0x10, 'gsm'],
    [0x11, 'gsm'],
    [0x14, null],
    [0x18, 'ucs2'],
    [0x1b, 'ucs2'],
    [0xc0, 'gsm'],
    [0xd8, 'gsm'],
    [0xe0, 'ucs2'],
    [0xf0, 'gsm'],
    [0xf4, null],
    [0xf6, null],
  ]
  for (const [dataCoding, encoding] of expected) assert.equal(encodingOf(dataCoding), encoding, String(dataCoding))
  for (const dataCoding of [2, 4, 9, 0xf5]) assert.equal(decodeText(hex('41'), dataCoding), null)
  assert.equal(decodeText(hex('BFE0D8D2D5E2'), 6), 'Привет')
  assert.equal(decodeText(hex('F9ECE5ED'), 7), 'שלום')
  assert.equal(decodeText(hex('82B1'), 5), 'こ')
  assert.equal(decodeText(hex('B0A1'), 14), '가')
  assert.equal(decodeText(hex('41E9'), 1), 'A\ufffd')
})

test('codes that nothing has are shown, not dropped', () => {
  assert.equal(decodeText(hex('41 80 FF 42'), 0), 'A\ufffd\ufffdB')
  assert.equal(decodeText(hex('1B 41'), 0), 'A')
  assert.equal(decodeText(hex('41 1B'), 0), 'A ')
  assert.equal(decodeText(hex('1B 1B 41'), 0), ' A')
})

test('a header that names a language is read with its tables (TS 23.038 annex A)', () => {
  const read = (header: string, body: string, dataCoding = 0) => {
    const shortMessage = Buffer.concat([hex(header), hex(body)])
    return readMessage({ esmClass: 0x40, dataCoding, shortMessage, tlvs: {} }).text
  }
  const [turkish, spanish, portuguese] = ['01', '02', '03']
  assert.equal(read(`03 24 01 ${turkish}`, '1B47 1B49 1B53 1B63 1B67 1B69 1B73 1B65 04'), 'ĞİŞçğış€è')
  assert.equal(read(`03 25 01 ${turkish}`, '04 07 0B 0C 1C 1D 40 60'), '€ıĞğŞşİç')
  assert.equal(read(`03 24 01 ${spanish}`, '1B09 1B41 1B49 1B4F 1B55 1B61 1B69 1B6F 1B75'), 'çÁÍÓÚáíóú')
  assert.equal(
    read(`03 24 01 ${portuguese}`, '1B05 1B09 1B0B 1B0C 1B0E 1B0F 1B12 1B13 1B15 1B16 1B17 1B18 1B19 1B1F'),
    'êçÔôÁáΦΓΩΠΨΣΘÊ',
  )
  assert.equal(read(`03 24 01 ${portuguese}`, '1B41 1B5B 1B5C 1B61 1B7B 1B7C 1B7F'), 'ÀÃÕÂãõâ')
  assert.equal(
    read(
      `03 25 01 ${portuguese}`,
      '04 06 07 08 09 0B 0C 0E 0F 12 13 14 15 16 17 18 19 1A 1C 1D 1E 24 40 5B 5C 60 7B 7C 7D',
    ),
    'êúíóçÔôÁáªÇÀ∞^\\€Ó|ÂâÊºÍÃÕ~ãõ`',
  )
  assert.equal(read('06 24 01 03 25 01 03', '09 1B09'), 'çç')
  assert.equal(read('03 24 01 0D', '1B65'), '€')
  assert.equal(read('08 0003 07 02 01 24 01 01', '1B53'), 'Ş')
})

test('packed septets are those of TS 23.038: eight in seven octets', () => {
  assert.deepEqual(packSeptets(encodeText('hellohello').bytes), hex('E8329BFD4697D9EC37'))
  assert.deepEqual(unpackSeptets(hex('E8329BFD4697D9EC37')), encodeText('hellohello').bytes)
  const profile = { defaultAlphabet: 'gsm_packed' } as const
  assert.deepEqual(encodeText('hellohello', profile), {
    encoding: 'gsm_packed',
    dataCoding: 0,
    bytes: hex('E8329BFD4697D9EC37'),
  })
  for (let length = 0; length < 40; length++) {
    const text = 'x'.repeat(length)
    assert.equal(decodeText(encodeText(text, profile).bytes, 0, { profile }), text)
  }
  // Padded with zero bits, as others do, seven characters are not eight.
  assert.equal(decodeText(packSeptets(encodeText('1234567').bytes), 0, { profile }), '1234567')
})

const limits: [TextEncoding, string, ConcatenationForm, one: number, several: number][] = [
  ['gsm', 'a', 'udh8', 160, 153],
  ['gsm', 'a', 'udh16', 160, 152],
  ['gsm', 'a', 'sar', 160, 153],
  ['gsm', '€', 'udh8', 80, 76],
  ['gsm_packed', 'a', 'udh8', 160, 153],
  ['gsm_packed', 'a', 'udh16', 160, 152],
  ['ucs2', 'ж', 'udh8', 70, 67],
  ['ucs2', 'ж', 'udh16', 70, 66],
  ['ucs2', '😀', 'udh8', 35, 33],
  ['latin1', 'a', 'udh8', 160, 153],
  ['latin1', 'ç', 'udh8', 70, 67],
]

for (const [encoding, character, form, one, several] of limits) {
  test(`${encoding} "${character}" by ${form}: ${one} in one part, ${several} in each of several`, () => {
    assert.deepEqual(splitText(character.repeat(one), encoding, form), [character.repeat(one)])
    const parts = splitText(character.repeat(one + 1), encoding, form)
    assert.deepEqual(
      parts.map(part => [...part].length),
      [several, one + 1 - several],
    )
  })
}

test('more than 255 parts cannot be distinguished', () => {
  assert.equal(splitText('a'.repeat(153 * 255), 'gsm').length, 255)
  assert.throws(() => splitText('a'.repeat(153 * 255 + 1), 'gsm'), /256 parts, at most 255/)
})

test('the parts of a long text say so in each of the four ways', () => {
  const text = 'Ein langer Text, '.repeat(12)
  const compose = (form: ConcatenationForm) => composeMessage(text, { form, reference: 0x1234 })
  const udh8 = compose('udh8')
  assert.deepEqual(
    udh8.map(part => part.shortMessage.subarray(0, 6)),
    [hex('050003340201'), hex('050003340202')],
  )
  const udh16 = compose('udh16')
  assert.deepEqual(
    udh16.map(part => part.shortMessage.subarray(0, 7)),
    [hex('06080412340201'), hex('06080412340202')],
  )
  for (const part of [...udh8, ...udh16]) assert.equal(part.esmClass, 0x40)
  const sar = compose('sar')
  assert.deepEqual(sar[1]?.tlvs, { sarMsgRefNum: 0x1234, sarTotalSegments: 2, sarSegmentSeqnum: 2 })
  const [whole, ...rest] = compose('payload')
  assert.deepEqual([rest.length, whole?.shortMessage.length, whole?.tlvs.messagePayload?.length], [0, 0, text.length])
  for (const parts of [udh8, udh16, sar, [whole as MessagePart]]) assert.equal(joined(parts), text)
  assert.equal(composeMessage('short', { form: 'payload' })[0]?.shortMessage.toString(), 'short')
  assert.throws(() => composeMessage(text, { reference: 65_536 }), /reference: 65536/)
})

/** Puts parts together as a receiver does, by what they say of themselves. */
function joined(parts: readonly MessagePart[], profile = {}): string {
  const texts: string[] = []
  for (const part of parts) {
    const { text, join, isMalformed } = readMessage(part, profile)
    assert.equal(isMalformed, false)
    assert.equal(join?.total ?? 1, parts.length)
    texts[(join?.part ?? 1) - 1] = text ?? ''
  }
  return texts.join('')
}

const forms = fc.constantFrom<ConcatenationForm>('udh8', 'udh16', 'sar', 'payload')

test('any text comes back from its parts, in every form, and every part fits', () => {
  const gsmText = fc.string({ unit: fc.constantFrom(...base, ...extension), maxLength: 700 })
  const anyText = fc.string({ unit: 'grapheme', maxLength: 400 })
  const profiles = fc.constantFrom({}, { defaultAlphabet: 'latin1' } as const, { defaultAlphabet: 'ascii' } as const, {
    dataCodings: { gsm: 1 },
  })
  fc.assert(
    fc.property(fc.oneof(gsmText, anyText), forms, profiles, fc.nat(65_535), (text, form, profile, reference) => {
      const parts = composeMessage(text, { form, profile, reference })
      assert.equal(joined(parts, profile), text)
      for (const part of parts) {
        const header = part.esmClass === 0x40 ? part.shortMessage[0]! + 1 : form === 'sar' && parts.length > 1 ? 6 : 0
        const content = part.shortMessage.subarray(part.esmClass === 0x40 ? header : 0)
        if (part.dataCoding === 8) {
          assert.ok(content.length + header <= 140 || form === 'payload')
          const isHalf = content.length > 1 && content.readUInt16BE(0) >= 0xdc00 && content.readUInt16BE(0) <= 0xdfff
          assert.ok(!isHalf, 'half a pair')
        } else if (!('defaultAlphabet' in profile)) {
          assert.ok(Math.ceil((content.length * 7) / 8) + header <= 140)
        }
      }
    }),
    { numRuns: 400 },
  )
})

test('packed parts come back too, behind headers of any length', () => {
  const profile = { defaultAlphabet: 'gsm_packed' } as const
  const text = fc.string({
    unit: fc.constantFrom(...base.replace(/[@\r]/g, ''), ...extension),
    minLength: 1,
    maxLength: 500,
  })
  fc.assert(
    fc.property(text, forms, (sent, form) =>
      assert.equal(joined(composeMessage(sent, { profile, form }), profile), sent),
    ),
    { numRuns: 300 },
  )
})

test('a header is read element by element, or not at all', () => {
  assert.deepEqual(parseUdh(hex('05 0003 AA 02 01 41')), {
    length: 6,
    elements: [{ id: 0, data: hex('AA0201') }],
  })
  assert.deepEqual(parseUdh(hex('00 41')), { length: 1, elements: [] })
  for (const bad of ['', '05 0003 AA 02', '04 0003 AA 02', '01 00', '03 00 05 01'])
    assert.equal(parseUdh(hex(bad)), null)
  const read = readMessage({ esmClass: 0x40, dataCoding: 0, shortMessage: hex('41 42'), tlvs: {} })
  assert.deepEqual([read.isMalformed, read.text, read.udh], [true, 'AB', null])
})

test('a place that cannot be is no place', () => {
  const key = (header: string, esmClass = 0x40) => joinKey({ esmClass, shortMessage: hex(header), tlvs: {} })
  assert.deepEqual(key('050003FF0302'), { reference: 255, total: 3, part: 2 })
  assert.deepEqual(key('060804FFFE0302'), { reference: 0xfffe, total: 3, part: 2 })
  assert.equal(key('050003FF0302', 0), null)
  for (const bad of ['050003FF0300', '050003FF0304', '050003FF0000', '0500020102 00']) assert.equal(key(bad), null)
  const sar = { sarMsgRefNum: 9, sarTotalSegments: 2, sarSegmentSeqnum: 1 }
  assert.deepEqual(joinKey({ esmClass: 0, tlvs: sar }), { reference: 9, total: 2, part: 1 })
  assert.equal(joinKey({ esmClass: 0, tlvs: { ...sar, sarSegmentSeqnum: 3 } }), null)
  assert.equal(joinKey({ esmClass: 0, tlvs: { sarMsgRefNum: 9, sarTotalSegments: 2 } }), null)
  const payload = { esmClass: 0x40, shortMessage: Buffer.alloc(0), tlvs: { messagePayload: hex('050003010201') } }
  assert.deepEqual(joinKey(payload), { reference: 1, total: 2, part: 1 })
})

test('times are written and read as the standard has them (SMPP 3.4 §7.1.1)', () => {
  assert.equal(formatRelativeTime(0), '000000000000000R')
  assert.equal(formatRelativeTime(2 * 86_400 + 3 * 3600 + 4 * 60 + 5), '000002030405000R')
  for (const bad of [-1, 1.5, 100 * 86_400]) assert.throws(() => formatRelativeTime(bad), /^RangeError: seconds/)
  const nowMs = Date.UTC(2026, 10, 21, 14, 30, 5, 700)
  assert.equal(formatAbsoluteTime(nowMs), '261121143005700+')
  assert.throws(() => formatAbsoluteTime(0), /^RangeError: ms/)
  assert.equal(parseTime('261121143005700+', 0), nowMs)
  assert.equal(parseTime('261121153005704+', 0), nowMs)
  assert.equal(parseTime('261121133005704-', 0), nowMs)
  assert.equal(parseTime(formatRelativeTime(90), nowMs), nowMs + 90_000)
  assert.equal(parseTime('000100000000000R', nowMs), Date.UTC(2026, 11, 21, 14, 30, 5, 700))
  for (const bad of ['', 'x', '261321143005700+', '260231143005700+', '261121243005700+', '261121143005749+']) {
    assert.equal(parseTime(bad, 0), null, bad)
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 * 86_400 }), seconds => {
      assert.equal(parseTime(formatRelativeTime(seconds), nowMs), nowMs + seconds * 1000)
    }),
  )
})
