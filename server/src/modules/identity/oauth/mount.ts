// How requests reach the authorization server inside our HTTP application: at /oauth, with the address that was set and never the one
// that a request claims, with bodies read by us, and with what real clients send that the library refuses.
import { parse as parseForm } from 'node:querystring'
import { stripVTControlCharacters } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SigningKeys } from '../../../kernel/access/tokens.ts'
import { closedHeaders } from '../../../kernel/http/closed_headers.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { noteFault } from './error_log.ts'
import { cleanMetadata } from './foreign.ts'
import { registerInteractions } from './interactions.ts'
import { type Caller, chargeAddress, type Refusal } from './limits.ts'
import { resourceDocument } from './metadata.ts'
import { errorPage, errorPagePolicy } from './pages.ts'
import type { OAuthOptions, OAuthServer } from './provider.ts'
import { jwtMark } from './rules.ts'

export type MountOptions = Omit<OAuthOptions, 'base' | 'signing'> & {
  /** The keys of now; another server is made when they change. */
  signing(): SigningKeys
  /** Where people reach the server; undefined where it does not know, and then there is no authorization server. */
  ownAddress(): string | undefined
}

/**
 * The authorization server at the address there is now: a free port is known only when the server listens. It is made, and its library
 * loaded, when it is first asked for: to a server without OAuth it costs nothing.
 */
function serverOf({ ownAddress, signing, ...options }: MountOptions): () => Promise<OAuthServer> | undefined {
  let made: { base: string; keys: SigningKeys; server: Promise<OAuthServer> } | undefined
  return () => {
    const base = ownAddress()
    if (base === undefined) return undefined
    const keys = signing()
    if (made?.base !== base || made.keys !== keys)
      made = { base, keys, server: loadProvider().then(make => make({ ...options, signing: keys, base })) }
    return made.server
  }
}

let isQuiet = false
const chosen = /^oidc-provider WARNING: (?:Unsupported runtime|already parsed request body)/

/** The library warns of a runtime that is no long-term release yet, and of bodies that were read before: both were our choice. */
async function loadProvider() {
  if (!isQuiet) quieten()
  return (await import('./provider.ts')).createOAuthServer
}

function quieten(): void {
  isQuiet = true
  const { warn } = console
  console.warn = (...said: unknown[]) => {
    if (!chosen.test(stripVTControlCharacters(String(said[0])))) warn(...said)
  }
}

type Raw = FastifyRequest['raw'] & { body?: unknown; baseUrl?: string; caller?: Caller }

export const offReason =
  'OAuth is off: this server is open to the network and does not know its own address. Set TANDEM_PUBLIC_URL to the address under which clients reach it.'

const bodyLimit = 56 * 1024
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const documents = ['oauth-authorization-server', 'openid-configuration']

export function registerOAuth(app: FastifyInstance, options: MountOptions): void {
  const server = serverOf(options)
  registerInteractions(app, { services: options.services, server })
  void app.register(async scope => {
    answerRefusals(scope)
    scope.removeAllContentTypeParsers()
    for (const type of ['application/x-www-form-urlencoded', 'application/json', '*'])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body))
    scope.route({
      method: methods,
      url: '/oauth/*',
      handler: async (request, reply) =>
        pass(request, reply, options, await server(), request.url.slice('/oauth'.length)),
    })
    for (const name of documents)
      scope.route({
        method: ['GET', 'OPTIONS'],
        url: `/.well-known/${name}/oauth`,
        handler: async (request, reply) => pass(request, reply, options, await server(), `/.well-known/${name}`),
      })
    for (const part of ['', '/mcp'])
      scope.get(`/.well-known/oauth-protected-resource${part}`, async (request, reply) => {
        const known = await server()
        if (known === undefined) return refuseOff(request, reply)
        return reply
          .header('access-control-allow-origin', '*')
          .header('cache-control', 'public, max-age=300')
          .header('x-request-id', request.id)
          .type('application/json')
          .send(JSON.stringify(resourceDocument(known.base, part)))
      })
  })
}

async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  { services }: Pick<MountOptions, 'services'>,
  known: OAuthServer | undefined,
  path: string,
) {
  if (known === undefined) return refuseOff(request, reply)
  if (path === '/device' || path.startsWith('/device?'))
    return reply.code(303).header('location', `${known.base}/device`).send()
  const raw: Raw = request.raw
  const { ip, now: nowMs } = request.state
  const caller: Caller = { ip, nowMs, requestId: request.id, userAgent: request.headers['user-agent'] ?? null }
  const [bare = ''] = path.split('?')
  const fault = readBody(raw, request.body as string | undefined, path)
  if (fault !== undefined) return refuse(request, reply, { status: 400, retryAfterSeconds: undefined, ...fault }, known)
  const form = formOf(request, raw)
  const asking = { path: bare, form, isSecret: raw.headers.authorization !== undefined, ip, nowMs }
  const refusal = await chargeAddress(services.limiter, known.limits, asking)
  if (refusal !== undefined) {
    const { status, error, description } = refusal
    const clientId = String(form['client_id'] ?? '')
    await noteFault(
      services,
      known.records,
      { clientId, path: bare, status, error, description, detail: undefined },
      caller,
    )
    return refuse(request, reply, refusal, known)
  }
  raw.caller = caller
  atOwnAddress(raw, known.base)
  raw.url = path
  reply.hijack()
  reply.raw.setHeader('x-request-id', request.id)
  // Its page has a policy of its own.
  for (const [name, value] of Object.entries(closedHeaders)) reply.raw.setHeader(name, value)
  await known.provider.callback()(raw, reply.raw)
}

