// Single sign-on against a provider that lies: nobody gets in by an address that is not verified, an answer to another question, or a
// token of somebody else; and who gets in is who the provider calls by the same name.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type IdentityProvider, type Lie, startIdentityProvider } from '../../../../test/identity_provider.ts'
import { somebody } from '../../../../test/people.ts'
import { ownDomain } from '../../../../test/sso.ts'
import type { TestStep } from '../connections/index.ts'
import { safePath } from './attempt.ts'

let t: TestApp
let idp: IdentityProvider
let connectionId: string
const as = () => t.main.tokens.Admin
const connections = '/v2/organization/sso-connections'

before(async () => {
  idp = await startIdentityProvider()
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' } })
  await ownDomain(t, t.main.organizationId)
  const body = {
    name: 'Example',
    issuer: idp.issuer,
    clientId: 'tandem',
    clientSecret: 'secret',
    createsMembers: true,
    roleClaim: 'groups',
    roleMap: [{ value: 'finance', role: 'Finance Manager' }],
    breakGlassUserIds: [t.main.users.Admin.id],
  }
  const made = await t.call('POST', connections, { as: as(), body })
  assert.equal(made.status, 201, made.text)
  connectionId = made.json.data.connectionId
})
after(async () => {
  await t?.close()
  await idp?.close()
})
beforeEach(() => {
  idp.lie = {}
})

const cookieOf = (setCookie: string | string[] | undefined, name: string) =>
  [setCookie ?? []]
    .flat()
    .find(cookie => cookie.startsWith(`${name}=`))
    ?.split(';')[0]

async function follow(link: string) {
  const { status, headers, text } = await t.call('GET', link)
  assert.equal(status, 303, text)
  return { location: String(headers['location']), cookie: cookieOf(headers['set-cookie'], 'tandem_sso') ?? '' }
}

/** The button on the page that such a link leads to, or on the login page. */
async function press(more: object = {}) {
  const body = { connectionId, ...more }
  const { status, json, headers, text } = await t.call('POST', '/portal/session/sso/start', { headers: portal, body })
  assert.equal(status, 200, text)
  return {
    location: (json.url ?? `/login#sso=${json.reason}`) as string,
    cookie: cookieOf(headers['set-cookie'], 'tandem_sso') ?? '',
  }
}

/** A browser on its way; where it is sent at the end. */
async function travel(start: string, lie: Lie = {}) {
  const { location: there, cookie } = start.includes('test=') ? await follow(start) : await press()
  idp.lie = lie
  const path = await idp.back(there)
  const came = await t.call('GET', path, { headers: { cookie } })
  return {
    path,
    cookie,
    location: came.headers['location'],
    ticket: cookieOf(came.headers['set-cookie'], 'tandem_portal_sso'),
  }
}

const portal = { 'x-tandem-portal': '1' }
const start = () => new URL(`http://x/sso/${connectionId}/start`).pathname

async function logIn(person: Record<string, unknown>, lie: Lie = {}) {
  idp.person = person
  const { ticket, location } = await travel(start(), lie)
  if (ticket === undefined) return { location }
  const opened = await t.call('POST', '/portal/session/sso', { headers: { ...portal, cookie: ticket } })
  return { location, ticket, opened }
}

const address = (email: string, more: object = {}) => ({ sub: `sub of ${email}`, email, email_verified: true, ...more })

describe('a test, and the states that follow', () => {
  const testRun = async (lie: Lie) => {
    const { json } = await t.call('POST', `${connections}/${connectionId}/test`, { as: as() })
    const { pathname, search } = new URL(json.data.testUrl)
    await travel(pathname + search, lie)
    return (await t.call('GET', `${connections}/${connectionId}`, { as: as() })).json.data
  }

  test('what was not tested is not switched on, and its login leads nowhere', async () => {
    const { status, json } = await t.call('PATCH', `${connections}/${connectionId}`, {
      as: as(),
      body: { status: 'active' },
    })
    assert.deepEqual([status, json.error.code], [409, 'sso_state_not_allowed'])
    assert.equal((await t.call('GET', start())).headers['location'], '/login#sso=off')
  })

  test('the log says what was wrong, and then that nothing is', async () => {
    idp.person = address('admin@example.com')
    const wrong = await testRun({ claims: { email_verified: undefined } })
    const faultOf = (log: TestStep[]) => log.find(({ outcome }) => outcome === 'wrong')
    assert.deepEqual([wrong.status, wrong.test.passed, faultOf(wrong.test.log)?.step], ['draft', false, 'email'])
    const audience = await testRun({ claims: { aud: 'another' } })
    assert.match(faultOf(audience.test.log)?.text ?? '', /client id/)
    const right = await testRun({})
    assert.deepEqual([right.status, right.test.passed], ['tested', true], JSON.stringify(right.test.log))
    const active = await t.call('PATCH', `${connections}/${connectionId}`, { as: as(), body: { status: 'active' } })
    assert.equal(active.json.data.status, 'active', active.text)
  })
})

