// Receipts as message centres really write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Receipt, Tlvs } from '../src/index.ts'
import { isReceipt, normalizeMessageId, parseReceipt } from '../src/index.ts'

function receipt(text: string, tlvs: Tlvs = {}, esmClass = 4): Receipt {
  const parsed = parseReceipt({ esmClass, dataCoding: 0, shortMessage: Buffer.from(text, 'latin1'), tlvs })
  assert.ok(parsed !== null)
  return parsed
}

test('the form of appendix B', () => {
  const text =
    'id:0123456789 sub:001 dlvrd:001 submit date:2611211429 done date:2611211430 stat:DELIVRD err:000 text:Hello World'
  assert.deepEqual(receipt(text), {
    messageId: '0123456789',
    state: 'delivered',
    stateText: 'DELIVRD',
    isFinal: true,
    error: '000',
    networkError: null,
    submittedAt: '2026-11-21T14:29:00',
    doneAt: '2026-11-21T14:30:00',
    doneAtMs: Date.UTC(2026, 10, 21, 14, 30),
    submitted: 1,
    delivered: 1,
    text: 'Hello World',
  } satisfies Receipt)
})

test('the form of appendix B is read like every other: a blank in front makes it one', () => {
  const word = (characters: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength })
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  const digits = '0123456789'
  const count = fc.oneof(fc.constant('001'), word(digits, 4))
  const date = fc.oneof(fc.constantFrom('2611211429', '261121142931', '20261121142931', '2099999999'), word(digits, 15))
  const field = fc.constantFrom('id:', 'stat:', 'text:', 'done date:', 'err: ')
  const text = fc.array(fc.oneof(fc.string({ maxLength: 8 }), field), { maxLength: 5 }).map(parts => parts.join(' '))
  const state = fc.constantFrom('DELIVRD', 'UNDELIV', 'delivrd', 'EXPIRED', 'WHO_KNOWS', '')
  const label = fc.constantFrom('text', 'Text', 'TEXT')
  const all = fc.tuple(word(printable, 70), count, count, date, date, state, word('0aZ_ ', 4), label, text)
  fc.assert(
    fc.property(all, ([id, sub, dlvrd, submitted, done, stat, err, name, rest]) => {
      const dates = `submit date:${submitted} done date:${done}`
      const written = `id:${id} sub:${sub} dlvrd:${dlvrd} ${dates} stat:${stat} err:${err} ${name}:${rest}`
      assert.deepEqual(receipt(written), receipt(` ${written}`))
    }),
    { numRuns: 2_000 },
  )
})

test('parameters count before the text', () => {
  const tlvs = { receiptedMessageId: 'AB', messageState: 5, networkErrorCode: Buffer.from([3, 1, 44]) }
  const { messageId, state, stateText, networkError, isFinal } = receipt('id:1 stat:DELIVRD err:001', tlvs)
  assert.deepEqual([messageId, state, stateText, isFinal], ['AB', 'undeliverable', 'DELIVRD', true])
  assert.deepEqual(networkError, { network: 3, code: 300 })
  assert.equal(receipt('', { receiptedMessageId: 'AB', messageState: 2 }).state, 'delivered')
  assert.equal(receipt('id:7 stat:EXPIRED', { messageState: 77 }).state, 'expired')
})

