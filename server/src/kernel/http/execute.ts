// Runs one call of one endpoint: checks the input, opens the tenant's transaction, claims the Idempotency-Key, calls the
// handler, wraps its reply, and hands back the bytes to send, only after the commit.
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { Operator } from '../access/operator.ts'
import type { Principal } from '../access/principal.ts'
import type { AuditEntry } from '../audit/entry.ts'
import type { Tx } from '../data/db.ts'
import { claim, fingerprintOf, type Idempotency, type Replay, readIdempotencyKey, store } from '../data/idempotency.ts'
import {
  type Context,
  type Endpoint,
  type Services,
  type StoredUpload,
  takesIdempotencyKey,
  takesIfMatch,
} from '../endpoint/endpoint.ts'
import type { Page } from '../endpoint/page.ts'
import type { FileReply, JsonText, Replayed } from '../endpoint/reply.ts'
import type { StreamSource } from '../endpoint/stream.ts'
import {
  compilePathValidator,
  compileValidator,
  nulFaults,
  type PathValidator,
  surrogateFaults,
  type Validator,
} from '../endpoint/validate.ts'
import { seesAllRows } from '../noun/registry.ts'
import { missingRights, type Rights } from '../values/permission.ts'
import { type FieldFault, faultMessage, Problem } from '../values/problem.ts'
import { createSeal, type Seal } from '../values/seal.ts'
import { askedBy, auditedAs } from './audited.ts'
import type { Call } from './request_state.ts'
import { receiveUpload } from './upload.ts'

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

/** What one run leaves behind beside its reply. */
type Effects = {
  version: number | undefined
  after: (() => void)[] | undefined
  handedOut: boolean
  /** What the handler says of its entry in the audit log. */
  said: Partial<AuditEntry> | false
}

type Compiled = { validate: Validator; validatePath: PathValidator | undefined; stringify: Stringify }
const compiled = new WeakMap<Endpoint, Compiled>()

/** An endpoint's schemas as code, made at its first request: for all of them at once a start would wait a third of a second. */
function compiledOf(definition: Endpoint): Compiled {
  const known = compiled.get(definition)
  if (known !== undefined) return known
  const isJson = definition.envelope !== 'stream' && definition.envelope !== 'file'
  const made = {
    validate: compileValidator(definition),
    validatePath: definition.params && compilePathValidator(definition.params),
    stringify: isJson ? fastJsonStringify(replySchema(definition) as never) : JSON.stringify,
  }
  compiled.set(definition, made)
  return made
}

