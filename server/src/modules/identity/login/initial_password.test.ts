// A password that the server or an Admin made logs in for seven days. After them anyone who knows it hears what to do, and nobody else
// anything; an Admin sees it in the list of members and makes another one.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const weekMs = 7 * 86_400_000
const admin = (method: string, path: string, body?: object) =>
  t.call(method, path, { as: t.main.tokens.Admin, ...(body && { body }) })

async function made(email: string): Promise<{ userId: number; password: string }> {
  const answer = await admin('POST', '/v1/api/users', { email, name: 'Ada Park', role: 'Sales Executive' })
  assert.equal(answer.status, 201, answer.text)
  return { userId: answer.json.user.id, password: answer.json.generatedPassword }
}

const endOf = async (userId: number): Promise<string | null> =>
  (await admin('GET', `/v2/members?userId=${userId}`)).json.data[0].passwordEndsAt

/** As if it had been made so long ago. */
const age = (email: string, ms: number) =>
  t.ownerSql('update accounts set password_ends_at = password_ends_at - make_interval(secs => $2) where email = $1', [
    email,
    ms / 1_000,
  ])

test('a password that was made for somebody ends after seven days, and only who knows it hears so', async () => {
  const email = 'late@example.com'
  const { userId, password } = await made(email)
  const leftMs = Date.parse((await endOf(userId)) ?? '') - t.clock.now()
  assert.ok(Math.abs(leftMs - weekMs) < 600_000, String(leftMs))
  await age(email, weekMs - 600_000)
  assert.equal((await logIn(t, email, { password })).code, 'password_change_required')
  await age(email, 1_200_000)
  const ended = await logIn(t, email, { password })
  assert.deepEqual([ended.code, ended.challengeToken], ['initial_password_expired', undefined])
  const guess = await logIn(t, email, { password: `${password}x` })
  const nobody = await logIn(t, 'nobody.at.all@example.com', { password })
  for (const { code, message } of [guess, nobody])
    assert.deepEqual([code, message], ['invalid_credentials', nobody.message])
  assert.ok(Date.parse((await endOf(userId)) ?? '') < t.clock.now(), 'the Admin sees it')

  const another = await admin('PATCH', `/v1/api/users/${userId}`, { password: 'kvartal-obelisk-7' })
  assert.equal(another.status, 200, another.text)
  assert.ok(Date.parse((await endOf(userId)) ?? '') > t.clock.now())
  const { code, challengeToken, ip } = await logIn(t, email, { password: 'kvartal-obelisk-7' })
  assert.equal(code, 'password_change_required')
  const body = { challengeToken, newPassword: 'seven brass lanterns drift' }
  const own = await t.call('POST', '/v1/api/auth/login/verify', { body, ip })
  assert.equal(own.status, 200, own.text)
  assert.equal(await endOf(userId), null, 'their own does not end')
  const forPrograms = {
    email: 'program@example.com',
    name: 'Program',
    role: 'Sales Executive',
    temporaryPassword: false,
  }
  const program = await admin('POST', '/v1/api/users', { ...forPrograms, password: 'kvartal-obelisk-7' })
  assert.equal(await endOf(program.json.user.id), null, 'one that an Admin chose for a program does not, either')
  t.clock.advance(2 * weekMs)
  assert.ok((await logIn(t, email, { password: body.newPassword })).accessToken)
})
