// Asks a trunk with OPTIONS whether it is there (RFC 3261 §11): down after some silence, up with the first sign of life. Pure, as
// registration.ts: responses and time come in, requests and the state go out.
import type { MessageCore } from '../core.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { emptyBody } from '../message.ts'
import { fractionFrom } from './backoff.ts'

export type ProbeOptions = {
  /** The Request-URI, `sip:sip.carrier.example`. */
  target: string
  /** Our address, in brackets: From and, as most servers want it, Contact. */
  from: string
  contact: string
  /** To. Left out: the target. */
  to?: string
  routes?: readonly string[]
  headers?: readonly SipHeader[]
  callId: string
  localTag: string
  /** Milliseconds from one to the next. Left out: 30,000, a tenth more or less so that trunks spread. */
  intervalMs?: number
  /** Until silence counts as a failure; a late answer still means up. Left out: 5,000. */
  timeoutMs?: number
  /** From a failure to the next try, while it is not yet down. Left out: 2,000. */
  retryMs?: number
  /** Failures in sequence that mean down. Left out: 3. */
  downAfter?: number
  random(bytes: number): Buffer
  via(): string
}

export type ProbeStatus = {
  readonly state: 'unknown' | 'up' | 'down'
  /** Of the last answer; 408 for silence, 503 for a failed transport, 0 before. */
  readonly status: number
  /** How long the last answer took. */
  readonly roundTripMs: number | undefined
  readonly failures: number
  /** When `state` became what it is. */
  readonly sinceMs: number
}

export type ProbeUser = {
  /** To the transaction layer; a response comes back by `receive`, a failure by `failed`. */
  send(request: SipRequest): void
  /** `state` has changed. */
  onState(status: ProbeStatus): void
}

export type Probe = {
  /** Sends the first at once. */
  start(nowMs: number): void
  receive(response: SipResponse, core: MessageCore, nowMs: number): void
  failed(why: 'timeout' | 'transport', nowMs: number): void
  /** Any request from the trunk is a sign of life too. */
  seen(nowMs: number): void
  stop(): void
  tick(nowMs: number): void
  readonly nextDeadlineMs: number | undefined
  readonly status: ProbeStatus
}

/** Answers that say nobody is behind the door: no answer, overload, and a gateway whose other side is gone. */
const deadStatuses: readonly number[] = [408, 502, 503, 504]

const maxCSeq = 2 ** 31 - 1

export function createProbe(options: ProbeOptions, user: ProbeUser): Probe {
  return new OptionsProbe(options, user)
}

/** Lives as long as a peer is watched: the request that is open, and the state the answers add up to. */
class OptionsProbe implements Probe {
  private readonly options: ProbeOptions
  private readonly user: ProbeUser
  private readonly intervalMs: NonNullable<ProbeOptions['intervalMs']>
  private readonly timeoutMs: NonNullable<ProbeOptions['timeoutMs']>
  private readonly retryMs: NonNullable<ProbeOptions['retryMs']>
  private readonly downAfter: NonNullable<ProbeOptions['downAfter']>
  private readonly random: ProbeOptions['random']
  private cseq = 0
  private sentMs = 0
  private isRunning = false
  private isOpen = false
  nextDeadlineMs: number | undefined
  status: ProbeStatus = { state: 'unknown', status: 0, roundTripMs: undefined, failures: 0, sinceMs: 0 }

  constructor(options: ProbeOptions, user: ProbeUser) {
    this.options = options
    this.user = user
    const { intervalMs = 30_000, timeoutMs = 5_000, retryMs = 2_000, downAfter = 3, random } = options
    this.intervalMs = intervalMs
    this.timeoutMs = timeoutMs
    this.retryMs = retryMs
    this.downAfter = downAfter
    this.random = random
  }

  private change(state: ProbeStatus['state'], next: Partial<ProbeStatus>, nowMs: number): void {
    const isOther = state !== this.status.state
    this.status = { ...this.status, ...next, state, sinceMs: isOther ? nowMs : this.status.sinceMs }
    if (isOther) this.user.onState(this.status)
  }

  private send(nowMs: number): void {
    this.cseq = (this.cseq % maxCSeq) + 1
    this.isOpen = true
    this.sentMs = nowMs
    this.nextDeadlineMs = nowMs + this.timeoutMs
    const { target: uri, from, contact, to = `<${uri}>`, routes = [], headers = [], callId, localTag } = this.options
    this.user.send({
      kind: 'request',
      method: 'OPTIONS',
      uri,
      headers: [
        { name: 'Via', value: this.options.via() },
        ...routes.map(value => ({ name: 'Route', value })),
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `${from};tag=${localTag}` },
        { name: 'To', value: to },
        { name: 'Call-ID', value: callId },
        { name: 'CSeq', value: `${this.cseq} OPTIONS` },
        { name: 'Contact', value: contact },
        { name: 'Accept', value: 'application/sdp' },
        ...headers,
      ],
      body: emptyBody,
    })
  }

  private schedule(delayMs: number, nowMs: number): void {
    this.nextDeadlineMs = this.isRunning ? nowMs + Math.round(delayMs) : undefined
  }

  private untilNext() {
    return this.intervalMs * (0.9 + fractionFrom(this.random) / 5)
  }

  private good(code: number, nowMs: number): void {
    this.isOpen = false
    this.change('up', { status: code, failures: 0, roundTripMs: nowMs - this.sentMs }, nowMs)
    this.schedule(this.untilNext(), nowMs)
  }

  private bad(code: number, nowMs: number): void {
    this.isOpen = false
    const failures = this.status.failures + 1
    const isDown = failures >= this.downAfter
    this.change(isDown ? 'down' : this.status.state, { status: code, failures }, nowMs)
    this.schedule(isDown ? this.untilNext() : this.retryMs, nowMs)
  }

  start(nowMs: number): void {
    if (this.isRunning) return
    this.isRunning = true
    this.send(nowMs)
  }

  receive(response: SipResponse, core: MessageCore, nowMs: number): void {
    if (!this.isRunning || response.status < 200) return
    const isCurrent = core.cseq.number === this.cseq && this.isOpen
    if (deadStatuses.includes(response.status)) {
      if (isCurrent) this.bad(response.status, nowMs)
      return
    }
    // One that comes after its time was up is good all the same; how long it took is then not known.
    if (isCurrent) this.good(response.status, nowMs)
    else this.change('up', { status: response.status, failures: 0 }, nowMs)
  }

  failed(why: 'timeout' | 'transport', nowMs: number): void {
    if (this.isRunning && this.isOpen) this.bad(why === 'timeout' ? 408 : 503, nowMs)
  }

  seen(nowMs: number): void {
    if (this.isRunning) this.change('up', { failures: 0 }, nowMs)
  }

  stop(): void {
    this.isRunning = false
    this.isOpen = false
    this.nextDeadlineMs = undefined
  }

  tick(nowMs: number): void {
    if (!this.isRunning || this.nextDeadlineMs === undefined || nowMs < this.nextDeadlineMs) return
    if (this.isOpen) this.bad(408, nowMs)
    else this.send(nowMs)
  }
}