const spellings: [text: string, expected: Partial<Receipt>][] = [
  [
    'id:a-b_c sub:001 dlvrd:000 submit date:261121142901 done date:261121143002 stat:UNDELIV err:abc text:x',
    { messageId: 'a-b_c', state: 'undeliverable', error: 'abc', doneAt: '2026-11-21T14:30:02' },
  ],
  [
    'id:1 done date:20261121143002 stat:EXPIRED err:EC_ABSENT_SUBSCRIBER',
    { state: 'expired', error: 'EC_ABSENT_SUBSCRIBER', doneAt: '2026-11-21T14:30:02', text: null },
  ],
  ['id:1 done date:202611211430 stat:DELETED', { state: 'deleted', doneAt: '2026-11-21T14:30:00' }],
  [
    'id:1 done date:261121143005704+ stat:DELIVRD',
    { doneAt: '2026-11-21T14:30:05', doneAtMs: Date.UTC(2026, 10, 21, 13, 30, 5, 700) },
  ],
  [
    'ID:00AF SUB:001 DLVRD:001 SUBMIT DATE:2611211429 DONE DATE:2611211430 STAT:delivrd ERR:0 TEXT:Hi',
    { messageId: '00AF', state: 'delivered', stateText: 'delivrd', text: 'Hi' },
  ],
  ['stat:REJECTD err:5 id:77', { messageId: '77', state: 'rejected', error: '5', doneAt: null, submitted: null }],
  ['id: 42 stat: DELIVERED err: 000', { messageId: '42', state: 'delivered', error: '000' }],
  [
    'id:42 submit_date:2611211429 done_date:2611211430 stat:FAILED',
    { submittedAt: '2026-11-21T14:29:00', doneAt: '2026-11-21T14:30:00', state: 'undeliverable' },
  ],
  ['id:42 stat:UNKNOWN err:', { state: 'unknown', isFinal: false, error: null }],
  ['id:42 stat:ACCEPTD', { state: 'accepted', isFinal: false }],
  ['id:42 stat:ENROUTE', { state: 'enroute', isFinal: false }],
  ['id:42 stat:BUFFRED', { state: 'enroute', isFinal: false }],
  ['id:42 stat:SOMETHING', { state: null, stateText: 'SOMETHING', isFinal: false }],
  ['id: sub:001 stat:DELIVRD', { messageId: null, submitted: 1 }],
  ['id:1 sub:x dlvrd:-1 done date:9999999999 stat:DELIVRD', { submitted: null, delivered: null, doneAt: null }],
  ['id:1 done date:0 stat:DELIVRD', { doneAt: null, doneAtMs: null }],
  ['id:1\tsub:001\nstat:DELIVRD;err:7', { messageId: '1', state: 'delivered', error: '7' }],
  ['id:1 stat:DELIVRD text:id:666 stat:EXPIRED', { messageId: '1', state: 'delivered', text: 'id:666 stat:EXPIRED' }],
  ['text:id:666 stat:EXPIRED id:1 stat:DELIVRD', { messageId: '1', state: 'delivered' }],
  ['valid:1 stat:DELIVRD', { messageId: null, state: 'delivered' }],
  ['no receipt at all', { messageId: null, state: null, isFinal: false }],
]

for (const [text, expected] of spellings) {
  test(`reads "${text}"`, () => {
    const parsed = receipt(text)
    for (const [name, value] of Object.entries(expected)) assert.equal(parsed[name as keyof Receipt], value, name)
  })
}

test('no word holds a NUL, and none is longer than an id may be', () => {
  const ended = receipt('id:42 stat:UNDELIV err:000\0\0')
  assert.deepEqual([ended.messageId, ended.stateText, ended.error], ['42', 'UNDELIV', '000'])
  const apart = receipt('id:42\0sub:001\0stat:DELIVRD\0err:7\0text:a\0b\0')
  assert.deepEqual([apart.messageId, apart.state, apart.error, apart.text], ['42', 'delivered', '7', 'a b'])
  const cut = receipt('id:4\x002 stat:DELIV\0RD err:0\x007')
  assert.deepEqual([cut.messageId, cut.stateText, cut.error], ['4', 'DELIV', '0'])
  const long = receipt(`id:${'1'.repeat(200)} stat:DELIVRD err:${'E'.repeat(200)}`)
  assert.deepEqual([long.messageId, long.error], ['1'.repeat(64), 'E'.repeat(64)])
  assert.equal(receipt('', { receiptedMessageId: 'AB\0\0', messageState: 2 }).messageId, 'AB')
  const wide = Buffer.from('id:1 stat:UNDELIV err:\ud800\0', 'utf16le').swap16()
  const { error } = parseReceipt({ esmClass: 4, dataCoding: 8, shortMessage: wide, tlvs: {} }) as Receipt
  assert.equal(error, '\ufffd')
})

