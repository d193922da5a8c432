// RTCP packets (RFC 3550 §6): a datagram is a compound of them. Reports, source descriptions, goodbyes and application
// packets are read into fields; other types (feedback and the like) are kept as they are. Nothing malformed is guessed at.
import type { PacketFault } from './packet.ts'
import { isPacketFault, packetFault } from './packet.ts'

/** What a receiver says of one source (RFC 3550 §6.4.1). */
export type ReportBlock = {
  ssrc: number
  /** 256ths of the packets expected since the last report. */
  fractionLost: number
  /** Signed: duplicates make it negative. -2^23 to 2^23 - 1. */
  cumulativeLost: number
  /** Sequence number with its count of cycles above it. */
  highestSequence: number
  /** In units of the media clock. */
  jitter: number
  /** The middle 32 bits of the NTP time of the last sender report; 0 if none came. */
  lastSenderReport: number
  /** Since that came, in 65,536ths of a second. */
  delaySinceLastSenderReport: number
}

export type SenderInfo = {
  ntpSeconds: number
  ntpFraction: number
  rtpTimestamp: number
  packets: number
  octets: number
}

export type SourceChunk = { ssrc: number; items: { type: number; value: string }[] }

export type RtcpPacket =
  | { type: 'sender_report'; ssrc: number; sender: SenderInfo; blocks: ReportBlock[] }
  | { type: 'receiver_report'; ssrc: number; blocks: ReportBlock[] }
  | { type: 'source_description'; chunks: SourceChunk[] }
  | { type: 'goodbye'; ssrcs: number[]; reason: string | null }
  | { type: 'application'; subtype: number; ssrc: number; name: string; data: Buffer }
  | { type: 'other'; packetType: number; count: number; data: Buffer }

/** The item of a source description that every compound carries (RFC 3550 §6.5.1). */
export const cnameItem = 1

const packetTypes = {
  sender_report: 200,
  receiver_report: 201,
  source_description: 202,
  goodbye: 203,
  application: 204,
}
const headerLength = 4
const blockLength = 24

/**
 * Reads a datagram (RFC 3550 §6.1, A.2): all of it or a fault. The first packet must be a report unless `allowReducedSize`
 * (RFC 5506); only the last may be padded.
 */
export function readRtcp(bytes: Buffer, { allowReducedSize = false } = {}): RtcpPacket[] | PacketFault {
  const packets: RtcpPacket[] = []
  let at = 0
  while (at < bytes.length) {
    if (bytes.length - at < headerLength)
      return packetFault('short', `${bytes.length - at} octets after the last packet`)
    const first = bytes[at]!
    if (first >> 6 !== 2) return packetFault('version', `version ${first >> 6}, must be 2`)
    const end = at + 4 * (bytes.readUInt16BE(at + 2) + 1)
    if (end > bytes.length) return packetFault('length', `a packet that ends at ${end} of ${bytes.length} octets`)
    const bodyEnd = withoutPadding(bytes, at, end)
    if (typeof bodyEnd !== 'number') return bodyEnd
    const packet = readOne(bytes[at + 1]!, first & 0x1f, bytes.subarray(at + headerLength, bodyEnd))
    if (isPacketFault(packet)) return packet
    if (at === 0 && !allowReducedSize && packet.type !== 'sender_report' && packet.type !== 'receiver_report')
      return packetFault('type', `begins with packet type ${bytes[1]}, must be a report (200 or 201)`)
    packets.push(packet)
    at = end
  }
  return packets.length === 0 ? packetFault('short', 'an empty datagram') : packets
}

function withoutPadding(bytes: Buffer, at: number, end: number): number | PacketFault {
  if ((bytes[at]! & 0x20) === 0) return end
  const padding = bytes[end - 1]!
  if (end !== bytes.length || padding === 0 || padding % 4 !== 0 || padding > end - at - headerLength)
    return packetFault('padding', `${padding} octets of padding in a packet of ${end - at}`)
  return end - padding
}

