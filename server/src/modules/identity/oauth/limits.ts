// How often the protocol may be asked. The limits are parts of those of the API (TANDEM_RATE_LIMIT_IP, TANDEM_RATE_LIMIT_KEY), so who
// raises these raises them all; those against guessing are not. Whatever is asked of /oauth is charged to its address besides.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { clientKey, type Limiter } from '../../../kernel/access/limit.ts'
import { deviceGrant } from './rules.ts'

/** Requests a minute of the API: of an address, of a key. */
export type ApiLimits = { perIp: number; perKey: number }

const hour = 3_600
const part = (limit: number, of: number) => Math.max(1, Math.round(limit * of))

/** With the usual settings, 100 of an address and 1,000 of a key: what stands behind. */
export function oauthLimits({ perIp, perKey }: ApiLimits) {
  return {
    /** To be asked for an authorization, in a minute: 30 of an address, 60 of a client. */
    authorizeOfAddress: part(perIp, 0.3),
    authorizeOfClient: part(perKey, 0.06),
    /** Tokens in a minute: 120 of a client. */
    tokensOfClient: part(perKey, 0.12),
    /** Registrations in an hour: 10 of an address. */
    registrationsOfAddress: part(perIp, 0.1),
    /** Documents of clients that are fetched in a minute: 10 of an address. */
    documentsOfAddress: part(perIp, 0.1),
  }
}
export type OAuthLimits = ReturnType<typeof oauthLimits>

/** Wrong codes of devices that an address may try in ten minutes (RFC 8628 §5.1). */
export const userCodes = { wrong: 5, windowSeconds: 600 }

/** A device asks every 5 seconds (RFC 8628 §3.5); what its clock and the network take from that is forgiven. */
const pollSeconds = 4.8

export type Refusal = { status: 400 | 429; error: string; description: string; retryAfterSeconds: number | undefined }

/** What a request came with, beside its path below /oauth. */
export type Asking = {
  path: string
  form: Readonly<Record<string, unknown>>
  /** Whether the client says that it has a secret, in the header. */
  isSecret: boolean
  ip: string
  nowMs: number
}

/** Charges a request to where it comes from, before anything is read of it but its form. @returns why it is refused */
export async function chargeAddress(
  limiter: Limiter,
  limits: OAuthLimits,
  { path, form, isSecret, ip, nowMs }: Asking,
): Promise<Refusal | undefined> {
  const address = clientKey(ip)
  if (path === '/register') {
    const taken = await limiter.take(`oauth register ${address}`, limits.registrationsOfAddress, nowMs, 1, hour)
    return taken.allowed ? undefined : tooMany('registrations from this address in an hour', taken)
  }
  if (path === '/authorize' || path === '/par' || path === '/device_authorization') {
    const taken = await limiter.take(`oauth authorize ${address}`, limits.authorizeOfAddress, nowMs)
    if (!taken.allowed) return tooMany('requests for authorization from this address in a minute', taken)
    if (path === '/authorize') return chargeAsked(limiter, limits, form['client_id'], nowMs)
  }
  const { client_id: clientId, client_secret: secret } = form
  const route = path === '/token' ? 'token' : path === '/par' ? 'pushed_authorization_request' : undefined
  if (route !== undefined && !isSecret && secret === undefined && typeof clientId === 'string') {
    const refusal = await chargeClient(limiter, limits, { route, clientId: clientId.slice(0, 200), ip, nowMs })
    if (refusal !== undefined) return refusal
  }
  const code = form['device_code']
  if (path !== '/token' || form['grant_type'] !== deviceGrant || typeof code !== 'string') return undefined
  const taken = await limiter.take(`oauth poll ${code.slice(0, 100)}`, 1, nowMs, 1, pollSeconds)
  if (taken.allowed) return undefined
  const description = 'wait 5 seconds between two questions'
  return { status: 400, error: 'slow_down', description, retryAfterSeconds: 5 }
}

async function chargeAsked(limiter: Limiter, limits: OAuthLimits, clientId: unknown, nowMs: number) {
  if (typeof clientId !== 'string' || clientId === '') return undefined
  const taken = await limiter.take(`oauth authorize by ${clientId.slice(0, 200)}`, limits.authorizeOfClient, nowMs)
  return taken.allowed ? undefined : tooMany('requests for authorization by this client in a minute', taken)
}

/**
 * Charges a request to the client that has proved who it is, for tokens and pushed requests. A public client proves nothing, so it is
 * counted apart for each address: else anyone could use up what it has.
 */
export async function chargeClient(
  limiter: Limiter,
  limits: OAuthLimits,
  { route, clientId, ip, nowMs }: { route: string; clientId: string; ip: string | undefined; nowMs: number },
): Promise<Refusal | undefined> {
  const at = ip === undefined ? '' : ` at ${clientKey(ip)}`
  if (route === 'token') {
    const taken = await limiter.take(`oauth token ${clientId}${at}`, limits.tokensOfClient, nowMs)
    return taken.allowed ? undefined : tooMany('requests for tokens by this client in a minute', taken)
  }
  if (route !== 'pushed_authorization_request') return undefined
  const taken = await limiter.take(`oauth authorize by ${clientId}${at}`, limits.authorizeOfClient, nowMs)
  return taken.allowed ? undefined : tooMany('requests for authorization by this client in a minute', taken)
}

function tooMany(what: string, taken: { limit: number; retryAfterSeconds: number }): Refusal {
  return waiting(`more than ${taken.limit} ${what}`, taken.retryAfterSeconds)
}

/** @param what has happened, as a sentence begins that ends with how long to wait */
export function waiting(what: string, seconds: number): Refusal {
  const description = `${what}; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return { status: 429, error: 'temporarily_unavailable', description, retryAfterSeconds: seconds }
}

/** What the mount says of a request to the library: it sees another address, and another clock. */
export type Caller = { ip: string; nowMs: number; requestId: string; userAgent: string | null }

export function callerOf(ctx: KoaContextWithOIDC): Caller {
  const { caller } = ctx.req as typeof ctx.req & { caller?: Caller }
  if (caller === undefined) throw new Error('a request came by another way than the mount')
  return caller
}
