// The session of anyone who uses the portal: one login opens a live and a test session, whose refresh tokens live in cookies
// that no script can read and that go to this address only. The API never looks at them, so no other site can make a
// browser act there; and here a request must come from a page of this very origin.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Services } from '../kernel/endpoint/endpoint.ts'
import { compileValidator } from '../kernel/endpoint/validate.ts'
import { send } from '../kernel/http/send.ts'
import { faultMessage, Problem } from '../kernel/values/problem.ts'
import {
  endSession,
  type LoginUser,
  logIn,
  type Mode,
  newDevice,
  placeKnownMs,
  readDevice,
  refreshGraceSeconds,
  refreshSession,
  type SessionTokens,
  sessionIdleSeconds,
} from '../modules/identity/login/index.ts'
import { rolePermissions } from '../nouns.ts'

const path = '/portal/session'
const modes = ['live', 'test'] as const satisfies readonly Mode[]

type Credentials = { emailOrAdminId: string; password: string }

const validate = compileValidator({
  body: Type.Object({
    emailOrAdminId: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
  }),
})

/**
 * Adds `POST /portal/session` (log in), `POST /portal/session/refresh` and `DELETE /portal/session` (log out). The first
 * two answer `{accessTokens: {live: {accessToken, expiresIn}, test: {…}}, user, permissions}`; a refresh without any
 * session answers 204.
 * @param publicUrl where people reach the server, when it was set: its origin counts as our own
 */
