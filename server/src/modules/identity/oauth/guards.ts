// What stands between the library and those who ask it: secrets are compared by their hashes, slowly for those who guess, clients get so
// many answers a minute, and what went wrong is said in the app's own log.
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { hashesOf } from '../../../kernel/values/ids.ts'
import { equalBytes } from '../../../kernel/values/keyring.ts'
import { failureBrake } from '../login/index.ts'
import { noteFault } from './error_log.ts'
import { callerOf, chargeClient, type OAuthLimits, type Refusal, waiting } from './limits.ts'
import { errorPage, errorPagePolicy } from './pages.ts'
import type { Records } from './records_store.ts'

export type Guards = { services: Services; records: Records; limits: OAuthLimits; base: string }

type Fault = { error?: unknown; error_detail?: unknown; cause?: unknown }
type Kept = { refusal?: Refusal; fault?: Fault }
const kept = new WeakMap<KoaContextWithOIDC, Kept>()

function keep(ctx: KoaContextWithOIDC, more: Kept): void {
  kept.set(ctx, { ...kept.get(ctx), ...more })
}

/** Ends a request of the library for want of a limit: `answersFaults` says how long to wait. */
export function endFor(ctx: KoaContextWithOIDC | undefined, refusal: Refusal): never {
  if (ctx !== undefined) keep(ctx, { refusal })
  throw new errors.TemporarilyUnavailable(refusal.description)
}

/**
 * Secrets are compared by their keyed hashes; an app may have two. Who sends wrong ones waits, twice as long each time. The right one is
 * not made to wait for that: it cannot be guessed, so nobody can lock an app out.
 */
export function comparesSecrets({ Client }: Provider, guards: Guards): void {
  const { services, records } = guards
  const touched = new Map<string, number>()
  const prototype = Client.prototype as unknown as {
    clientSecret?: string
    clientId: string
    compareClientSecret(actual: string): Promise<boolean>
  }
  prototype.compareClientSecret = async function (actual) {
    const [hash, ...earlier] = hashesOf(services.keyring, 'client_secret', actual) as [Buffer, ...Buffer[]]
    const known = (this.clientSecret ?? '').split('.').map(text => Buffer.from(text, 'hex'))
    const found = [hash, ...earlier].filter(one => known.some(bytes => equalBytes(bytes, one)))[0]
    const fits = found !== undefined
    await (fits ? charge(guards, this.clientId) : slowDown(guards, this.clientId))
    const nowMs = services.clock.now()
    if (fits && nowMs - (touched.get(hash.toString('hex')) ?? 0) > 60_000) {
      if (touched.size > 10_000) touched.clear()
      touched.set(hash.toString('hex'), nowMs)
      const noted = found.equals(hash) ? records.touchSecret(hash) : records.rehashSecret(found, hash)
      noted.catch(err => services.log.warn({ err }, 'client secret not noted as used'))
    }
    return fits
  }
}

/** Counts a wrong secret, or refuses it unread while the address has to wait. */
async function slowDown({ services }: Guards, clientId: string): Promise<void> {
  const { ctx } = Provider
  if (ctx === undefined) return
  const { ip, nowMs } = callerOf(ctx)
  const brake = await failureBrake(services, `secrets of ${clientId} from ${ip}`, nowMs)
  if (brake.waitSeconds > 0) endFor(ctx, waiting('too many wrong secrets from this address', brake.waitSeconds))
  await brake.failed()
}

/** Charges what was asked to the client that has proved who it is. */
async function charge({ services, limits }: Guards, clientId: string): Promise<void> {
  const { ctx } = Provider
  if (ctx === undefined) return
  const asked = { route: ctx.oidc.route, clientId, ip: undefined, nowMs: callerOf(ctx).nowMs }
  const refusal = await chargeClient(services.limiter, limits, asked)
  if (refusal !== undefined) endFor(ctx, refusal)
}

/** Of the library, where a client that did something wrong was answered. */
const faultEvents = [
  'grant.error',
  'authorization.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
  'introspection.error',
  'revocation.error',
] as const

/**
 * Completes what the library answers: with status and Retry-After where a limit ended the request, with the page that explains the error
 * (RFC 6749 §5.2), and in the log of the app with the cause.
 */
export function answersFaults(provider: Provider, guards: Guards): void {
  const { services, records, base } = guards
  for (const event of faultEvents)
    provider.on(event as 'grant.error', (ctx, fault) => keep(ctx, { fault: fault as unknown as Fault }))
  provider.on('server_error', (_ctx, err) => {
    if (!services.outages.note(err)) services.log.error({ err }, 'authorization server')
  })
  provider.use(async (plain, next) => {
    await next()
    const ctx = plain as unknown as KoaContextWithOIDC
    const { refusal, fault } = kept.get(ctx) ?? {}
    if (refusal !== undefined) sayWhen(ctx, refusal)
    const body = ctx.body as { error?: unknown; error_description?: unknown } | undefined
    const answer = typeof body === 'object' && body !== null && typeof body.error === 'string' ? body : undefined
    if (answer !== undefined && ctx.status >= 400) {
      const error = codeOf(answer)
      ctx.body = { ...answer, error, error_uri: `${base}/errors/${error}` }
    }
    if (fault !== undefined || refusal !== undefined)
      await noteFault(services, records, faultOf(ctx, fault, refusal), callerOf(ctx))
  })
}

/** The library calls it an invalid request when a kind of client does not take part in a grant; its code is another (RFC 6749 §5.2). */
function codeOf({ error, error_description: description }: { error?: unknown; error_description?: unknown }): string {
  const isKind = error === 'invalid_request' && / is not allowed for this client$/.test(String(description))
  return isKind ? 'unauthorized_client' : String(error)
}

function sayWhen(ctx: KoaContextWithOIDC, { status, error, description, retryAfterSeconds }: Refusal): void {
  const isPage = ctx.type === 'text/html'
  ctx.body = isPage ? errorPage({ error, error_description: description }) : { error, error_description: description }
  if (isPage) {
    ctx.type = 'html'
    ctx.set('content-security-policy', errorPagePolicy)
  }
  ctx.status = status
  if (retryAfterSeconds !== undefined) ctx.set('retry-after', String(retryAfterSeconds))
}

function faultOf(ctx: KoaContextWithOIDC, fault: Fault | undefined, refusal: Refusal | undefined) {
  const { message, error_description, error_detail, cause } = (fault ?? {}) as Fault & {
    message?: string
    error_description?: string
  }
  const detail = error_detail ?? (cause instanceof Error ? cause.message : undefined)
  return {
    clientId: String(ctx.oidc?.client?.clientId ?? ctx.oidc?.params?.['client_id'] ?? ''),
    path: ctx.path,
    status: ctx.status,
    error: refusal?.error ?? codeOf({ error: message, error_description }),
    description: refusal?.description ?? error_description,
    detail: typeof detail === 'string' ? detail : undefined,
  }
}
