// Passwords set again by mail: once, in time, for the account of the address and nobody else, beside any second factor.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn, somebody, strongSomebody, tokenMailed } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const newPassword = 'seven brass lanterns drift'
const ask = (email: string) => t.call('POST', '/v2/auth/password-resets', { body: { email } })
const confirm = (token: string, password = newPassword) =>
  t.call('POST', '/v2/auth/password-resets/confirm', { body: { token, newPassword: password } })
const timeless = (text: string) => text.replace(/req_\w{26}/, '').replace(/"\d+ms"/, '')

test('an address without an account is answered with the same bytes, and gets no mail', async () => {
  const { email } = await somebody(t)
  const [known, unknown] = [await ask(email.toUpperCase()), await ask('nobody@example.com')]
  assert.equal(timeless(known.text), timeless(unknown.text))
  await tokenMailed(t, email)
  assert.deepEqual(await t.ownerSql("select from mail_recipients where address = 'nobody@example.com'"), [])
})

test('the link does once; a second mail does not make the first one useless until one of them is used', async () => {
  const { email, as } = await somebody(t)
  await ask(email)
  const first = await tokenMailed(t, email)
  await t.ownerSql('delete from mail_recipients where address = $1', [email])
  await ask(email)
  const second = await tokenMailed(t, email)
  assert.notEqual(first, second)
  assert.equal((await confirm(first, 'too short')).status, 400)
  const done = await confirm(first)
  assert.deepEqual(done.json.data, { email }, done.text)
  for (const token of [first, second, `${second}x`])
    assert.equal((await confirm(token)).json.error.code, 'link_expired')
  assert.equal((await t.call('GET', '/v2/users/me', { as })).status, 401, 'logged out everywhere')
  assert.equal((await logIn(t, email, { password: newPassword })).success, true)
})

test('it is good for thirty minutes, and stands for no second factor', async () => {
  const { email } = await strongSomebody(t)
  await ask(email)
  const token = await tokenMailed(t, email)
  const answers = await Promise.all([confirm(token), confirm(token)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410], 'of two at once one wins')
  assert.equal((await logIn(t, email, { password: newPassword })).code, 'second_factor_required')
  await t.ownerSql('delete from mail_recipients where address = $1', [email])
  await ask(email)
  const late = await tokenMailed(t, email)
  t.clock.advance(1_801_000)
  assert.equal((await confirm(late)).json.error.code, 'link_expired')
})

test('tokens lie nowhere but in the mail', async () => {
  t.clock.advance(3_600_000)
  const { email } = await logged()
  await ask(email)
  const token = await tokenMailed(t, email)
  const rows = await t.ownerSql<{ row: string }>(
    'select k::text as row from account_tokens k union all select e::text from event_log e union all select a::text from audit_events a',
  )
  assert.ok(!rows.some(({ row }) => row.includes(token)))
})

/** Somebody who was there before the clock went on. */
async function logged(): Promise<{ email: string }> {
  return { email: t.main.users['Sales Executive'].email }
}
