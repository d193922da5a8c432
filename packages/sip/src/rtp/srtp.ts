// SRTP and SRTCP (RFC 3711) with the two suites of SDES that carriers use (RFC 4568 §6.2): AES in counter mode with 128-bit
// keys, HMAC-SHA1 cut to 80 or 32 bits. One context for each direction; what fails a check leaves no trace in its state.
import { createCipheriv, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { payloadStart } from './packet.ts'

export type SrtpSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32'

export type SrtpFault = {
  /**
   * - `short`: no room for header and tag. `tag`: forged, damaged or of another key.
   * - `replayed`: was there before. `old`: too old to know. `exhausted`: the key has protected all it may (RFC 3711 §9.2).
   */
  fault: 'short' | 'tag' | 'replayed' | 'old' | 'exhausted'
  detail: string
}

/** Protects or opens the packets of one direction. Every SSRC has its own rollover counter and replay window. */
export type SrtpContext = {
  protectRtp(packet: Buffer): Buffer | SrtpFault
  /** The packet as it was before `protectRtp`. */
  openRtp(packet: Buffer): Buffer | SrtpFault
  protectRtcp(packet: Buffer): Buffer | SrtpFault
  openRtcp(packet: Buffer): Buffer | SrtpFault
}

export const masterKeyLength = 16
export const masterSaltLength = 14

/** Packets that may come late and still be known as new (RFC 3711 §3.3.2 asks for 64 at least). */
const windowSize = 128
/** SSRCs whose state is kept; with a valid tag only the peer can make new ones. */
const maxSources = 16
const maxRollover = 2 ** 32
const rtcpTagLength = 10
const maxRtcpIndex = 2 ** 31 - 1

/** What RFC 3711 §4.3.2 derives of a master key; of both kinds, RTP and RTCP. */
export type SessionKeys = { key: Buffer; salt: Buffer; authKey: Buffer }

/** The session keys for a key derivation rate of zero (RFC 3711 §4.3.1). */
export function deriveKeys(masterKey: Uint8Array, masterSalt: Uint8Array, kind: 'rtp' | 'rtcp'): SessionKeys {
  const label = kind === 'rtp' ? 0 : 3
  const derive = (offset: number, length: number) => {
    const block = Buffer.alloc(16)
    block.set(masterSalt)
    block[7]! ^= label + offset
    return createCipheriv('aes-128-ctr', masterKey, block).update(Buffer.alloc(length))
  }
  return { key: derive(0, 16), salt: derive(2, 14), authKey: derive(1, 20) }
}

/** Octets of key stream (RFC 3711 §4.1.1); the returned view is good until the next call. */
export type KeyStream = (ssrc: number, index: number, length: number) => Buffer

/**
 * A key stream by blocks that one cipher, made once, encrypts: a cipher in counter mode would have to be made again for every
 * packet, which costs three times as much.
 */
export function createKeyStream(key: Uint8Array, salt: Uint8Array): KeyStream {
  const cipher = createCipheriv('aes-128-ecb', key, null)
  cipher.setAutoPadding(false)
  let blocks = Buffer.alloc(16 * 16)
  const start = Buffer.alloc(16)
  return (ssrc, index, length) => {
    const count = Math.ceil(length / 16)
    if (count > 65_536) throw new RangeError(`length: ${length} octets, one packet may have ${65_536 * 16}`)
    if (blocks.length < count * 16) blocks = Buffer.alloc(count * 16)
    start.fill(0)
    start.set(salt)
    start.writeUInt32BE((start.readUInt32BE(4) ^ ssrc) >>> 0, 4)
    // The index has 48 bits, more than the operators on bits have.
    start.writeUInt16BE(start.readUInt16BE(8) ^ Math.floor(index / 2 ** 32), 8)
    start.writeUInt32BE((start.readUInt32BE(10) ^ (index % 2 ** 32)) >>> 0, 10)
    for (let i = 0; i < count; i++) {
      start.copy(blocks, i * 16)
      blocks.writeUInt16BE(i, i * 16 + 14)
    }
    return cipher.update(blocks.subarray(0, count * 16))
  }
}

/**
 * The index of a packet (RFC 3711 §3.3.1, appendix A): its sequence number with the rollover count that brings it nearest to
 * the highest index seen. Negative where a packet is from before the first rollover.
 */
export function guessIndex(highest: number, sequence: number): number {
  const rollover = Math.floor(highest / 65_536)
  const last = highest % 65_536
  if (last < 32_768) return (sequence - last > 32_768 ? rollover - 1 : rollover) * 65_536 + sequence
  return (last - 32_768 > sequence ? rollover + 1 : rollover) * 65_536 + sequence
}

/** Which indexes were seen: for each place of the window the last index that took it. */
type Source = { highest: number; seen: Float64Array }

function createSource(): Source {
  return { highest: -1, seen: new Float64Array(windowSize).fill(-1) }
}

function checkReplay({ highest, seen }: Source, index: number): SrtpFault | null {
  if (index < 0 || index <= highest - windowSize) return { fault: 'old', detail: `packet ${index} of ${highest}` }
  return seen[index % windowSize] === index ? { fault: 'replayed', detail: `packet ${index} was there before` } : null
}

function markSeen(source: Source, index: number): void {
  source.seen[index % windowSize] = index
  if (index > source.highest) source.highest = index
}

/** A table of sources in the order of their first packets; beyond its size the oldest makes room. */
function createSources() {
  const sources = new Map<number, Source>()
  return {
    get: (ssrc: number) => sources.get(ssrc) ?? createSource(),
    keep(ssrc: number, source: Source): void {
      if (sources.has(ssrc)) return
      if (sources.size >= maxSources) sources.delete(sources.keys().next().value!)
      sources.set(ssrc, source)
    },
  }
}

/** `masterKey` has 16 octets and `masterSalt` 14, as they stand in the crypto line of SDES; throws RangeError otherwise. */
export function createSrtpContext(options: {
  suite: SrtpSuite
  masterKey: Uint8Array
  masterSalt: Uint8Array
}): SrtpContext {
  const { suite, masterKey, masterSalt } = options
  checkLength('masterKey', masterKey, masterKeyLength)
  checkLength('masterSalt', masterSalt, masterSaltLength)
  const rtp = createHalf(deriveKeys(masterKey, masterSalt, 'rtp'), suite === 'AES_CM_128_HMAC_SHA1_80' ? 10 : 4)
  // The tag of SRTCP has 80 bits in both suites (RFC 4568 §6.2.2).
  const rtcp = createHalf(deriveKeys(masterKey, masterSalt, 'rtcp'), rtcpTagLength)
  return { ...rtpDirections(rtp), ...rtcpDirections(rtcp) }
}

function checkLength(name: string, octets: Uint8Array, length: number): void {
  if (octets.length !== length) throw new RangeError(`${name}: ${octets.length} octets, must be ${length}`)
}

type Half = ReturnType<typeof createHalf>

/** What RTP and RTCP do alike: cipher in place, tag, and the sources of both directions. */
function createHalf({ key, salt, authKey }: SessionKeys, tagLength: number) {
  const keyStream = createKeyStream(key, salt)
  // Made ready once: every packet asks for it.
  const tagKey = createSecretKey(authKey)
  return {
    tagLength,
    sources: createSources(),
    /** Encrypts or decrypts the octets from `start` to `end` in place. */
    cipher(bytes: Buffer, start: number, end: number, ssrc: number, index: number): void {
      const stream = keyStream(ssrc, index, end - start)
      for (let i = start; i < end; i++) bytes[i]! ^= stream[i - start]!
    },
    tag: (bytes: Uint8Array, more?: Uint8Array): Buffer => {
      const hmac = createHmac('sha1', tagKey).update(bytes)
      return (more === undefined ? hmac : hmac.update(more)).digest().subarray(0, tagLength)
    },
  }
}

function rolloverOctets(index: number): Buffer {
  const octets = Buffer.allocUnsafe(4)
  octets.writeUInt32BE(Math.floor(index / 65_536), 0)
  return octets
}

function tooShort(packet: Buffer): SrtpFault {
  return { fault: 'short', detail: `${packet.length} octets are no packet with its tag` }
}

function rtpDirections({ tagLength, sources, cipher, tag }: Half) {
  function protectRtp(packet: Buffer): Buffer | SrtpFault {
    const start = payloadStart(packet)
    if (start < 0) return tooShort(packet)
    const ssrc = packet.readUInt32BE(8)
    const source = sources.get(ssrc)
    const sequence = packet.readUInt16BE(2)
    const index = source.highest < 0 ? sequence : guessIndex(source.highest, sequence)
    if (index >= maxRollover * 65_536) return { fault: 'exhausted', detail: '2^48 packets' }
    // The same index twice would give both texts away.
    const fault = checkReplay(source, index)
    if (fault !== null) return fault
    const bytes = Buffer.allocUnsafe(packet.length + tagLength)
    packet.copy(bytes)
    cipher(bytes, start, packet.length, ssrc, index)
    tag(bytes.subarray(0, packet.length), rolloverOctets(index)).copy(bytes, packet.length)
    markSeen(source, index)
    sources.keep(ssrc, source)
    return bytes
  }

  function openRtp(packet: Buffer): Buffer | SrtpFault {
    const end = packet.length - tagLength
    const start = payloadStart(packet)
    if (start < 0 || start > end) return tooShort(packet)
    const ssrc = packet.readUInt32BE(8)
    const source = sources.get(ssrc)
    const sequence = packet.readUInt16BE(2)
    const index = source.highest < 0 ? sequence : guessIndex(source.highest, sequence)
    const fault = checkReplay(source, index)
    if (fault !== null) return fault
    if (!timingSafeEqual(tag(packet.subarray(0, end), rolloverOctets(index)), packet.subarray(end)))
      return { fault: 'tag', detail: `the tag of packet ${index} is wrong` }
    const bytes = Buffer.from(packet.subarray(0, end))
    cipher(bytes, start, end, ssrc, index)
    markSeen(source, index)
    sources.keep(ssrc, source)
    return bytes
  }

  return { protectRtp, openRtp }
}

// RFC 3711 §3.4: the first eight octets stay readable; an E bit and the index of 31 bits come before the tag.
const rtcpClearLength = 8
const encryptedFlag = 2 ** 31

function rtcpDirections({ tagLength, sources, cipher, tag }: Half) {
  let nextIndex = 1

  function protectRtcp(packet: Buffer): Buffer | SrtpFault {
    if (packet.length < rtcpClearLength) return tooShort(packet)
    if (nextIndex > maxRtcpIndex) return { fault: 'exhausted', detail: '2^31 RTCP packets' }
    const bytes = Buffer.allocUnsafe(packet.length + 4 + tagLength)
    packet.copy(bytes)
    cipher(bytes, rtcpClearLength, packet.length, packet.readUInt32BE(4), nextIndex)
    bytes.writeUInt32BE(encryptedFlag + nextIndex, packet.length)
    tag(bytes.subarray(0, packet.length + 4)).copy(bytes, packet.length + 4)
    nextIndex += 1
    return bytes
  }

  function openRtcp(packet: Buffer): Buffer | SrtpFault {
    const end = packet.length - tagLength - 4
    if (end < rtcpClearLength) return tooShort(packet)
    const ssrc = packet.readUInt32BE(4)
    const source = sources.get(ssrc)
    const word = packet.readUInt32BE(end)
    const index = word % encryptedFlag
    const fault = checkReplay(source, index)
    if (fault !== null) return fault
    if (!timingSafeEqual(tag(packet.subarray(0, end + 4)), packet.subarray(end + 4)))
      return { fault: 'tag', detail: `the tag of RTCP packet ${index} is wrong` }
    const bytes = Buffer.from(packet.subarray(0, end))
    if (word >= encryptedFlag) cipher(bytes, rtcpClearLength, end, ssrc, index)
    markSeen(source, index)
    sources.keep(ssrc, source)
    return bytes
  }

  return { protectRtcp, openRtcp }
}
