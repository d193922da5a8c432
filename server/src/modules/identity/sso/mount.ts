// Where a login by an identity provider begins and comes back: `GET /sso/{connectionId}/start` and `/callback`. Browsers come here, so
// a page of the portal says what goes wrong, in one of a few words. Nobody is sent anywhere but to the provider and to pages of ours.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import {
  type ConnectionRow,
  connections,
  findPlace,
  isStrong,
  isWorking,
  presentConnection,
  type TestStep,
} from '../connections/index.ts'
import { useOnce } from '../login/index.ts'
import { type Attempt, attemptSeconds, attempts, safePath, testPasses, ticketSeconds, tickets } from './attempt.ts'
import { type Explained, explain, type Reason } from './faults.ts'
import { whoseLogin } from './members.ts'
import { type Claims, claimsOf, newChecks, openProvider, wayThere } from './provider.ts'
import { failedLog, keepLog, passedLog } from './testing.ts'

export const ticketCookie = 'sso'

type Place = { scope: Scope; connection: ConnectionRow }
type Way = { services: Services; request: FastifyRequest; reply: FastifyReply }

export function registerSso(app: FastifyInstance, services: Services): void {
  app.get('/sso/:connectionId/start', async (request, reply) => start({ services, request, reply }))
  app.get('/sso/:connectionId/callback', async (request, reply) => callback({ services, request, reply }))
}

async function placeOf(services: Services, connectionId: string): Promise<Place | undefined> {
  if (!/^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(connectionId) || services.ownAddress() === undefined) return undefined
  const found = await findPlace(services.db, connectionId)
  if (found === undefined) return undefined
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  const connection = await services.db.inTenant(scope, tx => connections.find(tx, scope, connectionId))
  return connection && { scope, connection }
}

/**
 * The address is made for links: in lists of applications of providers, in mails. A page of the portal asks anyone who follows one to press,
 * for no link logs anybody in; a test, which opens no session, goes on at once.
 */
async function start(way: Way): Promise<FastifyReply> {
  const { services, request } = way
  const place = await placeOf(services, (request.params as { connectionId: string }).connectionId)
  if (place === undefined) return toLogin(way, 'off')
  const { connection } = place
  const { test, next, fresh } = request.query as Record<string, unknown>
  if (typeof test !== 'string') {
    if (!isWorking(connection)) return toLogin(way, 'off')
    return redirect(
      way.reply,
      `/login${nextQuery(safePath(next))}#sso-at=${connection.id}${fresh === '1' ? '.fresh' : ''}`,
    )
  }
  const testedBy = await testerOf(services, connection, test, request.state.now)
  if (testedBy === undefined) return toLogin(way, 'off')
  const left = await leave(way, connection, { testedBy, next: safePath(next), isFresh: fresh === '1' })
  return typeof left === 'string' ? redirect(way.reply, left) : endTest(way, place, testedBy, failedLog(left))
}

export type Beginning = { connectionId: string; next?: string | undefined; fresh?: boolean | undefined }

/**
 * Begins the login of somebody who pressed for it on a page of ours: the answer keeps the cookie that the way back is held to.
 * @returns the address at the provider, or why there is none
 */
export async function beginSso(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { connectionId, next, fresh = false }: Beginning,
): Promise<{ url: string } | { reason: Reason }> {
  const place = await placeOf(services, connectionId)
  if (place === undefined || !isWorking(place.connection)) return { reason: 'off' }
  const asked = { testedBy: null, next: safePath(next), isFresh: fresh }
  const left = await leave({ services, request, reply }, place.connection, asked)
  return typeof left === 'string' ? { url: left } : { reason: left.reason }
}

/** Where the browser goes, which is given the attempt to keep; or what the provider's document is wrong in. */
async function leave(
  way: Way,
  connection: ConnectionRow,
  { testedBy, next, isFresh }: { testedBy: number | null; next: string | null; isFresh: boolean },
): Promise<string | Explained> {
  const { services, request } = way
  const checks = newChecks(isFresh)
  try {
    const url = await wayThere(await openProvider(services, connection), services, connection, checks)
    const attempt = { ...checks, connectionId: connection.id, testedBy, next }
    setAttempt(way, connection.id, attempts.close(services.keyring, attempt, request.state.now), attemptSeconds)
    return url.href
  } catch (error) {
    const fault = explain(error, 'document')
    services.log.warn({ connection: connection.id, step: fault.step }, 'identity provider not reached')
    return fault
  }
}

/** Who runs a test; undefined for a pass that is none, over or used. */
async function testerOf({ db, keyring }: Services, { id }: ConnectionRow, sent: string, nowMs: number) {
  const pass = testPasses.open(keyring, sent, nowMs)
  if (pass === undefined || pass.connectionId !== id) return undefined
  return (await useOnce(db, `sso test ${pass.nonce}`, new Date(pass.until))) ? pass.userId : undefined
}

async function callback(way: Way): Promise<FastifyReply> {
  const { services, request } = way
  const nowMs = request.state.now
  const place = await placeOf(services, (request.params as { connectionId: string }).connectionId)
  if (place === undefined) return toLogin(way, 'off')
  const { connection } = place
  const attempt = attempts.open(services.keyring, cookieOf(way), nowMs)
  setAttempt(way, connection.id, '', 0)
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
  const isOurs = attempt?.connectionId === connection.id && new URLSearchParams(query).get('state') === attempt.state
  const until = new Date(nowMs + attemptSeconds * 1_000)
  if (attempt === undefined || !isOurs || !(await useOnce(services.db, `sso state ${attempt.state}`, until)))
    return toLogin(way, 'expired')
  if (attempt.testedBy === null && !isWorking(connection)) return toLogin(way, 'off')
  const came = await openProvider(services, connection)
    .then(provider => claimsOf(provider, services, connection, { query, checks: attempt }))
    .catch((error: unknown) => ({ fault: explain(error, 'token') }))
  return attempt.testedBy === null ? endLogin(way, place, attempt, came) : testCame(way, place, attempt.testedBy, came)
}

