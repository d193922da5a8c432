// The pure parts of the carrier: what is sent, what answers and receipts
// mean, and how fast it goes.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldsOf, type PduOf, readMessage } from '@tandem/smpp'
import fc from 'fast-check'
import { overTheWire, settingsWith } from '../../../test/carriers/smpp_wire.ts'
import type { Submission } from '../../modules/messaging/carrier.ts'
import { segmentsOf } from '../../modules/messaging/segments.ts'
import { problems } from '../../nouns.ts'
import { createAnswers } from './answers.ts'
import { createPace } from './pace.ts'
import { composeSubmission } from './parts.ts'
import { answerId, isDeliveryReceipt, readReceipt } from './receipts.ts'
import type { SmppSettings } from './settings.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

function submission(body: string, more: Partial<Submission> = {}): Submission {
  const { encoding, segments } = segmentsOf(body)
  return {
    tenantId: 1,
    messageId: 'msg_1',
    attempt: 1,
    from: '+15005550006',
    to: '+4915112345678',
    body,
    encoding,
    segments,
    parts: Array.from({ length: segments }, (_, index) => index + 1),
    reference: 300,
    expiresAt: '2026-11-21T16:00:00.000Z',
    ...more,
  }
}

function sent(message: Submission, settings: SmppSettings) {
  const composed = composeSubmission(message, settings, nowMs)
  assert.ok('carried' in composed, JSON.stringify(composed))
  return composed.carried
}

describe('what is sent', () => {
  test('has addresses of the kind the carrier wants', () => {
    const settings = settingsWith()
    const of = (from: string, more: Partial<SmppSettings> = {}) => {
      const { sourceAddr, sourceAddrTon, sourceAddrNpi } = sent(submission('x', { from }), { ...settings, ...more })[0]!
        .fields
      return [sourceAddr, sourceAddrTon, sourceAddrNpi]
    }
    assert.deepEqual(of('+15005550006'), ['15005550006', 1, 1])
    assert.deepEqual(of('+15005550006', { plusSign: true, numberTon: 0 }), ['+15005550006', 0, 1])
    assert.deepEqual(of('ACME'), ['ACME', 5, 0])
    assert.deepEqual(of('12345'), ['12345', 3, 0])
    assert.deepEqual(of('12345', { shortCodeTon: 6 }), ['12345', 6, 0])
  })

  test('says how long it is valid, and which receipts are wanted', () => {
    const of = (more: Partial<SmppSettings>) => sent(submission('x'), settingsWith(more))[0]!.fields
    assert.equal(of({}).validityPeriod, '000000040000000R')
    assert.equal(of({ validityPeriod: 'absolute' }).validityPeriod, '261121160000000+')
    assert.equal(of({ validityPeriod: 'none' }).validityPeriod, '')
    assert.deepEqual(
      (['all', 'failures', 'none'] as const).map(receipts => of({ receipts }).registeredDelivery),
      [1, 2, 0],
    )
  })

  test('is, in every coding and form, the text again, in as many parts as it was counted', () => {
    const characters = fc.constantFrom(...'aé€{}[]ΔñЖ漢😀 \nß^'.match(/./gsu)!)
    const texts = fc.array(characters, { minLength: 1, maxLength: 500 }).map(list => list.join(''))
    const forms = fc.constantFrom('udh8', 'udh16', 'sar', 'message_payload' as const)
    const alphabets = fc.constantFrom('gsm7', 'latin1', 'ascii' as const)
    const codings = fc.constantFrom('default', 'latin1', 'ascii' as const)
    fc.assert(
      fc.property(texts, forms, alphabets, codings, (body, longMessages, defaultAlphabet, textCoding) => {
        const settings = settingsWith({ longMessages, defaultAlphabet, textCoding })
        const message = submission(body)
        const composed = composeSubmission(message, settings, nowMs)
        if ('refused' in composed) {
          // Only a text of the GSM alphabet whose coding lacks a character, and that UCS-2 would make longer.
          assert.equal(message.encoding, 'GSM-7')
          assert.ok(textCoding !== 'default' || defaultAlphabet !== 'gsm7')
          return
        }
        assert.deepEqual(
          composed.carried.flatMap(({ parts }) => parts),
          message.parts,
        )
        const profile = {
          defaultAlphabet: ({ gsm7: 'gsm', latin1: 'latin1', ascii: 'ascii' } as const)[defaultAlphabet],
        }
        const read = composed.carried.map(({ fields }) => readMessage(overTheWire('submit_sm', fields), profile))
        assert.equal(read.map(({ text }) => text).join(''), body)
        if (read.length > 1) {
          assert.deepEqual(
            read.map(({ join }) => [join?.part, join?.total]),
            message.parts.map(part => [part, message.segments]),
          )
        }
      }),
      { numRuns: 300 },
    )
  })

  test('is only what is asked for of a message of several parts', () => {
    const carried = sent(submission('long '.repeat(100), { parts: [2, 4] }), settingsWith())
    assert.deepEqual(
      carried.map(({ parts, fields }) => [parts, readMessage(overTheWire('submit_sm', fields)).join?.part]),
      [
        [[2], 2],
        [[4], 4],
      ],
    )
  })
})

