// What the tests of transactions share: messages, and a layer whose network and user are a log with the time of each entry.
import assert from 'node:assert/strict'
import type { MessageCore } from '../src/core.ts'
import { readCore } from '../src/core.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../src/message.ts'
import { emptyBody, isFault } from '../src/message.ts'
import { createResponse } from '../src/replies.ts'
import type { TransactionLayer, TransactionLayerOptions } from '../src/transaction/layer.ts'
import { createTransactionLayer } from '../src/transaction/layer.ts'
import type { Flow, TransactionUser } from '../src/transaction/user.ts'
import { createChance } from './rtp_support.ts'

export const udp: Flow = { reliable: false }
export const tcp: Flow = { reliable: true }

export type RequestParts = {
  branch?: string
  sentBy?: string
  callId?: string
  cseq?: number
  fromTag?: string
  toTag?: string
  headers?: SipHeader[]
}

export function createRequest(method: string, parts: RequestParts = {}): SipRequest {
  const { branch, sentBy = '192.0.2.10', callId = 'c1', cseq = 1, fromTag = 'a', toTag, headers = [] } = parts
  return {
    kind: 'request',
    method,
    uri: 'sip:+4930123456@sip.example',
    headers: [
      { name: 'Via', value: `SIP/2.0/UDP ${sentBy}${branch === undefined ? '' : `;branch=${branch}`}` },
      { name: 'Max-Forwards', value: '70' },
      { name: 'From', value: `<sip:a@tandem.example>${fromTag === '' ? '' : `;tag=${fromTag}`}` },
      { name: 'To', value: `<sip:+4930123456@sip.example>${toTag === undefined ? '' : `;tag=${toTag}`}` },
      { name: 'Call-ID', value: callId },
      { name: 'CSeq', value: `${cseq} ${method}` },
      ...headers,
    ],
    body: emptyBody,
  }
}

/** A reliable provisional response has `rseq`. */
export function respondTo(request: SipRequest, status: number, { toTag = 'b', rseq = 0 } = {}): SipResponse {
  const reliable = [
    { name: 'Require', value: '100rel' },
    { name: 'RSeq', value: String(rseq) },
  ]
  return createResponse(request, status, { toTag, headers: rseq === 0 ? [] : reliable })
}

export function coreOf(message: SipMessage): MessageCore {
  const core = readCore(message)
  assert.ok(!isFault(core), isFault(core) ? core.detail : '')
  return core
}

export function nameOf(message: SipMessage): string {
  return message.kind === 'request' ? message.method : String(message.status)
}

export function createRandom(seed: number): (bytes: number) => Buffer {
  const chance = createChance(seed)
  return bytes => Buffer.from(Array.from({ length: bytes }, () => chance(256)))
}

export type Bench = {
  readonly layer: TransactionLayer
  /** `<ms> send INVITE`, `<ms> pass 180`, `<ms> end`, … */
  readonly log: string[]
  /** Takes the entries out of the log. */
  read(): string[]
  readonly sent: SipMessage[]
  /** The id that the user heard last, or got. */
  id: string
  now: number
  /** Lets time pass until then, tick by tick. */
  until(ms: number): void
  request(request: SipRequest): SipRequest
  respond(status: number, parts?: { toTag?: string; rseq?: number }): boolean
  receive(message: SipMessage): void
}

export function createBench(
  flow: Flow = udp,
  options: Partial<TransactionLayerOptions> & { on?: Partial<TransactionUser> } = {},
): Bench {
  const log: string[] = []
  const sent: SipMessage[] = []
  const note = (text: string) => log.push(`${bench.now} ${text}`)
  const user: TransactionUser = {
    send(message, through, id) {
      assert.equal(through, flow)
      sent.push(message)
      note(`send ${nameOf(message)}`)
      options.on?.send?.(message, through, id)
    },
    onRequest(request, core, through, id) {
      bench.id = id
      note(`request ${request.method}`)
      options.on?.onRequest?.(request, core, through, id)
    },
    onAck: (_request, _core, _flow, invite) => note(invite === undefined ? 'lost ack' : 'ack'),
    onCancel: () => note('cancel'),
    onResponse(response, core, id) {
      note(`pass ${response.status}`)
      options.on?.onResponse?.(response, core, id)
    },
    onStrayResponse: response => note(`stray ${response.status}`),
    onFailure(id, why) {
      note(`fail ${why}`)
      options.on?.onFailure?.(id, why)
    },
    onEnd: () => note('end'),
  }
  const layer = createTransactionLayer({ random: createRandom(1), ...options, user })
  const bench: Bench = {
    layer,
    log,
    sent,
    id: '',
    now: 0,
    read: () => log.splice(0),
    until(ms) {
      for (let due = layer.nextDeadlineMs; due !== undefined && due <= ms; due = layer.nextDeadlineMs) {
        bench.now = Math.max(bench.now, due)
        layer.tick(bench.now)
      }
      bench.now = ms
    },
    request(request) {
      bench.id = layer.request(request, flow, bench.now)
      return sent.at(-1) as SipRequest
    },
    respond(status, parts) {
      const request = requests.get(bench.id)
      assert.ok(request, 'no request came')
      return layer.respond(bench.id, respondTo(request, status, parts), bench.now)
    },
    receive(message) {
      const before = bench.id
      layer.receive(message, coreOf(message), flow, bench.now)
      if (message.kind === 'request' && bench.id !== before) requests.set(bench.id, message)
    },
  }
  const requests = new Map<string, SipRequest>()
  return bench
}

/** All timers have run out and nothing is kept. */
export function assertEmpty(bench: Bench): void {
  assert.equal(bench.layer.size, 0)
  assert.equal(bench.layer.timerCount, 0)
  assert.equal(bench.layer.nextDeadlineMs, undefined)
}
