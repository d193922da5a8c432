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
  const { intervalMs = 30_000, timeoutMs = 5_000, retryMs = 2_000, downAfter = 3, random } = options
  let cseq = 0
  let sentMs = 0
  let isRunning = false
  let isOpen = false
  let nextDeadlineMs: number | undefined
  let status: ProbeStatus = { state: 'unknown', status: 0, roundTripMs: undefined, failures: 0, sinceMs: 0 }

  function change(state: ProbeStatus['state'], next: Partial<ProbeStatus>, nowMs: number): void {
    const isOther = state !== status.state
    status = { ...status, ...next, state, sinceMs: isOther ? nowMs : status.sinceMs }
    if (isOther) user.onState(status)
  }

  function send(nowMs: number): void {
    cseq = (cseq % maxCSeq) + 1
    isOpen = true
    sentMs = nowMs
    nextDeadlineMs = nowMs + timeoutMs
    const { target: uri, from, contact, to = `<${uri}>`, routes = [], headers = [], callId, localTag } = options
    user.send({
      kind: 'request',
      method: 'OPTIONS',
      uri,
      headers: [
        { name: 'Via', value: options.via() },
        ...routes.map(value => ({ name: 'Route', value })),
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `${from};tag=${localTag}` },
        { name: 'To', value: to },
        { name: 'Call-ID', value: callId },
        { name: 'CSeq', value: `${cseq} OPTIONS` },
        { name: 'Contact', value: contact },
        { name: 'Accept', value: 'application/sdp' },
        ...headers,
      ],
      body: emptyBody,
    })
  }

  function schedule(delayMs: number, nowMs: number): void {
    nextDeadlineMs = isRunning ? nowMs + Math.round(delayMs) : undefined
  }

  const untilNext = () => intervalMs * (0.9 + fractionFrom(random) / 5)

  function good(code: number, nowMs: number): void {
    isOpen = false
    change('up', { status: code, failures: 0, roundTripMs: nowMs - sentMs }, nowMs)
    schedule(untilNext(), nowMs)
  }

  function bad(code: number, nowMs: number): void {
    isOpen = false
    const failures = status.failures + 1
    const isDown = failures >= downAfter
    change(isDown ? 'down' : status.state, { status: code, failures }, nowMs)
    schedule(isDown ? untilNext() : retryMs, nowMs)
  }

  return {
    start(nowMs) {
      if (isRunning) return
      isRunning = true
      send(nowMs)
    },
    receive(response, core, nowMs) {
      if (!isRunning || response.status < 200) return
      const isCurrent = core.cseq.number === cseq && isOpen
      if (deadStatuses.includes(response.status)) {
        if (isCurrent) bad(response.status, nowMs)
        return
      }
      // One that comes after its time was up is good all the same; how long it took is then not known.
      if (isCurrent) good(response.status, nowMs)
      else change('up', { status: response.status, failures: 0 }, nowMs)
    },
    failed(why, nowMs) {
      if (isRunning && isOpen) bad(why === 'timeout' ? 408 : 503, nowMs)
    },
    seen(nowMs) {
      if (isRunning) change('up', { failures: 0 }, nowMs)
    },
    stop() {
      isRunning = false
      isOpen = false
      nextDeadlineMs = undefined
    },
    tick(nowMs) {
      if (!isRunning || nextDeadlineMs === undefined || nowMs < nextDeadlineMs) return
      if (isOpen) bad(408, nowMs)
      else send(nowMs)
    },
    get nextDeadlineMs() {
      return nextDeadlineMs
    },
    get status() {
      return status
    },
  }
}
