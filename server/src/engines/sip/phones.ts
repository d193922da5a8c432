// The registrar (RFC 3261 §10): phones of organizations prove their passwords here and say where they are reached. What they say
// lies in the database, so that it outlives this process and other nodes can call them.
import {
  credentialsOf,
  isFault,
  isSipUri,
  type MessageCore,
  register,
  type SipFlow,
  type SipReply,
  type SipRequest,
} from '@tandem/sip'
import ipaddr from 'ipaddr.js'
import { isoMs } from '../../kernel/clock.ts'
import { allowedRanges } from '../../kernel/egress.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { createFailureThrottle } from '../../kernel/limit.ts'
import {
  type ContactRow,
  findPhone,
  listContacts,
  lockCredential,
  type Phone,
  realm,
  writeContacts,
} from '../../modules/voice/sip_credentials/index.ts'
import { openGuard } from './guard.ts'

/** Who a request is of: a phone, or what to answer in place of that. */
export type Proved = { phone: Phone } | { refusal: SipReply }

export type Phones = ReturnType<typeof createPhones>

/** A router forgets who is behind it sooner than this: RFC 5626 §4.4.1 has phones say something every two minutes. */
const behindNatSeconds = 120
/** Addresses that phones came from: what is said to them may go there, wherever that is. */
const mostSources = 100_000
/** A user that nobody has is not told from one whose password is wrong, nor by the time that takes. */
const nobodysDigest = { md5: '0'.repeat(32), sha256: '0'.repeat(64) }

export function createPhones({ db, log, clock, pepper, sip }: Services) {
  const guard = openGuard(pepper, sip.digests)
  const throttle = createFailureThrottle()
  const sources = new Set<string>()
  const proxies = allowedRanges(sip.trustedProxies)

  /** Where a request came from; by a proxy that is trusted, where that says it did. */
  function addressOf({ vias }: MessageCore, flow: SipFlow): string {
    const { address } = flow.remote
    const behind = vias[1]
    if (behind === undefined || !isTrusted(address)) return address
    const told = behind.params.find(({ name }) => name.toLowerCase() === 'received')?.value ?? behind.host
    return ipaddr.isValid(told) ? told : address
  }

  function isTrusted(address: string): boolean {
    const parsed = ipaddr.process(address)
    return proxies.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
  }

  /** Whether the request proves the password of a phone. Wrong ones are slowed down, by user name and by address. */
  async function prove(request: SipRequest, core: MessageCore, flow: SipFlow): Promise<Proved> {
    const nowMs = clock.now()
    const challenge = (isStale = false) => ({
      refusal: { status: 401, headers: guard.challenge(401, nowMs, isStale) },
    })
    const credentials = credentialsOf(request, 'Authorization', realm)
    if (isFault(credentials)) return { refusal: { status: 400 } }
    if (credentials === undefined) return challenge()
    const { username, algorithm } = credentials
    const address = addressOf(core, flow)
    const keys = [`account ${address} ${username}`, `ip ${address}`]
    const waits = Math.max(...keys.map(key => throttle.retryAfterSeconds(key, nowMs)))
    if (waits > 0) {
      return { refusal: { status: 403, headers: [{ name: 'Retry-After', value: String(waits) }] } }
    }
    const phone = await findPhone({ db, pepper }, username)
    const { md5, sha256 } = phone?.digests ?? nobodysDigest
    const secret = algorithm.startsWith('MD5') ? md5 : sha256
    const verdict = guard.check(credentials, { secret, method: request.method, body: request.body }, nowMs)
    if (verdict === 'right' && phone !== undefined) {
      throttle.succeed(keys[0] ?? '')
      return { phone }
    }
    if (verdict === 'stale') return challenge(true)
    for (const key of keys) throttle.fail(key, nowMs)
    const waitSeconds = Math.max(...keys.map(key => throttle.retryAfterSeconds(key, nowMs)))
    log.warn({ user: username.slice(0, 100), address, waitSeconds }, 'a phone has shown a wrong password')
    return challenge()
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
      if ((await lockCredential(tx, scope, credential.id)) === undefined) return { status: 403, headers: [] }
      const known = (await listContacts(tx, scope, [credential.id], nowMs)).map(bindingOf)
      const limits = isBehindNat(core, flow) ? { maxSeconds: behindNatSeconds } : {}
      const outcome = register(request, core, { flow, bindings: known, nowMs, limits })
      if (outcome.bindings !== undefined) await writeContacts(tx, scope, credential.id, outcome.bindings.map(rowOf))
      return outcome
    })
    remember(flow.remote.address)
    log.debug({ user: userOf(request), status: registered.status }, 'a phone registers')
    const { status, headers } = registered
    return { status, headers }
  }

  function remember(address: string): void {
    sources.delete(address)
    sources.add(address)
    if (sources.size > mostSources) sources.delete(sources.values().next().value as string)
  }

  return {
    prove,
    answer,
    remember,
    /** The same, of the URI that was stored of where a phone came from. */
    rememberSource: (source: string) => remember(source.replace(/^sip:\[?|\]?:\d+;.*$/g, '')),
    /** Whether a phone came from there, so that it may be called there. */
    isSource: (address: string) => sources.has(address),
  }
}

function userOf(request: SipRequest): string | undefined {
  const credentials = credentialsOf(request, 'Authorization', realm)
  return credentials === undefined || isFault(credentials) ? undefined : credentials.username
}

/** A datagram from elsewhere than the phone says that it is. By a proxy that stays in the way it is the proxy's matter. */
function isBehindNat({ contacts, vias }: MessageCore, { transport, remote }: SipFlow): boolean {
  if (transport !== 'udp' || vias.length > 1) return false
  return contacts.some(({ uri }) => isSipUri(uri) && uri.host.replace(/^\[|\]$/g, '') !== remote.address)
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
