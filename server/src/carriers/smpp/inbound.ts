// Messages that come in: whose they are, what they say, and by which reference a repetition is known.
import { createHash } from 'node:crypto'
import { esmClass, readMessage } from '@tandem/smpp'
import type { InboundMessage } from '../../modules/messaging/carrier.ts'
import { addressOf } from './addresses.ts'
import { createKnownMessages, repeatMs, slotMs } from './known.ts'
import { profileOf } from './parts.ts'
import type { Delivery } from './receipts.ts'
import type { SmppSettings } from './settings.ts'

/** So long after a crash may what the process before was storing be committed; then all of it is in the list. */
const stragglersMs = 3_600_000

/** A message without its reference. */
export type ReadInbound = Omit<InboundMessage, 'reference' | 'tenantId'>

/**
 * What a deliver_sm or data_sm says. Octets that are no text are given in hexadecimal; NUL, which no database stores, is
 * shown as U+FFFD.
 */
export function readInbound(pdu: Delivery, settings: SmppSettings): ReadInbound {
  const { text, bytes, encoding, join } = readMessage(pdu, profileOf(settings))
  const body = text === null ? bytes.toString('hex').toUpperCase() : text.replaceAll('\0', '\ufffd')
  return {
    from: addressOf(pdu.sourceAddr, pdu.sourceAddrTon, settings),
    to: addressOf(pdu.destinationAddr, pdu.destAddrTon, settings),
    body,
    ...(encoding === 'ucs2' ? { encoding: 'UCS-2' } : {}),
    ...(join === null || join.total === 1 ? {} : { part: join }),
  }
}

/**
 * Gives each inbound message its reference. SMPP has no id for them, so it is made of what the message says (sender,
 * recipient, coding, octets), the era of the carrier, ten minutes of the clock, and a count: a message that says the same
 * as one that was acknowledged is another one, and one that says the same as one whose acknowledgement was not written, came
 * late (counted from when it can have arrived, not from when it was read), or got lost with its link, is its repetition. After
 * a crash the era is the one before, and for five minutes the count goes on in the ten minutes of what was stored last with the
 * same content; where nothing was, in those in which the process before was last heard of, if that is less than an hour ago.
 * So whatever that one stored and did not acknowledge gets the same reference again. (And a person who sends the same words
 * twice within those minutes is heard once.) Who ends within them before all that has come again leaves it to the next one in the same way. Behind the five minutes
 * references name the opening too, because the process before may have given the others of those ten minutes.
 */
export function createReferences({ era, crashedAtMs, openedMs, storedBefore }: ReferenceOptions) {
  const opening = crashedAtMs === null ? '' : `~${openedMs.toString(36)}`
  const known = createKnownMessages(opening)
  const leftBehind = new Set(storedBefore.filter(reference => reference.split('.')[1] === era))
  const slotBefore = new Map(
    storedBefore
      .map(reference => reference.split('.'))
      .flatMap(([key, of, slot]) => (of === era ? [[key, slot]] : [])) as [string, string][],
  )

  function slotOf(key: string, nowMs: number): string {
    if (crashedAtMs === null || nowMs - openedMs >= repeatMs) return clockSlot(nowMs) + opening
    const own = nowMs - crashedAtMs < stragglersMs ? clockSlot(crashedAtMs) : clockSlot(nowMs) + opening
    return slotBefore.get(key) ?? own
  }

  return {
    /**
     * The reference of a message that has arrived on a link.
     * @param stalledMs how long it may have waited before it was read: the carrier counts from when it sent it
     */
    take(pdu: Delivery, link: number, nowMs: number, stalledMs = 0): string {
      const key = contentKey(pdu)
      const reference = known.take(key, `${key}.${era}.${slotOf(key, nowMs)}`, link, nowMs, nowMs - stalledMs)
      leftBehind.delete(reference)
      return reference
    },
    settled: known.settled,
    linkLost: known.linkLost,
    /** Whether something was stored of which the carrier may not know, so that it will come again. */
    isUncertain: (nowMs: number): boolean =>
      (leftBehind.size > 0 && nowMs - openedMs < repeatMs) || known.isUncertain(nowMs),
  }
}

const clockSlot = (ms: number) => Math.floor(ms / slotMs).toString(36)

export type ReferenceOptions = {
  era: string
  crashedAtMs: number | null
  openedMs: number
  /** References that were given before the crash, the newest last. */
  storedBefore: readonly string[]
}

function contentKey(pdu: Delivery): string {
  const { sourceAddr, destinationAddr, dataCoding, tlvs } = pdu
  const hash = createHash('sha256')
  const udhBit = pdu.esmClass & esmClass.udhIndicator
  const sar = [tlvs.sarMsgRefNum, tlvs.sarTotalSegments, tlvs.sarSegmentSeqnum]
  hash.update(JSON.stringify([sourceAddr, destinationAddr, dataCoding, udhBit, tlvs.userMessageReference, sar]))
  if ('shortMessage' in pdu) hash.update(pdu.shortMessage)
  hash.update(tlvs.messagePayload ?? '')
  return hash.digest('base64url').slice(0, 16)
}