function readOne(packetType: number, count: number, body: Buffer): RtcpPacket | PacketFault {
  if (packetType === packetTypes.sender_report) return readSenderReport(count, body)
  if (packetType === packetTypes.receiver_report) return readReceiverReport(count, body)
  if (packetType === packetTypes.source_description) return readSourceDescription(count, body)
  if (packetType === packetTypes.goodbye) return readGoodbye(count, body)
  if (packetType === packetTypes.application) return readApplication(count, body)
  return { type: 'other', packetType, count, data: body }
}

function tooShort(what: string, body: Buffer, needed: number): PacketFault {
  return packetFault('length', `${what}: ${body.length} octets, needs ${needed}`)
}

// What follows the blocks is an extension of a profile (RFC 3550 §6.4.3), which no profile of ours has.
function readSenderReport(count: number, body: Buffer): RtcpPacket | PacketFault {
  const needed = 24 + count * blockLength
  if (body.length < needed) return tooShort('sender report', body, needed)
  const sender = {
    ntpSeconds: body.readUInt32BE(4),
    ntpFraction: body.readUInt32BE(8),
    rtpTimestamp: body.readUInt32BE(12),
    packets: body.readUInt32BE(16),
    octets: body.readUInt32BE(20),
  }
  return { type: 'sender_report', ssrc: body.readUInt32BE(0), sender, blocks: readBlocks(body, 24, count) }
}

function readReceiverReport(count: number, body: Buffer): RtcpPacket | PacketFault {
  const needed = 4 + count * blockLength
  if (body.length < needed) return tooShort('receiver report', body, needed)
  return { type: 'receiver_report', ssrc: body.readUInt32BE(0), blocks: readBlocks(body, 4, count) }
}

function readBlocks(body: Buffer, start: number, count: number): ReportBlock[] {
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * blockLength
    return {
      ssrc: body.readUInt32BE(at),
      fractionLost: body[at + 4]!,
      cumulativeLost: body.readIntBE(at + 5, 3),
      highestSequence: body.readUInt32BE(at + 8),
      jitter: body.readUInt32BE(at + 12),
      lastSenderReport: body.readUInt32BE(at + 16),
      delaySinceLastSenderReport: body.readUInt32BE(at + 20),
    }
  })
}

/** Chunks of an SSRC and items, each ended by a null octet and filled up to 32 bits (RFC 3550 §6.5). */
function readSourceDescription(count: number, body: Buffer): RtcpPacket | PacketFault {
  const chunks: SourceChunk[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 4 > body.length) return tooShort('source description', body, at + 4)
    const chunk: SourceChunk = { ssrc: body.readUInt32BE(at), items: [] }
    at += 4
    while (at < body.length && body[at] !== 0) {
      const end = at + 2 + (body[at + 1] ?? 0)
      if (end > body.length) return tooShort('source description', body, end)
      chunk.items.push({ type: body[at]!, value: body.toString('utf8', at + 2, end) })
      at = end
    }
    if (at >= body.length) return packetFault('length', 'source description: a chunk without its end')
    at = (at + 4) & ~3
    chunks.push(chunk)
  }
  return { type: 'source_description', chunks }
}

function readGoodbye(count: number, body: Buffer): RtcpPacket | PacketFault {
  const sources = 4 * count
  if (body.length < sources) return tooShort('goodbye', body, sources)
  const ssrcs = Array.from({ length: count }, (_, i) => body.readUInt32BE(4 * i))
  if (body.length === sources) return { type: 'goodbye', ssrcs, reason: null }
  const end = sources + 1 + body[sources]!
  if (end > body.length) return tooShort('goodbye', body, end)
  return { type: 'goodbye', ssrcs, reason: body.toString('utf8', sources + 1, end) }
}

