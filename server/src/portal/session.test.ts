// The portal's session: its cookies serve nothing but itself, no other site can use it, several tabs share it, and its
// end is the end everywhere.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp, testPassword } from '../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_TRUSTED_PROXIES: '10.0.0.1', TANDEM_PUBLIC_URL: 'https://crm.example/app' } })
})
after(() => t?.close())

const path = '/portal/session'
const own = { 'x-tandem-portal': '1' }
type Jar = Record<string, string>

/** Cookies by name, with their attributes, of an answer. */
function cookiesOf(answer: Answer): Record<string, { value: string; attributes: string[] }> {
  const lines = [answer.headers['set-cookie'] ?? []].flat()
  return Object.fromEntries(
    lines.map(line => {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      return [pair.slice(0, at), { value: pair.slice(at + 1), attributes }]
    }),
  )
}

function jarOf(answer: Answer): Jar {
  return Object.fromEntries(Object.entries(cookiesOf(answer)).map(([name, { value }]) => [name, value]))
}

const cookieHeader = (jar: Jar) => ({
  cookie: Object.entries(jar)
    .map(pair => pair.join('='))
    .join('; '),
})

const email = () => t.main.users['Sales Manager'].email
const logIn = (headers: Record<string, string> = own, body: object = {}, ip?: string) =>
  t.call('POST', path, {
    headers,
    body: { emailOrAdminId: email(), password: testPassword, ...body },
    ...(ip && { ip }),
  })
const refresh = (jar: Jar, headers: Record<string, string> = own) =>
  t.call('POST', `${path}/refresh`, { headers: { ...headers, ...cookieHeader(jar) } })
const logOut = (jar: Jar, headers: Record<string, string> = own) =>
  t.call('DELETE', path, { headers: { ...headers, ...cookieHeader(jar) } })
const me = (as: string) => t.call('GET', '/v1/api/auth/me', { as })

async function session(): Promise<{ jar: Jar; live: string; test: string; ids: string[] }> {
  const answer = await logIn()
  assert.equal(answer.status, 200, answer.text)
  const jar = jarOf(answer)
  const { live, test } = answer.json.accessTokens
  const ids = Object.values(jar).flatMap(token => /^tdm_rt_(ses_\w+)\./.exec(token)?.[1] ?? [])
  return { jar, live: live.accessToken, test: test.accessToken, ids }
}

function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.json?.error?.code, code, answer.text)
  assert.equal(answer.status, status)
}

