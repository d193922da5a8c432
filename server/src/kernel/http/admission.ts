// Who is let in: everything that must hold before a body is read, in this order: headers, credential, limit, permission, route, a
// place among the requests under way.
import type { FastifyRequest } from 'fastify'
import { bearerOf, challenge, stepUpChallenge } from '../access/bearer.ts'
import { type Charge, chargesOf, type Decision, type LimitName, limitedThing } from '../access/limit.ts'
import { authenticateOperator, type OperatorLevel } from '../access/operator.ts'
import type { Principal } from '../access/principal.ts'
import { type Endpoint, isPersonOnly, isRefusedWhile, recentSeconds, type Services } from '../endpoint/endpoint.ts'
import { type Permission, permissionsOf, rolesWith } from '../values/permission.ts'
import { Problem } from '../values/problem.ts'
import type { HttpOptions, State } from './request_state.ts'

const maxHeaderFields = 64

/**
 * Why a request is refused before anything is asked about it, even who sent it: there are more of its kind than this server bears, and
 * finding out would cost more than the answer. It is in no request log, then, and counts for no limit.
 */
export function overloadOf(
  { state }: FastifyRequest,
  { services }: Pick<HttpOptions, 'services'>,
): Problem | undefined {
  const seconds = state.endpoint?.overload?.(services)
  return seconds === undefined ? undefined : overloaded(seconds)
}

const madeBefore = new Map<number, Problem>()

