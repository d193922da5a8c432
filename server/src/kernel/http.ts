// The HTTP face: one Fastify application made from the catalog. Here live the things every request meets, in this order:
// id, credential, limit, route, permission, body, then `execute`; and the one place where problems become answers.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { bearerOf, challenge } from './bearer.ts'
import type { Clock } from './clock.ts'
import { sqlState } from './db.ts'
import { type Endpoint, fullPath, type Method, type Services } from './endpoint.ts'
import { type Answer, type Call, compileEndpoint, type Executor } from './execute.ts'
import { type FileReply, sendFile } from './file_reply.ts'
import { newId } from './ids.ts'
import { parseJson } from './json_body.ts'
import { type Charge, chargesOf, type Decision, type LimitName, type Limits, limitedThing } from './limit.ts'
import { addOperations, type OperationsOptions } from './operations.ts'
import { type Permission, rolesWith } from './permission.ts'
import type { Principal } from './principal.ts'
import { Problem, type ProblemCode } from './problem.ts'
import { renderProblem } from './render_problem.ts'
import { requestEntry } from './request_entry.ts'
import type { RequestLog } from './request_log.ts'
import { elapsedMs, type SiteAnswer, send, sendHead, sendSite } from './send.ts'
import { clientErrorHandler, limitConnections } from './socket.ts'
import { type StreamSource, streamHeaders } from './stream.ts'
import { integersOf } from './validate.ts'

export type HttpOptions = OperationsOptions & {
  catalog: readonly Endpoint[]
  services: Services
  requestLog: RequestLog
  clock: Clock
  limits: Limits
  trustedProxies: readonly string[]
  /** Where people reach the server, when it was set. */
  publicUrl: string | undefined
}

/** What one request has gathered; lives on the Fastify request. */
type State = {
  startedMs: number
  now: number
  ip: string
  principal: Principal | undefined
  endpoint: Endpoint | undefined
  problem: ProblemCode | undefined
  /** The body of the answer, for the request log. */
  answer: string | undefined
  decision: Decision | undefined
  limitName: LimitName
  /** Whether metrics and request log know of the answer. */
  recorded: boolean
  /** Gives back the place of the request among those under way. */
  leave: (() => void) | undefined
  /** The page or file that answers this address, which is none of the API. */
  page: SiteAnswer | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    publicUrl: string | undefined
  }
  interface FastifyRequest {
    state: State
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    allow?: string
    /** Of addresses that lack the method: path parameters that are integers. */
    integers?: readonly string[]
    /** Operational routes: no limit, no log. */
    internal?: boolean
    /** Of a request without a principal: what it proves of itself, to be charged instead of the address. */
    limitedAs?: (request: FastifyRequest) => string | undefined
  }
}