type Came = Claims | { fault: Explained }
const faultOf = (came: Came) =>
  'fault' in came && typeof came.fault === 'object' ? (came.fault as Explained) : undefined

async function endLogin(way: Way, { scope, connection }: Place, attempt: Attempt, came: Came): Promise<FastifyReply> {
  const { services, request } = way
  const nowMs = request.state.now
  const asked = askedBy(request)
  const fault = faultOf(came)
  const claims = came as Claims
  const whose =
    fault === undefined
      ? await services.db.inTenant(scope, tx => whoseLogin(tx, scope, { connection, claims, nowMs, asked }))
      : { reason: fault.reason, userId: undefined }
  // A role may have changed.
  services.authenticator.forget()
  if ('reason' in whose) {
    services.refusals.count({
      by: { organizationId: scope.organizationId, type: 'sso', id: connection.id },
      action: 'user.sign_in_refused',
      reason: `sso_${whose.reason}`,
      ...(whose.userId !== undefined && { targets: [{ type: 'user', id: whose.userId }] }),
      ...(fault !== undefined && { more: { step: fault.step } }),
      asked,
    })
    return toLogin(way, whose.reason, attempt.next)
  }
  const { auth_time } = claims
  const proved = typeof auth_time === 'number' ? Math.min(auth_time * 1_000, nowMs) : null
  const ticket = tickets.close(
    services.keyring,
    {
      organizationId: scope.organizationId,
      userId: whose.userId,
      accountId: whose.accountId,
      isStrong: isStrong(connection, claims),
      authAtMs: proved,
      nonce: randomToken(16),
    },
    nowMs,
  )
  setCookie(
    way,
    `${portalPrefix(way)}${ticketCookie}`,
    ticket,
    `Path=/portal/session; Max-Age=${ticketSeconds}; SameSite=Strict`,
  )
  return toLogin(way, undefined, attempt.next)
}

async function testCame(way: Way, place: Place, testedBy: number, came: Came): Promise<FastifyReply> {
  const { scope, connection } = place
  const fault = faultOf(came)
  const asked = { claims: came as Claims, testedBy }
  const log =
    fault === undefined
      ? await way.services.db.inTenant(scope, tx => passedLog(tx, scope, connection, asked))
      : failedLog(fault)
  return endTest(way, place, testedBy, log)
}

async function endTest(
  way: Way,
  { scope, connection }: Place,
  testedBy: number,
  log: TestStep[],
): Promise<FastifyReply> {
  const { services, request } = way
  await services.db.inTenant(scope, async tx => {
    const row = await connections.lock(tx, scope, connection.id)
    // What was tested is not what there is now.
    if (row === undefined || row.version !== connection.version) return
    const kept = await keepLog(tx, scope, row, { log, testedBy, nowMs: request.state.now })
    const data = { ...presentConnection(kept, services), changed: ['test'], by: { userId: testedBy, keyId: null } }
    await emit(tx, scope, { type: 'sso_connection.updated', resourceId: row.id, data })
    const by = { organizationId: scope.organizationId, type: 'user', id: testedBy } as const
    const targets = [{ type: 'sso_connection', id: row.id }]
    const passed = log.every(({ outcome }) => outcome !== 'wrong')
    await recordAudit(tx, by, { action: 'sso_connection.tested', targets, more: { passed } }, askedBy(request))
  })
  return redirect(way.reply, `/single-sign-on?tested=${connection.id}`)
}

const nextQuery = (next: string | null) => (next === null ? '' : `?next=${encodeURIComponent(next)}`)

function toLogin({ reply }: Way, reason: Reason | undefined, next: string | null = null): FastifyReply {
  return redirect(reply, `/login${nextQuery(next)}#sso${reason === undefined ? '' : `=${reason}`}`)
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply
    .code(303)
    .header('location', location)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .send()
}

const isSecure = ({ services }: Way) => services.ownAddress()?.startsWith('https:') === true
const attemptName = (way: Way) => `${isSecure(way) ? '__Secure-' : ''}tandem_sso`
const portalPrefix = (way: Way) => `${isSecure(way) ? '__Secure-' : ''}tandem_portal_`

/** Lax: the provider's page sends the browser here. */
function setAttempt(way: Way, id: string, value: string, seconds: number): void {
  setCookie(way, attemptName(way), value, `Path=/sso/${id}; Max-Age=${seconds}; SameSite=Lax`)
}

function setCookie(way: Way, name: string, value: string, attributes: string): void {
  way.reply.header('set-cookie', `${name}=${value}; ${attributes}; HttpOnly${isSecure(way) ? '; Secure' : ''}`)
}

function cookieOf(way: Way): string | undefined {
  const start = `${attemptName(way)}=`
  const pairs = (way.request.headers.cookie ?? '').split(';').map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(start))?.slice(start.length)
}

function askedBy({ id, state, headers }: FastifyRequest): Asked {
  return { requestId: id, ip: state.ip, userAgent: headers['user-agent'] ?? null }
}
