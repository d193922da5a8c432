// Keeps us registered at a registrar (RFC 3261 §10.2): REGISTER, refreshed at four fifths of the time it grants, with 423, digest,
// back-off after failures, and off again. Time, randomness and responses come in; requests and states go out.
import type { MessageCore } from '../core.ts'
import { readAll, readOne } from '../headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { emptyBody, isFault } from '../message.ts'
import { isFlaw, param, withoutParam } from '../scan.ts'
import type { Uri } from '../uri.ts'
import { isSameUri, isSipUri } from '../uri.ts'
import type { NameAddress } from '../values.ts'
import { formatAddress, readAddress } from '../values.ts'
import type { BackoffLimits } from './backoff.ts'
import { backoffMs, defaultBackoff, fractionFrom } from './backoff.ts'
import type { DigestAccount } from './digest_client.ts'
import { createDigestClient } from './digest_client.ts'

export type RegistrationOptions = {
  /** The registrar's domain as a URI, `sip:carrier.example`: the Request-URI (§10.2). */
  registrar: string
  /** Our address of record, `<sip:+4930123@carrier.example>`: From and To. */
  address: string
  /** Contact values in brackets, with q where wanted; at least one. */
  contacts: readonly string[]
  /** Seconds to ask for. Left out: 3,600. */
  expires?: number
  /** Outbound proxies, as `<sip:proxy.example;lr>`; loose routers only. */
  routes?: readonly string[]
  account?: DigestAccount
  /** Others, as User-Agent. */
  headers?: readonly SipHeader[]
  /** The same for all REGISTERs of this client (§10.2); and a tag. */
  callId: string
  localTag: string
  backoff?: BackoffLimits
  /** Milliseconds until it asks again after a refusal for good, as of the password. Left out: ten minutes. */
  refusedRetryMs?: number
  random(bytes: number): Buffer
  /** The top Via with its sent-by, asked for each request: an address may have changed. */
  via(): string
}

/**
 * - 'registering': the first answer is awaited. 'registered': calls reach us until `expiresAtMs`.
 * - 'failed': they do not; tried again at `nextAttemptMs`. 'refused': the same, and only a person can mend it.
 * - 'unregistering', then 'stopped'; 'stopped' also before the start.
 */
export type RegistrationState = 'stopped' | 'registering' | 'registered' | 'failed' | 'refused' | 'unregistering'

export type RegistrationStatus = {
  readonly state: RegistrationState
  /** Of the last final response; 408 and 503 also for silence and for a failed transport. 0 before. */
  readonly status: number
  /** In plain words what is wrong, '' when nothing is. */
  readonly detail: string
  readonly expiresAtMs: number | undefined
  readonly nextAttemptMs: number | undefined
  readonly failures: number
  /** Service-Route of the last 2xx (RFC 3608): the routes for our calls, in brackets. */
  readonly serviceRoutes: readonly string[]
}

export type RegistrationUser = {
  /** To the transaction layer. Its final response comes back by `receive`, its failure by `failed`. Never two at once. */
  send(request: SipRequest): void
  /** The state, or what is known of it, has changed. */
  onStatus(status: RegistrationStatus): void
}

export type Registration = {
  start(nowMs: number): void
  /** A response to the last request that was sent; provisional ones are ignored. */
  receive(response: SipResponse, core: MessageCore, nowMs: number): void
  failed(why: 'timeout' | 'transport', nowMs: number): void
  /** Takes the contacts out; 'stopped' follows, whatever the registrar says. */
  stop(nowMs: number): void
  tick(nowMs: number): void
  readonly nextDeadlineMs: number | undefined
  readonly status: RegistrationStatus
}

/** How often a registrar may ask for longer times, before it counts as broken. */
const maxRaises = 3
const maxCSeq = 2 ** 31 - 1

export function createRegistration(options: RegistrationOptions, user: RegistrationUser): Registration {
  return new RegistrationLoop(options, user)
}