const headerBytes = 8 * 1024
const maxHeaderFields = 64
const defaultBodyLimit = 64 * 1024
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function buildHttp(options: HttpOptions): FastifyInstance {
  const { catalog, services, clock } = options
  const app = Fastify({
    logger: false,
    bodyLimit: defaultBodyLimit,
    connectionTimeout: 0,
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 10_000,
    http: {
      headersTimeout: 5_000,
      maxHeaderSize: headerBytes,
      connectionsCheckingInterval: 1_000,
      // Refused by ourselves, in JSON.
      requireHostHeader: false,
    },
    genReqId: () => newId('req'),
    rewriteUrl: request => canonicalUrl(request.url ?? '/'),
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: true,
    clientErrorHandler,
    // Addresses that are no addresses never reach the hooks.
    frameworkErrors(error, request, reply) {
      request.state = openState(request, clock.now())
      sendProblem(problemFrom(error, request, options), request, reply)
    },
    // What comes in on an open connection while the server stops is served, and the connection closed behind it.
    return503OnClosing: false,
  })
  app.server.maxConnections = 10_000
  limitConnections(app, options.trustedProxies)
  parseJson(app)

  app.decorate('publicUrl', options.publicUrl)
  app.decorateRequest('state', null as unknown as State)
  app.addHook('onRequest', (request, reply, done) => {
    request.state = openState(request, clock.now())
    if (request.routeOptions.config.internal === true) return done()
    if (request.is404 && options.site !== undefined) request.state.page = options.site(request)
    if (request.state.page !== undefined) return done()
    // Comes with every end, also when the client hangs up.
    reply.raw.once('close', () => request.state.leave?.())
    try {
      const admitted = admit(request, options)
      if (admitted === undefined) return done()
      admitted.then(() => done(), done)
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onResponse', (request, reply, done) => {
    if (!request.state.recorded) record(request, reply.raw.statusCode, options)
    done()
  })

  app.setErrorHandler((error, request, reply) => sendProblem(problemFrom(error, request, options), request, reply))
  app.setNotFoundHandler((request, reply) => {
    const { page } = request.state
    if (page !== undefined) sendSite(request, reply, page)
    else sendProblem(new Problem('route_not_found'), request, reply)
  })

  for (const definition of catalog) addEndpoint(app, definition, compileEndpoint(definition, services), options)
  refuseOtherMethods(app, catalog)
  addOperations(app, options)
  return app
}

function openState(request: FastifyRequest, now: number): State {
  return {
    startedMs: performance.now(),
    now,
    ip: request.ip,
    principal: undefined,
    endpoint: request.routeOptions.config?.endpoint,
    problem: undefined,
    answer: undefined,
    decision: undefined,
    limitName: 'ip',
    recorded: false,
    leave: undefined,
    page: undefined,
  }
}

/** Counts and logs an answer, once. An event stream is recorded when it opens: it may go on for hours. */
function record(request: FastifyRequest, status: number, { metrics, requestLog }: HttpOptions): void {
  const { state } = request
  state.recorded = true
  const durationMs = elapsedMs(state.startedMs)
  const route = request.routeOptions.url ?? 'unknown'
  metrics.request(request.method, state.endpoint?.id ?? route, status, durationMs)
  const { principal } = state
  if (principal !== undefined) requestLog.add(requestEntry(request, principal, { status, durationMs }))
}

/** Older and shorter spellings of the v1 base address reach the same router, as does a whole URL (RFC 9112 §3.2.2). */
export function canonicalUrl(url: string): string {
  if (!url.startsWith('/')) url = url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  if (url.startsWith('/api/v1/')) return `/v1/api/${url.slice('/api/v1/'.length)}`
  if (url.startsWith('/api/')) return `/v1${url}`
  return url
}

/** Everything that must hold before a body is read. Synchronous when the credential and the limit are known in memory. */
function admit(request: FastifyRequest, options: HttpOptions): Promise<void> | undefined {
  const { state } = request
  if (request.raw.rawHeaders.length > maxHeaderFields * 2) throw new Problem('headers_too_large')
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new Problem('bad_request', { message: 'The request has no Host header. Send one (RFC 9112 §3.2).' })
  }
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
    // Headers tell of the count that is nearer to its end.
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
  if (!connections.take(principal)) throw tooManyUnderWay(connections.held(principal))
  state.leave = () => {
    state.leave = undefined
    connections.give(principal)
  }
  return testPace.turn(principal)
}

function authorize({ principal, endpoint }: State): void {
  if (principal === undefined || endpoint === undefined || endpoint.permission === 'public') return
  if (!principal.permissions.has(endpoint.permission)) throw forbidden(endpoint.permission, principal)
  if (endpoint.shared === true && principal.mode !== 'live') throw new Problem('live_mode_required')
}

function forbidden(permission: Permission, principal: Principal): Problem {
  const holders = rolesWith(permission)
  if (!holders.includes(principal.role)) {
    return new Problem('insufficient_role', {
      message: `This needs the permission ${permission}, which ${principal.role} does not hold (held by ${holders.join(', ')}).`,
    })
  }
  return new Problem('insufficient_scope', {
    message: `This needs the scope ${permission}; the key was created without it. Create a key that has it.`,
  })
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

function addEndpoint(app: FastifyInstance, definition: Endpoint, execute: Executor, options: HttpOptions): void {
  app.route({
    method: definition.method,
    url: fullPath(definition).replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
    config: { endpoint: definition },
    handler: async (request, reply) => {
      const answer = await execute(callOf(request))
      if (answer.stream !== undefined) openStream(answer.stream, request, reply, options)
      else if (answer.file !== undefined) await openFile(answer.file, request, reply, options)
      else sendAnswer(answer, request, reply)
      return reply
    },
  })
}

function callOf(request: FastifyRequest): Call {
  const { state } = request
  return {
    params: request.params as Record<string, unknown>,
    query: request.query as Record<string, unknown>,
    body: request.body,
    principal: state.principal,
    now: state.now,
    requestId: request.id,
    ip: state.ip,
    mayHoldNul: request.url.includes('%00') || (request as { rawHoldsNul?: boolean }).rawHoldsNul === true,
    mayHoldSurrogate: (request as { rawHoldsSurrogate?: boolean }).rawHoldsSurrogate === true,
    header: name => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    timesSent: name =>
      request.raw.rawHeaders.filter((field, index) => index % 2 === 0 && field.toLowerCase() === name).length,
    elapsedMs: () => elapsedMs(state.startedMs),
  }
}

function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply): void {
  if (answer.version !== undefined) reply.header('etag', `"${answer.version}"`)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  request.state.answer = answer.body
  send(request, reply, answer.status, answer.body)
}

