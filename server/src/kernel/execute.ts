// Runs one call of one endpoint: checks the input, opens the tenant's transaction, claims the Idempotency-Key, calls the
// handler, wraps its reply, and hands back the bytes to send, only after the commit.
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { Tx } from './db.ts'
import {
  type Context,
  type Endpoint,
  type Replayed,
  type Services,
  takesIdempotencyKey,
  takesIfMatch,
} from './endpoint.ts'
import { claim, fingerprintOf, type Idempotency, type Replay, readIdempotencyKey, store } from './idempotency.ts'
import type { Page } from './page.ts'
import type { Principal } from './principal.ts'
import { faultMessage, Problem } from './problem.ts'
import { compileValidator, nulFaults } from './validate.ts'

/** One request as HTTP hands it over. */
export type Call = {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  principal: Principal | undefined
  now: number
  requestId: string
  ip: string
  /** Whether the text of the request can hold a NUL character. */
  mayHoldNul: boolean
  header(name: string): string | undefined
  timesSent(name: string): number
  /** Milliseconds since the request arrived. */
  elapsedMs(): number
}

export type Answer = { status: number; body: string; version: number | undefined; replayed: boolean }

export type Executor = (call: Call) => Promise<Answer>

type Stringify = (value: unknown) => string

/** Compiles an endpoint into the function that runs it. */
export function compileEndpoint(definition: Endpoint, services: Services): Executor {
  const validate = compileValidator(definition)
  const stringify = fastJsonStringify(replySchema(definition) as never) as Stringify
  const status = definition.status ?? 200
  const keyed = takesIdempotencyKey(definition)
  const conditional = takesIfMatch(definition)
  const mode = definition.transaction ?? (definition.method === 'GET' ? 'read' : 'write')

  return async call => {
    check(definition, validate, call)
    const idempotency = keyed ? idempotencyOf(definition, call) : undefined
    const after: (() => void)[] = []
    let version: number | undefined
    const serialize = (reply: unknown) => wrap(definition, status, stringify, reply, call)
    const context: Context<unknown, unknown, unknown> = {
      params: call.params,
      query: call.query,
      body: call.body,
      get principal() {
        return required(call.principal, 'a public endpoint has no principal')
      },
      get tx(): Tx {
        throw new Error('this endpoint opens no transaction')
      },
      now: call.now,
      requestId: call.requestId,
      ip: call.ip,
      ifMatch: conditional ? readIfMatch(call.header('if-match')) : undefined,
      header: call.header,
      setVersion(value) {
        version = value
      },
      afterCommit: action => after.push(action),
      services,
      idempotency,
      serialize,
    }

    if (mode === 'none') {
      const reply = await definition.handle(context as never)
      for (const action of after) action()
      if (isReplayed(reply)) return answerOf(reply.replay)
      return { status, body: serialize(reply), version, replayed: false }
    }

    const principal = context.principal
    const outcome = await services.db.inTenant(principal, async tx => {
      if (idempotency !== undefined) {
        const replay = await claim(tx, principal, idempotency)
        if (replay !== undefined) return { replay }
      }
      const reply = await definition.handle(Object.defineProperty(context, 'tx', { value: tx }) as never)
      if (idempotency === undefined) return { reply }
      const body = serialize(reply)
      await store(tx, principal, idempotency.key, { status, body, version: version ?? null })
      return { body }
    })
    if ('replay' in outcome && outcome.replay !== undefined) return answerOf(outcome.replay)
    for (const action of after) action()
    const body =
      'body' in outcome && outcome.body !== undefined
        ? outcome.body
        : serialize('reply' in outcome ? outcome.reply : undefined)
    return { status, body, version, replayed: false }
  }
}

function check(definition: Endpoint, validate: ReturnType<typeof compileValidator>, call: Call): void {
  if (definition.body === undefined && call.body !== undefined && !isEmptyObject(call.body)) {
    const details = [{ field: '', code: 'unknown_field', message: 'this request takes no body' }]
    throw new Problem('validation_failed', { message: faultMessage(details), details })
  }
  let faults = validate(call)
  if (call.mayHoldNul) {
    const nul = [...nulFaults(call.params), ...nulFaults(call.query), ...nulFaults(call.body)]
    if (nul.length > 0) faults = [...(faults ?? []), ...nul]
  }
  if (faults === undefined && definition.check !== undefined) {
    const found = definition.check(call as never)
    if (found.length > 0) faults = found
  }
  if (faults !== undefined) throw new Problem('validation_failed', { message: faultMessage(faults), details: faults })
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function idempotencyOf(definition: Endpoint, call: Call): Idempotency | undefined {
  const header = call.header('idempotency-key')
  if (header === undefined) return undefined
  const key = readIdempotencyKey(header, call.timesSent('idempotency-key'))
  const principal = required(call.principal, 'a public endpoint takes no Idempotency-Key')
  const caller = principal.keyId ?? `user ${principal.userId}`
  const path = `${definition.id} ${JSON.stringify(call.params)}`
  return { key, fingerprint: fingerprintOf(definition.method, path, caller, call.body) }
}

function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const match = /^\s*(?:W\/)?"(\d{1,9})"\s*$/.exec(header)
  if (match === null) throw new Problem('invalid_if_match')
  return Number(match[1])
}

function wrap(definition: Endpoint, status: number, stringify: Stringify, reply: unknown, call: Call): string {
  switch (definition.envelope) {
    case 'none':
      return stringify(reply)
    case 'success': {
      const inner = stringify(reply)
      return inner === '{}' ? '{"success":true}' : `{"success":true,${inner.slice(1)}`
    }
    case 'data':
      return `{"status":${status},"data":${stringify(reply)},"meta":${meta(call)}}}`
    case 'page': {
      const { items, limit, nextCursor } = reply as Page<unknown>
      const pagination = JSON.stringify({ limit, nextCursor, hasMore: nextCursor !== null })
      return `{"status":${status},"data":${stringify(items)},"meta":${meta(call)},"pagination":${pagination}}}`
    }
  }
}

/** Left open, so that a list can add its pagination. */
function meta(call: Call): string {
  return `{"requestId":"${call.requestId}","responseTime":"${Math.round(call.elapsedMs())}ms"`
}

/** A list's reply schema is that of its items. */
function replySchema(definition: Endpoint): TSchema | object {
  return definition.envelope === 'page' ? { type: 'array', items: definition.reply } : definition.reply
}

function isReplayed(reply: unknown): reply is Replayed {
  return typeof reply === 'object' && reply !== null && 'replay' in reply
}

function answerOf({ status, body, version }: Replay): Answer {
  return { status, body, version: version ?? undefined, replayed: true }
}

function required<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise)
  return value
}
