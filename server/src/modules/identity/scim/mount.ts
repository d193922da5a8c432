// SCIM 2.0 at /scim/v2 (RFC 7644), beside the API: with the media type, the lists and the faults of that protocol. Every request is one
// transaction; the last ones are kept, with what was wrong, for who sets the provider up.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../../../kernel/access/principal.ts'
import { beginAudit } from '../../../kernel/audit/record.ts'
import { isPassing } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import {
  groupFilters,
  listOf,
  presentGroup,
  presentScimUser,
  resourceTypes,
  resultsAtMost,
  schemas,
  selected,
  serviceProviderConfig,
  userFilters,
} from './documents.ts'
import { refusalOf, renderFault, type ScimRefusal, scimFault } from './fault.ts'
import { parseFilter } from './filter.ts'
import { createGroup, deleteGroup, patchGroup, replaceGroup } from './groups.ts'
import type { Acting } from './standing.ts'
import { findSettings, keepRequest, listGroupMembers, listGroups, listScimUsers } from './store.ts'
import { createUser, deleteUser, found, patchUser, replaceUser } from './users.ts'
import type { JsonObject } from './values.ts'

const mediaType = 'application/scim+json'
const bodyLimit = 1024 * 1024
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

type Asked = { method: string; parts: string[]; query: Record<string, unknown>; body: unknown }
type Answer = { status: number; body?: object; location?: string }

export function registerScim(app: FastifyInstance, services: Services): void {
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    for (const type of [mediaType, 'application/json'])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => answerFault(services, request, reply, error))
    scope.route({
      method: methods,
      url: '/scim/v2/*',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const principal = admitted(request)
        const answer = await work(services, request, principal)
        keep(services, request, answer.status, null)
        return send(reply, answer)
      },
    })
  })
}

/** @throws a fault 401 or 403 */
function admitted({ state }: FastifyRequest): Principal {
  const { principal } = state
  if (principal === undefined)
    throw scimFault(401, 'Send an API key as Authorization: Bearer. It is missing, wrong or over.')
  const { kind, mode, scopes } = principal
  const isRight = kind === 'key' && !principal.isKeyToken && scopes?.length === 1 && scopes[0] === 'scim:manage'
  if (!isRight) throw scimFault(403, 'SCIM takes an API key with the scope scim:manage and no other.')
  if (!principal.permissions.has('scim:manage'))
    throw scimFault(403, 'The user of the key may not manage SCIM any more.')
  if (mode !== 'live') throw scimFault(403, 'SCIM takes a key of live mode: members are those of both modes.')
  return principal
}

async function work(services: Services, request: FastifyRequest, principal: Principal): Promise<Answer> {
  const { ip } = request.state
  const text = request.body as string | undefined
  const asked: Asked = {
    method: request.method,
    parts: (request.params as { '*': string })['*'].split('/').filter(Boolean),
    query: request.query as Record<string, unknown>,
    body: text === undefined || text === '' ? undefined : parsed(text),
  }
  const base = `${services.ownAddress() ?? ''}/scim/v2`
  const answer = await services.db.inTenant(principal, async tx => {
    beginAudit(tx, { requestId: request.id, ip, userAgent: request.headers['user-agent'] ?? null })
    if (!(await findSettings(tx, principal)).enabled)
      throw scimFault(403, 'SCIM is switched off. Switch it on under Single sign-on in the portal.')
    return route({ tx, principal, base, nowMs: request.state.now }, asked)
  })
  if (request.method !== 'GET') services.authenticator.forget()
  return answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw scimFault(400, 'The body is no JSON.', 'invalidSyntax')
  }
}

async function route(acting: Acting, asked: Asked): Promise<Answer> {
  const [collection = '', id, ...more] = asked.parts
  if (more.length === 0) {
    const name = collection.toLowerCase()
    if (name === 'users') return users(acting, asked, id)
    if (name === 'groups') return groups(acting, asked, id)
    if (asked.method === 'GET') {
      if (name === 'serviceproviderconfig' && id === undefined)
        return { status: 200, body: serviceProviderConfig(acting.base) }
      if (name === 'resourcetypes') return oneOrAll(resourceTypes(acting.base), id)
      if (name === 'schemas') return oneOrAll(schemas(acting.base), id)
    }
  }
  throw scimFault(404, 'There is nothing at this address. SCIM is at /Users and /Groups.')
}

function oneOrAll(all: JsonObject[], id: string | undefined): Answer {
  if (id === undefined) return { status: 200, body: listOf(all, all.length, 1) }
  const one = all.find(resource => resource['id'] === id)
  if (one === undefined) throw scimFault(404, 'There is no such document.')
  return { status: 200, body: one }
}

async function users(acting: Acting, { method, query, body }: Asked, idText: string | undefined): Promise<Answer> {
  const { base } = acting
  const show = (row: Parameters<typeof presentScimUser>[0]) => selected(presentScimUser(row, base), query)
  if (idText === undefined) {
    if (method === 'GET') {
      const { page, startIndex, filter } = readList(query, userFilters)
      const { rows, total } = await listScimUsers(acting.tx, acting.principal, filter, page)
      return { status: 200, body: listOf(rows.map(show), total, startIndex) }
    }
    if (method !== 'POST') throw notAllowed(method)
    const row = await createUser(acting, required(body))
    return { status: 201, body: show(row), location: `${base}/Users/${row.id}` }
  }
  const id = /^[1-9]\d{0,14}$/.test(idText) ? Number(idText) : 0
  if (method === 'GET') return { status: 200, body: show(await found(acting, id)) }
  if (method === 'PUT') return { status: 200, body: show(await replaceUser(acting, id, required(body))) }
  if (method === 'PATCH') return { status: 200, body: show(await patchUser(acting, id, required(body))) }
  if (method !== 'DELETE') throw notAllowed(method)
  await deleteUser(acting, id)
  return { status: 204 }
}

