// What the tests of the transport share: parties with real sockets on the loopback, plain peers that do what no good one would,
// a clock that is moved by hand, certificates of our own making.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo, Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { MessageCore } from '../src/core.ts'
import { createSipReader, type StreamItem } from '../src/framing.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../src/message.ts'
import { createResponse } from '../src/replies.ts'
import type { Timing } from '../src/rtp/clock.ts'
import type { Endpoint } from '../src/rtp/latch.ts'
import type { SipTransport, SipTransportOptions } from '../src/transport/api.ts'
import { openSipTransport } from '../src/transport/transport.ts'
import type { SipFlow, Target, TransportError, TransportFault, TransportName } from '../src/transport/types.ts'
import { formatVia } from '../src/values.ts'

export type FakeTiming = Timing & {
  /** Moves time on; timers that are due fire in their order. */
  advance(ms: number): void
  /** Timers that are set. */
  readonly waiting: number
}

export function fakeTiming(): FakeTiming {
  let nowMs = 1_000
  let last = 0
  const timers = new Map<number, { atMs: number; callback: () => void }>()
  return {
    now: () => nowMs,
    setTimeout(callback, ms) {
      last += 1
      timers.set(last, { atMs: nowMs + ms, callback })
      return last
    },
    clearTimeout(id) {
      timers.delete(id as number)
    },
    advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        const due = [...timers].filter(([, { atMs }]) => atMs <= untilMs).sort((a, b) => a[1].atMs - b[1].atMs)[0]
        if (due === undefined) break
        timers.delete(due[0])
        nowMs = Math.max(nowMs, due[1].atMs)
        due[1].callback()
      }
      nowMs = untilMs
    },
    get waiting() {
      return timers.size
    },
  }
}

