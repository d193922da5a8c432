// What the tests of the user agent share: agents on the loopback with short timers, calls that record what is reported to them, a plain
// peer that says what a test wants, and a network in between that loses, doubles and reorders datagrams.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:dgram'
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { openSipAgent } from '../src/agent/agent.ts'
import type {
  AcceptOptions,
  CallEnd,
  CallHandlers,
  CallOptions,
  IncomingCall,
  SipAgent,
  SipAgentOptions,
  SipCall,
  StoredCall,
  TraceEntry,
} from '../src/agent/types.ts'
import { header } from '../src/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../src/message.ts'
import type { AudioStream, LocalAudio } from '../src/offer_answer.ts'
import type { ResponseParts } from '../src/replies.ts'
import { createResponse } from '../src/replies.ts'
import type { Timing } from '../src/rtp/clock.ts'
import type { TransactionTimers } from '../src/transaction/timers.ts'
import type { SipResolver } from '../src/transport/locate.ts'
import type { SipFlow, TransportName } from '../src/transport/types.ts'
import type { Party } from './transport_support.ts'
import { openParty, until } from './transport_support.ts'

/** A fortieth of the standard's: 64*T1 is 0.8 s. */
export const fast: TransactionTimers = { t1Ms: 12, t2Ms: 50, t4Ms: 60, dMs: 400, tryingMs: 5 }

/** Names are made up: a test gives the addresses that they have. */
export function resolverOf(names: Record<string, string[]> = {}): SipResolver {
  const none = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  return {
    resolve4: name => (names[name] === undefined ? none() : Promise.resolve(names[name])),
    resolve6: none,
    resolveSrv: none,
    resolveNaptr: none,
  }
}

/** A clock that runs `factor` times as fast; the timers of transactions have to be as much longer. */
export function fastClock(factor: number): Timing {
  return {
    now: () => performance.now() * factor,
    setTimeout: (callback, ms) => setTimeout(callback, ms / factor),
    clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
  }
}

export function localAudio(port = 40_000, parts: Partial<LocalAudio> = {}): LocalAudio {
  return { sessionId: String(port), address: { family: 'IP4', address: '127.0.0.1' }, port, ...parts }
}

/** Everything that was reported to a call. */
export type Reported = {
  log: string[]
  media: AudioStream[]
  ends: CallEnd[]
  stored: StoredCall[]
  handlers: CallHandlers
  readonly end: CallEnd
}

export function note(more: Partial<CallHandlers> = {}): Reported {
  const reported: Reported = {
    log: [],
    media: [],
    ends: [],
    stored: [],
    get end() {
      assert.equal(reported.ends.length, 1)
      return reported.ends[0]!
    },
    handlers: {
      onProgress(status, early) {
        reported.log.push(`progress ${status}${early ? ' with media' : ''}`)
        more.onProgress?.(status, early)
      },
      onMedia(stream) {
        reported.log.push(`media ${stream.direction}`)
        reported.media.push(stream)
        more.onMedia?.(stream)
      },
      onAnswered() {
        reported.log.push('answered')
        more.onAnswered?.()
      },
      onInfo: (digit, durationMs) => reported.log.push(`digit ${digit} ${durationMs}`),
      ...(more.onRefer && { onRefer: more.onRefer }),
      onEnded(end) {
        reported.log.push(`ended by ${end.by} ${end.status}`)
        reported.ends.push(end)
        more.onEnded?.(end)
      },
    },
  }
  return reported
}

export type Agent = SipAgent & {
  errors: unknown[]
  traces: TraceEntry[]
  incoming: IncomingCall[]
  /** Methods and statuses of what came or went, in order. */
  said(direction: 'in' | 'out'): string[]
  uri(transport?: TransportName, user?: string): string
}

