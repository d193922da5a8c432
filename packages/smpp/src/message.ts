// A text as the PDUs that carry it, and back. Long texts are split where no character is cut in two; each part fits what
// a network carries at once (140 octets: 160 septets or 70 UTF-16 units, less its header).
import { septetsOf } from './alphabets.ts'
import { esmClass } from './commands.ts'
import type { TextEncoding, TextProfile } from './text.ts'
import { bytesIn, decodeText, encodeText, encodingOf, fits } from './text.ts'
import type { Tlvs } from './tlv_tags.ts'
import type { Carrying, Concatenation, Udh } from './udh.ts'
import { concatenationHeader, contentOf, joinKey, languageShifts, udhOf } from './udh.ts'

/**
 * How the parts of a long text say that they belong together: by a user data header with an 8-bit or a 16-bit reference,
 * by the sar_ parameters, or not at all: `payload` sends it whole, in message_payload.
 */
export type ConcatenationForm = 'udh8' | 'udh16' | 'sar' | 'payload'

const headerOctets: Record<ConcatenationForm, number> = { udh8: 6, udh16: 7, sar: 6, payload: 6 }
const networkOctets = 140

export const maxParts = 255

/** What counts in a part: septets where the network will carry the default alphabet, UTF-16 units elsewhere. */
function countsSeptets(text: string, encoding: TextEncoding): boolean {
  if (encoding === 'gsm' || encoding === 'gsm_packed') return true
  return encoding !== 'ucs2' && fits(text, 'gsm')
}

/**
 * Cuts a text into the parts that a network carries: one of up to 160 septets or 70 UTF-16 units, else several of 153 or
 * 67 (152 and 66 with a 16-bit reference). Escape sequences and surrogate pairs stay whole. Latin-1 and ASCII count as what
 * the message centre makes of them. Throws RangeError for more than 255 parts, or when `encoding` lacks a character.
 */
export function splitText(text: string, encoding: TextEncoding, form: ConcatenationForm = 'udh8'): string[] {
  // Throws for a character that the encoding lacks.
  encodeText(text, {}, encoding)
  return cut(text, countsSeptets(text, encoding), networkOctets - headerOctets[form])
}

function cut(text: string, isSeptets: boolean, octetsInPart: number): string[] {
  const capacity = (octets: number) => (isSeptets ? Math.floor((octets * 8) / 7) : octets >> 1)
  const sizeAt = (index: number) => (isSeptets ? septetsOf(text.charCodeAt(index)) : 1)
  let left = capacity(networkOctets)
  for (let i = 0; i < text.length && left >= 0; i++) left -= sizeAt(i)
  if (left >= 0) return [text]
  const room = capacity(octetsInPart)
  const parts: string[] = []
  let start = 0
  let size = 0
  for (let i = 0; i < text.length; ) {
    const isPair = text.codePointAt(i)! > 0xffff
    const added = isPair ? 2 : sizeAt(i)
    if (size + added > room) {
      parts.push(text.slice(start, i))
      start = i
      size = 0
    }
    size += added
    i += isPair ? 2 : 1
  }
  parts.push(text.slice(start))
  if (parts.length > maxParts)
    throw new RangeError(`text: ${parts.length} parts, at most ${maxParts} can be distinguished`)
  return parts
}

export type ComposeOptions = {
  profile?: TextProfile | undefined
  /** Default: the profile's default alphabet where it has every character, UCS-2 otherwise. */
  encoding?: TextEncoding | undefined
  /** Default 'udh8'. */
  form?: ConcatenationForm | undefined
  /** 0 to 65535; the low eight bits count in 'udh8'. Must differ between long messages to one recipient. */
  reference?: number | undefined
}

/** The fields of one PDU (submit_sm or deliver_sm); `esmClass` holds the header bit only: add mode and type. */
export type MessagePart = { esmClass: number; dataCoding: number; shortMessage: Buffer; tlvs: Tlvs }

/**
 * The PDUs that carry a text, in order. Throws RangeError where `splitText` does. With 'payload' a text of one part goes
 * into short_message all the same.
 */
export function composeMessage(text: string, options: ComposeOptions = {}): MessagePart[] {
  const { profile = {}, form = 'udh8', reference = 0 } = options
  if (!(Number.isInteger(reference) && reference >= 0 && reference <= 0xffff)) {
    throw new RangeError(`reference: ${reference} is not a whole number from 0 to 65535`)
  }
  const whole = encodeText(text, profile, options.encoding)
  const { encoding, dataCoding } = whole
  const parts = cut(text, countsSeptets(text, encoding), networkOctets - headerOctets[form])
  const plain = { esmClass: 0, dataCoding, tlvs: {} }
  if (parts.length === 1) return [{ ...plain, shortMessage: whole.bytes }]
  if (form === 'payload') return [{ ...plain, shortMessage: Buffer.alloc(0), tlvs: { messagePayload: whole.bytes } }]
  return parts.map((part, index) => {
    const key = { reference, total: parts.length, part: index + 1 }
    if (form === 'sar') return { ...plain, shortMessage: bytesIn(part, encoding)!, tlvs: sarTlvs(key) }
    const header = concatenationHeader(form === 'udh8' ? 8 : 16, key)
    const octets = bytesIn(part, encoding, fillBitsBehind(header.length))!
    return { ...plain, esmClass: esmClass.udhIndicator, shortMessage: Buffer.concat([header, octets]) }
  })
}

function sarTlvs({ reference, total, part }: Concatenation): Tlvs {
  return { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part }
}

/** Packed septets begin on a septet's boundary counted from the header's first bit (TS 23.040 §9.2.3.24). */
function fillBitsBehind(octets: number): number {
  return (7 - ((octets * 8) % 7)) % 7
}

/**
 * - `text`: null when data_coding says that the octets are no text.
 * - `bytes`: the octets without the header.
 * - `isMalformed`: esm_class announces a header that is not well-formed; then `bytes` is everything.
 */
export type ReadMessage = {
  text: string | null
  bytes: Buffer
  encoding: TextEncoding | null
  udh: Udh | null
  join: Concatenation | null
  isMalformed: boolean
}

/** Reads what a submit_sm, deliver_sm or data_sm carries: its text with the tables its header asks for, and its place. */
export function readMessage(pdu: Carrying & { dataCoding: number }, profile: TextProfile = {}): ReadMessage {
  const udh = udhOf(pdu)
  const content = contentOf(pdu)
  const bytes = udh === null ? content : content.subarray(udh.length)
  const fillBits = udh === null ? 0 : fillBitsBehind(udh.length)
  return {
    text: decodeText(bytes, pdu.dataCoding, { profile, shifts: languageShifts(udh), fillBits }),
    bytes,
    encoding: encodingOf(pdu.dataCoding, profile),
    udh,
    join: joinKey(pdu),
    isMalformed: udh === null && (pdu.esmClass & esmClass.udhIndicator) !== 0,
  }
}