async function groups(acting: Acting, { method, query, body }: Asked, id: string | undefined): Promise<Answer> {
  const { tx, principal, base } = acting
  if (id === undefined) {
    if (method === 'GET') {
      const { page, startIndex, filter } = readList(query, groupFilters)
      const { rows, total } = await listGroups(tx, principal, filter, page)
      const members = await listGroupMembers(
        tx,
        principal,
        rows.map(row => row.id),
      )
      const shown = rows.map(row =>
        presentGroup(
          row,
          members.filter(({ group_id }) => group_id === row.id),
          base,
        ),
      )
      return {
        status: 200,
        body: listOf(
          shown.map(one => selected(one, query)),
          total,
          startIndex,
        ),
      }
    }
    if (method !== 'POST') throw notAllowed(method)
    const made = await createGroup(acting, required(body))
    return { status: 201, body: selected(made, query), location: `${base}/Groups/${made['id']}` }
  }
  if (method === 'GET') {
    const { rows } = await listGroups(tx, principal, [{ attribute: 'id', value: id }], { offset: 0, limit: 1 })
    const [row] = rows
    if (row === undefined) throw scimFault(404, 'There is no such group.')
    return { status: 200, body: selected(presentGroup(row, await listGroupMembers(tx, principal, [id]), base), query) }
  }
  if (method === 'PUT') return { status: 200, body: selected(await replaceGroup(acting, id, required(body)), query) }
  if (method === 'PATCH') return { status: 200, body: selected(await patchGroup(acting, id, required(body)), query) }
  if (method !== 'DELETE') throw notAllowed(method)
  await deleteGroup(acting, id)
  return { status: 204 }
}

/** Numbers below what there can be mean the least, as the protocol has it (RFC 7644 §3.4.2.4). */
function readList(query: Record<string, unknown>, known: Readonly<Record<string, string>>) {
  const whole = (name: string, otherwise: number) => {
    const value = query[name]
    if (value === undefined) return otherwise
    if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value))
      throw scimFault(400, `${name} must be a whole number.`, 'invalidValue')
    return Number(value)
  }
  const startIndex = Math.max(1, whole('startIndex', 1))
  const limit = Math.min(resultsAtMost, Math.max(0, whole('count', resultsAtMost)))
  const { filter } = query
  if (filter !== undefined && typeof filter !== 'string')
    throw scimFault(400, 'filter must be one text.', 'invalidFilter')
  const parsed = filter === undefined || filter.trim() === '' ? [] : parseFilter(filter, known)
  return { startIndex, page: { offset: startIndex - 1, limit }, filter: parsed }
}

function required(body: unknown): unknown {
  if (body === undefined) throw scimFault(400, 'The request needs a body.', 'invalidSyntax')
  return body
}

function notAllowed(method: string) {
  return scimFault(405, `${method} is not a method of this address.`)
}

function send(reply: FastifyReply, { status, body, location }: Answer): FastifyReply {
  reply.code(status).header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
  reply.header('x-request-id', reply.request.id)
  if (location !== undefined) reply.header('location', location)
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="scim"')
  return body === undefined ? reply.send() : reply.header('content-type', mediaType).send(JSON.stringify(body))
}

function answerFault(services: Services, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = explained(services, request, error)
  keep(services, request, refusal.status, refusal.detail)
  const problem = error instanceof Problem ? error : undefined
  for (const [name, value] of Object.entries(problem?.headers ?? {})) reply.header(name, value)
  return send(reply, { status: refusal.status, body: renderFault(refusal) })
}

function explained(services: Services, request: FastifyRequest, error: unknown): ScimRefusal {
  const own = refusalOf(error)
  if (own !== undefined) return own
  if (error instanceof Problem) return { status: error.entry.status, detail: error.message }
  if (services.outages.note(error) || isPassing(error)) return { status: 503, detail: 'The server is busy. Try again.' }
  const code = (error as { code?: string }).code
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { status: 415, detail: `Send ${mediaType} or application/json.` }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { status: 413, detail: 'The body is larger than 1 MB.' }
  services.log.error({ requestId: request.id, err: error }, 'SCIM request failed')
  return { status: 500, detail: `The server made a mistake; report the request id ${request.id} if it stays.` }
}

/** Behind the answer: no request waits for it, or fails by it. */
function keep({ db, log }: Services, request: FastifyRequest, status: number, fault: string | null): void {
  const { principal, now } = request.state
  if (principal === undefined || principal.kind !== 'key') return
  const path = decoded(request.url.slice('/scim/v2'.length)).slice(0, 500)
  const kept = { method: request.method, path, status, fault: fault?.slice(0, 500) ?? null, at: isoMs(now) }
  db.inTenant(principal, tx => keepRequest(tx, principal, kept)).catch(err =>
    log.warn({ err }, 'SCIM request not kept'),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).replaceAll('\0', '')
  } catch {
    return text
  }
}
