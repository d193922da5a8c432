// Inbound messages over SMPP: whose they are, what they say, and when one is a repetition.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FieldsOf } from '@tandem/smpp'
import { overTheWire, settingsWith } from '../../../test/carriers/smpp_wire.ts'
import { createReferences, readInbound } from './inbound.ts'
import type { SmppSettings } from './settings.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')

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

  test('of a message centre that counts from one again are other ones, unless the acknowledgement may have got lost', () => {
    const again = { ...yes, sequence: 1 }
    const after = (lostMs: number) => {
      const references = opened()
      const first = references.take(again, 0, nowMs)
      references.settled(first.key, true, nowMs)
      references.linkLost(0, nowMs + lostMs)
      return references.take(again, 0, nowMs + lostMs + 1_000).reference === first.reference
    }
    assert.deepEqual([4_999, 5_000].map(after), [true, false])
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

  test('are known again when they waited too long to be read, and when the end of their link did', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs, 3_000)
    assert.equal(references.take(yes, 0, nowMs, 3_000).reference, first.reference, 'both were read behind a stall')
    references.settled(first.key, true, nowMs + 10)
    assert.equal(references.take(yes, 0, nowMs + 20).reference, first.reference, 'it was acknowledged too late')
    references.settled(first.key, true, nowMs + 30)
    references.linkLost(0, nowMs + 6_000, 3_000)
    assert.equal(
      references.take(yes, 1, nowMs + 7_000).reference,
      first.reference,
      'its link had broken before the stall',
    )
    references.settled(first.key, true, nowMs + 7_010)
    assert.notEqual(references.take(yes, 1, nowMs + 8_000).reference, first.reference)
  })

  test('are known again after a crash, not after an orderly end', () => {
    const before = opened().take(yes, 0, nowMs).reference
    const crashed = { crashedAtMs: nowMs + 1_000, openedMs: nowMs + 700_000 }
    assert.equal(opened(crashed).take(yes, 0, nowMs + 701_000).reference, before)
    assert.notEqual(opened({ ...crashed, era: 'next' }).take(yes, 0, nowMs + 701_000).reference, before)
    assert.notEqual(opened(crashed).take(yes, 0, nowMs + 1_400_000).reference, before, 'that was long ago')
  })

  test('that a crash has left are expected until each has come again, or five minutes have passed', () => {
    const first = opened()
    const storedBefore = [yes, no].map(pdu => first.take(pdu, 0, nowMs).reference)
    const openedMs = nowMs + 3_000
    const crashed = { crashedAtMs: nowMs, openedMs, storedBefore }
    const second = opened(crashed)
    const repeat = (pdu: typeof yes) => {
      const { key, reference } = second.take(pdu, 0, openedMs + 1)
      second.settled(key, true, openedMs + 2)
      return reference
    }
    assert.equal(repeat(yes), storedBefore[0])
    assert.ok(second.isUncertain(openedMs + 3), 'one is missing')
    assert.equal(repeat(no), storedBefore[1])
    assert.ok(!second.isUncertain(openedMs + 4))
    assert.ok(opened(crashed).isUncertain(openedMs + 299_000))
    assert.ok(!opened(crashed).isUncertain(openedMs + 300_000))
    assert.ok(
      !opened({ ...crashed, era: 'next' }).isUncertain(openedMs),
      'of an era that has ended nothing comes again',
    )
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
