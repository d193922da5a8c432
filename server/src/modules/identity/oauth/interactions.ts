// The pages of the portal on which people answer clients ask and answer here: only they are heard, with the token of a person who is
// logged in, and for a request that began in the same browser.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { clientKey } from '../../../kernel/access/limit.ts'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Asked } from '../../../kernel/audit/record.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { compileValidator } from '../../../kernel/endpoint/validate.ts'
import { send } from '../../../kernel/http/send.ts'
import { faultMessage, Problem } from '../../../kernel/values/problem.ts'
import { type Answer, describeWish, grantWish, type Wish } from './consent.ts'
import { userCodes } from './limits.ts'
import type { OAuthServer } from './provider.ts'

type Parts = { services: Services; server(): Promise<OAuthServer> | undefined }

const userCode = Type.String({ minLength: 8, maxLength: 20 })
const decision = {
  allow: Type.Boolean(),
  mode: Type.Optional(OneOf(['live', 'test'])),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 300 })),
}
const validators = {
  decision: compileValidator({ body: Type.Object(decision) }),
  deviceRequest: compileValidator({ body: Type.Object({ userCode }) }),
  deviceDecision: compileValidator({ body: Type.Object({ userCode, ...decision }) }),
}

/** Adds what the pages `/authorize/{uid}` and `/device` ask. */
export function registerInteractions(app: FastifyInstance, { services, server }: Parts): void {
  const one = { bodyLimit: 32 * 1024 }

  app.get('/authorize/:uid/request', one, async (request, reply) => {
    const [known, principal] = [await running(server), personOf(request)]
    // To open the page of a request that is over is no fault.
    const described = await openInteraction(known, request, reply)
      .then(({ wish }) => describeWish(services, known, principal, wish))
      .catch(overOf)
    return answer(request, reply, described)
  })

  app.post('/authorize/:uid/decision', one, async (request, reply) => {
    const [known, principal] = [await running(server), personOf(request)]
    const said = readBody<Decision>(request, validators.decision)
    const { wish } = await openInteraction(known, request, reply)
    const result = await resultOf(services, known, principal, wish, said, request)
    const redirectTo = await known.provider.interactionResult(request.raw, reply.raw, result)
    return answer(request, reply, { redirectTo })
  })

  app.post('/device/request', one, async (request, reply) => {
    const [known, principal] = [await running(server), personOf(request)]
    const { wish } = await openDevice(
      services,
      known,
      request,
      readBody<{ userCode: string }>(request, validators.deviceRequest),
    )
    return answer(request, reply, await describeWish(services, known, principal, wish))
  })

  app.post('/device/decision', one, async (request, reply) => {
    const [known, principal] = [await running(server), personOf(request)]
    const said = readBody<Decision & { userCode: string }>(request, validators.deviceDecision)
    const { wish, code } = await openDevice(services, known, request, said)
    if (!said.allow) {
      Object.assign(code, { error: 'access_denied', errorDescription: denied })
    } else {
      const row = await grantWish(services, known, principal, wish, allowed(principal, said), askedBy(request))
      const own = {
        accountId: String(row.user_id),
        grantId: row.id,
        scope: row.scopes.join(' '),
        resource: wish.resources[0],
      }
      Object.assign(code, { ...own, authTime: Math.floor(services.clock.now() / 1000) })
    }
    await code.save()
    return answer(request, reply, { done: true })
  })
}

type Decision = { allow: boolean; mode?: 'live' | 'test'; scopes?: string[] }
const denied = 'the person did not allow it'

async function resultOf(
  services: Services,
  server: OAuthServer,
  principal: Principal,
  wish: Wish,
  said: Decision,
  request: FastifyRequest,
) {
  if (!said.allow) return { error: 'access_denied', error_description: denied }
  const row = await grantWish(services, server, principal, wish, allowed(principal, said), askedBy(request))
  return { login: { accountId: String(row.user_id), remember: false }, consent: { grantId: row.id } }
}

function allowed({ mode }: Principal, said: Decision): Extract<Answer, { allow: true }> {
  return { allow: true, mode: said.mode ?? mode, scopes: said.scopes ?? [] }
}