/** The form of a request, of its body or of its address. */
function formOf(request: FastifyRequest, { body }: Raw): Readonly<Record<string, unknown>> {
  const sent = typeof body === 'object' && body !== null ? body : {}
  return { ...(request.query as object), ...sent }
}

function refuseOff(request: FastifyRequest, reply: FastifyReply) {
  const refusal = { error: 'temporarily_unavailable', description: offReason, retryAfterSeconds: undefined }
  return refuse(request, reply, { status: 503, ...refusal }, undefined)
}

type Answered = Omit<Refusal, 'status'> & { status: number }

/** Answers as the protocol does (RFC 6749 §5.2), to a browser with a page. */
function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Answered, known: { base: string } | undefined) {
  const { status, error, description, retryAfterSeconds } = refusal
  reply.code(status).header('cache-control', 'no-store').header('x-request-id', request.id)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const path = request.originalUrl.split('?')[0]
  const isPage = path === '/oauth/authorize' && String(request.headers.accept ?? '').includes('text/html')
  if (isPage)
    return reply
      .header('content-security-policy', errorPagePolicy)
      .type('text/html; charset=utf-8')
      .send(errorPage({ error, error_description: description }))
  const more = known === undefined ? {} : { error_uri: `${known.base}/errors/${error}` }
  return reply.type('application/json').send(JSON.stringify({ error, error_description: description, ...more }))
}

/** What the kernel refuses before anything is read, in the shape of the protocol. */
function answerRefusals(scope: FastifyInstance): void {
  scope.setErrorHandler((error: Error & { code?: string }, request, reply) => {
    const isLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    const isLimited = error instanceof Problem && error.code === 'rate_limited'
    if (!isLarge && !isLimited) throw error
    const { decision } = request.state
    request.state.problem = isLarge ? 'payload_too_large' : 'rate_limited'
    const retryAfterSeconds = isLimited ? decision?.retryAfterSeconds : undefined
    const answered = isLarge
      ? { status: 413, error: 'invalid_request', description: 'the body is larger than 56 KiB' }
      : { status: 429, error: 'temporarily_unavailable', description: error.message }
    return refuse(request, reply, { ...answered, retryAfterSeconds }, undefined)
  })
}

/** Every address that is answered is made of the one that was set: what a request says of it counts for nothing. */
function atOwnAddress(raw: Raw, base: string): void {
  const url = new URL(base)
  raw.baseUrl = `${url.pathname === '/' ? '' : url.pathname}/oauth`
  const { headers } = raw
  headers.host = url.host
  headers['x-forwarded-host'] = url.host
  headers['x-forwarded-proto'] = url.protocol.slice(0, -1)
  delete headers['x-forwarded-for']
}

/** Gives the library what was sent as it needs it. @returns why it is refused */
function readBody(
  raw: Raw,
  text: string | undefined,
  path: string,
): { error: string; description: string } | undefined {
  if (text === undefined) return undefined
  const type = String(raw.headers['content-type'] ?? '').toLowerCase()
  if (path.startsWith('/register')) return readRegistration(raw, text)
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    raw.body = text
    return undefined
  }
  const form = parseForm(text)
  const token = form['token']
  if (typeof token === 'string' && token.split('.').length === 3) form['token'] = jwtMark + token
  namePublicClient(raw, form)
  if (form['grant_type'] === 'refresh_token') leaveOutOffline(form)
  raw.body = form
  return undefined
}

/** Clients ask again for what they asked for at first (authlib does), and `offline_access` is in no token: it only asks for a refresh token. */
function leaveOutOffline(form: NodeJS.Dict<string | string[]>): void {
  if (typeof form['scope'] !== 'string') return
  const scopes = form['scope'].split(' ').filter(scope => scope !== 'offline_access' && scope !== '')
  if (scopes.length === 0) delete form['scope']
  else form['scope'] = scopes.join(' ')
}

/** A public client that authenticates with an empty secret (RFC 6749 §2.3.1 allows none) only says who it is. */
function namePublicClient({ headers }: Raw, form: NodeJS.Dict<string | string[]>): void {
  const match = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '')
  const named = match === null ? '' : Buffer.from(match[1]!, 'base64').toString('utf8')
  if (!named.endsWith(':') || named.indexOf(':') !== named.length - 1) return
  try {
    form['client_id'] ??= decodeURIComponent(named.slice(0, -1).replaceAll('+', '%20'))
  } catch {
    return
  }
  delete headers.authorization
}

function readRegistration(raw: Raw, text: string): { error: string; description: string } | undefined {
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    sent = undefined
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { error: 'invalid_client_metadata', description: 'the body must be a JSON object (RFC 7591 §3.1)' }
  const { client_id: _, ...metadata } = sent as Record<string, unknown>
  const cleaned = cleanMetadata(metadata)
  if (typeof cleaned === 'string') {
    const error = cleaned.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    return { error, description: cleaned }
  }
  raw.body = JSON.parse(JSON.stringify(cleaned))
  return undefined
}
