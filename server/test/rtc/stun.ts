// STUN messages by hand (RFC 8489, RFC 8445 §16), right and wrong ones, for tests that attack connections with browsers.
import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const stunType = { request: 0x0001, indication: 0x0011, success: 0x0101, failure: 0x0111 } as const
const names = { username: 0x0006, integrity: 0x0008, xorMapped: 0x0020, priority: 0x0024, useCandidate: 0x0025 }
const controlling = 0x802a
const fingerprint = 0x8028
const cookie = 0x2112a442

export type StunMessage = { type: number; transaction: Buffer; attributes: Map<number, Buffer> }

/** What a message is proved with: a password; bytes that prove nothing; nothing. */
export type Proof = { password: string } | 'garbage' | 'none'

/** Reads a message; undefined for other datagrams. */
export function readStun(bytes: Buffer): StunMessage | undefined {
  if (bytes.length < 20 || bytes[0]! > 1 || bytes.readUInt32BE(4) !== cookie) return undefined
  const attributes = new Map<number, Buffer>()
  for (let at = 20; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 2)
    attributes.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length))
    at += 4 + Math.ceil(length / 4) * 4
  }
  return { type: bytes.readUInt16BE(0), transaction: bytes.subarray(8, 20), attributes }
}

/** One attribute, padded. */
export function attribute(name: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4)
  bytes.writeUInt16BE(name, 0)
  bytes.writeUInt16BE(value.length, 2)
  bytes.set(value, 4)
  return bytes
}

function withHeader(type: number, transaction: Buffer, attributes: Buffer, moreLength: number): Buffer {
  const header = Buffer.alloc(20)
  header.writeUInt16BE(type, 0)
  header.writeUInt16BE(attributes.length + moreLength, 2)
  header.writeUInt32BE(cookie, 4)
  header.set(transaction, 8)
  return Buffer.concat([header, attributes])
}

/** A whole message, with its proof and fingerprint behind the attributes. */
export function writeStun(type: number, transaction: Buffer, attributes: readonly Buffer[], proof: Proof): Buffer {
  let body = Buffer.concat(attributes)
  if (proof !== 'none') {
    const proved = withHeader(type, transaction, body, 24)
    const value = proof === 'garbage' ? randomBytes(20) : createHmac('sha1', proof.password).update(proved).digest()
    body = Buffer.concat([body, attribute(names.integrity, value)])
  }
  const checked = Buffer.alloc(4)
  checked.writeUInt32BE((crc32(withHeader(type, transaction, body, 8)) ^ 0x5354554e) >>> 0)
  return withHeader(type, transaction, Buffer.concat([body, attribute(fingerprint, checked)]), 0)
}

/** A check of a controlling agent that nominates the pair (RFC 8445 §8.1.1); `type` may make something else of it. */
export function nomination(username: string, proof: Proof, type: number = stunType.request): Buffer {
  return writeStun(
    type,
    randomBytes(12),
    [
      attribute(names.username, Buffer.from(username)),
      attribute(names.priority, Buffer.from('7e7f1eff', 'hex')),
      attribute(controlling, Buffer.alloc(8, 0x77)),
      attribute(names.useCandidate, Buffer.alloc(0)),
    ],
    proof,
  )
}

/** The success of a request that came from this IPv4 address and port. */
export function success(transaction: Buffer, from: { address: string; port: number }, proof: Proof): Buffer {
  const value = Buffer.alloc(8)
  value[1] = 1
  value.writeUInt16BE(from.port ^ (cookie >>> 16), 2)
  const address = Buffer.from(from.address.split('.').map(Number)).readUInt32BE()
  value.writeUInt32BE((address ^ cookie) >>> 0, 4)
  return writeStun(stunType.success, transaction, [attribute(names.xorMapped, value)], proof)
}