/** Problems are errors, and an error takes long to make. */
function overloaded(seconds: number): Problem {
  let problem = madeBefore.get(seconds)
  if (problem === undefined) {
    problem = new Problem('unavailable', {
      message: `This server is asked for more than it can carry. Nothing of this request happened; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      headers: { 'retry-after': String(seconds) },
    })
    madeBefore.set(seconds, problem)
  }
  return problem
}

/** Everything that must hold before a body is read. Synchronous when the credential and the limit are known in memory. */
export function admit(request: FastifyRequest, options: HttpOptions): Promise<void> | undefined {
  const { state } = request
  if (request.raw.rawHeaders.length > maxHeaderFields * 2) throw new Problem('headers_too_large')
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new Problem('bad_request', { message: 'The request has no Host header. Send one (RFC 9112 §3.2).' })
  }
  if (state.endpoint?.operator !== undefined) return admitOperator(request, options, state.endpoint.operator)
  const isPublic = state.endpoint === undefined || state.endpoint.permission === 'public'
  const credential = bearerOf(request.headers.authorization)
  if (credential === undefined) {
    return afterLimit(request, options, isPublic ? undefined : new Problem('missing_credentials', challenge()))
  }
  let known: Principal | Promise<Principal>
  try {
    known = options.services.authenticator.authenticate(credential, state.now)
  } catch (error) {
    return afterLimit(request, options, isPublic ? undefined : (error as Error))
  }
  if (known instanceof Promise) {
    return known.then(
      principal => {
        state.principal = principal
        return afterLimit(request, options, undefined)
      },
      (error: Error) => afterLimit(request, options, isPublic && error instanceof Problem ? undefined : error),
    )
  }
  state.principal = known
  return afterLimit(request, options, undefined)
}

/** The same of an endpoint for those who run the installation; charged to the address. */
async function admitOperator(request: FastifyRequest, options: HttpOptions, wanted: OperatorLevel): Promise<void> {
  const { state } = request
  const credential = bearerOf(request.headers.authorization)
  let refusal: Error | undefined
  if (credential === undefined) refusal = new Problem('missing_credentials', challenge())
  else
    try {
      state.operator = await authenticateOperator(options.services, credential, state.now)
      if (wanted === 'full' && state.operator.level !== 'full') refusal = new Problem('operator_reads_only')
    } catch (error) {
      refusal = error as Error
    }
  await afterLimit(request, options, refusal)
}

/** Charges the request, then refuses it for `refusal` or for a missing permission. An invalid credential is charged to the IP. */
function afterLimit(
  request: FastifyRequest,
  options: HttpOptions,
  refusal: Error | undefined,
): Promise<void> | undefined {
  const { state } = request
  const own = state.principal === undefined ? request.routeOptions.config.limitedAs?.(request) : undefined
  const [first, second] = chargesOf(state.principal, { ip: state.ip, own }, options.limits)
  const take = (charge: Charge, then: () => Promise<void> | undefined): Promise<void> | undefined => {
    const decision = options.services.limiter.take(charge.key, charge.limit, state.now)
    if (decision instanceof Promise) return decision.then(taken => settle(charge, taken, then))
    return settle(charge, decision, then)
  }
  const settle = (charge: Charge, taken: Decision, then: () => Promise<void> | undefined) => {
    // Headers report the count that is nearer to its limit.
    if (!taken.allowed || state.decision === undefined || taken.remaining < state.decision.remaining) {
      state.decision = taken
      state.limitName = charge.name
    }
    if (!taken.allowed) throw rateLimited(charge.name, taken)
    return then()
  }
  const conclude = () => {
    if (refusal !== undefined) throw refusal
    authorize(state)
    const allow = request.routeOptions.config.allow
    // What only looks like an id at that place is no address at all: POST /api/leads/batch.
    const isId = (name: string) => /^-?\d+$/.test((request.params as Record<string, string>)[name] ?? '')
    if (allow !== undefined && request.routeOptions.config.integers?.every(isId) === false)
      throw new Problem('route_not_found')
    if (allow !== undefined)
      throw new Problem('method_not_allowed', {
        headers: { allow },
        message: `${request.method} is not a method of this address; it takes ${allow}.`,
      })
    return enter(request, options.services)
  }
  return take(first, second === undefined ? conclude : () => take(second, conclude))
}

/** Takes a place among the requests under way; a test beside live mode then waits its turn, before its body is read. */
function enter({ state }: FastifyRequest, { connections, testPace }: Services): Promise<void> | undefined {
  const { principal } = state
  if (principal === undefined) return undefined
  if (principal.mode === 'live') testPace.live()
  // Nobody would give back the place of a client that hung up while its credential was looked up.
  if (state.gone) return testPace.turn(principal)
  if (!connections.take(principal)) throw tooManyUnderWay(connections.held(principal))
  state.leave = () => {
    state.leave = undefined
    connections.give(principal)
  }
  return testPace.turn(principal)
}

function authorize({ principal, endpoint, now }: State): void {
  if (principal === undefined || endpoint === undefined || endpoint.permission === 'public') return
  if (!principal.permissions.has(endpoint.permission)) throw forbidden(endpoint.permission, principal)
  if (isRefusedWhile(principal.organizationState, endpoint)) {
    throw new Problem(principal.organizationState === 'closing' ? 'organization_closing' : 'organization_suspended')
  }
  if (endpoint.shared === true && principal.mode !== 'live') throw new Problem('live_mode_required')
  if (isPersonOnly(endpoint) && principal.person === null) throw new Problem('person_required')
  if (endpoint.recent !== undefined && standsForPerson(principal)) throw new Problem('person_required')
  if (endpoint.recent !== undefined) requireRecent(endpoint.recent, principal, now)
}

/** What a person's session is exchanged for without a fresh proof must not do without one what the session could not. */
function standsForPerson({ isKeyToken, client }: Principal): boolean {
  return isKeyToken || (client !== null && client.grantId !== null)
}

/** @throws Problem `step_up_required` (RFC 9470 §3) */
function requireRecent(grade: NonNullable<Endpoint['recent']>, { person }: Principal, nowMs: number): void {
  if (person === null) return
  const provedMs = grade === 'factor' ? person.factorAtMs : Math.max(person.authAtMs, person.factorAtMs ?? 0)
  if (provedMs !== null && nowMs - provedMs < recentSeconds * 1_000) return
  throw new Problem('step_up_required', stepUpChallenge(grade, recentSeconds))
}

function forbidden(permission: Permission, principal: Principal): Problem {
  if (!permissionsOf(principal).has(permission)) {
    const name = principal.custom === null ? principal.role : `the role ${principal.custom.name}`
    const holders = rolesWith(permission).join(', ')
    return new Problem('insufficient_role', {
      message: `This needs the permission ${permission}, which ${name} does not hold (held by ${holders}).`,
    })
  }
  const message =
    principal.client === null
      ? `This needs the scope ${permission}; the key was created without it. Create a key that has it.`
      : `This needs the scope ${permission}, which the token was not given. Ask for it when you authorize.`
  // RFC 6750 §3.1.
  const challenge = `Bearer realm="tandem", error="insufficient_scope", scope="${permission}"`
  return new Problem('insufficient_scope', { message, headers: { 'www-authenticate': challenge } })
}

function tooManyUnderWay(count: number): Problem {
  return new Problem('unavailable', {
    message: `This mode of the organization has ${count} requests under way on this server, or tests have all that tests may have. Wait for answers before sending more, and try again in a second.`,
    headers: { 'retry-after': '1', connection: 'close' },
  })
}

function rateLimited(name: LimitName, decision: Decision): Problem {
  const seconds = decision.retryAfterSeconds
  return new Problem('rate_limited', {
    message: `Rate limit of ${decision.limit} requests a minute for ${limitedThing[name]} exceeded. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  })
}
