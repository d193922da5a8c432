// The portal's session of people with a second factor, and of those who are members of several organizations.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../test/harness.ts'
import { codeOf, ownPassword, somebody, strongSomebody } from '../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/portal/session'
const own = { 'x-tandem-portal': '1' }
type Jar = Record<string, string>

function jarOf(answer: Answer): Jar {
  const lines = [answer.headers['set-cookie'] ?? []].flat()
  return Object.fromEntries(lines.map(line => (line.split('; ')[0] as string).split('=') as [string, string]))
}

const cookieHeader = (jar: Jar) => ({
  cookie: Object.entries(jar)
    .map(pair => pair.join('='))
    .join('; '),
})
const logIn = (headers: Record<string, string>, body: object) => t.call('POST', path, { headers, body })
const logOut = (jar: Jar) => t.call('DELETE', path, { headers: { ...own, ...cookieHeader(jar) } })
const me = (as: string) => t.call('GET', '/v1/api/auth/me', { as })

function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.json?.error?.code, code, answer.text)
  assert.equal(answer.status, status)
}

describe('a login that needs a second factor', () => {
  test('goes on with the code; a browser that is trusted is not asked again, others are', async () => {
    const { email, secret } = await strongSomebody(t, 'Sales Executive')
    const credentials = { emailOrAdminId: email, password: ownPassword }
    const asked = await logIn(own, credentials)
    refused(asked, 401, 'second_factor_required')
    assert.equal(asked.headers['set-cookie'], undefined)
    const { challengeToken } = asked.json.error
    const verify = (body: object) => t.call('POST', `${path}/verify`, { headers: own, body })
    refused(await verify({ challengeToken, code: '000000' }), 422, 'invalid_second_factor')
    const opened = await verify({ challengeToken, code: codeOf(t, secret, 1), trustDevice: true })
    assert.equal(opened.status, 200, opened.text)
    const jar = jarOf(opened)
    const again = await logIn(
      { ...own, ...cookieHeader({ tandem_portal_device: jar['tandem_portal_device'] ?? '' }) },
      credentials,
    )
    assert.equal(again.status, 200, again.text)
    refused(await logIn(own, credentials), 401, 'second_factor_required')
  })

  test('another organization is a click away, and what was open there before stays open', async () => {
    const { email } = await somebody(t, 'Sales Executive')
    await t.sql(
      `insert into users (organization_id, account_id, email, name, role)
       select $1, id, email, name, 'Admin' from accounts where email = $2`,
      [t.other.organizationId, email],
    )
    const first = await logIn(own, { emailOrAdminId: email, password: ownPassword })
    const jar = jarOf(first)
    const headers = { ...own, ...cookieHeader(jar) }
    const change = (organizationId: number) => t.call('POST', `${path}/switch`, { headers, body: { organizationId } })
    refused(await change(999_999), 403, 'membership_required')
    const there = await change(t.other.organizationId)
    assert.equal(there.json.user.role, 'Admin', there.text)
    const tokens = [first, there].map(({ json }) => json.accessTokens.live.accessToken as string)
    for (const token of tokens) assert.equal((await me(token)).status, 200)
    const ended = await logOut({ ...jar, ...jarOf(there) })
    assert.equal(ended.status, 204)
    for (const token of tokens) assert.equal((await me(token)).status, 401)
  })
})