function readApplication(subtype: number, body: Buffer): RtcpPacket | PacketFault {
  if (body.length < 8) return tooShort('application packet', body, 8)
  const name = body.toString('latin1', 4, 8)
  return { type: 'application', subtype, ssrc: body.readUInt32BE(0), name, data: body.subarray(8) }
}

/** Writes a compound. Throws RangeError, naming the field, for what the wire cannot carry. */
export function writeRtcp(packets: readonly RtcpPacket[]): Buffer {
  return Buffer.concat(packets.map(writeOne))
}

function writeOne(packet: RtcpPacket): Buffer {
  switch (packet.type) {
    case 'sender_report':
      return framed(200, packet.blocks.length, [
        writeSender(packet.ssrc, packet.sender),
        ...packet.blocks.map(writeBlock),
      ])
    case 'receiver_report':
      return framed(201, packet.blocks.length, [words([packet.ssrc]), ...packet.blocks.map(writeBlock)])
    case 'source_description':
      return framed(202, packet.chunks.length, packet.chunks.map(writeChunk))
    case 'goodbye':
      return framed(203, packet.ssrcs.length, [words(packet.ssrcs), writeReason(packet.reason)])
    case 'application':
      checkName(packet.name)
      return framed(204, packet.subtype, [words([packet.ssrc]), Buffer.from(packet.name, 'latin1'), packet.data])
    case 'other':
      return framed(packet.packetType, packet.count, [packet.data])
  }
}

function checkName(name: string): void {
  if (name.length !== 4 || Buffer.from(name, 'latin1').toString('latin1') !== name)
    throw new RangeError('name: must be four octets as Latin-1 characters')
}

function framed(packetType: number, count: number, parts: Uint8Array[]): Buffer {
  if (!(count >= 0 && count <= 31)) throw new RangeError(`count: ${count} entries, must be 0 to 31`)
  const bytes = Buffer.concat([Buffer.alloc(headerLength), ...parts])
  if (bytes.length % 4 !== 0)
    throw new RangeError(`data: ${bytes.length - headerLength} octets, must be a multiple of 4`)
  bytes[0] = 0x80 | count
  bytes[1] = packetType
  bytes.writeUInt16BE(bytes.length / 4 - 1, 2)
  return bytes
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value, 4 * i)
  })
  return bytes
}

function writeSender(ssrc: number, { ntpSeconds, ntpFraction, rtpTimestamp, packets, octets }: SenderInfo): Buffer {
  return words([ssrc, ntpSeconds, ntpFraction, rtpTimestamp, packets >>> 0, octets >>> 0])
}

function writeBlock(block: ReportBlock): Buffer {
  const { jitter, lastSenderReport, delaySinceLastSenderReport } = block
  const bytes = words([block.ssrc, 0, block.highestSequence, jitter, lastSenderReport, delaySinceLastSenderReport])
  bytes[4] = block.fractionLost
  bytes.writeIntBE(block.cumulativeLost, 5, 3)
  return bytes
}

function writeChunk({ ssrc, items }: SourceChunk): Buffer {
  const parts: Uint8Array[] = [words([ssrc])]
  for (const { type, value } of items) {
    if (!(type >= 1 && type <= 255)) throw new RangeError(`items: type ${type}, must be 1 to 255`)
    const octets = Buffer.from(value, 'utf8')
    if (octets.length > 255) throw new RangeError(`items: a value of ${octets.length} octets, must be at most 255`)
    parts.push(Buffer.from([type, octets.length]), octets)
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([...parts, Buffer.alloc(4 - (length % 4))])
}

function writeReason(reason: string | null): Buffer {
  if (reason === null) return Buffer.alloc(0)
  const octets = Buffer.from(reason, 'utf8')
  if (octets.length > 255) throw new RangeError(`reason: ${octets.length} octets, must be at most 255`)
  return Buffer.concat([Buffer.from([octets.length]), octets, Buffer.alloc((3 - octets.length) & 3)])
}
