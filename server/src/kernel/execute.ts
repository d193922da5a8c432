// Runs one call of one endpoint: checks the input, opens the tenant's transaction, claims the Idempotency-Key, calls the
// handler, wraps its reply, and hands back the bytes to send, only after the commit.
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { Tx } from './db.ts'
import {
  type Context,
  type Endpoint,
  type JsonText,
  type Replayed,
  type Services,
  takesIdempotencyKey,
  takesIfMatch,
} from './endpoint.ts'
import type { FileReply } from './file_reply.ts'
import { claim, fingerprintOf, type Idempotency, type Replay, readIdempotencyKey, store } from './idempotency.ts'
import type { Page } from './page.ts'
import { missingRights, type Rights } from './permission.ts'
import type { Principal } from './principal.ts'
import { type FieldFault, faultMessage, Problem } from './problem.ts'
import { createSeal, type Seal } from './seal.ts'
import type { StreamSource } from './stream.ts'
import { compileValidator, nulFaults, surrogateFaults } from './validate.ts'

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
  /** Whether its body can hold halves of surrogate pairs: only by escapes, as UTF-8 has none. */
  mayHoldSurrogate: boolean
  header(name: string): string | undefined
  timesSent(name: string): number
  /** Milliseconds since the request arrived. */
  elapsedMs(): number
}

export type Answer = {
  status: number
  body: string
  version: number | undefined
  replayed: boolean
  /** Instead of a body. */
  stream?: StreamSource
  file?: FileReply
}

export type Executor = (call: Call) => Promise<Answer>

type Stringify = (value: unknown) => string

type AnyContext = Context<unknown, unknown, unknown>

/** Bytes made by this run, or stored by an earlier one. */
type Outcome = { body: string; replay?: undefined } | { replay: Replay }

/** What one run leaves behind beside its reply. */
type Effects = { version: number | undefined; after: (() => void)[] | undefined; handedOut: boolean }

/** Compiles an endpoint into the function that runs it. */
export function compileEndpoint(definition: Endpoint, services: Services): Executor {
  const validate = compileValidator(definition)
  const isJson = definition.envelope !== 'stream' && definition.envelope !== 'file'
  const stringify: Stringify = isJson ? fastJsonStringify(replySchema(definition) as never) : JSON.stringify
  const status = definition.status ?? 200
  const keyed = takesIdempotencyKey(definition)
  const conditional = takesIfMatch(definition)
  const seal = definition.secretReply === true ? createSeal(services.pepper, 'idempotency') : undefined
  const mode = definition.envelope === 'stream' ? 'none' : (definition.transaction ?? defaultMode(definition))

  function contextOf(call: Call, effects: Effects): AnyContext {
    // What a handler stored under a key is what is answered, to the millisecond that it took.
    let told: { reply: unknown; text: string } | undefined
    return {
      params: call.params,
      query: call.query,
      body: call.body,
      // A public endpoint has no principal and mode 'none' no transaction: using them there is a programmer's error and
      // fails as one.
      principal: call.principal as Principal,
      tx: undefined as unknown as Tx,
      now: call.now,
      requestId: call.requestId,
      ip: call.ip,
      ifMatch: conditional ? readIfMatch(call.header('if-match')) : undefined,
      header: call.header,
      handOut(rights, field) {
        effects.handedOut = true
        refuseMissing(call.principal as Principal, rights, field)
      },
      setVersion(version) {
        effects.version = version
      },
      afterCommit(action) {
        effects.after ??= []
        effects.after.push(action)
      },
      services,
      idempotency: keyed ? idempotencyOf(definition, call) : undefined,
      serialize(reply) {
        if (told === undefined || told.reply !== reply)
          told = { reply, text: wrap(definition, status, stringify, reply, call) }
        return told.text
      },
    }
  }

  /** Inside the transaction, where there is one: a handler that forgot to name what it gives out must not give it. */
  async function handled(context: AnyContext, effects: Effects): Promise<unknown> {
    const reply = await definition.handle(context as never)
    if (definition.handsOut === true && !effects.handedOut) throw new Error(`${definition.id} did not call handOut`)
    return reply
  }

  async function runBare(context: AnyContext, effects: Effects): Promise<Answer> {
    const reply = await definition.handle(context as never)
    if (definition.envelope === 'stream')
      return { status, body: '', version: undefined, replayed: false, stream: reply as StreamSource }
    if (effects.after !== undefined) for (const action of effects.after) action()
    if (isReplayed(reply)) return answerOf(reply.replay)
    return { status, body: context.serialize(reply), version: effects.version, replayed: false }
  }

  /** The file is opened when the transaction is over: sending it may take long. */
  async function runForFile(context: AnyContext): Promise<Answer> {
    const file = await services.db.inTenant(context.principal, tx => {
      context.tx = tx
      return definition.handle(context as never) as Promise<FileReply>
    })
    return { status, body: '', version: undefined, replayed: false, file }
  }

  async function runInTransaction(context: AnyContext, effects: Effects): Promise<Answer> {
    const { idempotency, principal } = context
    const outcome = await services.db.inTenant(principal, async (tx): Promise<Outcome> => {
      context.tx = tx
      // Serialised before the commit: a reply that does not fit its schema must not leave its effect behind.
      if (idempotency === undefined) return { body: context.serialize(await handled(context, effects)) }
      const replay = await claim(tx, principal, idempotency)
      if (replay !== undefined)
        return { replay: seal === undefined ? replay : opened(seal, principal, idempotency, replay) }
      const body = context.serialize(await handled(context, effects))
      const kept = seal === undefined ? body : seal.close(placeOf(principal, idempotency), body)
      await store(tx, principal, idempotency.key, { status, body: kept, version: effects.version ?? null })
      return { body }
    })
    if (outcome.replay !== undefined) return answerOf(outcome.replay)
    if (effects.after !== undefined) for (const action of effects.after) action()
    return { status, body: outcome.body, version: effects.version, replayed: false }
  }

  const bodyIsOptional = acceptsEmptyObject(definition.body)

  return async call => {
    if (bodyIsOptional && call.body === undefined) call.body = {}
    check(definition, validate, call)
    const effects: Effects = { version: undefined, after: undefined, handedOut: false }
    const context = contextOf(call, effects)
    if (definition.envelope === 'file') return runForFile(context)
    return mode === 'none' ? runBare(context, effects) : runInTransaction(context, effects)
  }
}