describe('logins', () => {
  test('an address finds the provider of its domain, whether or not it has an account', async () => {
    const discover = async (email: string) =>
      (await t.call('POST', '/v2/auth/sso/discover', { body: { email } })).json.data
    const known = await discover('admin@example.com')
    assert.equal(known.sso.organization, 'Example Company')
    assert.deepEqual(await discover('nobody-at-all@EXAMPLE.com'), known)
    assert.deepEqual(await discover('someone@other.example'), { sso: null })
  })

  test('who is new becomes a member with the role of the claim, and is the same person with another address', async () => {
    const { opened } = await logIn(
      address('new@example.com', { sub: 'n1', name: 'New Person', groups: ['x', 'finance'] }),
    )
    assert.equal(opened?.status, 200, String(opened?.text))
    assert.deepEqual([opened?.json.user.role, opened?.json.user.name], ['Finance Manager', 'New Person'])
    const again = await logIn({ sub: 'n1', email: 'elsewhere@example.com', groups: 'finance' })
    assert.equal(again.opened?.json.user.id, opened?.json.user.id)
  })

  test('a member is linked by a verified address at a verified domain, and by nothing less', async () => {
    const { email, userId } = await somebody(t)
    for (const email_verified of [undefined, 'true', false, 1] as const)
      assert.equal(
        (await logIn(address(email, { email_verified: email_verified as unknown }))).location,
        '/login#sso=not_verified',
      )
    assert.equal((await logIn(address('x@gmail.example'))).location, '/login#sso=other_domain')
    const guest = await somebody(t, 'Sales Manager', 'consulting.example')
    assert.equal((await logIn(address(guest.email))).location, '/login#sso=other_domain')
    const { opened } = await logIn(address(email))
    assert.equal(opened?.json.user.id, userId)
    assert.equal((await logIn(address(email, { sub: 'another person' }))).location, '/login#sso=conflict')
  })

  test('lies are refused: issuer, audience, nonce, no signature, a foreign key, the answer of another provider', async () => {
    const lies: Lie[] = [
      { claims: { iss: 'https://evil.example' } },
      { claims: { aud: 'another' } },
      { claims: { nonce: 'another' } },
      { claims: { exp: 1 } },
      { isUnsigned: true },
      { isForeignKey: true },
      { answeredIss: 'https://evil.example' },
    ]
    for (const lie of lies)
      assert.equal(
        (await logIn(address('new@example.com', { sub: 'n1' }), lie)).location,
        '/login#sso=wrong_answer',
        JSON.stringify(lie),
      )
  })

  test('the document of another issuer is refused before anybody is sent there, if it is another by a slash only', async () => {
    for (const documentIssuer of ['https://evil.example', `${idp.issuer}/`, idp.issuer.replace('http:', 'https:')]) {
      idp.lie = { documentIssuer }
      assert.match((await press()).location, /^\/login#sso=/, documentIssuer)
    }
    idp.lie = {}
    assert.ok((await press()).location.startsWith(idp.issuer))
  })

  test('an answer is taken once, in the browser that asked, with its state', async () => {
    idp.person = address('new@example.com', { sub: 'n1' })
    const { location, cookie } = await press()
    const path = await idp.back(location)
    const { cookie: otherCookie } = await press()
    const at = async (headers: Record<string, string>, to = path) =>
      (await t.call('GET', to, { headers })).headers['location']
    assert.equal(await at({}), '/login#sso=expired')
    assert.equal(await at({ cookie: otherCookie }), '/login#sso=expired')
    assert.equal(await at({ cookie }, path.replace(/state=[^&]+/, 'state=forged')), '/login#sso=expired')
    assert.equal(await at({ cookie }), '/login#sso')
    assert.equal(await at({ cookie }), '/login#sso=expired', 'twice')
  })

  test('a link to the start address logs nobody in and leads to no provider: a page of ours waits for a press', async () => {
    const followed = await follow(`${start()}?next=%2Fleads`)
    assert.deepEqual(followed, { location: `/login?next=%2Fleads#sso-at=${connectionId}`, cookie: '' })
    assert.equal(
      (await follow(`${start()}?fresh=1&next=//evil.example`)).location,
      `/login#sso-at=${connectionId}.fresh`,
    )
    for (const headers of [
      {},
      { ...portal, origin: 'https://evil.example' },
      { ...portal, 'sec-fetch-site': 'cross-site' },
    ]) {
      const pressed = await t.call('POST', '/portal/session/sso/start', { headers, body: { connectionId } })
      assert.deepEqual([pressed.status, pressed.json.error.code], [403, 'cross_site_request'])
      assert.equal(pressed.headers['set-cookie'], undefined)
    }
    const { location, cookie } = await press({ fresh: true })
    assert.ok(location.startsWith(idp.issuer) && new URL(location).searchParams.get('prompt') === 'login', location)
    assert.notEqual(cookie, '')
  })

  test('a ticket opens sessions once', async () => {
    const { ticket } = await logIn(address('new@example.com', { sub: 'n1' }))
    const again = await t.call('POST', '/portal/session/sso', { headers: { ...portal, cookie: ticket as string } })
    assert.equal(again.json.error.code, 'challenge_expired', again.text)
  })

  test('nobody is sent to a place of somebody else', () => {
    for (const evil of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/a\nb',
      'javascript:alert(1)',
      '',
      7,
    ])
      assert.equal(safePath(evil), null, String(evil))
    assert.equal(safePath('/leads?stage=New'), '/leads?stage=New')
  })
})

