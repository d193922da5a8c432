// The registrar (RFC 3261 §10): phones of organizations prove their passwords here and say where they are reached. What they say
// lies in the database, so that it outlives this process and other nodes can call them.
import {
  credentialsOf,
  type DigestCredentials,
  defaultTransportLimits,
  isFault,
  isSipUri,
  type MessageCore,
  register,
  type SipFlow,
  type SipReply,
  type SipRequest,
  sourceOf,
} from '@tandem/sip'
import ipaddr from 'ipaddr.js'
import { clientKey, createFailureThrottle } from '../../kernel/access/limit.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { allowedRanges } from '../../kernel/outbound/egress.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import {
  type ContactRow,
  findPhone,
  listContacts,
  type Phone,
  realm,
  sipCredentials,
  writeContacts,
} from '../../modules/voice/sip_credentials/index.ts'
import { openGuard } from './guard.ts'
import type { Refusals } from './refusals.ts'

/** Who a request is of: a phone, or what to answer in place of that. */
export type Proved = { phone: Phone } | { refusal: SipReply }

export type Phones = ReturnType<typeof createPhones>

/** A router forgets who is behind it sooner than this: RFC 5626 §4.4.1 has phones say something every two minutes. */
const behindNatSeconds = 120
/** A phone is reached by its own connection: it must say something before that is closed as idle, even if one REGISTER is late. */
const byConnectionSeconds = defaultTransportLimits.idleMs / 2_000
const longestRegistrationSeconds = 7_200
const maxProven = 100_000
const forAnother = { name: 'Warning', value: '399 tandem "the credentials are for another Request-URI"' }
/** A user that nobody has cannot be distinguished from one whose password is wrong, nor by the time that takes. */
const nobodysDigest = { md5: '0'.repeat(32), sha256: '0'.repeat(64) }

