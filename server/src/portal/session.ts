// The session of anyone who uses the portal: one login opens a live and a test session, whose refresh tokens live in cookies
// that no script can read and that go to this address only. The API never looks at them, so no other site can make a
// browser act there; and here a request must come from a page of this very origin.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Asked } from '../kernel/audit/record.ts'
import type { Services } from '../kernel/endpoint/endpoint.ts'
import { Email } from '../kernel/endpoint/schema.ts'
import { compileValidator, type Validator } from '../kernel/endpoint/validate.ts'
import { send } from '../kernel/http/send.ts'
import { faultMessage, Problem } from '../kernel/values/problem.ts'
import { Assertion } from '../modules/identity/factors/index.ts'
import {
  continueLogin,
  describePerson,
  deviceCookieOf,
  endSession,
  type From,
  type LoggedIn,
  type LoginUser,
  logIn,
  logInByLink,
  logInByPasskey,
  type Mode,
  newDevice,
  type PasskeyLogin,
  placeKnownMs,
  readDevice,
  readSession,
  refreshGraceSeconds,
  refreshSession,
  type SessionTokens,
  sendLink,
  sessionIdleSeconds,
  switchOrganization,
} from '../modules/identity/login/index.ts'
import { type Beginning, beginSso, logInBySso, ticketCookie } from '../modules/identity/sso/index.ts'

const path = '/portal/session'
const modes = ['live', 'test'] as const satisfies readonly Mode[]

type Credentials = { emailOrAdminId: string; password: string }
const validateCredentials = compileValidator({
  body: Type.Object({
    emailOrAdminId: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 128 }),
  }),
})

type Further = {
  challengeToken: string
  code?: string
  recoveryCode?: string
  assertion?: PasskeyLogin['assertion']
  newPassword?: string
  trustDevice?: boolean
}
const validateFurther = compileValidator({
  body: Type.Object({
    challengeToken: Type.String({ minLength: 1, maxLength: 4_000 }),
    code: Type.Optional(Type.String({ maxLength: 10 })),
    recoveryCode: Type.Optional(Type.String({ maxLength: 60 })),
    assertion: Type.Optional(Assertion),
    newPassword: Type.Optional(Type.String({ maxLength: 128 })),
    trustDevice: Type.Optional(Type.Boolean()),
  }),
})

const validatePasskey = compileValidator({ body: Type.Object({ assertion: Assertion }) })

const validateBeginning = compileValidator({
  body: Type.Object({
    connectionId: Type.String({ maxLength: 40 }),
    next: Type.Optional(Type.String({ maxLength: 500 })),
    fresh: Type.Optional(Type.Boolean()),
  }),
})

const validateLink = compileValidator({ body: Type.Object({ email: Email }) })
const validateLinkToken = compileValidator({
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
})

const validateSwitch = compileValidator({ body: Type.Object({ organizationId: Type.Integer({ minimum: 1 }) }) })

/**
 * Adds `POST /portal/session` (log in), `POST /portal/session/verify` (what a login needs beside the password),
 * `POST /portal/session/passkey` (log in with a passkey), `POST /portal/session/link` and `/link/confirm` (by the link of a mail),
 * `POST /portal/session/sso` (what came back from an identity provider; `POST /portal/session/sso/start` answers the `url` where it begins, or the `reason` why it does not),
 * `POST /portal/session/switch` (to another organization), `POST /portal/session/refresh` and `DELETE /portal/session` (log out). All but
 * the last answer `{accessTokens: {live: {accessToken, expiresIn}, test: {…}}, user, locale, permissions, organizations, organizationName,
 * organizationState, country}`, with `recoveryCodes` where an app was set up with the login, locale being the language that the person chose, or null, organizations how many there are to switch
 * between, and country where telephone numbers are at home, or null; a refresh without any session answers 204.
 * @param publicUrl where people reach the server, when it was set: its origin counts as our own
 */