describe('logging in', () => {
  test('opens a live and a test session, whose tokens work in their tenant', async () => {
    const answer = await logIn()
    const { accessTokens, user, permissions } = answer.json
    assert.deepEqual(user, {
      id: t.main.users['Sales Manager'].id,
      email: email(),
      role: 'Sales Manager',
      name: 'Sales Manager',
    })
    assert.ok(permissions.includes('leads:delete') && !permissions.includes('users:manage'))
    for (const mode of ['live', 'test'] as const) {
      assert.equal(accessTokens[mode].expiresIn, 3600)
      const { json } = await me(accessTokens[mode].accessToken)
      assert.deepEqual(json.tenant, { id: mode === 'live' ? t.main.liveTenantId : t.main.testTenantId, mode })
      assert.deepEqual(json.permissions, permissions)
    }
    assert.ok(!answer.text.includes('tdm_rt_'), 'the refresh token is in the cookies only')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(answer.headers['ratelimit-policy'] ?? '', /^"ip"/)
  })

  test('sets cookies that no script reads and that go to the session only', async () => {
    const { tandem_portal_device: device, ...cookies } = cookiesOf(await logIn())
    assert.match(device?.value ?? '', /^[\w-]{22}\.[\w-]{43}$/)
    assert.deepEqual(device?.attributes, ['Path=/portal/session', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
    assert.deepEqual(Object.keys(cookies), ['tandem_portal_live', 'tandem_portal_test'])
    for (const { value, attributes } of Object.values(cookies)) {
      assert.match(value, /^tdm_rt_ses_[0-9a-z]{26}\.0\.[\w-]{43}$/)
      assert.deepEqual(attributes, ['Path=/portal/session', 'Max-Age=1209600', 'HttpOnly', 'SameSite=Strict'])
    }
  })

  test('over https the cookies are secure and prefixed, also when a proxy took the TLS off', async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'crm.example', origin: 'https://crm.example' }
    for (const [headers, ip] of [
      [{ ...own, 'x-forwarded-proto': 'https' }, '10.0.0.1'],
      [{ ...own, ...forwarded }, '10.0.0.1'],
      // A proxy that is not believed, with the public address set.
      [{ ...own, origin: 'https://crm.example' }, '192.0.2.1'],
    ] as const) {
      const answer = await logIn(headers, {}, ip)
      const cookies = cookiesOf(answer)
      assert.deepEqual(
        Object.keys(cookies),
        ['__Secure-tandem_portal_live', '__Secure-tandem_portal_test', '__Secure-tandem_portal_device'],
        answer.text,
      )
      for (const { attributes } of Object.values(cookies)) assert.equal(attributes.at(-1), 'Secure')
      const call = (jar: Jar) =>
        t.call('POST', `${path}/refresh`, { headers: { ...headers, ...cookieHeader(jar) }, ip })
      assert.equal((await call(jarOf(answer))).status, 200)
      // What could have been planted by an insecure page is not looked at.
      assert.equal((await call((await session()).jar)).status, 204)
    }
    const believedNot = await logIn({ ...own, 'x-forwarded-proto': 'https' }, {}, '192.0.2.1')
    assert.deepEqual(Object.keys(cookiesOf(believedNot)), [
      'tandem_portal_live',
      'tandem_portal_test',
      'tandem_portal_device',
    ])
  })

  test('fails as the API does: same throttle, same words, v2 form', async () => {
    const guess = { emailOrAdminId: t.main.users['Finance Manager'].email, password: 'not the password' }
    const ip = '198.51.100.9'
    for (let failure = 1; failure <= 6; failure++) refused(await logIn(own, guess, ip), 401, 'invalid_credentials')
    const throttled = await logIn(own, { ...guess, password: testPassword }, '198.51.100.10')
    refused(throttled, 429, 'login_throttled')
    assert.equal(throttled.headers['retry-after'], '1')
    const body = { emailOrAdminId: guess.emailOrAdminId, password: testPassword }
    const atTheApi = await t.call('POST', '/v1/api/auth/login', { body, ip: '198.51.100.10' })
    assert.equal(atTheApi.json.code, 'login_throttled')
    const faulty = await logIn(own, { password: '', extra: 1 })
    refused(faulty, 400, 'validation_failed')
    assert.deepEqual(faulty.json.error.details.map(({ field }: { field: string }) => field).sort(), [
      'extra',
      'password',
    ])
    refused(await t.call('POST', path, { headers: own, rawBody: '[1' }), 400, 'malformed_json')
    refused(await t.call('POST', path, { headers: own }), 400, 'validation_failed')
    assert.equal(faulty.headers['set-cookie'], undefined)
  })

  test('in place of another login ends that one', async () => {
    const first = await session()
    assert.equal((await logIn({ ...own, ...cookieHeader(first.jar) })).status, 200)
    assert.equal((await me(first.live)).json.code, 'token_revoked')
    const failed = await session()
    refused(await logIn({ ...own, ...cookieHeader(failed.jar) }, { password: 'wrong' }), 401, 'invalid_credentials')
    assert.equal((await me(failed.live)).status, 200, 'a failed login ends nothing')
  })
})

