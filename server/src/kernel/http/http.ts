// The HTTP face: one Fastify application made from the catalog. Every request meets, in this order: its id, admission.ts
// (credential, limit, permission, route), its body, then `execute`; and here is the one place where problems become answers.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { bearerOf } from '../access/bearer.ts'
import type { Principal } from '../access/principal.ts'
import { actorOf } from '../audit/record.ts'
import type { Refusal } from '../audit/refusals.ts'
import { isPassing } from '../data/db.ts'
import { type Endpoint, fullPath, type Method } from '../endpoint/endpoint.ts'
import type { FileReply } from '../endpoint/reply.ts'
import { type StreamSource, streamHeaders } from '../endpoint/stream.ts'
import { integersOf } from '../endpoint/validate.ts'
import { newId } from '../values/ids.ts'
import { Problem } from '../values/problem.ts'
import { admit, overloadOf } from './admission.ts'
import { closeAnswers, onlyByTls, sayOnlyByTls } from './closed_headers.ts'
import { answerElsewhere, isFromElsewhere } from './cross_origin.ts'
import { type Answer, type Executor, executorOf } from './execute.ts'
import { sendFile } from './file_reply.ts'
import { parseJson } from './json_body.ts'
import { addOperations } from './operations.ts'
import { noteRefusedCredentials } from './refused_credentials.ts'
import { renderProblem } from './render_problem.ts'
import { beginSpan, type Call, type HttpOptions, openState, record, type State } from './request_state.ts'
import { elapsedMs, send, sendHead, sendSite } from './send.ts'
import { clientErrorHandler, limitConnections } from './socket.ts'
import { limitBodies, takeUploads, uploadMs } from './upload.ts'

/** For a body that is no file. */
const bodyMs = 10_000
const headerBytes = 8 * 1024
const defaultBodyLimit = 64 * 1024
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function buildHttp(options: HttpOptions): FastifyInstance {
  const { catalog, services, clock } = options
  const app = Fastify({
    logger: false,
    bodyLimit: defaultBodyLimit,
    connectionTimeout: 0,
    requestTimeout: uploadMs,
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
      sayOnlyByTls(request, reply)
      sendProblem(problemFrom(error, request, options), request, reply, options)
    },
    // What comes in on an open connection while the server stops is served, and the connection closed behind it.
    return503OnClosing: false,
  })
  app.server.maxConnections = 10_000
  limitConnections(app, options.trustedProxies)
  parseJson(app)
  takeUploads(app, catalog)
  const bodies = limitBodies(app, bodyMs)

  app.decorate('publicUrl', options.publicUrl)
  app.decorate('noteRefusedCredential', noteRefusedCredentials(services.log))
  app.decorate('resourceMetadata', options.resourceMetadata ?? (() => undefined))
  app.decorateRequest('state', null as unknown as State)
  closeAnswers(app, onlyByTls(options.publicUrl, options.tlsOfSubdomains !== false))
  app.addHook('onRequest', (request, reply, done) => {
    request.state = openState(request, clock.now())
    if (request.routeOptions.config.internal === true) return done()
    if (request.is404 && options.site !== undefined) request.state.page = options.site(request)
    if (request.state.page !== undefined) return done()
    if (services.tracer.isOn) request.state.span = beginSpan(request, services.tracer)
    // Comes with every end, also when the client hangs up.
    reply.raw.once('close', () => {
      bodies.delete(request)
      leave(request, options)
    })
    if (request.routeOptions.config.endpoint?.upload === undefined) bodies.add(request)
    if (options.letsIn === undefined || !isFromElsewhere(request)) return letIn(request, reply, options, done)
    answerElsewhere(request, reply, options.letsIn).then(
      isAnswered => isAnswered || letIn(request, reply, options, done),
      done,
    )
  })

  app.addHook('onResponse', (request, reply, done) => {
    if (!request.state.recorded) record(request, reply.raw.statusCode, options)
    done()
  })

  app.setErrorHandler((error, request, reply) =>
    sendProblem(problemFrom(error, request, options), request, reply, options),
  )
  app.setNotFoundHandler((request, reply) => {
    const { page } = request.state
    if (page !== undefined) sendSite(request, reply, page)
    else sendProblem(new Problem('route_not_found'), request, reply, options)
  })

  for (const definition of catalog) addEndpoint(app, definition, executorOf(definition, services), options)
  refuseOtherMethods(app, catalog)
  addOperations(app, options)
  return app
}