function defaultMode({ method }: Endpoint): 'read' | 'write' {
  return method === 'GET' ? 'read' : 'write'
}

/** Whether every field of a body may be left out: then so may the body. */
function acceptsEmptyObject(body: TSchema | undefined): boolean {
  const schema = body as { type?: string; required?: string[]; minProperties?: number } | undefined
  return schema?.type === 'object' && !schema.required?.length && !schema.minProperties
}

/** @throws Problem `live_mode_required` or `scope_not_held` */
function refuseMissing(principal: Principal, rights: Rights, field: string): void {
  const missing = missingRights(principal, rights)
  if (missing.mode) throw new Problem('live_mode_required')
  const remedy = 'Let an Admin who is logged in do it, or a key with all rights of an Admin that does not expire.'
  const [first, ...others] = missing.permissions
  if (first !== undefined) {
    const told = others.length === 0 ? first : `${first} and ${others.length} more`
    const message = `is worth permissions that this credential does not hold: ${missing.permissions.join(', ')}`
    throw new Problem('scope_not_held', {
      message: `This hands out rights that the credential does not hold itself: ${told}. ${remedy}`,
      details: [{ field, code: 'not_held', message }],
    })
  }
  if (missing.life) {
    throw new Problem('scope_not_held', {
      message: `This hands out rights that would outlive the credential. ${remedy}`,
      details: [{ field, code: 'not_held', message: 'is worth rights that this credential holds for a while only' }],
    })
  }
}

/** Where a sealed answer belongs; moved to another tenant, key or caller it does not open. */
function placeOf({ tenantId }: Principal, { key, fingerprint }: Idempotency): string {
  return `${tenantId} ${key} ${fingerprint.toString('base64url')}`
}

function opened(seal: Seal, principal: Principal, idempotency: Idempotency, replay: Replay): Replay {
  return { ...replay, body: seal.open(placeOf(principal, idempotency), replay.body) }
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
  if (call.mayHoldSurrogate) {
    const torn = surrogateFaults(call.body)
    if (torn.length > 0) faults = [...(faults ?? []), ...torn]
  }
  if (definition.check !== undefined) faults = [...(faults ?? []), ...ruleFaults(definition.check, call, faults)]
  if (faults !== undefined && faults.length > 0)
    throw new Problem('validation_failed', { message: faultMessage(faults), details: faults })
}

/** Faults of the rules in fields the schema found nothing in, so that all are told at once. */
function ruleFaults(rules: NonNullable<Endpoint['check']>, call: Call, found: FieldFault[] | undefined): FieldFault[] {
  if (found === undefined) return rules(call as never)
  try {
    const told = new Set(found.map(fault => fault.field))
    return rules(call as never).filter(fault => !told.has(fault.field))
  } catch {
    // A rule stumbled over a field of the wrong form, which is told already.
    return []
  }
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

function wrap(definition: Endpoint, status: number, serialize: Stringify, reply: unknown, call: Call): string {
  const stringify = isJsonText(reply) ? () => reply.jsonText : serialize
  switch (definition.envelope) {
    case 'none':
    case 'stream':
    case 'file':
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

function isJsonText(reply: unknown): reply is JsonText {
  return typeof reply === 'object' && reply !== null && 'jsonText' in reply
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