/** Answers with a stream, which ends by itself; a HEAD gets the head of one. */
function openStream(source: StreamSource, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  const begin = () => {
    record(request, 200, options)
    // Streams have a share of their own.
    request.state.leave?.()
    return sendHead(request, reply, 200, streamHeaders)
  }
  if (request.method === 'HEAD') {
    source.stop()
    begin().end()
    return
  }
  const { principal } = request.state
  const credential = bearerOf(request.headers.authorization)
  if (principal === undefined || credential === undefined) throw new Error('a stream needs a credential')
  options.services.streams.open({ source, principal, credential, begin })
}

/** Answers with a file. A reader that leaves early is recorded as well. */
function openFile(file: FileReply, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Promise<void> {
  return sendFile(file, request, reply, (status, fault) => {
    if (!request.state.recorded) record(request, status, options)
    if (fault !== undefined) options.services.log.error({ requestId: request.id, err: fault }, 'a file broke off')
  })
}

/** Lock and statement timeouts, deadlocks, serialisation failures: rolled back, and likely to pass on another try. */
const retriableStates = new Set(['55P03', '57014', '40P01', '40001'])

/** Fastify's own refusals and Node's become problems; anything else is our mistake and is logged, never shown. */
function problemFrom(error: unknown, request: FastifyRequest, { services, metrics }: HttpOptions): Problem {
  if (services.outages.note(error)) {
    return error instanceof Problem ? error : new Problem('unavailable', { headers: { 'retry-after': '5' } })
  }
  if (error instanceof Problem) {
    if (error.entry.status >= 500)
      services.log.warn({ requestId: request.id, err: error.cause ?? error }, 'answered unavailable')
    return error
  }
  if (retriableStates.has(sqlState(error) ?? '')) {
    services.log.warn({ requestId: request.id, err: error }, 'the database gave up')
    return new Problem('unavailable', { headers: { 'retry-after': '1' } })
  }
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large', { headers: { connection: 'close' } })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new Problem('bad_request')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('uri_too_long')
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return new Problem('bad_request')
  }
  metrics.internalError()
  services.log.error(
    { requestId: request.id, method: request.method, path: pathOf(request.originalUrl), err: error },
    'request failed',
  )
  return new Problem('internal_error', {
    message: `The server made a mistake. Try again with the same Idempotency-Key; report the request id ${request.id} if it stays.`,
  })
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  const { state } = request
  state.problem = problem.code
  for (const [name, value] of Object.entries(problem.headers ?? {})) reply.header(name, value)
  if (problem.entry.status === 401 && problem.headers === undefined) {
    reply.header('www-authenticate', 'Bearer realm="tandem", error="invalid_token"')
  }
  const version = request.url.startsWith('/v1/') ? 'v1' : 'v2'
  state.answer = renderProblem(problem, version, request.id, elapsedMs(state.startedMs), request.server.publicUrl)
  send(request, reply, problem.entry.status, state.answer)
}

/** Every path of the catalog answers 405 with Allow to the methods it lacks. */
function refuseOtherMethods(app: FastifyInstance, catalog: readonly Endpoint[]): void {
  const byPath = new Map<string, Set<Method>>()
  const integersIn = new Map<string, string[]>()
  for (const definition of catalog) {
    const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, ':$1')
    byPath.set(path, (byPath.get(path) ?? new Set()).add(definition.method))
    integersIn.set(path, integersOf(definition.params))
  }
  for (const [url, taken] of byPath) {
    const others = [...methods, 'OPTIONS' as const].filter(method => !taken.has(method as Method))
    const allow = [...taken, ...(taken.has('GET') ? ['HEAD'] : [])].join(', ')
    const integers = integersIn.get(url) ?? []
    app.route({ method: others, url, config: { allow, integers }, exposeHeadRoute: false, handler: async () => {} })
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return (end === -1 ? url : url.slice(0, end)).slice(0, 500)
}