export function registerSession(app: FastifyInstance, services: Services, publicUrl: string | undefined): void {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const options = {
    bodyLimit: 4_096,
    onRequest: async (request: FastifyRequest) => requireSameOrigin(request, publicOrigin),
  }

  app.post(path, { ...options, config: { limitedAs: deviceOf(services) } }, async (request, reply) => {
    const { emailOrAdminId, password } = credentialsOf(request)
    const { now: nowMs, ip } = request.state
    const known = cookieNamed(request, deviceCookie)
    const cookie = readDevice(services.pepper, known) === null ? newDevice(services.pepper) : (known as string)
    const device = readDevice(services.pepper, cookie)
    const { user, sessions } = await logIn(services, { emailOrAdminId, password, modes, ip, device, nowMs })
    // A login in place of another: the one before is not left open.
    await Promise.all(tokensSent(request).map(token => endSession(services, token)))
    for (const [index, mode] of modes.entries()) {
      keep(request, reply, mode, sessions[index]!.refreshToken, sessionIdleSeconds)
    }
    // It opens nothing: it only shows that somebody logged in here before, and outlives the session for that.
    setCookie(request, reply, deviceCookie, cookie, placeKnownMs / 1_000)
    return answer(request, reply, user, sessions)
  })

  // Anyone who shares an address with others keeps the session all the same: what is limited is the session.
  const limitedAs = (request: FastifyRequest) => {
    const sessions = tokensSent(request).flatMap(token => services.tokens.readRefresh(token)?.sessionId ?? [])
    return sessions[0] === undefined ? undefined : `session ${sessions[0]}`
  }
  const bySession = { ...options, config: { limitedAs } }

  app.post(`${path}/refresh`, bySession, async (request, reply) => {
    if (tokensSent(request).length === 0) return reply.code(204).header('cache-control', 'no-store').send()
    const { now: nowMs } = request.state
    // Several tabs share the cookies: with a rest as long as the grace, what any of them still sends is always taken.
    const rest = { nowMs, restSeconds: refreshGraceSeconds }
    const outcomes = await Promise.allSettled(
      modes.map(mode => refreshSession(services, cookieOf(request, mode) ?? '', rest)),
    )
    const refreshed = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    if (failures.some(isOver)) {
      await endAll(services, request, reply)
      throw new Problem('invalid_refresh_token', { message: 'The session of the portal is over. Log in again.' })
    }
    for (const [index, mode] of modes.entries()) {
      const outcome = outcomes[index]!
      if (outcome.status === 'rejected') continue
      keep(request, reply, mode, outcome.value.session.refreshToken, outcome.value.secondsToLive)
    }
    if (failures.length > 0) throw failures[0]
    return answer(
      request,
      reply,
      refreshed[0]!.user,
      refreshed.map(({ session }) => session),
    )
  })

  app.delete(path, bySession, async (request, reply) => {
    await endAll(services, request, reply)
    return reply.code(204).header('cache-control', 'no-store').send()
  })

  refuse(app, path, ['GET', 'PUT', 'PATCH', 'OPTIONS'], 'POST, DELETE')
  refuse(app, `${path}/refresh`, ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST')
}

function refuse(app: FastifyInstance, url: string, method: string[], allow: string): void {
  app.route({ method, url, config: { allow }, exposeHeadRoute: false, handler: async () => {} })
}

function credentialsOf(request: FastifyRequest): Credentials {
  const details = validate({ query: request.query, body: request.body })
  if (details !== undefined) throw new Problem('validation_failed', { message: faultMessage(details), details })
  return request.body as Credentials
}

/**
 * Refuses what no page of this origin has sent. The header alone keeps other sites out, for they may not send it without
 * asking first, which is not answered; Origin and Sec-Fetch-Site are what browsers say by themselves.
 * @throws Problem `cross_site_request`
 */
function requireSameOrigin({ headers, protocol, host }: FastifyRequest, publicOrigin: string | undefined): void {
  if (headers['x-tandem-portal'] !== '1') {
    throw new Problem('cross_site_request', { message: 'The header X-Tandem-Portal: 1 is missing.' })
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') {
    throw new Problem('cross_site_request', { message: 'The request comes from a page of another origin.' })
  }
  const { origin } = headers
  const address = `${protocol}://${host}`
  const own = URL.canParse(address) ? new URL(address).origin : address
  if (origin === undefined || origin === own || origin === publicOrigin) return
  throw new Problem('cross_site_request', {
    message:
      `The request comes from a page of ${origin}, not of ${own}. If a proxy stands before the server, set ` +
      'TANDEM_TRUSTED_PROXIES, or TANDEM_PUBLIC_URL to the address of the portal.',
  })
}

/** Whether the browser reached us by https: its own word counts, for a proxy may have taken the TLS off. */
function isSecure({ headers, protocol }: FastifyRequest): boolean {
  return headers.origin === undefined ? protocol === 'https' : headers.origin.startsWith('https:')
}

/** With the prefix a browser takes the cookie from a secure page only: nobody on the way can plant one (RFC 6265bis §4.1.3). */
function cookieName(request: FastifyRequest, name: string): string {
  return `${isSecure(request) ? '__Secure-' : ''}tandem_portal_${name}`
}

const deviceCookie = 'device'

/** A device that logged in before is not kept from doing so by what others do at its address. */
function deviceOf({ pepper }: Services) {
  return (request: FastifyRequest) => {
    const device = readDevice(pepper, cookieNamed(request, deviceCookie))
    return device === null ? undefined : `device ${device}`
  }
}

function cookieOf(request: FastifyRequest, mode: Mode): string | undefined {
  return cookieNamed(request, mode)
}

function cookieNamed(request: FastifyRequest, name: string): string | undefined {
  const start = `${cookieName(request, name)}=`
  const pairs = (request.headers.cookie ?? '').split(';').map(pair => pair.trim())
  return pairs.find(pair => pair.startsWith(start))?.slice(start.length) || undefined
}

function tokensSent(request: FastifyRequest): string[] {
  return modes.flatMap(mode => cookieOf(request, mode) ?? [])
}

function keep(request: FastifyRequest, reply: FastifyReply, mode: Mode, token: string, seconds: number): void {
  setCookie(request, reply, mode, token, seconds)
}

function setCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string, seconds: number): void {
  const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`
  reply.header('set-cookie', `${cookieName(request, name)}=${value}; ${attributes}`)
}

/** Ends whatever sessions the cookies name, and the cookies. */
async function endAll(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await Promise.all(tokensSent(request).map(token => endSession(services, token)))
  for (const mode of modes) keep(request, reply, mode, '', 0)
}

function isOver(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_refresh_token'
}

function answer(request: FastifyRequest, reply: FastifyReply, user: LoginUser, sessions: SessionTokens[]) {
  const accessTokens = Object.fromEntries(
    sessions.map(({ accessToken, expiresIn }, index) => [modes[index], { accessToken, expiresIn }]),
  )
  const permissions = [...rolePermissions[user.role]].sort()
  send(request, reply, 200, JSON.stringify({ accessTokens, user, permissions }))
  return reply
}