/** Makes of an endpoint the function that runs it. */
function compileEndpoint(definition: Endpoint, services: Services): Executor {
  const status = definition.status ?? 200
  const keyed = takesIdempotencyKey(definition)
  const conditional = takesIfMatch(definition)
  const seal = definition.secretReply === true ? createSeal(services.keyring, 'idempotency') : undefined
  const audit = auditedAs(definition)
  const bare = { status, body: '', version: undefined, replayed: false }
  const mode = definition.envelope === 'stream' ? 'none' : (definition.transaction ?? defaultMode(definition))

  function contextOf(call: Call, effects: Effects): AnyContext {
    // What a handler stored under a key is what is answered, to the millisecond that it took.
    let last: { reply: unknown; text: string } | undefined
    const context: AnyContext = {
      params: call.params,
      query: call.query,
      body: call.body,
      // A public endpoint has no principal and mode 'none' no transaction: using them there is a programmer's error and
      // fails as one.
      principal: call.principal as Principal,
      operator: call.operator as Operator,
      tx: undefined as unknown as Tx,
      now: call.now,
      requestId: call.requestId,
      ip: call.ip,
      asked: askedBy(call),
      ifMatch: conditional ? readIfMatch(call.header('if-match')) : undefined,
      header: call.header,
      handOut(rights, field) {
        effects.handedOut = true
        refuseMissing(call.principal as Principal, rights, field)
      },
      audited: said => {
        effects.said = said && { ...effects.said, ...said }
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
      transact: work => transact(context, call, effects, work),
      serialize(reply) {
        if (last === undefined || last.reply !== reply)
          last = { reply, text: wrap(definition, status, compiledOf(definition).stringify, reply, call) }
        return last.text
      },
    }
    return context
  }

  /**
   * One write under its Idempotency-Key: claimed, done, serialised and stored in one transaction. A request that was answered
   * before is answered as it was; two at once wait for each other at the claim.
   */
  function transact<Reply>(
    { principal, idempotency, serialize }: AnyContext,
    call: Call,
    effects: Effects,
    work: (tx: Tx) => Promise<Reply>,
  ): Promise<Reply | Replayed> {
    return services.db.inTenant(principal, async (tx): Promise<Reply | Replayed> => {
      const stored = idempotency && (await claim(tx, principal, idempotency))
      if (stored !== undefined)
        return { replay: seal === undefined ? stored : opened(seal, principal, idempotency!, stored) }
      audit?.begin(tx, call)
      const reply = await work(tx)
      // Before the commit: a reply that does not fit its schema must not leave its effect behind.
      const body = serialize(reply)
      await audit?.end(tx, call, effects.said, body)
      if (idempotency !== undefined) {
        const kept = seal === undefined ? body : seal.close(placeOf(principal, idempotency), body)
        await store(tx, principal, idempotency.key, { status, body: kept, version: effects.version ?? null })
      }
      return reply
    })
  }

  async function runBare(context: AnyContext, effects: Effects): Promise<Answer> {
    const reply = await definition.handle(context as never)
    if (definition.envelope === 'stream') return { ...bare, stream: reply as StreamSource }
    return answered(context, effects, reply)
  }

  /** What is done and sent once the work is committed. */
  function answered(context: AnyContext, effects: Effects, reply: unknown): Answer {
    if (effects.after !== undefined) for (const action of effects.after) action()
    if (isReplayed(reply)) return answerOf(reply.replay)
    return { status, body: context.serialize(reply), version: effects.version, replayed: false }
  }

  async function runInTransaction(context: AnyContext, call: Call, effects: Effects): Promise<Answer> {
    const reply = await transact(context, call, effects, tx => {
      context.tx = tx
      return handled(definition, context, effects)
    })
    return answered(context, effects, reply)
  }

  const bodyIsOptional = acceptsEmptyObject(definition.body)

  return async call => {
    if (bodyIsOptional && call.body === undefined) call.body = {}
    check(definition, compiledOf(definition), call)
    const effects: Effects = { version: undefined, after: undefined, handedOut: false, said: {} }
    const context = contextOf(call, effects)
    if (definition.envelope === 'file')
      return { ...bare, file: await openedFile(definition, services, { context, call, effects, audit }) }
    return mode === 'none' ? runBare(context, effects) : runInTransaction(context, call, effects)
  }
}

/** Inside the transaction, where there is one: a handler that forgot to name what it gives out must not give it. */
async function handled(definition: Endpoint, context: AnyContext, effects: Effects): Promise<unknown> {
  const reply = await definition.handle(context as never)
  if (definition.handsOut === true && !effects.handedOut) throw new Error(`${definition.id} did not call handOut`)
  return reply
}

type FileRun = { context: AnyContext; call: Call; effects: Effects; audit: ReturnType<typeof auditedAs> }

/** The file is opened when the transaction is over: sending it may take long. */
function openedFile(definition: Endpoint, { db }: Services, { context, call, effects, audit }: FileRun) {
  return db.inTenant(context.principal, async tx => {
    context.tx = tx
    audit?.begin(tx, call)
    const file = (await definition.handle(context as never)) as FileReply
    await audit?.end(tx, call, effects.said, undefined)
    return file
  })
}

/** The same where the body may be a file. */
export function executorOf(definition: Endpoint, services: Services): Executor {
  const run = compileEndpoint(definition, services)
  return definition.upload === undefined ? run : call => runWithUpload(definition, services, call, run)
}

/** The file is there before the handler runs, and goes when nothing comes of it. */
async function runWithUpload(definition: Endpoint, services: Services, call: Call, run: Executor): Promise<Answer> {
  check(definition, compiledOf(definition), { ...call, body: undefined })
  const { tenantId } = required(call.principal, 'a file needs an owner')
  const received = await receiveUpload(definition, services, tenantId, call.body)
  try {
    const answer = await run({ ...call, body: received.stored })
    if (answer.replayed) await received.remove()
    return answer
  } catch (error) {
    // Nobody knows whether a commit that was not answered has kept it: such a file is left to the sweep of its folder.
    if (error instanceof Problem && error.entry.status < 500) await received.remove()
    throw error
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
    const listed = others.length === 0 ? first : `${first} and ${others.length} more`
    const message = `is worth permissions that this credential does not hold: ${missing.permissions.join(', ')}`
    throw new Problem('scope_not_held', {
      message: `This hands out rights that the credential does not hold itself: ${listed}. ${remedy}`,
      details: [{ field, code: 'not_held', message }],
    })
  }
  if (rights.seesOthers === true && !seesAllRows(principal)) {
    throw new Problem('scope_not_held', {
      message: `This decides over the records that somebody else sees, and the credential sees only a part of them. ${remedy}`,
      details: [{ field, code: 'not_held', message: 'is worth records that this credential does not see' }],
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

function check(definition: Endpoint, { validate, validatePath }: Compiled, call: Call): void {
  const takesNone = definition.body === undefined && definition.upload === undefined
  if (takesNone && call.body !== undefined && !isEmptyObject(call.body)) {
    const details = [{ field: '', code: 'unknown_field', message: 'this request takes no body' }]
    throw new Problem('validation_failed', { message: faultMessage(details), details })
  }
  const misnamed = [...(validatePath?.(call.params) ?? []), ...(call.mayHoldNul ? nulFaults(call.params) : [])]
  const isMissing = misnamed.length > 0 && definition.problems?.includes('not_found') === true
  let faults = validate(call)
  if (misnamed.length > 0 && !isMissing) faults = [...misnamed, ...(faults ?? [])]
  // Of a body with thousands of values the first fault is the answer: looking for the others could take seconds.
  if (faults === undefined || !call.bodyIsLarge) faults = withMoreFaults(definition, call, faults)
  if (faults !== undefined && faults.length > 0)
    throw new Problem('validation_failed', { message: faultMessage(faults), details: faults })
  // As with an id of no record, the rest of the request was looked at first.
  if (isMissing) throw new Problem('not_found')
}

/** Beside what is against the schema: texts that cannot be stored, and what is against the rules. */
function withMoreFaults(definition: Endpoint, call: Call, found: FieldFault[] | undefined): FieldFault[] | undefined {
  let faults = found
  if (call.mayHoldNul) {
    const nul = [...nulFaults(call.query), ...nulFaults(call.body)]
    if (nul.length > 0) faults = [...(faults ?? []), ...nul]
  }
  if (call.mayHoldSurrogate) {
    const torn = surrogateFaults(call.body)
    if (torn.length > 0) faults = [...(faults ?? []), ...torn]
  }
  if (definition.check !== undefined) faults = [...(faults ?? []), ...ruleFaults(definition.check, call, faults)]
  return faults
}

/** Faults of the rules in fields the schema found nothing in, so that all are reported at once. */
function ruleFaults(rules: NonNullable<Endpoint['check']>, call: Call, found: FieldFault[] | undefined): FieldFault[] {
  if (found === undefined) return rules(call as never)
  try {
    const reported = new Set(found.map(fault => fault.field))
    return rules(call as never).filter(fault => !reported.has(fault.field))
  } catch {
    // A rule failed on a field of the wrong form, which is reported already.
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
  const client = principal.client === null ? '' : `client ${principal.client.clientId} `
  const caller = principal.keyId ?? `${client}user ${principal.userId}`
  const path = `${definition.id} ${JSON.stringify(call.params)}`
  const sent =
    definition.upload === undefined ? call.body : { sha256: (call.body as StoredUpload).sha256, query: call.query }
  return { key, fingerprint: fingerprintOf(definition.method, path, caller, sent) }
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