describe('what is left of a text of which a part was taken', () => {
  test('is never the whole, also where the carrier takes others undivided', () => {
    const message = submission('long '.repeat(60))
    const [first] = sent(message, settingsWith({ longMessages: 'udh8' }))
    const rest = sent({ ...message, parts: [2] }, settingsWith({ longMessages: 'message_payload' }))
    const read = [first!, ...rest].map(({ fields }) => readMessage(overTheWire('submit_sm', fields)))
    assert.deepEqual(
      read.map(({ join }) => [join?.reference, join?.part, join?.total]),
      [
        [read[0]!.join!.reference, 1, 2],
        [read[0]!.join!.reference, 2, 2],
      ],
    )
    assert.equal(read.map(({ text }) => text).join(''), message.body)
    assert.deepEqual(
      rest.map(({ parts, fields }) => [parts, 'messagePayload' in (fields.tlvs ?? {})]),
      [[[2], false]],
    )
  })

  test('goes in the form that was begun, whatever the settings were changed to', () => {
    const forms = fc.constantFrom('udh8', 'udh16', 'sar', 'message_payload' as const)
    const codings = fc.constantFrom('default', 'latin1', 'ascii' as const)
    const bodies = fc.constantFrom('long '.repeat(60), 'lang ü '.repeat(80), 'Ж'.repeat(150))
    fc.assert(
      fc.property(bodies, forms, codings, forms, codings, (body, longMessages, textCoding, otherForm, otherCoding) => {
        const message = submission(body)
        const begun = composeSubmission(message, settingsWith({ longMessages, textCoding }), nowMs)
        fc.pre('carried' in begun && begun.carried.length > 1)
        const { carried, form } = begun as Extract<typeof begun, { carried: unknown }>
        const rest = { ...message, parts: message.parts.slice(1), form }
        const others = sent(rest, settingsWith({ longMessages: otherForm, textCoding: otherCoding }))
        assert.deepEqual(others, carried.slice(1))
      }),
      { numRuns: 200 },
    )
  })

  test('is refused with the reason where the alphabet in which it was begun is no longer the carrier’s', () => {
    const rest = submission('long '.repeat(60), { parts: [2], form: 'gsm udh8' })
    assert.deepEqual(composeSubmission(rest, settingsWith({ defaultAlphabet: 'latin1' }), nowMs), {
      refused: { code: 'message_rejected', carrierCode: 'begun as gsm udh8, which the settings no longer allow' },
    })
  })
})

describe('answers', () => {
  test('mean what SMPP says, and every code is one of ours', () => {
    const meaningOf = createAnswers(settingsWith())
    const of = (status: number) => {
      const meaning = meaningOf(status)
      return meaning.outcome === 'accepted' ? 'accepted' : `${meaning.outcome} ${meaning.code} ${meaning.carrierCode}`
    }
    assert.equal(of(0), 'accepted')
    assert.equal(of(0x58), 'throttled carrier_throttled ESME_RTHROTTLED')
    assert.equal(of(0x14), 'throttled carrier_queue_full ESME_RMSGQFUL')
    assert.equal(of(0x08), 'throttled carrier_throttled ESME_RSYSERR')
    assert.equal(of(0x0a), 'refused carrier_rejected_sender ESME_RINVSRCADR')
    assert.equal(of(0x0b), 'refused unknown_subscriber ESME_RINVDSTADR')
    assert.equal(of(0x45), 'refused message_rejected ESME_RSUBMITFAIL')
    assert.equal(of(0x401), 'refused carrier_unknown_error 0x00000401')
    for (let status = 0; status < 0x500; status++) {
      const meaning = meaningOf(status)
      if (meaning.outcome !== 'accepted') assert.ok(Object.hasOwn(problems, meaning.code))
    }
  })

  test('mean what the settings say', () => {
    const meaningOf = createAnswers(
      settingsWith({
        statuses: [
          { status: '0x0000000b', outcome: 'retry', retryAfterSeconds: 5 },
          { status: '0x58', outcome: 'refuse' },
          { status: '0x401', outcome: 'refuse', code: 'filtered_as_spam' },
        ],
      }),
    )
    assert.deepEqual(meaningOf(0x0b), {
      outcome: 'throttled',
      code: 'carrier_throttled',
      retryAfterMs: 5_000,
      carrierCode: 'ESME_RINVDSTADR',
      slows: false,
    })
    assert.equal(meaningOf(0x58).outcome, 'refused')
    assert.deepEqual(meaningOf(0x401), { outcome: 'refused', code: 'filtered_as_spam', carrierCode: '0x00000401' })
  })
})