export async function openAgent(
  context: TestContext,
  onCall?: (call: IncomingCall, agent: Agent) => void,
  options: Partial<SipAgentOptions> = {},
): Promise<Agent> {
  const [errors, traces, incoming]: [unknown[], TraceEntry[], IncomingCall[]] = [[], [], []]
  const local = { address: '127.0.0.1', port: 0 }
  const agent = await openSipAgent({
    product: 'Test/1.0',
    udp: [local],
    tcp: [local],
    resolver: resolverOf(),
    random: randomBytes,
    timers: fast,
    onError: error => errors.push(error),
    onTrace: entry => traces.push(entry),
    ...(onCall && {
      onCall(call: IncomingCall) {
        incoming.push(call)
        onCall(call, extended)
      },
    }),
    ...options,
  })
  context.after(() => agent.close())
  const parts = {
    errors,
    traces,
    incoming,
    said: (direction: 'in' | 'out') =>
      traces
        .filter(entry => entry.direction === direction)
        .map(({ message }) => (message.kind === 'request' ? message.method : String(message.status))),
    uri(transport: TransportName = 'udp', user = 'bob') {
      const bound = agent.bound.find(entry => entry.transport === transport)
      assert.ok(bound)
      if (transport === 'tls') return `sips:${user}@127.0.0.1:${bound.port}`
      return `sip:${user}@127.0.0.1:${bound.port}${transport === 'udp' ? '' : `;transport=${transport}`}`
    },
  }
  const extended: Agent = Object.assign(agent, parts)
  return extended
}

export function accept(call: IncomingCall, reported = note(), parts: Partial<AcceptOptions> = {}): Reported {
  call.accept({ handlers: reported.handlers, local: localAudio(50_000), ...parts })
  return reported
}

/** Takes calls and answers them at once. */
export function answerer(reported: Reported[] = [], parts: Partial<AcceptOptions> = {}): (call: IncomingCall) => void {
  return call => {
    reported.push(accept(call, note(), parts))
    void call.answer()
  }
}

export function dial(
  agent: SipAgent,
  target: string,
  parts: Partial<CallOptions> = {},
  reported = note(),
): { call: SipCall; reported: Reported } {
  const call = agent.call({
    from: '"Alice" <sip:alice@tandem.example>',
    to: '<sip:bob@tandem.example>',
    target,
    local: localAudio(),
    handlers: reported.handlers,
    async store(state) {
      reported.stored.push(JSON.parse(JSON.stringify(state)) as StoredCall)
    },
    ...parts,
  })
  return { call, reported }
}

export const answered = (reported: Reported) =>
  until(
    () => reported.log.includes('answered'),
    () => `an answer in ${reported.log}`,
  )
export const ended = (...all: Reported[]) =>
  until(
    () => all.every(reported => reported.ends.length > 0),
    () => `the end in ${all.map(reported => reported.log).join(' | ')}`,
  )

/** A call that stands, with both its ends. */
export async function connect(
  caller: Agent,
  called: Agent,
  transport: TransportName = 'udp',
  parts: Partial<CallOptions> = {},
) {
  const before = called.incoming.length
  const { call, reported } = dial(caller, called.uri(transport), parts)
  await answered(reported)
  await until(() => called.incoming.length > before, 'the call')
  const other = called.incoming[before]!
  await until(() => called.said('in').includes('ACK'), 'the ACK')
  return { call, reported, other }
}

/** Nothing is left of any call. */
export async function forgotten(...agents: SipAgent[]): Promise<void> {
  const isEmpty = (agent: SipAgent) => Object.values(agent.counts).every(count => count === 0)
  for (const agent of agents) {
    await until(() => isEmpty(agent), 'an agent without calls').catch(error => {
      throw new Error(`it keeps ${JSON.stringify(agent.counts)}`, { cause: error })
    })
  }
}

/** A peer without a mind: what comes to it lies in `received`. */
export async function openPeer(context: TestContext, onRequest?: Parameters<typeof openParty>[2]): Promise<Party> {
  return openParty(context, { udp: [{ address: '127.0.0.1', port: 0 }], checkSentBy: false }, onRequest)
}

export const uriOf = (party: Party, user = 'bob') => `sip:${user}@127.0.0.1:${party.at('udp').port}`