/** Lives as long as an account is to be registered, through every refresh, refusal and outage. */
class RegistrationLoop implements Registration {
  private readonly options: RegistrationOptions
  private readonly user: RegistrationUser
  private readonly random: RegistrationOptions['random']
  private readonly backoff: NonNullable<RegistrationOptions['backoff']>
  private readonly refusedRetryMs: NonNullable<RegistrationOptions['refusedRetryMs']>
  // A time of its own would outlive the `Expires: 0` that takes it out.
  private readonly contacts
  private readonly digest
  private expires
  private cseq = 0
  private raises = 0
  /** The request whose answer we wait for. */
  private open: SipRequest | undefined
  private isStopping = false
  /** A REGISTER was sent since the last time we were off, so there may be a binding. */
  private mayBeBound = false
  status: RegistrationStatus = {
    state: 'stopped',
    status: 0,
    detail: '',
    expiresAtMs: undefined,
    nextAttemptMs: undefined,
    failures: 0,
    serviceRoutes: [],
  }

  constructor(options: RegistrationOptions, user: RegistrationUser) {
    this.options = options
    this.user = user
    const { random, backoff = defaultBackoff, refusedRetryMs = 600_000 } = options
    this.random = random
    this.backoff = backoff
    this.refusedRetryMs = refusedRetryMs
    this.contacts = options.contacts.map(value => withoutParam(contactOf(value), 'expires'))
    if (this.contacts.length === 0) throw new RangeError('contacts: at least one is needed')
    this.digest = options.account && createDigestClient(options.account, random)
    this.expires = options.expires ?? 3_600
  }

  private change(next: Partial<RegistrationStatus>): void {
    this.status = { ...this.status, ...next }
    this.user.onStatus(this.status)
  }

