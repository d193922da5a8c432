// A DTLS 1.2 handshake by hand (RFC 6347, RFC 5246), for ECDHE-ECDSA-AES128-GCM-SHA256 with SRTP alone: as client or as server, honest,
// or with one lie. What it is good for is to see whether the lie is found out.
import { execFileSync } from 'node:child_process'
import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'

/** `key`: what is signed with is not the key of the certificate. `finished`: the sum of the handshake is wrong. */
export type Lie = 'none' | 'key' | 'finished'
export type Identity = { certificate: Buffer; key: KeyObject; fingerprint: string }
export type DtlsOutcome = { event: 'alert'; description: number } | { event: 'accepted' } | { event: 'went on' }

/** A certificate and its key, made by openssl. */
export function makeIdentity(): Identity {
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const pem = execFileSync('openssl', [...how, '-subj', '/CN=browser', '-keyout', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const certificate = new X509Certificate(pem)
  return {
    certificate: certificate.raw,
    key: createPrivateKey(pem),
    fingerprint: `sha-256 ${certificate.fingerprint256}`,
  }
}

const type = { cipherChange: 20, alert: 21, handshake: 22 }
const message = {
  ...{ clientHello: 1, serverHello: 2, certificate: 11, serverKeyExchange: 12, certificateRequest: 13 },
  ...{ helloDone: 14, certificateVerify: 15, clientKeyExchange: 16, finished: 20 },
}

const int = (value: number, length: number) => Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')
/** Octets behind their length in so many octets. */
const vector = (bytes: Uint8Array, length: number) => Buffer.concat([int(bytes.length, length), bytes])
const extension = (name: number, hex: string) => Buffer.concat([int(name, 2), vector(Buffer.from(hex, 'hex'), 2)])
const useSrtp = extension(14, '0002000100')
const pointFormats = extension(11, '0100')
const noRenegotiation = extension(0xff01, '00')

/** The pseudo-random function of TLS 1.2 (RFC 5246 §5). */
function expand(secret: Buffer, label: string, seed: Buffer, length: number): Buffer {
  const start = Buffer.concat([Buffer.from(label), seed])
  const parts: Buffer[] = []
  for (let a = start; Buffer.concat(parts).length < length; ) {
    a = createHmac('sha256', secret).update(a).digest()
    parts.push(createHmac('sha256', secret).update(a).update(start).digest())
  }
  return Buffer.concat(parts).subarray(0, length)
}

export type DtlsEnd = { start(): void; take(datagram: Buffer): void }

/**
 * One end of a handshake. `onOutcome` hears of each alert, of the other side having taken our Finished (it sends its own after ours,
 * or lets records follow), and, as a server, of the client having gone on behind our signature.
 */
export function createDtlsEnd(
  role: 'client' | 'server',
  { certificate, key }: Identity,
  lie: Lie,
  send: (bytes: Buffer) => void,
  onOutcome: (outcome: DtlsOutcome) => void,
): DtlsEnd {
  const isClient = role === 'client'
  const signingKey = lie === 'key' ? makeIdentity().key : key
  const ecdh = createECDH('prime256v1')
  const point = ecdh.generateKeys()
  const ownRandom = randomBytes(32)
  let theirRandom: Buffer = Buffer.alloc(0)
  let theirPoint: Buffer = Buffer.alloc(0)
  const transcript: Buffer[] = []
  let sentMessages = 0
  let sentRecords = 0
  let expected = 0
  let master: Buffer = Buffer.alloc(0)
  const none: Buffer = Buffer.alloc(0)
  let keys = { own: none, ownIv: none, their: none, theirIv: none }

  function record(kind: number, body: Buffer, epoch = 0, sequence = sentRecords++): void {
    send(Buffer.concat([Buffer.from([kind, 0xfe, 0xfd]), int(epoch, 2), int(sequence, 6), vector(body, 2)]))
  }

  function framed(kind: number, body: Buffer): Buffer {
    const length = int(body.length, 3)
    return Buffer.concat([Buffer.from([kind]), length, int(sentMessages++, 2), int(0, 3), length, body])
  }

  function say(kind: number, body: Buffer): void {
    const bytes = framed(kind, body)
    transcript.push(bytes)
    record(type.handshake, bytes)
  }

  const signature = (bytes: Buffer) =>
    Buffer.concat([Buffer.from('0403', 'hex'), vector(sign('sha256', bytes, signingKey), 2)])
  const certificates = () => vector(vector(certificate, 3), 3)

  function derive(): void {
    const secret = ecdh.computeSecret(theirPoint)
    const [client, server] = isClient ? [ownRandom, theirRandom] : [theirRandom, ownRandom]
    master = expand(secret, 'master secret', Buffer.concat([client, server]), 48)
    const block = expand(master, 'key expansion', Buffer.concat([server, client]), 40)
    const [clientKey, serverKey] = [block.subarray(0, 16), block.subarray(16, 32)]
    const [clientIv, serverIv] = [block.subarray(32, 36), block.subarray(36, 40)]
    keys = isClient
      ? { own: clientKey, ownIv: clientIv, their: serverKey, theirIv: serverIv }
      : { own: serverKey, ownIv: serverIv, their: clientKey, theirIv: clientIv }
  }

  /** A change of cipher and the sum of all messages so far, or another. */
  function finish(): void {
    const sum = createHash('sha256').update(Buffer.concat(transcript)).digest()
    const proof = expand(master, `${role} finished`, sum, 12)
    if (lie === 'finished') proof[0]! ^= 1
    record(type.cipherChange, Buffer.from([1]))
    const plain = framed(message.finished, proof)
    transcript.push(plain)
    const explicit = Buffer.concat([int(1, 2), int(0, 6)])
    const cipher = createCipheriv('aes-128-gcm', keys.own, Buffer.concat([keys.ownIv, explicit]))
    cipher.setAAD(Buffer.concat([explicit, Buffer.from([type.handshake, 0xfe, 0xfd]), int(plain.length, 2)]))
    record(type.handshake, Buffer.concat([explicit, cipher.update(plain), cipher.final(), cipher.getAuthTag()]), 1, 0)
  }

  function opened(kind: number, sequence: Buffer, body: Buffer): Buffer {
    const plainLength = body.length - 24
    const decipher = createDecipheriv('aes-128-gcm', keys.their, Buffer.concat([keys.theirIv, body.subarray(0, 8)]))
    decipher.setAAD(Buffer.concat([sequence, Buffer.from([kind, 0xfe, 0xfd]), int(plainLength, 2)]))
    decipher.setAuthTag(body.subarray(-16))
    return Buffer.concat([decipher.update(body.subarray(8, -16)), decipher.final()])
  }

  function serverFlight(): void {
    const extensions = Buffer.concat([noRenegotiation, pointFormats, useSrtp])
    const hello = [Buffer.from('fefd', 'hex'), ownRandom, Buffer.from('00c02b00', 'hex'), vector(extensions, 2)]
    say(message.serverHello, Buffer.concat(hello))
    say(message.certificate, certificates())
    const parameters = Buffer.concat([Buffer.from('030017', 'hex'), vector(point, 1)])
    const signed = signature(Buffer.concat([theirRandom, ownRandom, parameters]))
    say(message.serverKeyExchange, Buffer.concat([parameters, signed]))
    say(message.helloDone, Buffer.alloc(0))
  }

  function clientFlight(): void {
    say(message.certificate, certificates())
    derive()
    say(message.clientKeyExchange, vector(point, 1))
    say(message.certificateVerify, signature(Buffer.concat(transcript)))
    finish()
  }

  function heard(kind: number, whole: Buffer): void {
    const body = whole.subarray(12)
    transcript.push(whole)
    if (kind === message.clientHello || kind === message.serverHello) theirRandom = body.subarray(2, 34)
    if (kind === message.clientHello) serverFlight()
    else if (kind === message.serverKeyExchange) theirPoint = body.subarray(4, 4 + body[3]!)
    else if (kind === message.helloDone) clientFlight()
    else if (kind === message.clientKeyExchange) {
      theirPoint = body.subarray(1, 1 + body[0]!)
      derive()
      onOutcome({ event: 'went on' })
    } else if (kind === message.finished) {
      if (isClient) onOutcome({ event: 'accepted' })
      else finish()
    }
  }

  /** Messages of this handshake are small: one that is cut into fragments is put together, in order. */
  let partial: Buffer = Buffer.alloc(0)
  function takeHandshake(bytes: Buffer): void {
    for (let at = 0; at + 12 <= bytes.length; ) {
      const [kind, total] = [bytes[at]!, bytes.readUIntBE(at + 1, 3)]
      const [sequence, offset] = [bytes.readUInt16BE(at + 4), bytes.readUIntBE(at + 6, 3)]
      const length = bytes.readUIntBE(at + 9, 3)
      const part = bytes.subarray(at + 12, at + 12 + length)
      at += 12 + length
      if (sequence !== expected || offset !== partial.length) continue
      partial = Buffer.concat([partial, part])
      if (partial.length < total) continue
      const header = Buffer.concat([Buffer.from([kind]), int(total, 3), int(sequence, 2), int(0, 3), int(total, 3)])
      const whole = Buffer.concat([header, partial])
      partial = Buffer.alloc(0)
      expected += 1
      heard(kind, whole)
    }
  }

  function takeRecord(kind: number, sequence: Buffer, body: Buffer): void {
    const isEncrypted = sequence.readUInt16BE(0) > 0
    if (isEncrypted && keys.their.length === 0) return
    const plain = isEncrypted ? opened(kind, sequence, body) : body
    if (kind === type.alert) onOutcome({ event: 'alert', description: plain[1]! })
    else if (kind === type.handshake) takeHandshake(plain)
  }

  return {
    start() {
      const hello = [Buffer.from('fefd', 'hex'), ownRandom, Buffer.from('00000002c02b0100', 'hex')]
      const groups = extension(10, '00020017')
      const algorithms = extension(13, '00020403')
      const extensions = Buffer.concat([noRenegotiation, pointFormats, groups, algorithms, useSrtp])
      say(message.clientHello, Buffer.concat([...hello, vector(extensions, 2)]))
    },
    take(datagram) {
      for (let at = 0; at + 13 <= datagram.length && datagram[at]! >= 20 && datagram[at]! <= 22; ) {
        const length = datagram.readUInt16BE(at + 11)
        const body = datagram.subarray(at + 13, at + 13 + length)
        takeRecord(datagram[at]!, datagram.subarray(at + 3, at + 11), body)
        at += 13 + length
      }
    },
  }
}