describe('other sites', () => {
  const attempts: [string, Record<string, string>][] = [
    ['without the header, as a form would', {}],
    ['with another value', { 'x-tandem-portal': 'yes' }],
    ['from another origin', { ...own, origin: 'https://evil.example' }],
    ['from no origin a page may have', { ...own, origin: 'null' }],
    ['from a sibling of the public address', { ...own, origin: 'https://www.crm.example' }],
    ['from another port', { ...own, origin: 'http://localhost:81' }],
    ['from another scheme', { ...own, origin: 'https://localhost' }],
    ['from another site, as the browser says', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['from a sibling, as the browser says', { ...own, origin: 'http://localhost', 'sec-fetch-site': 'same-site' }],
  ]
  for (const [how, headers] of attempts) {
    test(`a request ${how} does nothing`, async () => {
      const { jar, live } = await session()
      for (const answer of [await logIn(headers), await refresh(jar, headers), await logOut(jar, headers)]) {
        refused(answer, 403, 'cross_site_request')
        assert.equal(answer.headers['set-cookie'], undefined)
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
      assert.equal((await me(live)).status, 200)
      assert.equal((await refresh(jar)).status, 200)
    })
  }

  test('a page of this origin may, and a preflight is not answered', async () => {
    const page = { ...own, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    const answer = await logIn(page)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await refresh(jarOf(answer), page)).status, 200)
    const preflight = await t.call('OPTIONS', path, {
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-tandem-portal' },
    })
    refused(preflight, 405, 'method_not_allowed')
    assert.equal(preflight.headers['allow'], 'POST, DELETE')
    assert.equal(preflight.headers['access-control-allow-headers'], undefined)
  })
})

test('the cookies are no credential of the API', async () => {
  const { jar } = await session()
  const headers = { ...own, ...cookieHeader(jar) }
  for (const [method, at] of [
    ['GET', '/v1/api/auth/me'],
    ['POST', '/v1/api/auth/logout'],
    ['GET', '/v2/users/me'],
    ['GET', '/v2/auth/api-keys'],
  ] as const) {
    const answer = await t.call(method, at, { headers })
    assert.equal(answer.status, 401, at)
    assert.equal(answer.json.code ?? answer.json.error.code, 'missing_credentials')
  }
  for (const token of Object.values(jar)) assert.equal((await me(token)).status, 401)
  assert.equal((await refresh(jar)).status, 200)
})

describe('refreshing', () => {
  test('brings new access tokens of both modes and the next cookies', async () => {
    const { jar } = await session()
    const answer = await refresh(jar)
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.json).sort(), [
      'accessTokens',
      'country',
      'locale',
      'organizationName',
      'organizationState',
      'organizations',
      'permissions',
      'user',
    ])
    assert.equal(answer.json.organizationName, 'Example Company')
    for (const mode of ['live', 'test'])
      assert.equal((await me(answer.json.accessTokens[mode].accessToken)).json.tenant.mode, mode)
    const next = jarOf(answer)
    for (const name of Object.keys(jar)) assert.notEqual(next[name], jar[name])
    assert.equal((await refresh(next)).status, 200)
  })

  test('many tabs at once, and again right after, all get in and agree on the cookies', async () => {
    const { jar } = await session()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(jar)))
    const next = jarOf(answers[0] as Answer)
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(jarOf(answer), next)
    }
    // A tab that got the new cookies refreshes before one that still holds the old ones.
    assert.deepEqual(jarOf(await refresh(next)), next)
    assert.deepEqual(jarOf(await refresh(next)), next)
    assert.deepEqual(jarOf(await refresh(jar)), next)
  })

  test('goes on rotating once the grace is over', async () => {
    const { jar, ids } = await session()
    const next = jarOf(await refresh(jar))
    await t.ownerSql("update sessions set rotated_at = rotated_at - interval '21 seconds' where id = any($1)", [ids])
    assert.notDeepEqual(jarOf(await refresh(next)), next)
  })

  test('a fresh proof changes both cookies at once, however short ago they changed, and ends the tokens of before', async () => {
    const { jar } = await session()
    const first = await refresh(jar)
    const next = jarOf(first)
    assert.deepEqual(jarOf(await refresh(next)), next)
    const old = first.json.accessTokens.live.accessToken
    const body = { password: testPassword }
    assert.equal((await t.call('POST', '/v2/auth/step-up', { as: old, body })).status, 200)
    const proved = await refresh(next)
    for (const name of Object.keys(next)) assert.notEqual(jarOf(proved)[name], next[name], name)
    assert.deepEqual(jarOf(await refresh(next)), jarOf(proved), 'what other tabs sent meanwhile is taken')
    t.clock.advance(21_000)
    for (const mode of ['live', 'test'] as const) {
      assert.equal((await me(first.json.accessTokens[mode].accessToken)).json.code, 'token_expired')
      assert.equal((await me(proved.json.accessTokens[mode].accessToken)).status, 200)
    }
  })

  test('an old cookie after the grace ends both sessions everywhere', async () => {
    const { jar, live, test, ids } = await session()
    const next = jarOf(await refresh(jar))
    await t.ownerSql("update sessions set rotated_at = rotated_at - interval '21 seconds' where id = $1", [ids[0]])
    const reuse = await refresh(jar)
    refused(reuse, 401, 'invalid_refresh_token')
    for (const { value, attributes } of Object.values(cookiesOf(reuse))) {
      assert.equal(value, '')
      assert.ok(attributes.includes('Max-Age=0'))
    }
    refused(await refresh(next), 401, 'invalid_refresh_token')
    for (const token of [live, test]) assert.equal((await me(token)).json.code, 'token_revoked')
  })

  test('one cookie without the other is the end of both; none at all is nothing', async () => {
    const { jar, test } = await session()
    refused(await refresh({ tandem_portal_test: jar['tandem_portal_test'] as string }), 401, 'invalid_refresh_token')
    assert.equal((await me(test)).json.code, 'token_revoked')
    const nobody = await refresh({})
    assert.deepEqual([nobody.status, nobody.text, nobody.headers['set-cookie']], [204, '', undefined])
    refused(await refresh({ tandem_portal_live: 'x', tandem_portal_test: 'y' }), 401, 'invalid_refresh_token')
  })

  test('the cookies live no longer than the session may', async () => {
    const { jar, ids } = await session()
    await t.ownerSql("update sessions set created_at = now() - interval '89 days' where id = any($1)", [ids])
    for (const { attributes } of Object.values(cookiesOf(await refresh(jar)))) {
      const maxAge = Number(/^Max-Age=(\d+)$/.exec(attributes[1] ?? '')?.[1])
      assert.ok(maxAge > 86_000 && maxAge <= 86_400, String(maxAge))
    }
  })
})

