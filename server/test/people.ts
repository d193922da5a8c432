// For tests of people who log in: somebody of their own, a second factor, the codes that its app would show.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fromBase32, hotp, stepAt } from '../src/modules/identity/factors/totp.ts'
import { eventually } from './eventually.ts'
import type { TestApp } from './harness.ts'

export const ownPassword = 'nine copper kettles whistle'

export type Somebody = { as: string; userId: number; email: string }

/** A person of the main organization whom no other test needs, logged in. */
export async function somebody(t: TestApp, role = 'Sales Manager', domain = 'example.com'): Promise<Somebody> {
  const email = `${randomUUID()}@${domain}`
  const body = { email, name: 'Grace Hopper', role, password: ownPassword, temporaryPassword: false }
  const { json, text } = await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })
  assert.ok(json.user, text)
  return { as: (await logIn(t, email)).accessToken, userId: json.user.id, email }
}

let logins = 0

/** What the login answers, refusals too; each from an address of its own. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function logIn(t: TestApp, emailOrAdminId: string, more: object = {}): Promise<any> {
  const ip = `198.18.${++logins % 250}.${Math.floor(logins / 250) % 250}`
  const body = { emailOrAdminId, password: ownPassword, ...more }
  return { ...(await t.call('POST', '/v1/api/auth/login', { body, ip })).json, ip }
}

/** The codes of an app that knows this secret: of now, or so many steps away. */
export function codeOf(t: TestApp, secret: string, away = 0): string {
  return hotp(fromBase32(secret), stepAt(t.clock.now()) + away)
}

export type Strong = Somebody & { secret: string; factorId: string; recoveryCodes: string[] }

/** The same with an app that makes codes; that of one step ahead is still to be used. */
export async function strongSomebody(t: TestApp, role?: string): Promise<Strong> {
  const person = await somebody(t, role)
  const made = (await t.call('POST', '/v2/users/me/factors/totp', { as: person.as, body: {} })).json.data
  const path = `/v2/users/me/factors/totp/${made.factorId}/confirm`
  const answer = await t.call('POST', path, { as: person.as, body: { code: codeOf(t, made.secret) } })
  assert.equal(answer.status, 200, answer.text)
  return { ...person, ...made, recoveryCodes: answer.json.data.recoveryCodes }
}

/** What is behind the # of the newest link that was mailed to an address. */
export function tokenMailed(t: TestApp, email: string): Promise<string> {
  return eventually(`a mail to ${email}`, async () => {
    const [mail] = await t.ownerSql<{ text: string }>(
      `select m.text from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
       where r.address = $1 and m.text like '%#%' order by m.id desc limit 1`,
      [email],
    )
    return /#([\w-]{20,})/.exec(mail?.text ?? '')?.[1]
  })
}

/** What logs somebody in by the link of a mail, where their organization allows it; the main one does from then on. */
export async function signInLink(t: TestApp, email: string): Promise<{ token: string; browser: string }> {
  await t.ownerSql(
    `insert into security_policies (organization_id, magic_link) values ($1, true)
     on conflict (organization_id) do update set magic_link = true`,
    [t.main.organizationId],
  )
  const browser = randomUUID()
  await t.call('POST', '/v2/auth/sign-in-links', { body: { email, browser } })
  return { token: await tokenMailed(t, email), browser }
}