  private send(seconds: number): void {
    this.cseq = (this.cseq % maxCSeq) + 1
    this.mayBeBound = true
    const { registrar: uri, address, callId, localTag, routes = [], headers = [] } = this.options
    const request: SipRequest = {
      kind: 'request',
      method: 'REGISTER',
      uri,
      headers: [
        { name: 'Via', value: this.options.via() },
        ...routes.map(value => ({ name: 'Route', value })),
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `${address};tag=${localTag}` },
        { name: 'To', value: address },
        { name: 'Call-ID', value: callId },
        { name: 'CSeq', value: `${this.cseq} REGISTER` },
        ...this.contacts.map(contact => ({ name: 'Contact', value: formatAddress(contact) })),
        { name: 'Expires', value: String(seconds) },
        ...(this.digest?.credentials({ method: 'REGISTER', uri }) ?? []),
        ...headers,
      ],
      body: emptyBody,
    }
    this.open = request
    this.user.send(request)
  }

  start(nowMs: number): void {
    if (this.status.state !== 'stopped' && this.status.state !== 'unregistering') return
    this.isStopping = false
    this.raises = 0
    this.change({ state: 'registering', detail: '', failures: 0, nextAttemptMs: undefined })
    // An unregistration under way ends first: two REGISTERs at once could overtake each other (§10.2).
    if (this.open === undefined) this.attempt(nowMs)
  }

  private attempt(nowMs: number): void {
    if (this.status.expiresAtMs !== undefined && this.status.expiresAtMs <= nowMs)
      this.status = { ...this.status, expiresAtMs: undefined }
    this.status = { ...this.status, nextAttemptMs: undefined }
    this.send(this.expires)
  }

  stop(nowMs: number): void {
    if (this.status.state === 'stopped' || this.isStopping) return
    this.isStopping = true
    if (!this.mayBeBound && this.open === undefined) {
      this.stopped(nowMs)
      return
    }
    this.change({ state: 'unregistering', nextAttemptMs: undefined })
    if (this.open === undefined) this.send(0)
  }

  private stopped(nowMs: number): void {
    this.mayBeBound = false
    this.status = { ...this.status, expiresAtMs: undefined, nextAttemptMs: undefined, serviceRoutes: [] }
    // Started again meanwhile.
    if (!this.isStopping) this.attempt(nowMs)
    else {
      this.isStopping = false
      this.change({ state: 'stopped' })
    }
  }

  receive(response: SipResponse, core: MessageCore, nowMs: number): void {
    const request = this.open
    if (request === undefined || response.status < 200 || core.cseq.number !== this.cseq) return
    this.open = undefined
    const wasOff = expiresIn(request) === 0
    const isChallenge = response.status === 401 || response.status === 407
    if (!isChallenge) this.digest?.accepted()
    const verdict = isChallenge ? (this.digest?.challenged(response, request) ?? 'unknown') : undefined
    if (verdict === 'retry') this.send(wasOff || this.isStopping ? 0 : this.expires)
    else if (wasOff) this.stopped(nowMs)
    else if (verdict !== undefined && this.isStopping) this.stopped(nowMs)
    else if (verdict !== undefined)
      this.refused(response.status, credentialsDetail(verdict, this.digest !== undefined), nowMs)
    // The answer to a refresh that was under way when `stop` was called; now the contacts can be taken out.
    else if (this.isStopping) this.send(0)
    else if (response.status < 300) this.granted(response, core, nowMs)
    else if (response.status === 423) this.tooBrief(response, nowMs)
    else if (isTemporary(response.status)) this.later(response.status, retryAfterMs(response), nowMs)
    else this.refused(response.status, `the registrar answers ${response.status} ${response.reason}`.trimEnd(), nowMs)
  }

  private granted(response: SipResponse, core: MessageCore, nowMs: number): void {
    const seconds = grantedSeconds(response, core, this.contacts, this.expires)
    if (seconds === 0) {
      this.later(response.status, undefined, nowMs, 'the registrar took our contact out at once')
      return
    }
    this.raises = 0
    const serviceRoutes = readAll(response, 'Service-Route')
    this.change({
      state: 'registered',
      status: response.status,
      detail: '',
      failures: 0,
      expiresAtMs: nowMs + seconds * 1000,
      nextAttemptMs: nowMs + seconds * 800,
      serviceRoutes: isFault(serviceRoutes) ? [] : serviceRoutes.map(formatAddress),
    })
  }

  private tooBrief(response: SipResponse, nowMs: number): void {
    const least = readOne(response, 'Min-Expires')
    this.raises += 1
    if (typeof least !== 'number' || least <= this.expires || this.raises > maxRaises) {
      this.refused(423, 'the registrar wants another time and does not say which', nowMs)
      return
    }
    this.expires = least
    this.send(this.expires)
  }

  failed(why: 'timeout' | 'transport', nowMs: number): void {
    const request = this.open
    if (request === undefined) return
    this.open = undefined
    if (expiresIn(request) === 0) this.stopped(nowMs)
    else if (this.isStopping) this.send(0)
    else {
      const detail = why === 'timeout' ? 'the registrar does not answer' : 'the registrar cannot be reached'
      this.later(why === 'timeout' ? 408 : 503, undefined, nowMs, detail)
    }
  }

  /** Tried again with more and more time between; a binding that still holds stays, and is tried for while it does. */
  private later(code: number, waitMs: number | undefined, nowMs: number, detail?: string): void {
    const failures = this.status.failures + 1
    const backedOff = backoffMs(failures, this.backoff, fractionFrom(this.random))
    const isBound =
      this.status.state === 'registered' && this.status.expiresAtMs !== undefined && this.status.expiresAtMs > nowMs
    const untilLost = isBound ? Math.max((this.status.expiresAtMs! - nowMs) / 2, 1_000) : backedOff
    const delay = Math.max(Math.min(backedOff, untilLost), waitMs ?? 0)
    this.change({
      state: isBound ? 'registered' : 'failed',
      status: code,
      detail: detail ?? `the registrar answers ${code}`,
      failures,
      expiresAtMs: isBound ? this.status.expiresAtMs : undefined,
      nextAttemptMs: nowMs + Math.round(delay),
    })
  }

  private refused(code: number, detail: string, nowMs: number): void {
    const wait = Math.round(this.refusedRetryMs * (1 + fractionFrom(this.random) / 4))
    this.raises = 0
    this.change({
      state: 'refused',
      status: code,
      detail,
      failures: this.status.failures + 1,
      expiresAtMs: undefined,
      nextAttemptMs: nowMs + wait,
    })
  }

  tick(nowMs: number): void {
    const { state, expiresAtMs, nextAttemptMs } = this.status
    if (state === 'registered' && expiresAtMs !== undefined && nowMs >= expiresAtMs) {
      this.change({ state: 'failed', detail: this.status.detail || 'the registration ran out', expiresAtMs: undefined })
    }
    if (this.open === undefined && nextAttemptMs !== undefined && nowMs >= nextAttemptMs) this.attempt(nowMs)
  }

  get nextDeadlineMs(): number | undefined {
    const { state, expiresAtMs, nextAttemptMs } = this.status
    const times = [
      state === 'registered' ? expiresAtMs : undefined,
      this.open === undefined ? nextAttemptMs : undefined,
    ].filter(time => time !== undefined)
    return times.length === 0 ? undefined : Math.min(...times)
  }
}

