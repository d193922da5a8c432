// The user data header of a short message (3GPP TS 23.040 §9.2.3.24), and which message a part belongs to, whichever way
// of saying so its sender chose.
import { esmClass } from './commands.ts'
import type { Tlvs } from './tlv_tags.ts'

export type UdhElement = { id: number; data: Buffer }

/** Which part of how many: `reference` is the same in all parts of one message from one sender to one recipient. */
export type Concatenation = { reference: number; total: number; part: number }

/** `length` counts all octets of the header, its own length octet included. */
export type Udh = { length: number; elements: readonly UdhElement[] }

const elementIds = { concatenated8: 0x00, concatenated16: 0x08, singleShift: 0x24, lockingShift: 0x25 } as const

/** Reads the header at the beginning of a message whose esm_class announces one; null when it is not well-formed. */
export function parseUdh(octets: Buffer): Udh | null {
  const length = (octets[0] ?? 0xff) + 1
  if (length > octets.length) return null
  const elements: UdhElement[] = []
  for (let at = 1; at < length; ) {
    if (at + 2 > length) return null
    const size = octets[at + 1]!
    if (at + 2 + size > length) return null
    elements.push({ id: octets[at]!, data: octets.subarray(at + 2, at + 2 + size) })
    at += 2 + size
  }
  return { length, elements }
}

/** The last of several, as §9.2.3.24 rules. */
function lastElement(udh: Udh, id: number, size: number): Buffer | undefined {
  return udh.elements.findLast(element => element.id === id && element.data.length === size)?.data
}

/** The languages whose tables a header asks for (§9.2.3.24.15 and .16). */
export function languageShifts(udh: Udh | null): { single?: number | undefined; locking?: number | undefined } {
  if (udh === null) return {}
  return {
    single: lastElement(udh, elementIds.singleShift, 1)?.[0],
    locking: lastElement(udh, elementIds.lockingShift, 1)?.[0],
  }
}

function concatenationOf(udh: Udh): Concatenation | null {
  const wide = lastElement(udh, elementIds.concatenated16, 4)
  if (wide !== undefined) return checked({ reference: wide.readUInt16BE(0), total: wide[2]!, part: wide[3]! })
  const narrow = lastElement(udh, elementIds.concatenated8, 3)
  return narrow === undefined ? null : checked({ reference: narrow[0]!, total: narrow[1]!, part: narrow[2]! })
}

// A part 0, a part beyond the total or a total of 0 is to be ignored (§9.2.3.24.1).
function checked(key: Concatenation): Concatenation | null {
  return key.part >= 1 && key.part <= key.total ? key : null
}

/** What carries a message: fields of submit_sm, deliver_sm and data_sm. */
export type Carrying = { esmClass: number; shortMessage?: Buffer | undefined; tlvs: Tlvs }

/** The octets of a message, header included: short_message or, where that is empty, message_payload. */
export function contentOf(pdu: Carrying): Buffer {
  const { shortMessage } = pdu
  if (shortMessage !== undefined && shortMessage.length > 0) return shortMessage
  return pdu.tlvs.messagePayload ?? shortMessage ?? Buffer.alloc(0)
}

/** The header of a message; null when it has none or when it is not well-formed. */
export function udhOf(pdu: Carrying): Udh | null {
  return (pdu.esmClass & esmClass.udhIndicator) === 0 ? null : parseUdh(contentOf(pdu))
}

/**
 * Which part of which message this is: from its user data header (8-bit or 16-bit reference) or from its sar_ parameters
 * (SMPP 3.4 §5.3.2.22 to 24). Null for a message that is whole.
 */
export function joinKey(pdu: Carrying): Concatenation | null {
  const udh = udhOf(pdu)
  const key = udh === null ? null : concatenationOf(udh)
  if (key !== null) return key
  const { sarMsgRefNum, sarTotalSegments, sarSegmentSeqnum } = pdu.tlvs
  if (sarMsgRefNum === undefined || sarTotalSegments === undefined || sarSegmentSeqnum === undefined) return null
  return checked({ reference: sarMsgRefNum, total: sarTotalSegments, part: sarSegmentSeqnum })
}

/** A header with nothing but a part's place. An 8-bit reference is the low half of `reference`. */
export function concatenationHeader(bits: 8 | 16, { reference, total, part }: Concatenation): Buffer {
  if (bits === 8) return Buffer.from([5, elementIds.concatenated8, 3, reference & 0xff, total, part])
  return Buffer.from([6, elementIds.concatenated16, 4, (reference >> 8) & 0xff, reference & 0xff, total, part])
}
