// The registrar's side of REGISTER (RFC 3261 §10.3): which addresses one user is reached at, after a request that was proved to be
// its own. Bindings are plain data that a database keeps, so that they outlive a process. Pure: time comes in.
import type { MessageCore } from '../core.ts'
import { header, readAll, readOne } from '../headers.ts'
import type { SipHeader, SipRequest } from '../message.ts'
import { isFault } from '../message.ts'
import { refusal } from '../replies.ts'
import { param } from '../scan.ts'
import { uriHost } from '../transport/route.ts'
import type { SipFlow } from '../transport/types.ts'
import { formatUri, isSameUri, isSipUri, parseUri } from '../uri.ts'
import type { NameAddress } from '../values.ts'
import { formatAddress, formatDate } from '../values.ts'

/** One place a user is reached at. Texts, numbers and null only. */
export type RegisteredContact = {
  /** The URI to call, as the phone wrote it. */
  readonly contact: string
  /** The proxies to go by, each with its brackets (RFC 3327). */
  readonly path: readonly string[]
  /** Where the REGISTER came from, as `sip:192.0.2.7:40112;transport=tcp`: behind NAT the only way to the phone. */
  readonly source: string
  readonly callId: string
  readonly cseq: number
  /** 0 to 1; 1 where the phone says nothing. */
  readonly q: number
  /** The same phone with another address takes the place of what it had (RFC 5626 §4.1): its instance, with its reg-id. */
  readonly instance: string | null
  readonly userAgent: string | null
  /** In milliseconds since 1970. */
  readonly registeredAtMs: number
  readonly expiresAtMs: number
}

export type RegistrarLimits = {
  /** What is granted to who asks for nothing; 3600 s. */
  defaultSeconds?: number
  /** Who asks for less is answered 423 with this; 60 s. */
  minSeconds?: number
  /** Nobody is granted more; 7200 s. */
  maxSeconds?: number
  /** Of one user: the oldest gives way. 10. */
  maxBindings?: number
}

export type Registering = {
  flow: Pick<SipFlow, 'remote' | 'transport'>
  /** Those that are stored, whatever their age. */
  bindings: readonly RegisteredContact[]
  nowMs: number
  limits?: RegistrarLimits
}

/** What to answer; with 200 the bindings there are from now on, to be stored before that is said. */
export type Registered =
  | { readonly status: 200; readonly bindings: readonly RegisteredContact[]; readonly headers: readonly SipHeader[] }
  | { readonly status: number; readonly bindings?: undefined; readonly headers: readonly SipHeader[] }

/** The other end of the way a message came by, as a URI to send to. */
export function sourceOf({ remote, transport }: Pick<SipFlow, 'remote' | 'transport'>): string {
  return `sip:${uriHost(remote.address)}:${remote.port};transport=${transport}`
}

const refused = (status: number, ...headers: SipHeader[]): Registered => ({ status, headers })

/** What a request, whose sender is known to be the user, makes of the user's bindings. */
export function register(request: SipRequest, core: MessageCore, registering: Registering): Registered {
  const { bindings: stored, nowMs, limits = {} } = registering
  const fault = refusal(request, { methods: ['REGISTER'], extensions: ['path'], contentTypes: [] })
  if (fault !== undefined) return refused(fault.status, ...(fault.headers ?? []))
  const current = stored.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
  const { contacts } = core
  if (contacts.length === 0) return accepted(current, request, nowMs)
  const general = readOne(request, 'Expires')
  if (isFault(general)) return refused(400)
  if (contacts.some(({ uri }) => uri.scheme === '*')) {
    if (contacts.length > 1 || general !== 0) return refused(400)
    return current.some(binding => isOutOfOrder(binding, core)) ? refused(500) : accepted([], request, nowMs)
  }
  const read = readContacts(request, core, general, registering)
  if ('status' in read) return read
  let next = current
  for (const { binding, seconds } of read.contacts) {
    const known = next.find(other => isSame(other, binding))
    if (known !== undefined && isOutOfOrder(known, core)) return refused(500)
    const others = next.filter(other => other !== known)
    const registeredAtMs = known?.registeredAtMs ?? nowMs
    next = seconds === 0 ? others : [...others, { ...binding, registeredAtMs }]
  }
  return accepted(next.slice(-(limits.maxBindings ?? 10)), request, nowMs)
}

/** §10.3 step 7: of the same Call-ID only a higher CSeq says something new. */
function isOutOfOrder(binding: RegisteredContact, { callId, cseq }: MessageCore): boolean {
  return binding.callId === callId && cseq.number <= binding.cseq
}

function isSame(one: RegisteredContact, other: RegisteredContact): boolean {
  if (one.instance !== null && other.instance !== null) return one.instance === other.instance
  const [a, b] = [parseUri(one.contact), parseUri(other.contact)]
  return !isFault(a) && !isFault(b) && isSameUri(a, b)
}

type Asked = { binding: RegisteredContact; seconds: number }

function readContacts(
  request: SipRequest,
  core: MessageCore,
  general: number | undefined,
  { flow, nowMs, limits = {} }: Registering,
): { contacts: Asked[] } | Registered {
  const { defaultSeconds = 3_600, minSeconds = 60, maxSeconds = 7_200 } = limits
  const path = readAll(request, 'Path')
  if (isFault(path)) return refused(400)
  const contacts: Asked[] = []
  for (const contact of core.contacts) {
    if (!isSipUri(contact.uri)) return refused(400)
    const asked = expiresOf(contact) ?? general ?? defaultSeconds
    if (asked > 0 && asked < minSeconds) return refused(423, { name: 'Min-Expires', value: String(minSeconds) })
    const seconds = Math.min(asked, maxSeconds)
    const q = Number(param(contact, 'q') ?? 1)
    const binding: RegisteredContact = {
      contact: formatUri(contact.uri),
      path: path.map(formatAddress),
      source: sourceOf(flow),
      callId: core.callId,
      cseq: core.cseq.number,
      q: q >= 0 && q <= 1 ? q : 1,
      instance: instanceOf(contact),
      userAgent: header(request, 'User-Agent')?.slice(0, 200) ?? null,
      registeredAtMs: nowMs,
      expiresAtMs: nowMs + seconds * 1_000,
    }
    contacts.push({ binding, seconds })
  }
  return { contacts }
}

/** What cannot be read is as if it were not there (§20.10). */
function expiresOf(contact: NameAddress): number | undefined {
  const text = param(contact, 'expires')
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

function instanceOf(contact: NameAddress): string | null {
  const instance = param(contact, '+sip.instance')
  return instance === undefined ? null : `${instance} ${param(contact, 'reg-id') ?? ''}`.trim().slice(0, 200)
}

/** §10.3 step 8: all bindings there are, each with the time it has left. */
function accepted(bindings: readonly RegisteredContact[], request: SipRequest, nowMs: number): Registered {
  const contacts = bindings.map(({ contact, q, expiresAtMs }) => {
    const seconds = Math.max(1, Math.round((expiresAtMs - nowMs) / 1_000))
    return { name: 'Contact', value: `<${contact}>${q === 1 ? '' : `;q=${q}`};expires=${seconds}` }
  })
  const paths = request.headers.filter(({ name }) => name === 'Path')
  const supported = { name: 'Supported', value: 'path' }
  return {
    status: 200,
    bindings,
    headers: [...contacts, ...paths, supported, { name: 'Date', value: formatDate(nowMs) }],
  }
}