test('the clock of a message centre may be ahead of UTC', () => {
  const pdu = {
    esmClass: 4,
    dataCoding: 0,
    shortMessage: Buffer.from('id:1 done date:2611211430 stat:DELIVRD'),
    tlvs: {},
  }
  const parsed = parseReceipt(pdu, { utcOffsetMinutes: 90 })
  assert.equal(parsed?.doneAtMs, Date.UTC(2026, 10, 21, 13, 0))
  assert.equal(parsed?.doneAt, '2026-11-21T14:30:00')
})

test('only what says so is a receipt: anybody can write such a text', () => {
  const shortMessage = Buffer.from('id:1 stat:DELIVRD')
  const pdu = { dataCoding: 0, shortMessage, tlvs: {} }
  assert.equal(parseReceipt({ ...pdu, esmClass: 0 }), null)
  assert.equal(isReceipt({ ...pdu, esmClass: 0x40 }), false)
  assert.equal(isReceipt({ ...pdu, esmClass: 8 }), false)
  assert.equal(isReceipt({ ...pdu, esmClass: 0x44 }), true)
  const reported = { receiptedMessageId: '1', messageState: 2 }
  assert.equal(isReceipt({ ...pdu, esmClass: 0, tlvs: reported }), true)
  assert.equal(isReceipt({ ...pdu, esmClass: 0, tlvs: { receiptedMessageId: '1' } }), false)
})

test('an intermediate notification is never final', () => {
  const { state, isFinal } = receipt('id:1 stat:DELIVRD', {}, 0x20)
  assert.deepEqual([state, isFinal], ['delivered', false])
})

test('a receipt may be UCS-2, stand in message_payload or behind a header', () => {
  const text = 'id:1 stat:DELIVRD'
  const wide = Buffer.from(text, 'utf16le').swap16()
  assert.equal(parseReceipt({ esmClass: 4, dataCoding: 8, shortMessage: wide, tlvs: {} })?.state, 'delivered')
  const payload = {
    esmClass: 4,
    dataCoding: 0,
    shortMessage: Buffer.alloc(0),
    tlvs: { messagePayload: Buffer.from(text) },
  }
  assert.equal(parseReceipt(payload)?.messageId, '1')
  const headed = Buffer.concat([Buffer.from([3, 0x24, 1, 1]), Buffer.from(text)])
  assert.equal(parseReceipt({ esmClass: 0x44, dataCoding: 0, shortMessage: headed, tlvs: {} })?.messageId, '1')
})

test('ids that are written in two ways become one', () => {
  assert.equal(normalizeMessageId(' 00Af '), 'Af')
  // Numbers in base 62 go on like this.
  assert.notEqual(normalizeMessageId('4aA'), normalizeMessageId('4aa'))
  assert.equal(normalizeMessageId(' 00Af ', 'caseless'), 'af')
  assert.equal(normalizeMessageId('0000'), '0')
  assert.equal(normalizeMessageId('00AF', 'hexadecimal'), normalizeMessageId('0000000175', 'decimal'))
  assert.equal(normalizeMessageId('0x1F', 'hexadecimal'), '31')
  assert.equal(normalizeMessageId('FFFFFFFFFFFFFFFFFF', 'hexadecimal'), '4722366482869645213695')
  assert.equal(normalizeMessageId('12-ab', 'decimal'), '12-ab')
  assert.equal(normalizeMessageId('xYz', 'hexadecimal'), 'xYz')
  assert.equal(normalizeMessageId('0X1f', 'hexadecimal'), '31')
  assert.equal(normalizeMessageId('a\0\0'), 'a')
  assert.equal(normalizeMessageId('7'.repeat(100)).length, 64)
})