function contactOf(value: string): NameAddress {
  try {
    return readAddress(value)
  } catch (thrown) {
    if (!isFlaw(thrown)) throw thrown
    throw new RangeError(`contacts: ${thrown.flaw}`)
  }
}

function expiresIn(request: SipRequest): number {
  const seconds = readOne(request, 'Expires')
  return typeof seconds === 'number' ? seconds : 0
}

function credentialsDetail(verdict: 'wrong' | 'unknown' | 'retry', hasAccount: boolean): string {
  if (!hasAccount) return 'the registrar asks for a password and none is set'
  return verdict === 'wrong'
    ? 'user name or password are wrong'
    : 'the registrar asks for a kind of login we do not know'
}

/** Silence, overload and faults of the server mend themselves; other refusals need somebody to change something. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 480 || status === 429 || status === 491 || (status >= 500 && status < 600)
}

export function retryAfterMs(response: SipResponse): number | undefined {
  const after = readOne(response, 'Retry-After')
  // More than a day is a mistake of theirs.
  return after === undefined || isFault(after) ? undefined : Math.min(after.seconds, 86_400) * 1000
}

/**
 * The shortest time that one of our contacts got (§10.2.4): its own `expires`, else the Expires header, else what we asked
 * for. A registrar that leaves our contacts out of its answer is believed to mean them.
 */
function grantedSeconds(
  response: SipResponse,
  core: MessageCore,
  contacts: readonly NameAddress[],
  asked: number,
): number {
  const header = readOne(response, 'Expires')
  const general = typeof header === 'number' ? header : asked
  const ours = core.contacts.filter(({ uri }) => contacts.some(contact => isSameBinding(contact.uri, uri)))
  const times = ours.map(contact => {
    const written = param(contact, 'expires')
    return written !== undefined && /^\d{1,10}$/.test(written) ? Number(written) : general
  })
  return times.length === 0 ? general : Math.min(...times)
}

/** Registrars add parameters of their own to what they show. */
function isSameBinding(ours: Uri, theirs: Uri): boolean {
  if (isSameUri(ours, theirs)) return true
  if (!isSipUri(ours) || !isSipUri(theirs)) return false
  return (
    ours.user === theirs.user &&
    ours.host.toLowerCase() === theirs.host.toLowerCase() &&
    (ours.port ?? 5060) === (theirs.port ?? 5060)
  )
}
