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
    // Old and superfluous digits, as no text is sent to them.
    assert.deepEqual(
      ['5215512345678', '4401512345678', '22507123456'].map(address => from(address, 1)),
      ['+525512345678', '+441512345678', '+22507123456'],
    )
    assert.equal(from('5215512345678', 0), '+525512345678')
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
    assert.notEqual(references.take(no, 0, nowMs), first)
    const meanwhile = references.take(yes, 0, nowMs + 5)
    assert.notEqual(meanwhile, first, 'two at once are two')
    references.settled(meanwhile, false, nowMs + 10)
    const repeated = references.take(yes, 0, nowMs + 60_000)
    assert.equal(repeated, meanwhile, 'it was not stored')
    references.settled(repeated, true, nowMs + 60_001)
    const again = references.take(yes, 0, nowMs + 61_000)
    assert.notEqual(again, repeated, 'it was acknowledged')
    references.settled(again, true, nowMs + 61_000)
    references.linkLost(1, nowMs + 62_000)
    const other = references.take(yes, 0, nowMs + 62_001)
    assert.notEqual(other, again, 'another link broke')
    references.settled(other, true, nowMs + 62_002)
    references.linkLost(0, nowMs + 63_000)
    assert.equal(references.take(yes, 1, nowMs + 70_000), other, 'its link broke')
  })

  test('of a message centre that counts from one again are other ones, unless the acknowledgement may have got lost', () => {
    const again = { ...yes, sequence: 1 }
    const after = (lostMs: number) => {
      const references = opened()
      const first = references.take(again, 0, nowMs)
      references.settled(first, true, nowMs)
      references.linkLost(0, nowMs + lostMs)
      return references.take(again, 0, nowMs + lostMs + 1_000) === first
    }
    assert.deepEqual([4_999, 5_000].map(after), [true, false])
  })

  test('are known again when the acknowledgement took longer than a carrier waits for it', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs)
    assert.equal(references.take(yes, 0, nowMs + 3_000), first, 'it is still being stored')
    references.settled(first, true, nowMs + 3_500)
    const other = references.take(yes, 0, nowMs + 4_000)
    assert.notEqual(other, first)
    references.settled(other, true, nowMs + 7_000)
    const late = references.take(yes, 0, nowMs + 7_100)
    assert.equal(late, other, 'its acknowledgement came too late')
    references.settled(late, true, nowMs + 7_200)
    assert.notEqual(references.take(yes, 0, nowMs + 8_000), late)
  })

  test('are known again when they waited too long to be read, and when the end of their link did', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs, 3_000)
    assert.equal(references.take(yes, 0, nowMs, 3_000), first, 'both were read behind a stall')
    references.settled(first, true, nowMs + 10)
    assert.equal(references.take(yes, 0, nowMs + 20), first, 'it was acknowledged too late')
    references.settled(first, true, nowMs + 30)
    references.linkLost(0, nowMs + 6_000, 3_000)
    assert.equal(references.take(yes, 1, nowMs + 7_000), first, 'its link had broken before the stall')
    references.settled(first, true, nowMs + 7_010)
    assert.notEqual(references.take(yes, 1, nowMs + 8_000), first)
  })

  test('that say the same and were under way together are known again each for itself', () => {
    const references = opened()
    const [first, second] = [0, 5].map(ms => references.take(yes, 0, nowMs + ms)) as [string, string]
    for (const reference of [first, second]) references.settled(reference, true, nowMs + 20)
    references.linkLost(0, nowMs + 1_000)
    const repeated = [0, 5].map(ms => references.take(yes, 1, nowMs + 3_000 + ms))
    assert.deepEqual(repeated.toSorted(), [first, second])
    for (const reference of repeated) references.settled(reference, true, nowMs + 3_100)
    const third = references.take(yes, 1, nowMs + 4_000)
    assert.ok(!repeated.includes(third), 'both have come again')
  })

  test('that could not be stored come again as themselves, whatever became of others that say the same', () => {
    const references = opened()
    const [first, second] = [0, 2_000].map(ms => references.take(yes, 0, nowMs + ms)) as [string, string]
    references.settled(first, false, nowMs + 2_300)
    references.settled(second, true, nowMs + 2_400)
    assert.equal(references.take(yes, 0, nowMs + 5_000), first)
    references.settled(first, true, nowMs + 5_010)
    // One is stored, but so late that the carrier may not know; the other one is refused, and comes again for certain.
    const [late, refused] = [0, 5].map(ms => references.take(yes, 0, nowMs + 6_000 + ms)) as [string, string]
    references.settled(late, true, nowMs + 9_000)
    references.settled(refused, false, nowMs + 9_000)
    assert.equal(references.take(yes, 0, nowMs + 9_500), refused)
    references.settled(refused, true, nowMs + 9_510)
    assert.equal(references.take(yes, 0, nowMs + 9_600), late)
  })

  test('that say the same as one that was forgotten early are other ones', () => {
    const references = opened()
    const first = references.take(yes, 0, nowMs)
    references.settled(first, true, nowMs + 1)
    for (let i = 0; i < 50_000; i++) {
      const reference = references.take({ ...no, shortMessage: Buffer.from(`${i}`) }, 0, nowMs + 5 * i)
      references.settled(reference, true, nowMs + 5 * i + 1)
    }
    const second = references.take(yes, 0, nowMs + 260_000)
    assert.notEqual(second, first)
    const crashed = { crashedAtMs: nowMs + 260_001, openedMs: nowMs + 262_000, storedBefore: [second] }
    assert.equal(opened(crashed).take(yes, 0, nowMs + 263_000), second, 'a crash behind it changes nothing')
  })

  test('that say the same as one before a crash are other ones when five minutes have passed', () => {
    const slotMs = 600_000
    const startMs = Math.ceil(nowMs / slotMs) * slotMs
    const first = opened()
    const given = [0, 5].map(ms => first.take(yes, 0, startMs + 60_000 + ms))
    const second = opened({ crashedAtMs: startMs + 120_000, openedMs: startMs + 125_000, storedBefore: given })
    const repeated = second.take(yes, 0, startMs + 126_000)
    assert.equal(repeated, given[0])
    second.settled(repeated, true, startMs + 126_001)
    const other = second.take(yes, 0, startMs + 430_000)
    assert.ok(!given.includes(other))
    const third = opened({ crashedAtMs: startMs + 431_000, openedMs: startMs + 433_000, storedBefore: [other] })
    assert.equal(third.take(yes, 0, startMs + 434_000), other)
  })

  test('are known again after a crash, not after an orderly end', () => {
    const before = opened().take(yes, 0, nowMs)
    const crashed = { crashedAtMs: nowMs + 1_000, openedMs: nowMs + 700_000 }
    assert.equal(opened(crashed).take(yes, 0, nowMs + 701_000), before)
    assert.notEqual(opened({ ...crashed, era: 'next' }).take(yes, 0, nowMs + 701_000), before)
    assert.notEqual(opened(crashed).take(yes, 0, nowMs + 1_400_000), before, 'that was long ago')
  })

  test('are known again after a long outage where they were stored, and all others are new ones', () => {
    const before = opened().take(yes, 0, nowMs)
    const openedMs = nowMs + 7_200_000
    const crashed = { crashedAtMs: nowMs + 1_000, openedMs, storedBefore: [before] }
    assert.equal(opened(crashed).take(yes, 0, openedMs + 1_000), before)
    // What was stored earlier in those ten minutes is not in the list.
    const unlisted = opened({ ...crashed, storedBefore: [] })
    const reference = unlisted.take(yes, 0, openedMs + 1_000)
    assert.notEqual(reference, before)
    unlisted.settled(reference, true, openedMs + 1_001)
    unlisted.linkLost(0, openedMs + 2_000)
    assert.equal(unlisted.take(yes, 0, openedMs + 3_000), reference, 'its own are known again')
  })

  test('that a crash has left are expected until each has come again, or five minutes have passed', () => {
    const first = opened()
    const storedBefore = [yes, no].map(pdu => first.take(pdu, 0, nowMs))
    const openedMs = nowMs + 3_000
    const crashed = { crashedAtMs: nowMs, openedMs, storedBefore }
    const second = opened(crashed)
    const repeat = (pdu: typeof yes) => {
      const reference = second.take(pdu, 0, openedMs + 1)
      second.settled(reference, true, openedMs + 2)
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
    const storedBefore = [first.take(yes, 0, edgeMs - 10), first.take(yes, 0, edgeMs - 5)]
    assert.notEqual(storedBefore[0], storedBefore[1])
    // It was last heard of when the next ten minutes had begun.
    const crashed = { crashedAtMs: edgeMs + 10, openedMs: edgeMs + 3_000, storedBefore }
    const second = opened(crashed)
    assert.deepEqual(
      [0, 1].map(() => second.take(yes, 0, edgeMs + 4_000)),
      storedBefore,
    )
    const fresh = second.take(no, 0, edgeMs + 5_000)
    const third = opened({
      ...crashed,
      crashedAtMs: edgeMs + slotMs + 1,
      openedMs: edgeMs + slotMs + 2,
      storedBefore: [fresh],
    })
    assert.equal(third.take(no, 0, edgeMs + slotMs + 3), fresh)
    const other = opened({ ...crashed, era: 'next' })
    assert.ok(!storedBefore.includes(other.take(yes, 0, edgeMs + 4_000)), 'of another era they are others')
  })
})
