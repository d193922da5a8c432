// What one request has gathered on its way, from its first byte to its record in metrics and log; lives on the Fastify request.
import type { FastifyRequest } from 'fastify'
import type { Decision, LimitName, Limits } from '../access/limit.ts'
import type { Operator } from '../access/operator.ts'
import type { Principal } from '../access/principal.ts'
import type { Endpoint, Services } from '../endpoint/endpoint.ts'
import type { Span, Tracer } from '../observe/tracing.ts'
import { requestEntry } from '../request_log/request_entry.ts'
import type { RequestLog } from '../request_log/request_log.ts'
import type { Clock } from '../values/clock.ts'
import type { ProblemCode } from '../values/problem.ts'
import type { LetsIn } from './cross_origin.ts'
import type { OperationsOptions } from './operations.ts'
import type { RefusedCredential } from './refused_credentials.ts'
import { elapsedMs, type SiteAnswer } from './send.ts'

export type HttpOptions = OperationsOptions & {
  catalog: readonly Endpoint[]
  services: Services
  requestLog: RequestLog
  clock: Clock
  limits: Limits
  trustedProxies: readonly string[]
  /** Where people reach the server, when it was set. */
  publicUrl: string | undefined
  /** Whether browsers are to come by TLS to hosts below that one too, where it is https; they are unless it is false. */
  tlsOfSubdomains?: boolean
  /** Where clients read who gives out access tokens (RFC 9728 §5.1); undefined where nobody does. */
  resourceMetadata?: () => string | undefined
  /** Of which other origins pages may call the API; without it none. */
  letsIn?: LetsIn
}

/** What one request has gathered; lives on the Fastify request. */
export type State = {
  startedMs: number
  now: number
  ip: string
  principal: Principal | undefined
  operator: Operator | undefined
  endpoint: Endpoint | undefined
  problem: ProblemCode | undefined
  /** The body of the answer, for the request log. */
  answer: string | undefined
  /** Of the answer that was made, sent or not. */
  status: number | undefined
  decision: Decision | undefined
  limitName: LimitName
  /** Whether metrics and request log know of the answer. */
  recorded: boolean
  /** Gives back the place of the request among those under way. */
  leave: (() => void) | undefined
  /** Whether its client hung up, or has the whole answer: what happens then comes once. */
  gone: boolean
  /** The page or file that answers this address, which is none of the API. */
  page: SiteAnswer | undefined
  /** What the request is in a trace, where there are any. */
  span: Span | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    publicUrl: string | undefined
    /** The value of Strict-Transport-Security, where people come by TLS. */
    onlyByTls: string | undefined
    noteRefusedCredential: (refused: RefusedCredential) => void
    resourceMetadata: () => string | undefined
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

export function openState(request: FastifyRequest, now: number): State {
  return {
    startedMs: performance.now(),
    now,
    ip: request.ip,
    principal: undefined,
    operator: undefined,
    endpoint: request.routeOptions.config?.endpoint,
    problem: undefined,
    answer: undefined,
    status: undefined,
    decision: undefined,
    limitName: 'ip',
    recorded: false,
    leave: undefined,
    gone: false,
    page: undefined,
    span: undefined,
  }
}

/** Counts and logs an answer, once. An event stream is recorded when it opens: it may go on for hours. */
export function record(request: FastifyRequest, status: number, { metrics, requestLog }: HttpOptions): void {
  const { state } = request
  state.recorded = true
  if (state.span !== undefined) endSpan(state.span, status, state.problem)
  const durationMs = elapsedMs(state.startedMs)
  const route = request.routeOptions.url ?? 'unknown'
  metrics.request(request.method, state.endpoint?.id ?? route, status, durationMs)
  const { principal } = state
  if (principal !== undefined) requestLog.add(requestEntry(request, principal, { status, durationMs }))
}

/** The request as a span: by the id of its endpoint, and going on with the trace of who asks. */
export function beginSpan(request: FastifyRequest, tracer: Tracer): Span {
  const { endpoint } = request.state
  const { traceparent } = request.headers
  return tracer.begin(endpoint?.id ?? request.method, {
    kind: 'server',
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? '',
      'tandem.request_id': request.id,
    },
  })
}

function endSpan(span: Span, status: number, problem: ProblemCode | undefined): void {
  span.set({ 'http.response.status_code': status, ...(problem === undefined ? {} : { 'error.type': problem }) })
  if (status >= 500) span.fail(problem ?? String(status))
  span.end()
}

/** One request as HTTP hands it over. */
export type Call = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  bodyIsLarge: boolean
  principal: Principal | undefined
  operator: Operator | undefined
  now: number
  requestId: string
  ip: string
  /** Whether the text of the request can hold a NUL character. */
  mayHoldNul: boolean
  /** Whether its body can hold halves of surrogate pairs: only by escapes, as UTF-8 has none. */
  mayHoldSurrogate: boolean
  header(name: string): string | undefined
  timesSent(name: string): number
  /** Milliseconds since the request arrived. */
  elapsedMs(): number
}
