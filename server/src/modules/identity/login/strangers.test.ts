// Guesses of strangers: spread over many accounts and the addresses of one network, or over a month at one account. They are slowed down and
// then not heard at all; who is known, or shows by a mail who they are, gets in all the while.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { ownPassword, somebody, tokenMailed } from '../../../../test/people.ts'
import { brakeOf, maxInARow } from './brake.ts'
import { findAccount } from './store.ts'

let t: TestApp
let [besieged, late]: string[] = []
before(async () => {
  t = await startTestApp()
  besieged = (await somebody(t)).email
  late = (await somebody(t)).email
})
after(() => t?.close())

const login = (emailOrAdminId: string, password: string, ip: string) =>
  t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId, password }, ip })
const accountOf = async (email: string) => (await findAccount(t.app.services.db, email, null)).account

test('a hundred strangers of one network, each with an account of its own, slow that network down for strangers only', async () => {
  const { email } = t.main.users['Sales Executive']
  const { email: neighbour } = t.main.users['Finance Manager']
  const atPortal = (ip: string, cookie = '') =>
    t.call('POST', '/portal/session', {
      headers: { 'x-tandem-portal': '1', cookie },
      ip,
      body: { emailOrAdminId: email, password: testPassword },
    })
  const first = await atPortal('203.0.113.90')
  assert.equal(first.status, 200)
  const cookie = [first.headers['set-cookie']]
    .flat()
    .find(text => text?.includes('device'))
    ?.split(';')[0]
  assert.equal((await login(neighbour, testPassword, '198.18.77.250')).status, 200, 'at home in that network')
  for (let guess = 0; guess <= 100; guess++)
    assert.equal((await login(`sprayed${guess}@example.com`, 'Summer2026!', `198.18.77.${guess}`)).status, 401)
  const next = await login('sprayed101@example.com', 'Summer2026!', '198.18.77.201')
  assert.deepEqual([next.status, next.json.code], [429, 'login_throttled'])
  assert.equal((await login(email, testPassword, '198.18.77.202')).status, 429, 'right or wrong')
  assert.equal((await atPortal('198.18.77.203', cookie)).status, 200, 'a known browser, from there')
  assert.equal((await login(neighbour, testPassword, '198.18.77.204')).status, 200, 'an account at home there')
  assert.equal((await login(email, testPassword, '198.18.78.1')).status, 200, 'another network')
  t.clock.advance(1_000)
  assert.equal((await login('sprayed102@example.com', 'Summer2026!', '198.18.77.205')).status, 401)
  assert.equal((await login('sprayed103@example.com', 'x', '198.18.77.206')).headers['retry-after'], '2')
  const everywhere = await Promise.all(
    Array.from({ length: 30 }, (_, n) => login(`sprayed${n}@example.org`, 'Summer2026!', `2001:db8:${n}:1::1`)),
  )
  assert.ok(
    everywhere.every(({ status }) => status === 401),
    'networks have counts of their own',
  )
})

test('after a hundred guesses in a row, for a month, no stranger is heard; its person is, by a place, a mail or a passkey', async () => {
  const email = besieged as string
  const home = '203.0.113.91'
  const as = async (ip: string, password = ownPassword) => (await login(email, password, ip)).json.code ?? 'in'
  assert.equal(await as(home), 'in')
  const accounts = [email, 'nobody.here@example.com']
  const heard = new Map(accounts.map(account => [account, 0]))
  for (let day = 0; day < 28; day++) {
    t.clock.advance(86_400_000)
    for (const account of accounts) {
      for (let guess = 0; guess < 6; guess++) {
        const { status, json } = await login(account, `guess ${day} ${guess}`, `198.19.${day}.${guess}`)
        if (status === 401) heard.set(account, (heard.get(account) ?? 0) + 1)
        else assert.equal(json.code, 'login_by_mail_required')
      }
    }
    if (day % 7 === 0) assert.equal(await as(home), 'in', `at home, day ${day}`)
  }
  assert.deepEqual([...heard.values()], [maxInARow, maxInARow], 'whether there is such an account or not')
  assert.equal(await as('198.18.90.1'), 'login_by_mail_required', 'right or wrong')
  assert.equal(await as(home), 'in')
  await t.call('POST', '/v2/auth/password-resets', { body: { email } })
  const newPassword = 'seven brass lanterns drift'
  const body = { token: await tokenMailed(t, email), newPassword }
  assert.equal((await t.call('POST', '/v2/auth/password-resets/confirm', { body })).status, 200)
  assert.equal(await as('198.18.90.2', newPassword), 'in')
  assert.equal(await as('198.18.91.2', 'a guess'), 'invalid_credentials', 'strangers begin again')
})

test('a success of a stranger ends their row, and a hundred are forgotten after 30 days', async () => {
  const email = late as string
  const guess = async (ip: string) => {
    const account = await accountOf(email)
    const attempt = { account, folded: email, ip, device: null, nowMs: t.clock.now() }
    const brake = await brakeOf(t.app.services, attempt)
    for (let n = 0; n < maxInARow - 1; n++) await brake.failed()
  }
  await guess('198.19.200.1')
  t.clock.advance(3_600_001)
  assert.equal((await login(email, ownPassword, '198.19.201.1')).status, 200)
  await guess('198.19.202.1')
  t.clock.advance(3_600_001)
  assert.equal((await login(email, 'the hundredth', '198.19.203.1')).status, 401)
  assert.equal((await login(email, ownPassword, '198.19.204.1')).json.code, 'login_by_mail_required')
  t.clock.advance(30 * 86_400_000)
  assert.equal((await login(email, ownPassword, '198.19.204.1')).status, 200)
})
