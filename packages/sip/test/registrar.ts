// A registrar for tests: keeps bindings, challenges with digest, and misbehaves on request. And a clock that drives one client
// against it by the client's own deadlines.

import type { Registration, RegistrationOptions, RegistrationStatus } from '../src/dialog/registration.ts'
import { createRegistration } from '../src/dialog/registration.ts'
import { credentialsOf, digestSecret } from '../src/digest.ts'
import type { DigestGuard } from '../src/digest_guard.ts'
import { createDigestGuard } from '../src/digest_guard.ts'
import { readOne } from '../src/headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import type { ResponseParts } from '../src/replies.ts'
import { createResponse } from '../src/replies.ts'
import { param } from '../src/scan.ts'
import { formatUri } from '../src/uri.ts'
import { overWire } from './dialog_support.ts'

export type Behaviour = {
  /** No password where it is left out. */
  password?: string
  minExpires?: number
  /** What it grants instead of what was asked. */
  grants?: number
  /** States the time in the Contact, in Expires, or not at all. */
  reports?: 'contact' | 'expires' | 'nothing'
  nonceLifetimeMs?: number
  /** Answers of another kind: a status, silence or a dead transport; undefined: the usual. */
  mood?: (request: SipRequest, nowMs: number) => number | 'silence' | 'dead' | undefined
  headers?: readonly SipHeader[]
}

const realm = 'carrier.example'
export const username = '4930123'

export type Bench = {
  registration: Registration
  /** Requests that were sent, with the time. */
  sent: { request: SipRequest; atMs: number }[]
  states: RegistrationStatus[]
  /** Contact URI to when it runs out. */
  bindings: Map<string, number>
  behaviour: Behaviour
  guard: DigestGuard
  nowMs: number
  /** Lets time pass, doing what is due. */
  run(ms: number): void
}

export function createBench(behaviour: Behaviour = {}, options: Partial<RegistrationOptions> = {}): Bench {
  let seed = 7
  const random = (bytes: number) => {
    const buffer = Buffer.alloc(bytes)
    for (let index = 0; index < bytes; index++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      buffer[index] = seed >>> 16
    }
    return buffer
  }
  const queue: SipRequest[] = []
  const registration = createRegistration(
    {
      registrar: `sip:${realm}`,
      address: `<sip:${username}@${realm}>`,
      contacts: [`<sip:${username}@192.0.2.10:5060>`],
      account: { username, password: 'secret' },
      callId: 'register-1@192.0.2.10',
      localTag: '81x2',
      random,
      via: () => 'SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bKreg;rport',
      ...options,
    },
    {
      send: request => {
        if (queue.length > 0) throw new Error('two REGISTERs at once')
        queue.push(request)
        bench.sent.push({ request, atMs: bench.nowMs })
      },
      onStatus: status => bench.states.push(status),
    },
  )
  const guard = createDigestGuard({
    realm,
    key: Buffer.alloc(32, 1),
    lifetimeMs: behaviour.nonceLifetimeMs ?? 3_600_000,
  })
  const bench: Bench = {
    registration,
    sent: [],
    states: [],
    bindings: new Map(),
    behaviour,
    guard,
    nowMs: 1_000_000,
    run,
  }

  function run(ms: number): void {
    const end = bench.nowMs + ms
    for (let turn = 0; turn < 100_000; turn++) {
      const request = queue[0]
      if (request !== undefined) {
        answer(request)
        continue
      }
      const due = registration.nextDeadlineMs
      if (due === undefined || due > end) {
        bench.nowMs = end
        return
      }
      bench.nowMs = Math.max(bench.nowMs, due)
      registration.tick(bench.nowMs)
    }
    throw new Error('the client does not come to rest')
  }

  function answer(request: SipRequest): void {
    const mood = bench.behaviour.mood?.(request, bench.nowMs)
    if (mood === 'silence' || mood === 'dead') {
      queue.shift()
      if (mood === 'silence') bench.nowMs += 32_000
      registration.tick(bench.nowMs)
      registration.failed(mood === 'silence' ? 'timeout' : 'transport', bench.nowMs)
      return
    }
    const { message, core } = overWire(request)
    const response = mood === undefined ? usual(message) : reply(message, mood)
    queue.shift()
    const trying = overWire(reply(message, 100))
    registration.receive(trying.message, trying.core, bench.nowMs)
    const arrived = overWire(response)
    registration.receive(arrived.message, { ...arrived.core, cseq: core.cseq }, bench.nowMs)
  }

  function reply(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
    const headers = [...(parts.headers ?? []), ...(bench.behaviour.headers ?? [])]
    return createResponse(request, status, { toTag: '37gk', ...parts, headers })
  }

  function usual(request: SipRequest): SipResponse {
    const { password, minExpires = 0, grants, reports = 'contact' } = bench.behaviour
    const refused = password === undefined ? undefined : check(request, password)
    if (refused !== undefined) return refused
    const asked = readOne(request, 'Expires')
    const seconds = typeof asked === 'number' ? asked : 3_600
    if (seconds > 0 && seconds < minExpires) {
      return reply(request, 423, { headers: [{ name: 'Min-Expires', value: String(minExpires) }] })
    }
    const { core } = overWire(request)
    const given = seconds === 0 ? 0 : (grants ?? seconds)
    for (const { uri } of core.contacts) {
      if (given === 0) bench.bindings.delete(formatUri(uri))
      else bench.bindings.set(formatUri(uri), bench.nowMs + given * 1000)
    }
    const headers = [...bench.bindings.keys()].map(uri => ({
      name: 'Contact',
      value: `<${uri}>${reports === 'contact' ? `;expires=${given}` : ''}`,
    }))
    if (reports === 'expires') headers.push({ name: 'Expires', value: String(given) })
    return reply(request, 200, { headers })
  }

  function check(request: SipRequest, password: string): SipResponse | undefined {
    const credentials = credentialsOf(request, 'Authorization', realm)
    if (credentials === undefined || isFault(credentials)) return challenge(request, false)
    const secret = digestSecret(credentials.algorithm, username, realm, password)
    const verdict = bench.guard.check(credentials, { secret, method: 'REGISTER', uri: request.uri }, bench.nowMs)
    return verdict === 'right' ? undefined : challenge(request, verdict === 'stale')
  }

  function challenge(request: SipRequest, isStale: boolean): SipResponse {
    return reply(request, 401, { headers: bench.guard.challenge(401, bench.nowMs, { isStale }) })
  }

  return bench
}

/** The nonce counts that went out, 0 for a request without credentials. */
export function noncesOf(bench: Bench): number[] {
  return bench.sent.map(({ request }) => {
    const credentials = credentialsOf(request, 'Authorization', realm)
    return credentials === undefined || isFault(credentials) ? 0 : Number.parseInt(credentials.nonceCount ?? '0', 16)
  })
}

export function expiresOf(request: SipRequest): number | undefined {
  const seconds = readOne(request, 'Expires')
  return typeof seconds === 'number' ? seconds : undefined
}

export function contactParam(request: SipRequest, name: string): string | undefined {
  return param(overWire(request).core.contacts[0]!, name)
}