function askedBy({ id, ip, headers }: FastifyRequest): Asked {
  return { requestId: id, ip, userAgent: headers['user-agent'] ?? null }
}

function overOf(error: unknown): { over: string } {
  if (error instanceof Problem && error.code === 'authorization_request_over') return { over: error.message }
  throw error
}

async function running(server: Parts['server']): Promise<OAuthServer> {
  const known = await server()
  if (known === undefined) throw new Problem('authorization_request_over')
  return known
}

/** A person who is logged in, on a page of ours. @throws Problem `cross_site_request`, `missing_credentials`, `person_required` */
function personOf({ headers, state }: FastifyRequest): Principal {
  if (headers['x-tandem-portal'] !== '1')
    throw new Problem('cross_site_request', { message: 'The header X-Tandem-Portal: 1 is missing.' })
  if (state.principal === undefined) throw new Problem('missing_credentials')
  if (state.principal.kind !== 'user' || state.principal.phone !== null) throw new Problem('person_required')
  return state.principal
}

/** @throws Problem `validation_failed` */
function readBody<Body>(
  { query, body, bodyIsLarge }: FastifyRequest,
  validate: ReturnType<typeof compileValidator>,
): Body {
  const details = validate({ query, body, bodyIsLarge })
  if (details !== undefined) throw new Problem('validation_failed', { message: faultMessage(details), details })
  return body as Body
}

/** The request for authorization that began in this browser. @throws Problem `authorization_request_over` */
async function openInteraction({ provider, base }: OAuthServer, request: FastifyRequest, reply: FastifyReply) {
  const found = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if ((error as { name?: string }).name === 'SessionNotFound') return undefined
    throw error
  })
  if (found === undefined || found.uid !== (request.params as { uid: string }).uid)
    throw new Problem('authorization_request_over')
  return { wish: wishOf(found.params, base) }
}

/**
 * The request of a device that has shown this code. Codes are guessed slowly: an address has five wrong ones in ten minutes, and ten
 * questions in a minute, so that many at once are not many more.
 */
async function openDevice(
  { limiter }: Services,
  { provider, base }: OAuthServer,
  request: FastifyRequest,
  { userCode }: { userCode: string },
) {
  const { ip, now } = request.state
  const [asked, wrong] = [`device ${clientKey(ip)}`, `wrong device codes ${clientKey(ip)}`]
  const tried = await limiter.take(asked, 10, now)
  if (!tried.allowed) throw tooOften(tried.retryAfterSeconds)
  const left = await limiter.take(wrong, userCodes.wrong, now, 0, userCodes.windowSeconds)
  if (left.remaining === 0) throw tooOften(left.resetSeconds)
  const normalized = userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const code = await provider.DeviceCode.findByUserCode(normalized)
  if (code === undefined || code.accountId !== undefined || code.error !== undefined || !code.isValid) {
    await limiter.take(wrong, userCodes.wrong, now, 1, userCodes.windowSeconds)
    throw new Problem('authorization_request_over', {
      message:
        'No device shows this code, or it was answered, or 10 minutes have passed. Let the device show a new one.',
    })
  }
  return { code, wish: wishOf({ ...code.params, client_id: code.clientId }, base) }
}

function tooOften(seconds: number): Problem {
  return new Problem('rate_limited', {
    message: `Too many codes were tried from this address. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    headers: { 'retry-after': String(seconds) },
  })
}

function wishOf(params: Record<string, unknown>, base: string): Wish {
  const { client_id, redirect_uri, scope, resource } = params
  const scopes = String(scope ?? '').split(' ')
  return {
    clientId: String(client_id),
    redirectUri: redirect_uri === undefined ? undefined : String(redirect_uri),
    scopes: scopes.filter(name => name !== '' && name !== 'offline_access'),
    resources: resource === undefined ? [base] : [resource].flat().map(String),
  }
}

function answer(request: FastifyRequest, reply: FastifyReply, body: object) {
  send(request, reply, 200, JSON.stringify(body))
  return reply
}