/** Answers with a Contact of the peer, and a description when it is asked for. */
export function reply(
  party: Party,
  request: SipRequest,
  flow: SipFlow,
  status: number,
  parts: ResponseParts & { sdp?: string } = {},
): SipResponse {
  const { sdp, headers = [], ...others } = parts
  const contact: SipHeader = { name: 'Contact', value: `<${uriOf(party, parts.toTag ?? 'peer')}>` }
  const body = sdp === undefined ? {} : { body: Buffer.from(sdp), contentType: 'application/sdp' }
  const response = createResponse(request, status, {
    toTag: 'peer',
    ...others,
    headers: [contact, ...headers],
    ...body,
  })
  party.transport.send(response, flow)
  return response
}

export const sdpOf = (port: number, ...lines: string[]) =>
  [
    'v=0',
    `o=- ${port} ${port} IN IP4 127.0.0.1`,
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-16',
    ...lines,
    '',
  ].join('\r\n')

/** A request of a peer in a dialog that a response made, or outside of any. */
export function requestOfPeer(
  party: Party,
  method: string,
  uri: string,
  parts: { callId: string; cseq?: number; fromTag?: string; toTag?: string; headers?: SipHeader[]; sdp?: string },
): SipRequest {
  const { callId, cseq = 1, fromTag = 'peer', toTag, headers = [], sdp } = parts
  const at = `127.0.0.1:${party.at('udp').port}`
  const lines: SipHeader[] = [
    { name: 'Via', value: `SIP/2.0/UDP ${at};branch=z9hG4bK${randomBytes(6).toString('hex')};rport` },
    { name: 'Max-Forwards', value: '70' },
    { name: 'From', value: `<sip:peer@tandem.example>;tag=${fromTag}` },
    { name: 'To', value: `<sip:bob@tandem.example>${toTag === undefined ? '' : `;tag=${toTag}`}` },
    { name: 'Call-ID', value: callId },
    { name: 'CSeq', value: `${cseq} ${method}` },
    { name: 'Contact', value: `<sip:peer@${at}>` },
    ...headers,
  ]
  if (sdp !== undefined) lines.push({ name: 'Content-Type', value: 'application/sdp' })
  return { kind: 'request', method, uri, headers: lines, body: Buffer.from(sdp ?? '') }
}

export const tagOf = (response: SipResponse, name = 'To') =>
  /;tag=([^;]+)/.exec(response.headers.find(line => line.name === name)?.value ?? '')?.[1]

/** What the peer received of one call; repetitions of an earlier call's messages may still come in between. */
export const messagesOfCall = (party: Party, callId: string) =>
  party.received.filter(({ message }) => header(message, 'Call-ID') === callId)

export type Network = { port: number; dropped: number; datagrams: number }

/**
 * Stands between one caller and `to`: what comes from there goes to the one who sent last. `loss`, `doubling`, `swapping`: of 1.
 * The same `random` gives the same fate.
 */
export async function openNetwork(
  context: TestContext,
  to: number,
  {
    loss = 0.05,
    doubling = 0.05,
    swapping = 0.05,
    random,
  }: {
    loss?: number
    doubling?: number
    swapping?: number
    random: () => number
  },
): Promise<Network> {
  const network: Network = { port: 0, dropped: 0, datagrams: 0 }
  const [front, back] = await Promise.all([bindUdp(context), bindUdp(context)])
  let caller = 0
  const pass = (bytes: Buffer, socket: Socket, port: number) => {
    network.datagrams += 1
    const fate = random()
    if (fate < loss) {
      network.dropped += 1
      return
    }
    const send = () => {
      if (port !== 0) socket.send(bytes, port, '127.0.0.1')
    }
    if (fate < loss + doubling) setTimeout(send, 3).unref()
    // Later than what comes after it.
    if (fate > 1 - swapping) setTimeout(send, 10).unref()
    else send()
  }
  front.on('message', (bytes, { port }) => {
    caller = port
    pass(bytes, back, to)
  })
  back.on('message', bytes => pass(bytes, front, caller))
  network.port = (front.address() as AddressInfo).port
  return network
}

async function bindUdp(context: TestContext): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  context.after(() => socket.close())
  return socket
}

/** Randomness that can be had again: mulberry32. */
export function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