export function createPhones({ db, clock, keyring, sip, log }: Services, refusals: Refusals) {
  const guard = openGuard({ keyring, clock }, sip.digests)
  const throttle = createFailureThrottle()
  /** Phones that proved who they are, with the way each came by: who guesses beside them does not lock them out. */
  const proven = new Set<string>()
  const proxies = allowedRanges(sip.trustedProxies)

  function isProxy(address: string): boolean {
    const parsed = ipaddr.process(address)
    return proxies.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
  }

  /** Where a request came from, and by which port; by a proxy that is trusted, where that says it did. */
  function originOf({ vias }: MessageCore, flow: SipFlow): { address: string; way: string } {
    const { address } = flow.remote
    const behind = vias[1]
    if (behind === undefined || !isProxy(address)) return { address, way: sourceOf(flow) }
    const param = (wanted: string) => behind.params.find(({ name }) => name.toLowerCase() === wanted)?.value
    const received = param('received') ?? behind.host
    if (!ipaddr.isValid(received)) return { address, way: sourceOf(flow) }
    return { address: received, way: `${received} ${param('rport') ?? behind.port} by ${address}` }
  }

  /** Path says where calls of the phone are sent (RFC 3327): only the operator's own proxies may have them sent elsewhere. */
  function withoutPath(request: SipRequest, { remote }: SipFlow): SipRequest {
    if (isProxy(remote.address)) return request
    return { ...request, headers: request.headers.filter(({ name }) => name !== 'Path') }
  }

  function challenge(address: string, isStale: boolean): { refusal: SipReply } {
    return { refusal: { status: 401, headers: guard.challenge(401, clock.now(), { isStale, address }) } }
  }

  /**
   * What to answer before anything is looked up: a challenge to who has not answered one that was sent where the request comes
   * from. So a forged source costs us nothing, and its owner nothing either.
   */
  function screen(request: SipRequest, core: MessageCore, flow: SipFlow): SipReply | undefined {
    const credentials = credentialsOf(request, 'Authorization', realm)
    if (isFault(credentials)) return { status: 400 }
    const { address } = originOf(core, flow)
    if (credentials === undefined) return challenge(address, false).refusal
    return guard.isFresh(credentials.nonce, clock.now(), address) ? undefined : challenge(address, true).refusal
  }

  /** Whether the request proves the password of a phone. Wrong ones are slowed down, by user name and network together. */
  async function prove(request: SipRequest, core: MessageCore, flow: SipFlow): Promise<Proved> {
    const nowMs = clock.now()
    const refusal = screen(request, core, flow)
    if (refusal !== undefined) return { refusal }
    const credentials = credentialsOf(request, 'Authorization', realm) as DigestCredentials
    const { username, algorithm } = credentials
    const { address, way } = originOf(core, flow)
    const key = `account ${clientKey(address)} ${username}`
    const known = `${way} ${username}`
    const slowed = () => {
      const waitSeconds = throttle.retryAfterSeconds(key, nowMs)
      const headers = [{ name: 'Retry-After', value: String(waitSeconds) }]
      return waitSeconds > 0 ? { refusal: { status: 403, headers } } : undefined
    }
    const braked = slowed()
    if (braked !== undefined && !proven.has(known)) return braked
    const phone = await findPhone({ db, keyring }, username)
    const { md5, sha256 } = phone?.digests ?? nobodysDigest
    const secret = algorithm.startsWith('MD5') ? md5 : sha256
    const { method, uri, body } = request
    const verdict = guard.check(credentials, { secret, method, uri, body, address }, nowMs)
    if (verdict === 'right' && phone !== undefined) {
      throttle.succeed(key)
      remember(known)
      return { phone }
    }
    if (verdict === 'stale') return challenge(address, true)
    if (verdict === 'elsewhere') return { refusal: { status: 400, headers: [forAnother] } }
    throttle.fail(key, nowMs)
    refusals.report('wrong_password', { address, to: username })
    return braked ?? challenge(address, false)
  }

  function remember(known: string): void {
    proven.delete(known)
    proven.add(known)
    if (proven.size > maxProven) proven.delete(proven.values().next().value as string)
  }

  /** The answer to a REGISTER. */
  async function answer(request: SipRequest, core: MessageCore, flow: SipFlow): Promise<SipReply> {
    const proved = await prove(request, core, flow)
    if ('refusal' in proved) return proved.refusal
    const { scope, credential } = proved.phone
    const { uri } = core.to
    // §10.3 step 4: nobody speaks for another user.
    if (!isSipUri(uri) || uri.user !== userOf(request)) return { status: 403 }
    const nowMs = clock.now()
    const registered = await db.inTenant(scope, async tx => {
      // The credential may have gone since the password was checked.
      if ((await sipCredentials.lock(tx, scope, credential.id)) === undefined) return { status: 403, headers: [] }
      const known = (await listContacts(tx, scope, [credential.id], nowMs)).map(bindingOf)
      const limits = { maxSeconds: longestSeconds(core, flow) }
      const outcome = register(withoutPath(request, flow), core, { flow, bindings: known, nowMs, limits })
      if (outcome.bindings !== undefined) await writeContacts(tx, scope, credential.id, outcome.bindings.map(rowOf))
      return outcome
    })
    log.debug({ user: userOf(request), status: registered.status }, 'a phone registers')
    const { status, headers } = registered
    return { status, headers }
  }

  return { screen, prove, answer, isProxy }
}

function userOf(request: SipRequest): string | undefined {
  const credentials = credentialsOf(request, 'Authorization', realm)
  return credentials === undefined || isFault(credentials) ? undefined : credentials.username
}

/** How long the way that a phone came by is sure to stay open. By a proxy that stays in the way it is the proxy's matter. */
function longestSeconds({ contacts, vias }: MessageCore, { reliable, remote }: SipFlow): number {
  if (vias.length > 1) return longestRegistrationSeconds
  if (reliable) return byConnectionSeconds
  const isBehindNat = contacts.some(({ uri }) => isSipUri(uri) && uri.host.replace(/^\[|\]$/g, '') !== remote.address)
  return isBehindNat ? behindNatSeconds : longestRegistrationSeconds
}

function bindingOf(row: ContactRow) {
  const { call_id: callId, user_agent: userAgent, registered_at, expires_at, credential_id: _, ...rest } = row
  return { ...rest, callId, userAgent, registeredAtMs: Date.parse(registered_at), expiresAtMs: Date.parse(expires_at) }
}

function rowOf(
  binding: ReturnType<typeof bindingOf> | (Omit<ReturnType<typeof bindingOf>, 'path'> & { path: readonly string[] }),
) {
  const { callId: call_id, userAgent: user_agent, registeredAtMs, expiresAtMs, path, ...rest } = binding
  return {
    ...rest,
    path: [...path],
    call_id,
    user_agent,
    registered_at: isoMs(registeredAtMs),
    expires_at: isoMs(expiresAtMs),
  }
}