test('logging out ends both sessions on every node, and clears the cookies', async () => {
  const node = await t.secondApp()
  const { jar, live, test } = await session()
  const onOther = (as: string) => node.call('GET', '/v1/api/auth/me', { as })
  for (const token of [live, test]) assert.equal((await onOther(token)).status, 200)
  const answer = await logOut(jar)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  for (const [name, { value, attributes }] of Object.entries(cookiesOf(answer))) {
    assert.match(name, /^tandem_portal_/)
    assert.deepEqual([value, ...attributes], ['', 'Path=/portal/session', 'Max-Age=0', 'HttpOnly', 'SameSite=Strict'])
  }
  refused(await refresh(jar), 401, 'invalid_refresh_token')
  await node.app.services.authenticator.poll()
  for (const token of [live, test]) {
    assert.equal((await me(token)).json.code, 'token_revoked')
    assert.equal((await onOther(token)).status, 401)
  }
  assert.equal((await logOut(jar)).status, 204)
  assert.equal((await logOut({})).status, 204)
})

test('a disabled user has no session any more', async () => {
  const { id } = t.main.users['Sales Manager']
  const { jar, live } = await session()
  await t.call('PATCH', `/v1/api/users/${id}`, { as: t.main.tokens.Admin, body: { disabled: true } })
  refused(await refresh(jar), 401, 'invalid_refresh_token')
  assert.equal((await me(live)).json.code, 'token_revoked')
})

// Last, for it moves the clock by a day.
describe('what others do', () => {
  const owner = () => ({ emailOrAdminId: t.main.users['Sales Executive'].email })
  const wrong = (ip: string) => logIn(own, { ...owner(), password: 'a guess' }, ip)
  const from = (jar: Jar, ip: string) => logIn({ ...own, ...cookieHeader(jar) }, owner(), ip)

  test('keeps no device waiting that logged in before, wherever it is; a cookie that was made up helps nobody', async () => {
    const jar = jarOf(await logIn(own, owner()))
    for (let guess = 0; guess < 110; guess++) {
      assert.match(String((await wrong(`198.18.${guess}.1`)).status), /^4(01|29)$/)
      t.clock.advance(Math.floor(86_400_000 / 110))
      if (guess % 11 === 0) assert.equal((await from(jar, `198.19.${guess}.1`)).status, 200)
    }
    // The address itself is slowed down as well, and the account for strangers: the device is not.
    for (let guess = 0; guess < 30; guess++) {
      // Each that is heard makes it wait for longer, at last for a quarter of an hour, and not only for the second that a slow machine takes.
      if (guess >= 20) t.clock.advance(900_000)
      await t.call('POST', '/v1/api/auth/login', other(guess))
    }
    assert.equal((await from(jar, cafe)).status, 200)
    assert.equal((await from({}, cafe)).status, 429)
    const [id = ''] = (jar['tandem_portal_device'] ?? '').split('.')
    const forged = { tandem_portal_device: `${id}.${'A'.repeat(43)}` }
    assert.equal((await from(forged, cafe)).status, 429)
    // A device is known for those who logged in with it, and for nobody else.
    const stranger = { ...own, ...cookieHeader(jar) }
    const emailOrAdminId = t.main.users['Finance Manager'].email
    for (let guess = 0; guess < 6; guess++)
      await logIn(own, { emailOrAdminId, password: 'a guess' }, `198.23.${guess}.1`)
    assert.equal((await logIn(stranger, { emailOrAdminId }, '198.24.0.1')).status, 429)
    t.clock.advance(3_600_000)
  })
  const cafe = '198.51.100.77'
  const other = (guess: number) => ({
    body: { emailOrAdminId: `nobody${guess}@example.com`, password: 'a guess' },
    ip: cafe,
  })

  test('at an address whose requests are spent, sessions go on, and devices that logged in before log in', async () => {
    const ip = '198.51.100.88'
    const jar = jarOf(await logIn(own, owner()))
    t.app.services.limiter.take(ip, 1_000_000, t.clock.now(), 1_000_000)
    refused(await logIn(own, owner(), ip), 429, 'rate_limited')
    const refreshed = await t.call('POST', `${path}/refresh`, { headers: { ...own, ...cookieHeader(jar) }, ip })
    assert.equal(refreshed.status, 200)
    assert.match(refreshed.headers['ratelimit-policy'] ?? '', /^"session";q=1000000/)
    assert.equal((await me(refreshed.json.accessTokens.live.accessToken)).status, 200)
    const made = { tandem_portal_live: `tdm_rt_ses_${'0'.repeat(26)}.0.${'A'.repeat(43)}` }
    const forged = await t.call('POST', `${path}/refresh`, { headers: { ...own, ...cookieHeader(made) }, ip })
    refused(forged, 429, 'rate_limited')
    assert.equal((await from(jar, ip)).status, 200)
  })
})
