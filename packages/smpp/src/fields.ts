// The place in the octets that are being decoded, and how the fields there are read (SMPP 3.4 §3.1, §3.2.4): what every PDU is
// made of. There is one place, since a PDU is decoded at one go.
import { statuses } from './commands.ts'
import { maxShortMessage, noTlvs, textLimits } from './pdu.ts'
import type { RawTlv, TlvEntry, Tlvs } from './tlv_tags.ts'
import { tlvByTag } from './tlv_tags.ts'

/** What a decoding function throws: it is no Error, so that hostile traffic does not pay for stack traces. */
export type Flaw = { fault: 'field' | 'tlv'; status: number; detail: string }

// The place being read; see the cursor in encode.ts.
let bytes: Buffer = Buffer.alloc(0)
let at = 0
let end = 0

/** Everything is read from here on. */
export function place(source: Buffer, start: number, stop: number): void {
  bytes = source
  at = start
  end = stop
}

export function octetsLeft(): number {
  return end - at
}

export function readShortMessage(): Buffer {
  const length = read8('sm_length')
  if (length > maxShortMessage) flawed(statuses.ESME_RINVMSGLEN, `sm_length is ${length}, at most 254 is allowed`)
  if (length > end - at) flawed(statuses.ESME_RINVMSGLEN, `sm_length is ${length}, only ${end - at} octets follow`)
  at += length
  return bytes.subarray(at - length, at)
}

export function readTime(field: string, status: number): string {
  const value = readText(textLimits.time, field, status)
  if (value.length !== 0 && value.length !== textLimits.time) flawed(status, `${field} must have 16 characters or none`)
  return value
}

/** A C-octet string (§3.1). Octets above 0x7F are no ASCII; they are read as Latin-1, so that nothing is lost. */
export function readText(max: number, field: string, status: number): string {
  const start = at
  const limit = Math.min(end, start + max + 1)
  while (at < limit && bytes[at] !== 0) at += 1
  if (at === limit) {
    if (limit === end) tooShort(field)
    flawed(status, `${field} is longer than ${max} characters`)
  }
  const stop = at++
  if (stop === start) return ''
  return stop === start + 1 ? String.fromCharCode(bytes[start]!) : bytes.toString('latin1', start, stop)
}

export function read8(field: string): number {
  if (at >= end) tooShort(field)
  return bytes[at++]!
}

export function read32(): number {
  at += 4
  return bytes[at - 4]! * 0x1000000 + ((bytes[at - 3]! << 16) | (bytes[at - 2]! << 8) | bytes[at - 1]!)
}

export function tooShort(field: string): never {
  return flawed(statuses.ESME_RINVCMDLEN, `the PDU ends before ${field} does`)
}

export function flawed(status: number, detail: string, fault: Flaw['fault'] = 'field'): never {
  throw { fault, status, detail } satisfies Flaw
}

export function readTlvs(allowed: boolean): Tlvs {
  if (at === end) return noTlvs
  if (!allowed) flawed(statuses.ESME_ROPTPARNOTALLWD, 'this command takes no optional parameter', 'tlv')
  const tlvs: Tlvs = {}
  let other: RawTlv[] | undefined
  while (at < end) {
    if (end - at < 4) flawed(statuses.ESME_RINVOPTPARSTREAM, `${end - at} octets follow the last parameter`, 'tlv')
    const tag = (bytes[at]! << 8) | bytes[at + 1]!
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!
    at += 4
    if (length > end - at) {
      const detail = `parameter 0x${tag.toString(16).padStart(4, '0')} has ${length} octets, ${end - at} follow`
      flawed(statuses.ESME_RINVOPTPARSTREAM, detail, 'tlv')
    }
    const entry = tlvByTag(tag)
    if (entry === undefined || entry.property in tlvs) {
      other ??= []
      other.push({ tag, value: bytes.subarray(at, at + length) })
    } else {
      // The table gives each property its form; the compiler cannot follow that through a computed name.
      ;(tlvs as Record<string, unknown>)[entry.property] = readTlvValue(entry, length)
    }
    at += length
  }
  if (other !== undefined) tlvs.other = other
  return tlvs
}

/** The value of `length` octets at the cursor, which stays. */
function readTlvValue({ name, form }: TlvEntry, length: number): number | string | Buffer {
  if (form.kind === 'number') {
    if (length !== form.size) flawedLength(name, length, `${form.size}`)
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + bytes[at + i]!
    if (value < (form.min ?? 0)) flawed(statuses.ESME_RINVOPTPARAMVAL, `${name} is ${value}`, 'tlv')
    return value
  }
  if (form.kind === 'octets') {
    if (length < form.min || length > form.max) flawedLength(name, length, `${form.min} to ${form.max}`)
    return bytes.subarray(at, at + length)
  }
  // Some message centres leave the NUL out of receipted_message_id, for its length says the same; some fill it up with them.
  let size = length
  while (size > 0 && bytes[at + size - 1] === 0) size--
  if (size > form.max - 1) flawedLength(name, length, `at most ${form.max}`)
  const text = bytes.toString('latin1', at, at + size)
  if (text.includes('\0')) flawed(statuses.ESME_RINVOPTPARAMVAL, `${name} has a NUL inside`, 'tlv')
  return text
}

function flawedLength(name: string, length: number, wanted: string): never {
  return flawed(statuses.ESME_RINVPARLEN, `${name} has ${length} octets, must have ${wanted}`, 'tlv')
}
