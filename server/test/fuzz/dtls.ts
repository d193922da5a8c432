// Mutated DTLS, and what looks like SRTP: at a live call, at a port without calls, in the name of a browser, and in handshakes of calls that may
// be lost.
import type { Random } from '../crash/random.ts'
import { createDtlsEnd, makeIdentity } from '../rtc/dtls.ts'
import { type MediaTarget, openMediaTarget } from './media.ts'
import { mutate, octets } from './mutate.ts'
import type { FuzzKind } from './runner.ts'

/** Records as handshakes have them, some of no kind at all, and the first octets of RTP and RTCP. */
function samples(): Buffer[] {
  const made: Buffer[] = []
  createDtlsEnd(
    'client',
    identity,
    'none',
    bytes => made.push(bytes),
    () => {},
  ).start()
  const bare = ['15fefd000000000000000100020100', '15fefd00000000000000020002022f', '14fefd0000000000000003000101']
  const fragments = [
    '16fefd0000000000000004001801fffff00000000000000c000000000000000000000000',
    '16fefd0000000000000005000c0b00000000010000000000000',
    '16fefd00000000000000060010140000040003000000000004deadbeef',
    '17fefd000100000000000100100000000000000000000000000000000000',
    '18fefd00000000000000070003014000',
    '63fefd0000000000000008000400000000',
  ]
  const media = ['8000000100000001000000010000', '80c8000600000001', '90800001000000010000000100010004']
  return [...made, ...[...bare, ...fragments, ...media].map(hex => Buffer.from(hex, 'hex'))]
}

const identity = makeIdentity()

/**
 * Whether it holds an encrypted record of fewer octets than its cipher adds. OpenSSL 1.1.1 takes that for a mistake of its own and ends the
 * connection, where the address is the browser's (docs/adr/0010): left out, since a run would do nothing but open calls again.
 */
function isTooShort(datagram: Buffer): boolean {
  for (let at = 0; at + 13 <= datagram.length; ) {
    const length = datagram.readUInt16BE(at + 11)
    if (datagram.readUInt16BE(at + 3) === 1 && length < 24) return true
    at += 13 + length
  }
  return false
}

async function open() {
  const target: MediaTarget = await openMediaTarget()
  const known = samples()

  function wrong(random: Random): Buffer {
    if (random.oneIn(8)) return Buffer.concat([Buffer.from([20 + random.below(44)]), octets(random, random.below(300))])
    if (random.oneIn(8))
      return Buffer.concat([Buffer.from([128 + random.below(64)]), octets(random, random.below(300))])
    return mutate(random, random.pick(known) ?? Buffer.alloc(1))
  }

  /** A handshake by the book whose datagrams are made wrong, one in three; then more of them. */
  async function handshake(random: Random): Promise<void> {
    const isClient = random.oneIn(2)
    const { rogue, isNew } = await target.expendable(isClient ? 'active' : 'passive', identity.fingerprint)
    if (!isNew) {
      rogue.send(wrong(random))
      return
    }
    const pass = (bytes: Buffer) => {
      if (known.length < 200) known.push(bytes)
      rogue.send(random.oneIn(3) ? mutate(random, bytes) : bytes)
    }
    const end = createDtlsEnd(isClient ? 'client' : 'server', identity, 'none', pass, () => {})
    rogue.onData(datagram => {
      try {
        end.take(datagram)
      } catch {
        // What is answered to mutants need not be what the end by hand can read.
      }
    })
    if (isClient) end.start()
  }

  return {
    async send(random: Random): Promise<'read'> {
      const way = random.below(10)
      if (way < 3) await handshake(random)
      else if (way < 8) {
        const datagram = wrong(random)
        if (!isTooShort(datagram)) target.inName(datagram)
      } else target.asStranger(wrong(random), way === 8 ? 'live' : 'idle')
      return 'read'
    },
    check: target.check,
    close: target.close,
  }
}

export const dtlsFuzz: FuzzKind = {
  name: 'dtls',
  description: 'mutated DTLS and SRTP at a live call of a browser, at a port without calls, and in handshakes',
  batch: 200,
  open,
}