function leave(request: FastifyRequest, options: HttpOptions): void {
  const { state } = request
  state.gone = true
  state.leave?.()
  // An answer that broke off: Fastify hears of those that were written only.
  if (state.status !== undefined && !state.recorded) record(request, state.status, options)
}

function letIn(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  done: (error?: Error) => void,
): void {
  const overload = overloadOf(request, options)
  if (overload !== undefined) {
    sendProblem(overload, request, reply, options)
    return
  }
  try {
    const admitted = admit(request, options)
    if (admitted === undefined) done()
    else admitted.then(() => done(), done)
  } catch (error) {
    done(error as Error)
  }
}

/** Older and shorter spellings of the v1 base address reach the same router, as does a whole URL (RFC 9112 §3.2.2). */
export function canonicalUrl(url: string): string {
  if (!url.startsWith('/')) url = url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  if (url.startsWith('/api/v1/')) return `/v1/api/${url.slice('/api/v1/'.length)}`
  if (url.startsWith('/api/')) return `/v1${url}`
  return url
}

function addEndpoint(app: FastifyInstance, definition: Endpoint, execute: Executor, options: HttpOptions): void {
  app.route({
    method: definition.method,
    url: fullPath(definition).replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
    config: { endpoint: definition },
    handler: async (request, reply) => {
      const { span } = request.state
      const run = () => execute(callOf(request))
      const answer = await (span === undefined ? run() : options.services.tracer.within(span, run))
      if (answer.stream !== undefined) openStream(answer.stream, request, reply, options)
      else if (answer.file !== undefined) await openFile(answer.file, request, reply, options)
      else sendAnswer(answer, request, reply, options)
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
    bodyIsLarge: request.bodyIsLarge,
    principal: state.principal,
    operator: state.operator,
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

function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  if (answer.version !== undefined) reply.header('etag', `"${answer.version}"`)
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  sendRecorded(request, reply, answer, options)
}

/** Sends an answer. One whose client has hung up is recorded all the same: what it asked for was done. */
function sendRecorded(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: Pick<Answer, 'status' | 'body'>,
  options: HttpOptions,
): void {
  const { state } = request
  state.answer = body
  state.status = status
  send(request, reply, status, body)
  if (state.gone && !state.recorded) record(request, status, options)
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
  if (isPassing(error)) {
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

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  const { state } = request
  const { services } = options
  if (problem.entry.status === 403 && state.principal !== undefined)
    services.refusals.count(refusalOf(state.principal, problem, request))
  if (problem.entry.status === 401) noteRefused(problem, request)
  state.problem = problem.code
  const headers = {
    // The limits of requests say it by themselves.
    ...(isForLater(problem) && state.decision?.allowed !== false ? soon : undefined),
    ...(problem.entry.status === 401 && problem.headers === undefined ? invalidToken : problem.headers),
  }
  for (const [name, value] of Object.entries(headers))
    reply.header(name, name === 'www-authenticate' ? challengeOf(String(value), request) : value)
  const version = request.url.startsWith('/v1/') ? 'v1' : 'v2'
  const body = renderProblem(problem, version, request.id, elapsedMs(state.startedMs), request.server.publicUrl)
  sendRecorded(request, reply, { status: problem.entry.status, body }, options)
}

function noteRefused({ code }: Problem, { server, state, ip, id, originalUrl }: FastifyRequest): void {
  const endpoint = state.endpoint?.id ?? pathOf(originalUrl)
  server.noteRefusedCredential({ code, ip, requestId: id, endpoint, nowMs: state.now })
}

const isForLater = ({ entry: { status } }: Problem) => status === 429 || status === 503
/** Where nobody knows better: what is away or full for a moment is asked again in some seconds. */
const soon = { 'retry-after': '5' }
const invalidToken = { 'www-authenticate': 'Bearer realm="tandem", error="invalid_token"' }

/** Says to a client that has no credential, or the wrong one, where to get one (RFC 9728 §5.1). */
function challengeOf(challenge: string, request: FastifyRequest): string {
  const metadata = request.routeOptions.config?.internal === true ? undefined : request.server.resourceMetadata()
  return metadata === undefined ? challenge : `${challenge}, resource_metadata="${metadata}"`
}

/** What somebody was not allowed, for the audit log. */
function refusalOf(principal: Principal, { code }: Problem, { state, id, ip, headers }: FastifyRequest): Refusal {
  const { endpoint } = state
  return {
    by: actorOf(principal),
    action: 'permission.denied',
    reason: code,
    ...(endpoint !== undefined && { more: { endpoint: endpoint.id, permission: endpoint.permission } }),
    asked: { requestId: id, ip, userAgent: headers['user-agent'] ?? null },
  }
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
