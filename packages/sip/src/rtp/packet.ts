// RTP packets (RFC 3550 §5): octets to fields and back, and the serial arithmetic of their counters. What comes in is
// read in place and held to the standard; what breaks it is a fault that says where, never an exception.

/** Why octets are no packet. `detail` is for a trace, in plain English. */
export type PacketFault = {
  fault: 'short' | 'version' | 'padding' | 'extension' | 'length' | 'type'
  detail: string
}

export type RtpPacket = {
  /** 0 to 127; 0 is PCMU, 8 is PCMA (RFC 3551 §6), 96 to 127 are agreed by SDP. */
  payloadType: number
  /** For audio: the first packet after a silence (RFC 3551 §4.1). For telephone events: the first of an event. */
  marker: boolean
  /** 16 bits; each packet counts one. */
  sequence: number
  /** 32 bits, in units of the payload's clock: 8,000 a second for G.711 and its telephone events. */
  timestamp: number
  ssrc: number
  csrcs: number[]
  extension: { profile: number; data: Buffer } | null
  /** A view into the octets that were read, without padding. */
  payload: Buffer
}

/** What must be said of a packet to write it. */
export type RtpHeader = Pick<RtpPacket, 'payloadType' | 'marker' | 'sequence' | 'timestamp' | 'ssrc'>

export const rtpHeaderLength = 12
const noSources: number[] = []

export function isPacketFault(result: object): result is PacketFault {
  return 'fault' in result
}

export function packetFault(fault: PacketFault['fault'], detail: string): PacketFault {
  return { fault, detail }
}

/** Whether the octets of a port that carries both are RTCP: packet types 192 to 223 (RFC 5761 §4). */
export function isRtcp(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[1]! >= 192 && bytes[1]! <= 223
}

/** Reads one datagram as an RTP packet (RFC 3550 §5.1). The payload is not copied. */
export function readRtp(bytes: Buffer): RtpPacket | PacketFault {
  if (bytes.length < rtpHeaderLength) return packetFault('short', `${bytes.length} octets, a header has 12`)
  const first = bytes[0]!
  if (first >> 6 !== 2) return packetFault('version', `version ${first >> 6}, must be 2`)
  let start = headerLength(bytes)
  if (start > bytes.length) return packetFault('short', `${bytes.length} octets, its sources end at ${start}`)
  let extension: RtpPacket['extension'] = null
  if ((first & 0x10) !== 0) {
    const read = readExtension(bytes, start)
    if (isPacketFault(read)) return read
    extension = read
    start += 4 + read.data.length
  }
  const end = (first & 0x20) === 0 ? bytes.length : bytes.length - bytes[bytes.length - 1]!
  // A padding count of zero does not count itself, which it must.
  if (end < start || ((first & 0x20) !== 0 && end === bytes.length))
    return packetFault('padding', `${bytes[bytes.length - 1]} octets of padding in ${bytes.length - start}`)
  return {
    payloadType: bytes[1]! & 0x7f,
    marker: bytes[1]! >= 0x80,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    csrcs: (first & 0x0f) === 0 ? noSources : readSources(bytes, first & 0x0f),
    extension,
    payload: bytes.subarray(start, end),
  }
}

/** Octets of the fixed header and the contributing sources; the extension is not in it. */
function headerLength(bytes: Uint8Array): number {
  return rtpHeaderLength + 4 * (bytes[0]! & 0x0f)
}

function readSources(bytes: Buffer, count: number): number[] {
  return Array.from({ length: count }, (_, i) => bytes.readUInt32BE(rtpHeaderLength + 4 * i))
}

function readExtension(bytes: Buffer, start: number): { profile: number; data: Buffer } | PacketFault {
  if (start + 4 > bytes.length) return packetFault('extension', 'ends before the length of its extension')
  const length = 4 * bytes.readUInt16BE(start + 2)
  if (start + 4 + length > bytes.length)
    return packetFault('extension', `an extension of ${length} octets where ${bytes.length - start - 4} are left`)
  return { profile: bytes.readUInt16BE(start), data: bytes.subarray(start + 4, start + 4 + length) }
}

/**
 * Where the payload of a datagram begins (fixed header, sources and extension), or -1 where its header is cut short.
 * SRTP encrypts from here on (RFC 3711 §3.1).
 */
export function payloadStart(bytes: Buffer): number {
  if (bytes.length < rtpHeaderLength) return -1
  let start = headerLength(bytes)
  if ((bytes[0]! & 0x10) !== 0) {
    if (start + 4 > bytes.length) return -1
    start += 4 + 4 * bytes.readUInt16BE(start + 2)
  }
  return start > bytes.length ? -1 : start
}

/** Writes a header without sources and extension, and room for the payload, which the caller fills from octet 12 on. */
export function startRtp(header: RtpHeader, payloadLength: number): Buffer {
  const bytes = Buffer.allocUnsafe(rtpHeaderLength + payloadLength)
  bytes[0] = 0x80
  bytes[1] = (header.marker ? 0x80 : 0) | header.payloadType
  bytes.writeUInt16BE(header.sequence, 2)
  bytes.writeUInt32BE(header.timestamp, 4)
  bytes.writeUInt32BE(header.ssrc, 8)
  return bytes
}

/** Writes a whole packet. Throws RangeError, naming the field, for what the wire cannot carry. */
export function writeRtp(packet: RtpHeader & Partial<RtpPacket> & { payload: Uint8Array }): Buffer {
  const { csrcs = noSources, extension = null, payload } = packet
  checkRange('payloadType', packet.payloadType, 127)
  checkRange('sequence', packet.sequence, 0xffff)
  checkRange('timestamp', packet.timestamp, 0xffffffff)
  checkRange('ssrc', packet.ssrc, 0xffffffff)
  checkRange('csrcs', csrcs.length, 15)
  const extra = extensionLength(extension)
  const bytes = startRtp(packet, 4 * csrcs.length + extra + payload.length)
  bytes[0]! |= csrcs.length | (extension === null ? 0 : 0x10)
  let at = rtpHeaderLength
  for (const csrc of csrcs) at = bytes.writeUInt32BE(csrc, at)
  if (extension !== null) {
    at = bytes.writeUInt16BE(extension.profile, at)
    at = bytes.writeUInt16BE(extension.data.length / 4, at)
    bytes.set(extension.data, at)
    at += extension.data.length
  }
  bytes.set(payload, at)
  return bytes
}

function extensionLength(extension: RtpPacket['extension']): number {
  if (extension === null) return 0
  const { length } = extension.data
  if (length % 4 !== 0 || length > 4 * 0xffff)
    throw new RangeError(`extension: ${length} octets, must be a multiple of 4 up to ${4 * 0xffff}`)
  checkRange('extension.profile', extension.profile, 0xffff)
  return 4 + length
}

function checkRange(name: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name}: ${value}, must be 0 to ${max}`)
}

/** How far `to` is after `from` on the circle of 16 bits: -32,768 to 32,767. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16
}

/** How far `to` is after `from` on the circle of 32 bits: -2^31 to 2^31 - 1. */
export function timestampDistance(from: number, to: number): number {
  return (to - from) | 0
}

/** A timestamp some units later (or earlier), as an unsigned number of 32 bits. */
export function timestampPlus(timestamp: number, units: number): number {
  return (timestamp + units) >>> 0
}