/** Waits until a condition holds, for at most 40 s: SIP itself repeats what gets lost for 32 (RFC 3261, 64 * T1). */
export async function until(condition: () => boolean, what: string | (() => string)): Promise<void> {
  const endMs = performance.now() + 40_000
  while (!condition()) {
    assert.ok(performance.now() < endMs, `waited in vain for ${typeof what === 'string' ? what : what()}`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

export const hasIpv6 = Object.values(networkInterfaces()).some(list => list?.some(entry => entry.address === '::1'))

type Received = { message: SipMessage; core: MessageCore; flow: SipFlow }

export type Party = {
  transport: SipTransport
  received: Received[]
  faults: { fault: TransportFault; flow: SipFlow }[]
  closed: { flow: SipFlow; error: TransportError }[]
  keepAlives: SipFlow[]
  trace: { direction: 'in' | 'out'; text: string; flow: SipFlow }[]
  /** Where a port of it can be reached. */
  at(transport: TransportName): Target
  /** Waits for the next request, or response, and takes it. */
  request(): Promise<Received & { message: SipRequest }>
  response(): Promise<Received & { message: SipResponse }>
}

export async function openParty(
  context: TestContext,
  options: Partial<SipTransportOptions>,
  onRequest?: (message: SipRequest, flow: SipFlow, party: Party) => void,
): Promise<Party> {
  const [received, faults, closed, keepAlives, trace]: [
    Party['received'],
    Party['faults'],
    Party['closed'],
    SipFlow[],
    Party['trace'],
  ] = [[], [], [], [], []]
  const transport = await openSipTransport({
    onMessage(message, core, flow) {
      received.push({ message, core, flow })
      if (message.kind === 'request') onRequest?.(message, flow, party)
    },
    onFault: (fault, flow) => void faults.push({ fault, flow }),
    onClosed: (flow, error) => void closed.push({ flow, error }),
    onKeepAlive: flow => void keepAlives.push(flow),
    onTrace: (direction, bytes, flow) => void trace.push({ direction, text: bytes.toString('latin1'), flow }),
    ...options,
  })
  context.after(() => transport.close())
  async function next(kind: SipMessage['kind']) {
    const find = () => received.findIndex(({ message }) => message.kind === kind)
    await until(() => find() !== -1, `a ${kind}`)
    return received.splice(find(), 1)[0] as never
  }
  const party: Party = {
    transport,
    received,
    faults,
    closed,
    keepAlives,
    trace,
    at(name) {
      const bound = transport.bound.find(entry => entry.transport === name)
      assert.ok(bound)
      return { transport: name, address: bound.address, port: bound.port }
    },
    request: () => next('request'),
    response: () => next('response'),
  }
  return party
}

/** Answers everything with 200. */
export function answering(message: SipRequest, flow: SipFlow, { transport }: Party): void {
  if (message.method !== 'ACK') transport.send(createResponse(message, 200, { toTag: 'answer' }), flow)
}

let branches = 0

export type RequestParts = { method?: string; via?: string; callId?: string; body?: Buffer; headers?: SipHeader[] }

/** A request with a Via as it is given. */
export function requestOf({ method = 'OPTIONS', via, callId = 'call', body, headers = [] }: RequestParts): SipRequest {
  branches += 1
  return {
    kind: 'request',
    method,
    uri: 'sip:anybody@127.0.0.1',
    headers: [
      { name: 'Via', value: via ?? `SIP/2.0/TCP 127.0.0.1:5060;branch=z9hG4bK${branches}` },
      { name: 'From', value: '<sip:one@example.com>;tag=one' },
      { name: 'To', value: '<sip:other@example.com>' },
      { name: 'Call-ID', value: callId },
      { name: 'CSeq', value: `1 ${method}` },
      { name: 'Max-Forwards', value: '70' },
      ...headers,
    ],
    body: body ?? Buffer.alloc(0),
  }
}

/** A request with our Via for a flow. */
export function requestFor({ transport }: Party, flow: SipFlow, parts: RequestParts = {}): SipRequest {
  branches += 1
  const via = `${formatVia(transport.via(flow))};branch=z9hG4bK${branches}`
  return requestOf({ ...parts, via })
}

/** Sends a request to a target and gives the flow it took. */
export async function ask(party: Party, target: Target, parts: RequestParts = {}): Promise<SipFlow> {
  const flow = await party.transport.flowTo(target)
  assert.equal(await sent(party, requestFor(party, flow, parts), flow), undefined)
  return flow
}

export function sent(
  { transport }: Party,
  message: SipMessage,
  to: SipFlow | Target,
): Promise<TransportError | undefined> {
  return new Promise(resolve => transport.send(message, to, resolve))
}

export function rejectionOf(promise: Promise<unknown>): Promise<TransportError> {
  return promise.then(
    () => assert.fail('it should have been rejected'),
    error => error as TransportError,
  )
}

export type RawPeer = { socket: Socket; items: StreamItem[]; text: string; isClosed: boolean }

function rawPeer(socket: Socket): RawPeer {
  const reader = createSipReader()
  const peer: RawPeer = { socket, items: [], text: '', isClosed: false }
  socket.on('data', (chunk: Buffer) => {
    peer.text += chunk.toString('latin1')
    peer.items.push(...reader.push(chunk))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    peer.isClosed = true
  })
  return peer
}

/** A plain TCP client. */
export async function rawClient(context: TestContext, { address, port }: Endpoint): Promise<RawPeer> {
  const peer = rawPeer(connect({ host: address, port }))
  context.after(() => peer.socket.destroy())
  await until(() => peer.isClosed || peer.socket.readyState === 'open', 'a connection')
  return peer
}

/** A plain TCP server. */
export async function rawServer(
  context: TestContext,
  onPeer: (peer: RawPeer) => void = () => {},
): Promise<{ peers: RawPeer[]; target: Target; server: Server }> {
  const peers: RawPeer[] = []
  const server = createServer(socket => {
    const peer = rawPeer(socket)
    peers.push(peer)
    onPeer(peer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const { socket } of peers) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { peers, server, target: { transport: 'tcp', address: '127.0.0.1', port } }
}

export type Certificate = { cert: string; key: string }

/** A self-signed certificate that is its own authority, with these names. */
export function selfSigned(context: TestContext, names = 'DNS:localhost,IP:127.0.0.1'): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'sip_tls_'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=${names}`]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', certFile, ...subject], { stdio: 'ignore' })
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}