export function registerSession(app: FastifyInstance, services: Services, publicUrl: string | undefined): void {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const options = {
    bodyLimit: 16_384,
    onRequest: async (request: FastifyRequest) => requireSameOrigin(request, publicOrigin),
  }

  registerLogins(app, services, options)

  // Anyone who shares an address with others keeps the session all the same: what is limited is the session.
  const limitedAs = (request: FastifyRequest) => {
    const sessions = tokensSent(request).flatMap(token => services.tokens.readRefresh(token)?.sessionId ?? [])
    return sessions[0] === undefined ? undefined : `session ${sessions[0]}`
  }
  const bySession = { ...options, config: { limitedAs } }

  app.post(`${path}/switch`, bySession, async (request, reply) => {
    const { organizationId } = bodyOf<{ organizationId: number }>(request, validateSwitch)
    const [token = ''] = tokensSent(request)
    // Refreshed first: a session that is over switches nowhere.
    const rest = { nowMs: request.state.now, restSeconds: refreshGraceSeconds, asked: askedBy(request) }
    await refreshSession(services, token, rest)
    const from = await readSession(services, token)
    if (from === undefined) throw new Problem('invalid_refresh_token')
    const to = { organizationId, modes, nowMs: request.state.now, from: fromOf(services, request) }
    const { user, sessions } = await switchOrganization(services, from, to)
    keepAll(request, reply, sessions)
    return answer(services, request, reply, user, sessions)
  })

  app.post(`${path}/refresh`, bySession, async (request, reply) => {
    if (tokensSent(request).length === 0) return reply.code(204).header('cache-control', 'no-store').send()
    const { now: nowMs } = request.state
    // Several tabs share the cookies: with a rest as long as the grace, what any of them still sends is always taken.
    const rest = { nowMs, restSeconds: refreshGraceSeconds, asked: askedBy(request) }
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
      services,
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
  for (const below of ['refresh', 'verify', 'passkey', 'link', 'link/confirm', 'sso', 'sso/start', 'switch'])
    refuse(app, `${path}/${below}`, ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST')
}

type RouteOptions = { bodyLimit: number; onRequest(request: FastifyRequest): Promise<void> }

/** Adds the ways to log in. */
function registerLogins(app: FastifyInstance, services: Services, options: RouteOptions): void {
  const byDevice = { ...options, config: { limitedAs: deviceOf(services) } }

  app.post(path, byDevice, async (request, reply) => {
    const credentials = bodyOf<Credentials>(request, validateCredentials)
    const { cookie, ...from } = fromOf(services, request)
    const opened = await logIn(services, { ...credentials, modes, from, nowMs: request.state.now })
    return open(services, request, reply, opened, cookie)
  })

  app.post(`${path}/verify`, byDevice, async (request, reply) => {
    const sent = bodyOf<Further>(request, validateFurther)
    const { cookie, ...from } = fromOf(services, request)
    const opened = await continueLogin(services, { ...sent, modes, from, nowMs: request.state.now })
    return open(services, request, reply, opened, cookie)
  })

  app.post(`${path}/passkey`, byDevice, async (request, reply) => {
    const { assertion } = bodyOf<Pick<PasskeyLogin, 'assertion'>>(request, validatePasskey)
    const { cookie, ...from } = fromOf(services, request)
    const opened = await logInByPasskey(services, { assertion, modes, from, nowMs: request.state.now })
    return open(services, request, reply, opened, cookie)
  })

  // The browser that asks is known again by the cookie of its device, which no script reads: a link is of use in no other.
  app.post(`${path}/link`, byDevice, async (request, reply) => {
    const { email } = bodyOf<{ email: string }>(request, validateLink)
    const { cookie, device } = fromOf(services, request)
    sendLink(services, { email, browser: device as string, nowMs: request.state.now })
    setCookie(request, reply, deviceCookie, cookie, placeKnownMs / 1_000)
    send(request, reply, 200, JSON.stringify({ accepted: true }))
    return reply
  })

  app.post(`${path}/link/confirm`, byDevice, async (request, reply) => {
    const { token } = bodyOf<{ token: string }>(request, validateLinkToken)
    const { cookie, ...from } = fromOf(services, request)
    const login = { token, browser: from.device as string, modes, from, nowMs: request.state.now }
    return open(services, request, reply, await logInByLink(services, login), cookie)
  })

  // Pressed on a page of ours: no link of another site begins a login.
  app.post(`${path}/sso/start`, byDevice, async (request, reply) => {
    const begun = await beginSso(services, request, reply, bodyOf<Beginning>(request, validateBeginning))
    send(request, reply, 200, JSON.stringify(begun))
    return reply
  })

  app.post(`${path}/sso`, byDevice, async (request, reply) => {
    const ticket = cookieNamed(request, ticketCookie)
    setCookie(request, reply, ticketCookie, '', 0)
    const { cookie, ...from } = fromOf(services, request)
    const opened = await logInBySso(services, { ticket, modes, from, nowMs: request.state.now })
    return open(services, request, reply, opened, cookie)
  })
}

/** Where a login comes from, by a browser that has a cookie of its own from then on. */
function fromOf({ keyring }: Services, request: FastifyRequest): From & { cookie: string } {
  const known = cookieNamed(request, deviceCookie)
  const device = readDevice(keyring, known) ?? newDevice()
  return { ip: request.state.ip, device, asked: askedBy(request), cookie: deviceCookieOf(keyring, device) }
}

/** Answers with sessions that were opened, in place of those that there were. */
async function open(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, sessions, recoveryCodes }: LoggedIn,
  cookie: string,
): Promise<FastifyReply> {
  await Promise.all(tokensSent(request).map(token => endSession(services, token, askedBy(request))))
  keepAll(request, reply, sessions)
  // It opens nothing: it only shows that somebody logged in here before, and outlives the session for that.
  setCookie(request, reply, deviceCookie, cookie, placeKnownMs / 1_000)
  return answer(services, request, reply, user, sessions, recoveryCodes && { recoveryCodes })
}

function refuse(app: FastifyInstance, url: string, method: string[], allow: string): void {
  app.route({ method, url, config: { allow }, exposeHeadRoute: false, handler: async () => {} })
}

function bodyOf<Body>(request: FastifyRequest, validate: Validator): Body {
  const details = validate(request)
  if (details !== undefined) throw new Problem('validation_failed', { message: faultMessage(details), details })
  return request.body as Body
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
function deviceOf({ keyring }: Services) {
  return (request: FastifyRequest) => {
    const device = readDevice(keyring, cookieNamed(request, deviceCookie))
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

function keepAll(request: FastifyRequest, reply: FastifyReply, sessions: SessionTokens[]): void {
  for (const [index, mode] of modes.entries())
    keep(request, reply, mode, sessions[index]!.refreshToken, sessionIdleSeconds)
}

function setCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string, seconds: number): void {
  const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(request) ? '; Secure' : ''}`
  reply.header('set-cookie', `${cookieName(request, name)}=${value}; ${attributes}`)
}

/** Ends whatever sessions the cookies name, and the cookies. */
async function endAll(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const asked = askedBy(request)
  await Promise.all(tokensSent(request).map(token => endSession(services, token, asked)))
  for (const mode of modes) keep(request, reply, mode, '', 0)
}

/** From where, for the audit log. */
function askedBy({ id, state, headers }: FastifyRequest): Asked {
  return { requestId: id, ip: state.ip, userAgent: headers['user-agent'] ?? null }
}

function isOver(error: unknown): boolean {
  return error instanceof Problem && error.code === 'invalid_refresh_token'
}

async function answer(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  user: LoginUser,
  sessions: SessionTokens[],
  more?: { recoveryCodes: string[] },
) {
  const accessTokens = Object.fromEntries(
    sessions.map(({ accessToken, expiresIn }, index) => [modes[index], { accessToken, expiresIn }]),
  )
  const held = await services.authenticator.authenticate(sessions[0]!.accessToken, request.state.now)
  const permissions = [...held.permissions].sort()
  const { organizationState } = held
  const country = held.settings.defaultCountry
  const person = await describePerson(services, sessions[0]!.refreshToken)
  const said = { accessTokens, user, permissions, organizationState, country, ...person, ...more }
  send(request, reply, 200, JSON.stringify(said))
  return reply
}