describe('receipts', () => {
  const pduOf = (text: string, more: FieldsOf<'deliver_sm'> = {}) =>
    overTheWire('deliver_sm', {
      sourceAddr: '4915112345678',
      sourceAddrTon: 1,
      destinationAddr: '15005550006',
      destAddrTon: 1,
      esmClass: 4,
      shortMessage: Buffer.from(text),
      ...more,
    })
  const read = (pdu: PduOf<'deliver_sm'>, more: Partial<SmppSettings> = {}) => readReceipt(pdu, settingsWith(more), 1)

  test('without a mark are receipts of a carrier that is known to leave it out, in their whole form only', () => {
    const whole = 'id:42 sub:001 dlvrd:001 submit date:2611211200 done date:2611211300 stat:DELIVRD err:000 text:x'
    const plain = { plainReceipts: true }
    const reports = (text: string, more: Partial<SmppSettings>, fields: FieldsOf<'deliver_sm'> = {}) =>
      isDeliveryReceipt(pduOf(text, { esmClass: 0, ...fields }), settingsWith(more))
    assert.equal(reports(whole, {}), false)
    assert.equal(reports(whole, plain), true)
    assert.equal(read(pduOf(whole, { esmClass: 0 }), plain)?.carrierMessageId, '42')
    assert.equal(read(pduOf(whole, { esmClass: 0 })), undefined)
    for (const other of ['id:42 stat:DELIVRD', `He wrote ${whole}`, 'id: please call me', ''])
      assert.equal(reports(other, plain), false, other)
    // With a header or another mark it is what that says.
    assert.equal(reports(whole, plain, { esmClass: 8 }), false)
  })

  test('say what became of which message, and why', () => {
    const text = 'id:0042 sub:001 dlvrd:001 submit date:2611211200 done date:261121130005 stat:DELIVRD err:000 text:x'
    assert.deepEqual(read(pduOf(text)), {
      tenantId: 1,
      carrierMessageId: '42',
      status: 'delivered',
      from: '+15005550006',
      to: '+4915112345678',
      at: '2026-11-21T13:00:05.000Z',
    })
    assert.equal(read(pduOf(text), { clockOffsetMinutes: 60 })?.at, '2026-11-21T12:00:05.000Z')
    const failed = read(pduOf('id:7 stat:UNDELIV err:027'))
    assert.deepEqual(
      [failed?.status, failed?.code, failed?.carrierCode],
      ['undelivered', 'handset_unreachable', 'UNDELIV err:027'],
    )
    const own = read(pduOf('id:7 stat:UNDELIV err:F2'))
    assert.deepEqual([own?.code, own?.carrierCode], ['carrier_unknown_error', 'UNDELIV err:F2'])
    const network = { receiptedMessageId: '7', messageState: 5, networkErrorCode: Buffer.from([3, 0, 1]) }
    const reported = read(pduOf('id:8 stat:DELIVRD', { tlvs: network }))
    assert.deepEqual(
      [reported?.carrierMessageId, reported?.status, reported?.code],
      ['7', 'undelivered', 'unknown_subscriber'],
    )
    const other = { ...network, networkErrorCode: Buffer.from([1, 0, 1]) }
    assert.equal(read(pduOf('', { tlvs: other }))?.code, 'carrier_unknown_error')
    assert.equal(read(pduOf('id:7 stat:EXPIRED'))?.code, 'validity_expired')
    assert.equal(read(pduOf('id:7 stat:REJECTD'))?.code, 'message_rejected')
  })

  test('that are not final, or name nothing, report nothing', () => {
    for (const text of [
      'id:7 stat:ENROUTE',
      'id:0 stat:DELIVRD',
      'id:000 stat:DELIVRD',
      'id: stat:DELIVRD',
      'id:7 stat:ACCEPTD',
      'id:7 stat:UNKNOWN',
      'stat:DELIVRD',
      'hello',
      '',
    ])
      assert.equal(read(pduOf(text)), undefined, text)
    assert.equal(read(pduOf('id:7 stat:DELIVRD', { esmClass: 0 })), undefined, 'anybody could have written it')
  })

  test('find their message in whatever base the id is written', () => {
    const hex = settingsWith({ receiptIds: 'hex_in_receipt' })
    assert.equal(answerId('0000305419896', hex), '305419896')
    assert.equal(
      read(pduOf('id:12345678 stat:DELIVRD'), { receiptIds: 'hex_in_receipt' })?.carrierMessageId,
      '305419896',
    )
    const decimal = settingsWith({ receiptIds: 'decimal_in_receipt' })
    assert.equal(answerId('0x12345678', decimal), '305419896')
    assert.equal(
      read(pduOf('id:0305419896 stat:DELIVRD'), { receiptIds: 'decimal_in_receipt' })?.carrierMessageId,
      '305419896',
    )
    const caseless = { receiptIds: 'ignore_case' } as const
    assert.equal(
      answerId('00AB-cd', settingsWith(caseless)),
      read(pduOf('id:0ab-CD stat:DELIVRD'), caseless)?.carrierMessageId,
    )
  })

  test('of numbers in base 62 find theirs and not the one that differs by a capital', () => {
    assert.equal(answerId('00aA', settingsWith()), read(pduOf('id:aA stat:DELIVRD'))?.carrierMessageId)
    assert.notEqual(answerId('00aA', settingsWith()), read(pduOf('id:aa stat:DELIVRD'))?.carrierMessageId)
  })

  test('bring nothing that no database takes', () => {
    const ended = read(pduOf('id:42 stat:UNDELIV err:F2\0'))
    assert.deepEqual([ended?.carrierMessageId, ended?.carrierCode], ['42', 'UNDELIV err:F2'])
    const silent = read(pduOf('id:42 stat:DELIVRD err:000\0'))
    assert.deepEqual([silent?.status, silent?.carrierCode], ['delivered', undefined])
    const apart = read(pduOf('id:42\0stat:UNDELIV\0err:0\x0027'))
    assert.deepEqual([apart?.carrierMessageId, apart?.carrierCode], ['42', 'UNDELIV'])
    const long = read(pduOf(`id:${'9'.repeat(90)} stat:UNDELIV err:${'E'.repeat(90)}`))
    assert.deepEqual([long?.carrierMessageId.length, long?.carrierCode?.length], [64, 64])
    const units = fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit))
    const words = fc.array(fc.oneof(units, fc.constantFrom('\0', 'A')), { maxLength: 60 }).map(list => list.join(''))
    fc.assert(
      fc.property(words, words, (id, err) => {
        const text = Buffer.from(`id:7${id} stat:UNDELIV err:${err}`, 'utf16le').swap16()
        const receipt = read(pduOf('', { dataCoding: 8, shortMessage: text.subarray(0, 254) }))
        for (const word of [receipt?.carrierMessageId, receipt?.carrierCode])
          assert.ok(word === undefined || (!word.includes('\0') && word.length <= 64 && word.isWellFormed()))
      }),
      { numRuns: 300 },
    )
  })
})

describe('the pace', () => {
  test('holds its rate over time, whole messages at once', () => {
    const pace = createPace(10, 0)
    let segments = 0
    for (let ms = 0; ms < 60_000; ms += 5) {
      if (!pace.mayBegin(ms)) continue
      pace.take(3, ms)
      segments += 3
    }
    assert.ok(segments >= 595 && segments <= 605, `${segments} in a minute`)
  })

  test('is halved by a word of throttling, and comes back step by step', () => {
    const pace = createPace(100, 0)
    assert.equal(pace.throttled(0, 1_000), true)
    assert.equal(pace.throttled(900, 1_100), false, 'it was on its way already')
    assert.equal(pace.within(1_100), 0)
    assert.ok(pace.waitMs(1_100) >= 900)
    assert.equal(pace.isSlowed(2_100), true)
    assert.ok(pace.within(2_200) <= 60)
    assert.equal(pace.throttled(2_200, 2_300), true)
    assert.equal(pace.isSlowed(10_000), true)
    assert.equal(pace.isSlowed(30_000), false)
    for (let ms = 30_000; ms < 60_000; ms += 1_000) pace.throttled(ms, ms)
    assert.ok(pace.waitMs(61_000) < 10_000, 'it never stops for good')
  })
})
