// Mutated SIP at a user agent that takes calls: datagrams and streams with requests and responses of every kind, between which an
// OPTIONS must be answered as ever. Datagrams go out a few at a time, no more than the port's buffer holds, and the OPTIONS behind them shows
// that they have been read; a stream is closed by us, and has been read when the agent closes its side.
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createCachedResolver, createSystemResolver, openSipAgent } from '@tandem/sip'
import {
  digestRequest,
  inviteWithSdp,
  manyHeaders,
  secureOffer,
  unauthorized,
} from '../../../packages/sip/test/samples.ts'
import { datagramOf, torture } from '../../../packages/sip/test/torture.ts'
import type { Random } from '../crash/random.ts'
import { mutate } from './mutate.ts'
import type { FuzzKind, FuzzTarget } from './runner.ts'

const methods = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'REGISTER',
  'REFER',
  'INFO',
  'UPDATE',
  'PRACK',
  'SUBSCRIBE',
  'MESSAGE',
]
const captures = [
  ...torture.map(datagramOf),
  ...[inviteWithSdp, digestRequest, unauthorized, manyHeaders, secureOffer].map(text => Buffer.from(text)),
  ...methods.map(method => Buffer.from(inviteWithSdp.replaceAll('INVITE', method))),
]
const patienceMs = 10_000
/** Datagrams between two OPTIONS: a buffer holds many more, also of the longest of the captures. */
const datagramsEach = 16
/** Streams that may be open at once. */
const maxStreams = 8

export const sipFuzz: FuzzKind = {
  name: 'sip',
  description: 'mutated requests and responses at a user agent, by UDP and TCP',
  batch: 500,
  open,
}

async function open(): Promise<FuzzTarget> {
  const faults: unknown[] = []
  const agent = await openSipAgent({
    product: 'Tandem/1.0',
    udp: [{ address: '127.0.0.1', port: 0 }],
    tcp: [{ address: '127.0.0.1', port: 0 }],
    resolver: createCachedResolver(createSystemResolver(), { now: () => performance.now() }),
    random: bytes => randomBytes(bytes),
    // Where Contact and Via of an input lead stays unasked.
    mayReach: address => address.startsWith('127.'),
    onCall(call) {
      call.accept({
        local: { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: 40_000 },
        handlers: { onMedia() {}, onEnded() {} },
      })
      call.ring()
      setTimeout(() => void call.answer().catch(() => {}), 5)
    },
    onRequest: ({ method }) => (method === 'REGISTER' ? { status: 403 } : undefined),
    onError: error => void faults.push(error),
  })
  const portOf = (transport: string) => agent.bound.find(bound => bound.transport === transport)?.port ?? 0
  const stranger = createSocket('udp4')
  await new Promise<void>(resolve => stranger.bind(0, '127.0.0.9', resolve))
  let unread = 0

  /** Neighbours of an input must not share its transaction. */
  function fresh(random: Random): Buffer {
    const capture = random.pick(captures) as Buffer
    const branch = `z9hG4bK${random.below(1e9)}`
    return Buffer.from(capture.toString('latin1').replace(/z9hG4bK[^;\r\n]*/, branch), 'latin1')
  }

  const streams = new Set<Promise<void>>()

  /** One to four messages in one stream, read to its end or to the first thing in it that is no SIP. */
  async function byStream(random: Random): Promise<void> {
    const messages = Array.from({ length: 1 + random.below(4) }, () => fresh(random))
    const bytes = mutate(random, Buffer.concat(messages))
    if (streams.size >= maxStreams) await Promise.race(streams)
    const over: Promise<void> = closed(connect(portOf('tcp'), '127.0.0.1'), bytes).finally(() => streams.delete(over))
    streams.add(over)
  }

  async function byDatagram(bytes: Buffer): Promise<void> {
    stranger.send(bytes, portOf('udp'), '127.0.0.1')
    if (++unread < datagramsEach) return
    unread = 0
    await ping()
  }

  let pings = 0
  async function ping(): Promise<void> {
    const branch = `z9hG4bKping${++pings}`
    const request = Buffer.from(
      [
        'OPTIONS sip:127.0.0.1 SIP/2.0',
        `Via: SIP/2.0/UDP 127.0.0.9:${stranger.address().port};branch=${branch};rport`,
        'Max-Forwards: 70',
        `From: <sip:fuzz@127.0.0.9>;tag=${pings}`,
        'To: <sip:127.0.0.1>',
        `Call-ID: ping${pings}@127.0.0.9`,
        'CSeq: 1 OPTIONS',
        'Content-Length: 0',
        '\r\n',
      ].join('\r\n'),
    )
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      stranger.send(request, portOf('udp'), '127.0.0.1')
      const signal = AbortSignal.timeout(500)
      try {
        for (;;) {
          const [answer] = (await once(stranger, 'message', { signal })) as [Buffer]
          if (answer.includes(branch) && answer.toString('latin1', 0, 11) === 'SIP/2.0 200') return
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
    throw new Error('OPTIONS is not answered any more')
  }

  return {
    async send(random): Promise<'read'> {
      if (random.oneIn(5)) await byStream(random)
      else await byDatagram(mutate(random, fresh(random)))
      return 'read'
    },
    async check() {
      await Promise.all(streams)
      await ping()
      if (faults.length > 0) throw new Error(`the agent made a mistake: ${String((faults[0] as Error).stack)}`)
      return 0
    },
    async close() {
      stranger.close()
      await agent.close()
    },
  }
}

/** Sends octets, closes our side, and waits until the other one is closed too. */
function closed(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`a stream that ended was not closed in ${patienceMs} ms`))
    }, patienceMs)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.resume()
    socket.end(bytes)
  })
}
