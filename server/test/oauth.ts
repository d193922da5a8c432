// For tests of OAuth: a server that listens at an address of its own, so that foreign clients reach it unmodified, and apps.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import * as openid from 'openid-client'
import { startTestApp, type TestApp, type TestAppOptions } from './harness.ts'

export type RegisteredApp = {
  appId: string
  live: { clientId: string; secret: string }
  test: { clientId: string; secret: string }
}

export async function startOAuth(options: TestAppOptions = {}) {
  const t = await startTestApp(options)
  after(() => t.close())
  await t.app.http.listen({ port: 0, host: '127.0.0.1' })
  const bound = t.app.http.server.address() as { port: number }
  const base = `http://127.0.0.1:${bound.port}`

  async function newApp(fields: object = {}, as = t.main.tokens.Admin): Promise<RegisteredApp> {
    const body = {
      name: 'Sync',
      kind: 'confidential',
      scopes: ['leads:read', 'leads:create', 'profile:read'],
      ...fields,
    }
    const made = await t.call('POST', '/v2/auth/apps', { as, body })
    assert.equal(made.status, 201, made.text)
    const { appId, clients, kind } = made.json.data
    const of = async (mode: 'live' | 'test') => {
      const { clientId } = clients.find((client: { mode: string }) => client.mode === mode)
      if (kind === 'public') return { clientId, secret: '' }
      const secret = await t.call('POST', `/v2/auth/apps/${appId}/secrets`, { as, body: { mode } })
      assert.equal(secret.status, 201, secret.text)
      return { clientId, secret: secret.json.data.secret as string }
    }
    return { appId, live: await of('live'), test: await of('test') }
  }

  /** openid-client, as anyone would set it up for this server. */
  async function discover(clientId: string, secret: string | undefined, authentication?: openid.ClientAuth) {
    return openid.discovery(new URL(`${base}/oauth`), clientId, secret, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
  }

  /** A form sent to an endpoint of the protocol. */
  async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) }
  }

  const me = (as: string) => t.call('GET', '/v1/api/auth/me', { as })
  return { t, base, newApp, discover, post, me }
}

export type OAuthTest = Awaited<ReturnType<typeof startOAuth>> & { t: TestApp }

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
})

/** What a browser does with an address that a client made: asks the person, answers, and comes to the redirect address. */
export async function walk(
  { base, t }: { base: string; t: TestApp },
  url: URL | string,
  decision: { allow?: boolean; mode?: 'live' | 'test'; scopes?: string[]; as?: string } = {},
): Promise<URL> {
  const cookies: string[] = []
  const jar = (response: Response) => {
    for (const line of response.headers.getSetCookie()) cookies.push(line.split(';')[0]!)
  }
  const cookie = () => ({ cookie: cookies.join('; ') })
  const begun = await fetch(url, { redirect: 'manual' })
  jar(begun)
  const page = new URL(begun.headers.get('location') ?? 'none:')
  if (!page.href.startsWith(`${base}/authorize/`)) return page
  const { allow = true, mode, scopes, as = t.main.tokens.Admin } = decision
  const headers = { authorization: `Bearer ${as}`, 'x-tandem-portal': '1', 'content-type': 'application/json' }
  const request = await fetch(`${page.href}/request`, { headers: { ...headers, ...cookie() } })
  const asked = (await request.json()) as { scopes?: { name: string }[]; error?: object }
  assert.equal(request.status, 200, JSON.stringify(asked))
  const body = JSON.stringify({ allow, mode, scopes: scopes ?? asked.scopes?.map(({ name }) => name) })
  const decided = await fetch(`${page.href}/decision`, { method: 'POST', headers: { ...headers, ...cookie() }, body })
  const answer = (await decided.json()) as { redirectTo: string; error?: { code: string } }
  assert.equal(decided.status, 200, JSON.stringify(answer))
  const end = await fetch(answer.redirectTo, { redirect: 'manual', headers: cookie() })
  return new URL(end.headers.get('location') ?? 'none:')
}