test('enforced, passwords are not taken but of those for the day when the provider is down', async () => {
  const person = await somebody(t)
  const { status, text } = await t.call('PATCH', `${connections}/${connectionId}`, {
    as: as(),
    body: { status: 'enforced' },
  })
  assert.equal(status, 200, text)
  const body = { emailOrAdminId: person.email, password: 'nine copper kettles whistle' }
  const refused = await t.call('POST', '/v1/api/auth/login', { body, ip: '198.18.9.9' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'sso_required'], refused.text)
  assert.match(refused.json.ssoUrl, new RegExp(`/sso/${connectionId}/start$`))
  const me = await t.call('GET', '/v2/users/me', { as: person.as })
  assert.equal(me.status, 401, 'sessions that were opened otherwise have ended')
  assert.equal((await logIn(address(person.email))).opened?.status, 200)
  const emptied = await t.call('PATCH', `${connections}/${connectionId}`, { as: as(), body: { breakGlassUserIds: [] } })
  assert.equal(emptied.status, 400, 'nobody locks everybody out')
})

test('enforced, somebody always gets in: the owner, where no Admin is left who is named for that day', async () => {
  const role = { name: 'Desk', base: 'Admin', permissions: ['users:read'], rows: {} }
  const { roleId } = (await t.call('POST', '/v2/roles', { as: as(), body: role })).json.data
  const desk = { email: 'desk@example.com', name: 'Desk', roleId }
  const made = await t.call('POST', '/v1/api/users', { as: as(), body: desk })
  const named = await t.call('PATCH', `${connections}/${connectionId}`, {
    as: as(),
    body: { breakGlassUserIds: [made.json.user.id] },
  })
  assert.equal(named.status, 400, 'what is made of Admin is none')

  const [owner, other] = [await somebody(t, 'Admin'), await somebody(t, 'Admin')]
  const { organizationId, users } = t.main
  await t.ownerSql('update organizations set owner_user_id = $2 where id = $1', [organizationId, owner.userId])
  const login = async ({ email }: { email: string }) => {
    const body = { emailOrAdminId: email, password: 'nine copper kettles whistle' }
    return (await t.call('POST', '/v1/api/auth/login', { body, ip: '198.18.9.10' })).status
  }
  assert.deepEqual([await login(owner), await login(other)], [403, 403])
  await t.ownerSql('update users set disabled_at = now() where id = $1', [users.Admin.id])
  assert.deepEqual([await login(owner), await login(other)], [200, 403])
  await t.ownerSql('update users set disabled_at = null where id = $1', [users.Admin.id])
  assert.equal(await login(owner), 403)
})
