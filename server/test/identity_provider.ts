// An identity provider for tests, over HTTP on this machine: says of a person what a test wants it to say, true or not.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'

export type Claims = Record<string, unknown>
export type Lie = {
  /** Claims of the ID token, over those that are right; undefined takes one away. */
  claims?: Claims
  isUnsigned?: boolean
  isForeignKey?: boolean
  /** The `iss` of the answer (RFC 9207). */
  answeredIss?: string
  /** Whose document it says that it is. */
  documentIssuer?: string
}

export type IdentityProvider = {
  issuer: string
  /** Who logs in next, and how it lies about them. */
  person: Claims
  lie: Lie
  /** What was asked for last. */
  asked: URLSearchParams
  /** Where a browser is sent back to that was sent here; with an error in place of a code where the person is not let in. */
  back(location: string, error?: string): Promise<string>
  close(): Promise<void>
}

/** @param host `127.0.0.2` to be another site to a browser than the server at 127.0.0.1 */
export async function startIdentityProvider(host = '127.0.0.1'): Promise<IdentityProvider> {
  const [own, foreign] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', idp.issuer)
    const answer = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return void answer({
        issuer: idp.lie.documentIssuer ?? idp.issuer,
        authorization_endpoint: `${idp.issuer}/authorize`,
        token_endpoint: `${idp.issuer}/token`,
        jwks_uri: `${idp.issuer}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        authorization_response_iss_parameter_supported: true,
      })
    if (url.pathname === '/authorize')
      return void page(url.href).then(html => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    if (url.pathname === '/jwks') return void answer({ keys: [jwk] })
    if (url.pathname !== '/token') return void answer({}, 404)
    const basic = Buffer.from(String(request.headers.authorization).slice(6), 'base64').toString()
    if (basic !== 'tandem:secret') return void answer({ error: 'invalid_client' }, 401)
    void idToken().then(id_token => answer({ access_token: 'x', token_type: 'bearer', expires_in: 60, id_token }))
  })
  /** What a person sees there. */
  async function page(asked: string): Promise<string> {
    const site = new URL(asked).searchParams.get('redirect_uri') ?? idp.issuer
    const link = async (text: string, error?: string) => {
      const href = new URL(await idp.back(asked, error), site).href.replaceAll('&', '&amp;')
      return `<p><a href="${href}">${text}</a></p>`
    }
    return `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Example ID</title><h1>Example ID</h1>
      ${await link('Log in')}${await link('Cancel', 'access_denied')}</html>`
  }
  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1_000)
    const right = {
      iss: idp.issuer,
      aud: 'tandem',
      iat: now,
      exp: now + 60,
      nonce: idp.asked.get('nonce'),
      ...idp.person,
    }
    const all = Object.fromEntries(
      Object.entries({ ...right, ...idp.lie.claims }).filter(([, value]) => value !== undefined),
    )
    if (idp.lie.isUnsigned) return new UnsecuredJWT(all).encode()
    const key = idp.lie.isForeignKey ? foreign.privateKey : own.privateKey
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key)
  }
  server.listen(0, host)
  await once(server, 'listening')
  const idp: IdentityProvider = {
    issuer: `http://${host}:${(server.address() as AddressInfo).port}`,
    person: {},
    lie: {},
    asked: new URLSearchParams(),
    async back(location, error) {
      idp.asked = new URL(location).searchParams
      const back = new URL(idp.asked.get('redirect_uri') as string)
      back.searchParams.set(error === undefined ? 'code' : 'error', error ?? 'one')
      back.searchParams.set('state', idp.asked.get('state') as string)
      back.searchParams.set('iss', idp.lie.answeredIss ?? idp.issuer)
      return back.pathname + back.search
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return idp
}
