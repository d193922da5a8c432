// The authorization server, held against what the catalog says of it: every address answers as it is documented, takes the fields it
// lists, and refuses with the codes, the shape and the statuses it names.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../src/kernel/documents/openapi.ts'
import { fullPath } from '../src/kernel/endpoint/endpoint.ts'
import { protocol } from '../src/modules/identity/oauth/protocol.ts'
import { basic, startOAuth, walk } from './oauth.ts'

const { t, base, newApp } = await startOAuth({
  env: { TANDEM_RATE_LIMIT_IP: '10000', TANDEM_OAUTH_REGISTRATION: 'open' },
})
const app = await newApp({ redirectUris: ['https://app.example.com/callback'], scopes: ['leads:read', 'profile:read'] })
const client = { client_id: app.live.clientId, client_secret: app.live.secret }

type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> | undefined }
type Media = { schema?: object }
type Operation = {
  operationId: string
  responses: Record<string, { content?: Record<string, Media>; 'x-problems'?: string[] }>
}

const document = JSON.parse(JSON.stringify(openApiDocument(protocol))) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = new Map(
  Object.values(document.paths)
    .flatMap(path => Object.values(path))
    .map(operation => [operation.operationId, operation]),
)
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(document, 'openapi')

/** Sends a request with the fields of the endpoint; those of nobody else, so that an undocumented one is noticed. */
async function send(
  id: string,
  fields: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const definition = protocol.find(one => one.id === id)
  assert.ok(definition !== undefined, id)
  const { method, query, body, protocol: facts } = definition
  const known = Object.keys(((query ?? body) as { properties?: object } | undefined)?.properties ?? {})
  for (const name of Object.keys(fields)) assert.ok(known.includes(name) || id === 'oauth.register', `${id} ${name}`)
  const isForm = facts?.form === true
  const url = new URL(fullPath(definition), base)
  if (method === 'GET') url.search = new URLSearchParams(fields as Record<string, string>).toString()
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const sent = isForm ? new URLSearchParams(fields as Record<string, string>).toString() : JSON.stringify(fields)
  const init = method === 'GET' ? {} : { body: sent, headers: { 'content-type': type, ...headers } }
  const response = await fetch(url, { method, redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is answered is documented: its status, its schema without fields of no name, or its code. */
function holds(id: string, { status, headers, text, json }: Answer): Answer {
  const operation = operations.get(id)
  const documented = operation?.responses[status]
  assert.ok(documented !== undefined, `${id} ${status} ${text}`)
  assert.match(headers.get('x-request-id') ?? '', /^req_/, `${id} ${status} without an id`)
  if (status >= 400) {
    assert.ok(documented['x-problems']?.includes(String(json?.['error'])), `${id} ${status} ${text}`)
    assert.equal(json?.['error_uri'], `${base}/errors/${json?.['error']}`)
    assert.equal(typeof json?.['error_description'], 'string')
    return { status, headers, text, json }
  }
  const media = documented.content?.['application/json']
  if (media === undefined) return { status, headers, text, json }
  const schema = media.schema as { properties: object; additionalProperties?: unknown }
  const fits = ajv.compile({ ...schema, additionalProperties: schema.additionalProperties ?? false })
  assert.ok(fits(json), `${id}: ${ajv.errorsText(fits.errors)} ${text}`)
  return { status, headers, text, json }
}

const sent = async (id: string, fields: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  holds(id, await send(id, fields, headers))

const question = {
  response_type: 'code',
  redirect_uri: 'https://app.example.com/callback',
  scope: 'leads:read offline_access',
  state: 'kept',
  // RFC 7636, appendix B.
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

async function codeOf(more: Record<string, string> = {}): Promise<string> {
  const url = new URL('/oauth/authorize', base)
  url.search = new URLSearchParams({ client_id: app.live.clientId, ...question, ...more }).toString()
  return (await walk({ base, t }, url)).searchParams.get('code') ?? assert.fail('no code')
}

test('its documents are as they are documented, and name each other', async () => {
  const resource = await sent('oauth.resource_metadata')
  const metadata = await sent('oauth.metadata')
  assert.deepEqual(resource.json?.['authorization_servers'], [metadata.json?.['issuer']])
  const keys = await sent('oauth.jwks')
  assert.deepEqual(keys.json, (await t.call('GET', '/.well-known/jwks.json')).json)
  const all = protocol.map(definition => `${base}${fullPath(definition)}`)
  const named = Object.entries(metadata.json ?? {}).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name))
  assert.ok(named.length >= 8)
  for (const [name, address] of named) assert.ok(all.includes(String(address)), `${name} is not in the catalog`)
  const scopes = metadata.json?.['scopes_supported'] as string[]
  assert.ok(scopes.includes('leads:read') && !scopes.includes('openid'))
})

test('the catalog describes each of them whole', async () => {
  for (const { id, sample } of protocol) {
    const { status, json } = await t.call('GET', `/v2/catalog/${id}`)
    assert.equal(status, 200, id)
    assert.deepEqual(json.data.sampleResponse.body, sample.reply, id)
  }
})

describe('tokens', () => {
  test('of a program: named in the form, by HTTP Basic, and asked about and revoked', async () => {
    const first = await sent('oauth.token', { grant_type: 'client_credentials', scope: 'leads:read', ...client })
    assert.equal(first.json?.['scope'], 'leads:read')
    const header = basic(app.live.clientId, app.live.secret)
    await sent('oauth.token', { grant_type: 'client_credentials', resource: base }, header)
    const token = first.json?.['access_token']
    const asked = await sent('oauth.introspect', { token, token_type_hint: 'access_token', ...client })
    assert.equal(asked.json?.['active'], true)
    const revoked = await sent('oauth.revoke', { token, ...client })
    assert.equal(revoked.text, '')
    assert.deepEqual((await sent('oauth.introspect', { token, ...client })).json, { active: false })
    assert.equal((await sent('oauth.revoke', { token: 'none of ours', ...client })).status, 200)
  })

  test('of a person: asked in the browser, with a code, refreshed', async () => {
    const begun = await sent('oauth.authorize', { client_id: app.live.clientId, ...question })
    assert.equal(begun.status, 303)
    assert.match(begun.headers.get('location') ?? '', new RegExp(`^${base}/authorize/`))
    const code = await codeOf()
    const { redirect_uri } = question
    const fields = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    const { json } = await sent('oauth.token', { ...fields, ...client })
    const asked = await sent('oauth.introspect', { token: json?.['access_token'], ...client })
    for (const name of ['sub', 'tenant_id']) assert.ok(name in (asked.json ?? {}), name)
    const refreshed = { grant_type: 'refresh_token', refresh_token: json?.['refresh_token'], scope: 'leads:read' }
    assert.equal((await sent('oauth.token', { ...refreshed, ...client })).status, 200)
    const again = await sent('oauth.token', { ...fields, ...client })
    assert.equal(again.json?.['error'], 'invalid_grant')
  })

  test('of a person whose question was pushed before', async () => {
    const pushed = await sent('oauth.push_authorization', { ...question, ...client })
    const url = new URL('/oauth/authorize', base)
    const asked = { client_id: app.live.clientId, request_uri: String(pushed.json?.['request_uri']) }
    url.search = new URLSearchParams(asked).toString()
    assert.match((await walk({ base, t }, url)).search, /code=/)
  })

  test('of a device: it waits, and asks too soon', async () => {
    const begun = await sent('oauth.start_device', { scope: 'leads:read', ...client })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const fields = { grant_type, device_code: begun.json?.['device_code'], ...client }
    assert.equal((await sent('oauth.token', fields)).json?.['error'], 'authorization_pending')
    assert.equal((await sent('oauth.token', fields)).json?.['error'], 'slow_down')
  })
})

test('a client that nobody registered registers itself', async () => {
  const fields = { client_name: 'Tool', redirect_uris: ['http://127.0.0.1/cb'], grant_types: ['authorization_code'] }
  const made = await sent('oauth.register', { ...fields, client_uri: 'https://tool.example', scope: 'leads:read' })
  assert.equal(made.status, 201)
  const open = await sent('oauth.authorize', {
    client_id: made.json?.['client_id'],
    ...question,
    redirect_uri: 'http://127.0.0.1:9/cb',
  })
  assert.equal(open.status, 303)
})

describe('refusals have the documented shape and code', () => {
  const wrong: [id: string, fields: Record<string, unknown>, error: string][] = [
    ['oauth.token', { grant_type: 'client_credentials' }, 'invalid_request'],
    ['oauth.token', { ...client, client_secret: 'wrong', grant_type: 'client_credentials' }, 'invalid_client'],
    ['oauth.token', { ...client, grant_type: 'password' }, 'unsupported_grant_type'],
    ['oauth.token', { ...client, grant_type: 'client_credentials', scope: 'leads:fly' }, 'invalid_scope'],
    [
      'oauth.token',
      { ...client, grant_type: 'client_credentials', resource: 'https://else.example' },
      'invalid_target',
    ],
    ['oauth.token', { ...client, grant_type: 'refresh_token', refresh_token: 'none' }, 'invalid_grant'],
    ['oauth.push_authorization', { ...client, ...question, redirect_uri: 'https://b.example' }, 'invalid_request'],
    ['oauth.push_authorization', { ...client, ...question, scope: 'leads:fly' }, 'invalid_scope'],
    ['oauth.push_authorization', { ...client, ...question, response_type: 'token' }, 'unsupported_response_type'],
    ['oauth.push_authorization', { ...question }, 'invalid_request'],
    ['oauth.start_device', { scope: 'leads:read' }, 'invalid_request'],
    ['oauth.start_device', { ...client, scope: 'leads:fly' }, 'invalid_scope'],
    ['oauth.introspect', { ...client }, 'invalid_request'],
    ['oauth.introspect', { token: 'x', client_id: 'nobody', client_secret: 'x' }, 'invalid_client'],
    ['oauth.revoke', { ...client }, 'invalid_request'],
    ['oauth.register', { redirect_uris: ['http://else.example/cb'] }, 'invalid_redirect_uri'],
    [
      'oauth.register',
      { redirect_uris: ['https://a.example/cb'], grant_types: ['password'] },
      'invalid_client_metadata',
    ],
  ]
  for (const [id, fields, error] of wrong)
    test(`${id}: ${error}`, async () => {
      assert.equal((await sent(id, fields)).json?.['error'], error)
    })

  test('an app of a kind that does not take part', async () => {
    const machine = await newApp({ kind: 'machine', scopes: ['leads:read'] })
    const { clientId: client_id, secret: client_secret } = machine.live
    const asked = { client_id, client_secret, scope: 'leads:read' }
    const exchange = { grant_type: 'authorization_code', code: 'x', client_id, client_secret }
    for (const answer of [await sent('oauth.start_device', asked), await sent('oauth.token', exchange)])
      assert.equal(answer.json?.['error'], 'unauthorized_client')
  })
})

test('a page may ask where it is ours, or of the origin of a public client, and no other', async () => {
  const spa = await newApp({ kind: 'public', redirectUris: ['https://page.example/cb'], scopes: ['leads:read'] })
  const asked = async (origin: string, fields: Record<string, string>) =>
    (await send('oauth.token', { grant_type: 'client_credentials', ...fields }, { origin })).json?.['error_description']
  const refusal = /origin .* not allowed for client/
  assert.equal(await asked(base, client), undefined)
  assert.match(String(await asked('https://app.example.com', client)), refusal)
  assert.match(String(await asked('https://else.example', { client_id: spa.live.clientId })), refusal)
  assert.doesNotMatch(String(await asked('https://page.example', { client_id: spa.live.clientId })), refusal)
})

test('too many requests are answered as documented, with Retry-After', async () => {
  const small = await startOAuth({ env: { TANDEM_RATE_LIMIT_IP: '20' } })
  const path = '/oauth/introspect'
  for (let count = 0; count < 60; count++) {
    const { status, headers, json } = await small.post(path, { token: 'x' })
    if (status !== 429) continue
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.equal(json.error, 'temporarily_unavailable')
    assert.ok(operations.get('oauth.introspect')?.responses[429]?.['x-problems']?.includes(json.error))
    assert.match(headers.get('x-request-id') ?? '', /^req_/)
    return
  }
  assert.fail('it was never too much')
})
