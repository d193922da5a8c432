// The pure parts of the carrier: what is sent, what answers and receipts mean, whose an inbound message is and when it is
// a repetition, and how fast it goes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commandIds, createPduReader, encodePdu, type FieldsOf, type PduOf, readMessage } from '@tandem/smpp'
import fc from 'fast-check'
import { problems } from '../../kernel/problem.ts'
import { completeSettings, type SettingsSchema } from '../../kernel/settings.ts'
import type { Submission } from '../../modules/messaging/carrier.ts'
import { segmentsOf } from '../../modules/messaging/segments.ts'
import { createAnswers } from './answers.ts'
import { createReferences, readInbound } from './inbound.ts'
import { createPace } from './pace.ts'
import { composeSubmission } from './parts.ts'
import { answerId, readReceipt, tellsOfMessage } from './receipts.ts'
import { SmppSettings } from './settings.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

function settingsWith(more: Partial<SmppSettings> = {}): SmppSettings {
  const own = { host: 'smpp.example.com', systemId: 'x', password: 'x', ...more }
  return completeSettings(SmppSettings as unknown as SettingsSchema, own) as SmppSettings
}

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

/** As the peer reads it. */
function overTheWire<Name extends 'submit_sm' | 'deliver_sm'>(command: Name, fields: FieldsOf<Name>): PduOf<Name> {
  const [pdu] = createPduReader().push(encodePdu({ command, sequence: 1, ...fields } as never))
  assert.ok(pdu !== undefined && 'command' in pdu && Object.hasOwn(commandIds, pdu.command as string))
  return pdu as PduOf<Name>
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
    const tells = (text: string, more: Partial<SmppSettings>, fields: FieldsOf<'deliver_sm'> = {}) =>
      tellsOfMessage(pduOf(text, { esmClass: 0, ...fields }), settingsWith(more))
    assert.equal(tells(whole, {}), false)
    assert.equal(tells(whole, plain), true)
    assert.equal(read(pduOf(whole, { esmClass: 0 }), plain)?.carrierMessageId, '42')
    assert.equal(read(pduOf(whole, { esmClass: 0 })), undefined)
    for (const other of ['id:42 stat:DELIVRD', `He wrote ${whole}`, 'id: please call me', ''])
      assert.equal(tells(other, plain), false, other)
    // With a header or another mark it is what that says.
    assert.equal(tells(whole, plain, { esmClass: 8 }), false)
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
    const told = read(pduOf('id:8 stat:DELIVRD', { tlvs: network }))
    assert.deepEqual([told?.carrierMessageId, told?.status, told?.code], ['7', 'undelivered', 'unknown_subscriber'])
    const other = { ...network, networkErrorCode: Buffer.from([1, 0, 1]) }
    assert.equal(read(pduOf('', { tlvs: other }))?.code, 'carrier_unknown_error')
    assert.equal(read(pduOf('id:7 stat:EXPIRED'))?.code, 'validity_expired')
    assert.equal(read(pduOf('id:7 stat:REJECTD'))?.code, 'message_rejected')
  })

  test('that are not the last word, or name nothing, say nothing', () => {
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

describe('inbound messages', () => {
  const pduOf = (fields: FieldsOf<'deliver_sm'>) => overTheWire('deliver_sm', fields)

  test('have their sender and recipient as we write them', () => {
    const from = (sourceAddr: string, sourceAddrTon: number, defaultCountry: string | null = null) =>
      readInbound(pduOf({ sourceAddr, sourceAddrTon, destinationAddr: '1' }), settingsWith({ defaultCountry })).from
    assert.equal(from('4915112345678', 1), '+4915112345678')
    assert.equal(from('+4915112345678', 0), '+4915112345678')
    assert.equal(from('004915112345678', 1), '+4915112345678')
    assert.equal(from('4915112345678', 0), '+4915112345678')
    assert.equal(from('015112345678', 2, 'DE'), '+4915112345678')
    assert.equal(from('5550100001', 0, 'US'), '+15550100001')
    assert.equal(from('4915112345678', 0, 'DE'), '+4915112345678')
    assert.equal(from('12345', 0), '12345')
    assert.equal(from('123456789', 3), '123456789')
    // Of carriers to whom every address is international; the last one is a number in Niue.
    assert.deepEqual(
      ['12345', '+12345', '0012345', '6834000'].map(address => from(address, 1)),
      ['12345', '12345', '12345', '+6834000'],
    )
    assert.equal(from('+12345', 0), '12345')
    assert.equal(from('ACME', 5), 'ACME')
    assert.equal(from('015112345678', 2), '015112345678')
  })

  test('say what they say, in every coding', () => {
    const read = (fields: FieldsOf<'deliver_sm'>, more: Partial<SmppSettings> = {}) =>
      readInbound(pduOf({ sourceAddr: '1', destinationAddr: '2', ...fields }), settingsWith(more))
    assert.equal(read({ shortMessage: Buffer.from([0x1b, 0x65, 0x00]) }).body, '€@')
    assert.equal(read({ shortMessage: Buffer.from('é', 'latin1') }, { defaultAlphabet: 'latin1' }).body, 'é')
    const wide = read({ dataCoding: 8, shortMessage: Buffer.from('da3ddc00', 'hex').swap16().swap16() })
    assert.deepEqual([wide.encoding, wide.body.length], ['UCS-2', 2])
    assert.equal(read({ dataCoding: 4, shortMessage: Buffer.from([1, 0xfe]) }).body, '01FE')
    assert.equal(read({ dataCoding: 8, shortMessage: Buffer.from([0, 0, 0, 0x41]) }).body, '\ufffdA')
    assert.equal(read({ tlvs: { messagePayload: Buffer.from('payload') } }).body, 'payload')
    const sar = { sarMsgRefNum: 9, sarTotalSegments: 2, sarSegmentSeqnum: 1 }
    assert.deepEqual(read({ shortMessage: Buffer.from('a'), tlvs: sar }).part, { reference: 9, total: 2, part: 1 })
    assert.equal(read({ tlvs: { ...sar, sarTotalSegments: 1 } }).part, undefined)
  })

  const yes = pduOf({ sourceAddr: '1', destinationAddr: '2', shortMessage: Buffer.from('YES') })
  const no = pduOf({ sourceAddr: '1', destinationAddr: '2', shortMessage: Buffer.from('NO') })
  const opened = (more: object = {}) =>
    createReferences({ era: 'era', crashedAtMs: null, openedMs: nowMs, storedBefore: [], ...more })

  test('are known again when they are repeated, and only then', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs)
    assert.notEqual(references.take(no, 0, nowMs).reference, first.reference)
    const meanwhile = references.take(yes, 0, nowMs + 5)
    assert.notEqual(meanwhile.reference, first.reference, 'two at once are two')
    references.settled(meanwhile.key, false, nowMs + 10)
    const repeated = references.take(yes, 0, nowMs + 60_000)
    assert.equal(repeated.reference, meanwhile.reference, 'it was not stored')
    references.settled(repeated.key, true, nowMs + 60_001)
    const again = references.take(yes, 0, nowMs + 61_000)
    assert.notEqual(again.reference, repeated.reference, 'it was acknowledged')
    references.settled(again.key, true, nowMs + 61_000)
    references.linkLost(1, nowMs + 62_000)
    const other = references.take(yes, 0, nowMs + 62_001)
    assert.notEqual(other.reference, again.reference, 'another link broke')
    references.settled(other.key, true, nowMs + 62_002)
    references.linkLost(0, nowMs + 63_000)
    assert.equal(references.take(yes, 1, nowMs + 70_000).reference, other.reference, 'its link broke')
  })

  test('are known again when the acknowledgement took longer than a carrier waits for it', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs)
    assert.equal(references.take(yes, 0, nowMs + 3_000).reference, first.reference, 'it is still being stored')
    references.settled(first.key, true, nowMs + 3_500)
    const other = references.take(yes, 0, nowMs + 4_000)
    assert.notEqual(other.reference, first.reference)
    references.settled(other.key, true, nowMs + 7_000)
    const late = references.take(yes, 0, nowMs + 7_100)
    assert.equal(late.reference, other.reference, 'its acknowledgement came too late')
    references.settled(late.key, true, nowMs + 7_200)
    assert.notEqual(references.take(yes, 0, nowMs + 8_000).reference, late.reference)
  })

  test('are known again after a crash, not after an orderly end', () => {
    const before = opened().take(yes, 0, nowMs).reference
    const crashed = { crashedAtMs: nowMs + 1_000, openedMs: nowMs + 700_000 }
    assert.equal(opened(crashed).take(yes, 0, nowMs + 701_000).reference, before)
    assert.notEqual(opened({ ...crashed, era: 'next' }).take(yes, 0, nowMs + 701_000).reference, before)
    assert.notEqual(opened(crashed).take(yes, 0, nowMs + 1_400_000).reference, before, 'that was long ago')
  })

  test('are known again wherever on the clock the crash was, and after several crashes', () => {
    const slotMs = 600_000
    const edgeMs = Math.ceil(nowMs / slotMs) * slotMs
    const first = opened()
    const storedBefore = [first.take(yes, 0, edgeMs - 10).reference, first.take(yes, 0, edgeMs - 5).reference]
    assert.notEqual(storedBefore[0], storedBefore[1])
    // It was last heard of when the next ten minutes had begun.
    const crashed = { crashedAtMs: edgeMs + 10, openedMs: edgeMs + 3_000, storedBefore }
    const second = opened(crashed)
    assert.deepEqual(
      [0, 1].map(() => second.take(yes, 0, edgeMs + 4_000).reference),
      storedBefore,
    )
    const fresh = second.take(no, 0, edgeMs + 5_000).reference
    const third = opened({
      ...crashed,
      crashedAtMs: edgeMs + slotMs + 1,
      openedMs: edgeMs + slotMs + 2,
      storedBefore: [fresh],
    })
    assert.equal(third.take(no, 0, edgeMs + slotMs + 3).reference, fresh)
    const other = opened({ ...crashed, era: 'next' })
    assert.ok(!storedBefore.includes(other.take(yes, 0, edgeMs + 4_000).reference), 'of another era they are others')
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
