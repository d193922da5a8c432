// Logging in: who gets in, what the others learn (nothing), how guessing is slowed down, and how sessions go on and
// end.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const login = (emailOrAdminId: string, password = testPassword, ip = '192.0.2.1', more: object = {}) =>
  t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId, password, ...more }, ip })
const refresh = (refreshToken: string) => t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken } })
const me = (as: string) => t.call('GET', '/v1/api/auth/me', { as })

describe('login', () => {
  test('takes the e-mail in any capitals and answers a token that works', async () => {
    const { id, email } = t.main.users['Sales Manager']
    const answer = await login(email.toUpperCase())
    assert.equal(answer.status, 200)
    assert.equal(answer.json.success, true)
    assert.deepEqual(answer.json.user, { id, email, role: 'Sales Manager', name: 'Sales Manager' })
    assert.equal(answer.json.expiresIn, 3600)
    const { json } = await me(answer.json.accessToken)
    assert.equal(json.user.id, id)
    assert.deepEqual(json.tenant, { id: t.main.liveTenantId, mode: 'live' })
  })

  test('takes the administrator identifier of an Admin, also for the test tenant', async () => {
    const { adminId, id } = t.main.users.Admin
    const answer = await login(` ${adminId?.toLowerCase()} `, testPassword, '192.0.2.1', { mode: 'test' })
    assert.equal(answer.status, 200, answer.text)
    const { json } = await me(answer.json.accessToken)
    assert.equal(json.user.id, id)
    assert.equal(json.user.adminId, adminId)
    assert.deepEqual(json.tenant, { id: t.main.testTenantId, mode: 'test' })
  })

  test('an unknown account, a wrong password and a disabled account get the same bytes', async () => {
    const { id, email } = t.other.users['Sales Executive']
    await t.ownerSql('update users set disabled_at = now() where id = $1', [id])
    const answers = [
      await login('nobody@example.com', 'wrong password', '192.0.2.2'),
      await login(t.main.users.Admin.email, 'wrong password', '192.0.2.3'),
      await login(email, testPassword, '192.0.2.4'),
      await login('ADM-999999', 'wrong password', '192.0.2.5'),
      await login("' or 1=1 --", 'wrong password', '192.0.2.6'),
    ]
    const [first, ...others] = answers.map(answer => ({
      status: answer.status,
      text: answer.text.replace(/req_[0-9a-z]{26}/, ''),
      headers: Object.keys(answer.headers).sort().join(),
    }))
    assert.equal(first?.status, 401)
    assert.equal(answers[0]?.json.code, 'invalid_credentials')
    for (const other of others) assert.deepEqual(other, first)
    await t.ownerSql('update users set disabled_at = null where id = $1', [id])
  })

  test('a password is the same text however its letters are composed', async () => {
    const password = 'Zoë trinkt Café auf Ré'
    const email = 'zoe@example.com'
    const body = {
      email,
      name: 'Zoë',
      role: 'Sales Executive',
      password: password.normalize('NFD'),
      temporaryPassword: false,
    }
    assert.equal((await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })).status, 201)
    assert.equal((await login(email, password.normalize('NFC'))).status, 200)
    assert.equal((await login(email, password.normalize('NFD'))).status, 200)
    assert.equal((await login(email, password.replace('é', 'e'))).status, 401)
  })

  test('renews a hash made with less effort, and only the hash', async () => {
    const { id, email } = t.main.users['Finance Manager']
    const weaker = await hash(testPassword, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await t.ownerSql('update accounts set password_hash = $1 where id = (select account_id from users where id = $2)', [
      weaker,
      id,
    ])
    assert.equal((await login(email)).status, 200)
    const [row] = await t.ownerSql<{ password_hash: string; version: number }>(
      'select a.password_hash, u.version from users u join accounts a on a.id = u.account_id where u.id = $1',
      [id],
    )
    assert.match(row?.password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(row?.version, 1)
    assert.equal((await login(email)).status, 200)
    const [again] = await t.ownerSql<{ password_hash: string }>(
      'select password_hash from accounts where id = (select account_id from users where id = $1)',
      [id],
    )
    assert.equal(again?.password_hash, row?.password_hash)
  })

  test('a login under way when the password changes opens no session', async () => {
    const { id, email } = t.other.users['Finance Manager']
    const [before] = await t.ownerSql<{ password_hash: string }>(
      'select password_hash from accounts where id = (select account_id from users where id = $1)',
      [id],
    )
    const sessions = await sessionsOf(id)
    await t.ownerSql('begin')
    await t.ownerSql(
      "update accounts set password_hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA' where id = (select account_id from users where id = $1)",
      [id],
    )
    const pending = login(email, testPassword, '192.0.2.7')
    await waitFor(async () => {
      const [row] = await t.ownerSql<{ waiting: number }>(
        'select count(*) as waiting from pg_stat_activity where datname = current_database() and ' +
          "wait_event_type = 'Lock'",
      )
      return Number(row?.waiting) > 0
    })
    await t.ownerSql('commit')
    assert.equal((await pending).status, 401)
    assert.equal(await sessionsOf(id), sessions)
    await t.ownerSql('update accounts set password_hash = $1 where id = (select account_id from users where id = $2)', [
      before?.password_hash,
      id,
    ])
  })
})

async function sessionsOf(userId: number): Promise<number> {
  return (await t.ownerSql('select 1 from sessions where user_id = $1', [userId])).length
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 5_000
  while (!(await condition())) {
    assert.ok(performance.now() < until, 'waited five seconds')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

describe('guessing', () => {
  test('an account is slowed down after five failures, twice as long each time, whether it exists or not', async () => {
    for (const [account, ip] of [
      [t.main.users['Sales Executive'].email, '198.51.100.1'],
      ['guess@example.com', '198.51.100.2'],
    ] as const) {
      for (let failure = 1; failure <= 6; failure++)
        assert.equal((await login(account, 'wrong password', ip)).status, 401)
      const refused = await login(account, testPassword, '198.51.100.3')
      assert.equal(refused.status, 429)
      assert.equal(refused.json.code, 'login_throttled')
      assert.equal(refused.json.error, 'Too Many Requests')
      assert.equal(refused.headers['retry-after'], '1')
      assert.match(refused.json.message, /\b1 second\b/)
      t.clock.advance(1_000)
      assert.equal((await login(account, 'wrong password', ip)).status, 401)
      assert.equal((await login(account, 'wrong password', ip)).headers['retry-after'], '2')
    }
  })

  test('another account from the same address goes on, and a success clears the account', async () => {
    const { email } = t.main.users['Sales Executive']
    assert.equal((await login(t.main.users.Admin.email, testPassword, '198.51.100.1')).status, 200)
    t.clock.advance(2_000)
    assert.equal((await login(email, testPassword, '198.51.100.1')).status, 200)
    for (let failure = 1; failure <= 5; failure++) {
      assert.equal((await login(email, 'wrong password', '198.51.100.4')).status, 401)
    }
    assert.equal((await login(email, testPassword, '198.51.100.4')).status, 200)
  })

  test('strangers who guess all day keep the owner waiting nowhere they logged in before', async () => {
    const { email, adminId } = t.other.users.Admin
    const home = ['203.0.113.7', '2001:db8:77:1::1']
    for (const ip of home) assert.equal((await login(email, testPassword, ip)).status, 200)
    const outcomes = { 401: 0, 429: 0 }
    for (let guess = 0; guess < 110; guess++) {
      t.clock.advance(Math.floor(86_400_000 / 110))
      const stranger = `198.18.${guess % 50}.${guess % 7}`
      const { status } = await login(guess % 3 === 0 ? (adminId as string) : email, `guess ${guess}`, stranger)
      outcomes[status as 401 | 429]++
      if (guess % 10 !== 9) continue
      const neighbour = ['203.0.113.200', '2001:db8:77:9::5'][guess % 2] as string
      assert.equal((await login(email, testPassword, neighbour)).status, 200, `after ${guess + 1} guesses`)
    }
    assert.ok(outcomes[401] > 5, 'the strangers were heard')
    // What holds them is no hour's rest, but each further guess: at once, ten more.
    for (let guess = 0; guess < 10; guess++)
      outcomes[(await login(email, 'wrong', `198.19.0.${guess}`)).status as 401]++
    assert.ok(outcomes[429] > 0, 'the strangers were slowed down')
    assert.equal((await login(email, testPassword, '198.19.0.99')).status, 429, 'a stranger waits, right or wrong')
    assert.equal((await login(email, testPassword, '203.0.113.7')).status, 200)
    t.clock.advance(31 * 86_400_000)
    for (let guess = 0; guess < 8; guess++) await login(email, 'wrong', `198.19.1.${guess}`)
    assert.equal(
      (await login(email, testPassword, '203.0.113.7')).status,
      429,
      'after 30 days a place is strange again',
    )
  })

  test('at a place that is known ten are free, and nobody waits there for longer than a minute', async () => {
    const { email } = t.other.users['Sales Manager']
    const ip = '203.0.114.1'
    assert.equal((await login(email, testPassword, ip)).status, 200)
    for (let failure = 0; failure < 11; failure++) assert.equal((await login(email, 'wrong', ip)).status, 401)
    assert.equal((await login(email, testPassword, ip)).headers['retry-after'], '1')
    for (let failure = 0; failure < 12; failure++) {
      t.clock.advance(61_000)
      assert.equal((await login(email, 'wrong', ip)).status, 401)
    }
    const { status, headers } = await login(email, testPassword, ip)
    assert.deepEqual([status, headers['retry-after']], [429, '60'])
    assert.equal((await login(email, testPassword, '203.0.115.1')).status, 200, 'strangers have a count of their own')
  })

  test('all spellings of one account share a count, on every node; so do those of a name without an account', async () => {
    const { email, adminId } = t.main.users.Admin
    const node = await t.secondApp()
    // Not the account: its small letter is an i with a dot above, which is another letter.
    const turkish = email.replace('i', 'İ')
    for (const spellings of [
      [email, email.toUpperCase(), adminId as string, ` ${adminId?.toLowerCase()} `, ` ${email}`, email],
      [turkish, turkish.toLowerCase(), turkish.toUpperCase(), turkish, ` ${turkish}`, turkish],
      [
        'ghist@example.com',
        'GHIST@example.com',
        'ghist@EXAMPLE.com',
        'ghist@example.com ',
        'GhIsT@example.com',
        'ghist@example.com',
      ],
    ]) {
      for (const [turn, name] of spellings.entries()) {
        const body = { emailOrAdminId: name, password: 'wrong' }
        const { call } = turn % 2 === 0 ? t : node
        const answer = await call('POST', '/v1/api/auth/login', { body, ip: `198.20.${turn}.1` })
        assert.equal(answer.json.code, 'invalid_credentials', name)
      }
      for (const name of spellings) {
        const body = { emailOrAdminId: name, password: testPassword }
        const answer = await node.call('POST', '/v1/api/auth/login', { body, ip: '198.20.99.1' })
        assert.equal(answer.json.code, 'login_throttled', name)
      }
      t.clock.advance(3_600_000)
    }
  })

  test('guesses sent at once from many addresses are no more than those sent one by one', async () => {
    const { email } = t.main.users['Finance Manager']
    const burst = Array.from({ length: 30 }, (_, n) => login(email, `guess ${n}`, `198.23.${n}.1`))
    const heard = (await Promise.all(burst)).filter(({ status }) => status === 401).length
    // Five are free; some are checked while the one before is being counted.
    assert.ok(heard >= 5 && heard <= 15, `${heard} of 30 were heard`)
    t.clock.advance(3_600_001)
  })

  test('the table of failures holds no name that was typed, and forgets after an hour', async () => {
    await login('my.secret.password', 'wrong', '198.21.0.1')
    const rows = async () =>
      t.ownerSql<{ row: string }>('select f::text as row from login_failures f where forgotten_ms - last_ms < 86400000')
    assert.ok((await rows()).length > 0)
    for (const { row } of await rows()) assert.ok(!row.includes('secret') && !row.includes('@'), row)
    t.clock.advance(3_600_001)
    for (let failure = 0; failure < 12; failure++)
      await login(`later${failure}@example.com`, 'wrong', `198.22.${failure}.1`)
    assert.equal((await rows()).length, 12 * 3, 'what is old was taken away by what came')
  })

  test('an address that tries many accounts is slowed down too, as a whole network in IPv6', async () => {
    for (let failure = 0; failure <= 20; failure++) {
      const ip = `2001:db8:1:2::${failure.toString(16)}`
      assert.equal((await login(`guess${failure}@example.com`, 'wrong password', ip)).status, 401)
    }
    assert.equal((await login(t.main.users.Admin.email, testPassword, '2001:db8:1:2:ffff::1')).status, 429)
    assert.equal((await login(t.main.users.Admin.email, testPassword, '2001:db8:1:3::1')).status, 200)
  })
})

describe('refresh', () => {
  async function session() {
    const { json } = await login(t.main.users['Sales Manager'].email)
    const [, id = ''] = /^tdm_rt_(ses_[0-9a-z]{26})\.0\./.exec(json.refreshToken) ?? []
    assert.notEqual(id, '')
    return { id, accessToken: json.accessToken as string, refreshToken: json.refreshToken as string }
  }

  test('rotates: each answer brings a new access token and the next refresh token', async () => {
    const { refreshToken } = await session()
    const first = await refresh(refreshToken)
    assert.equal(first.status, 200)
    assert.notEqual(first.json.refreshToken, refreshToken)
    assert.equal((await me(first.json.accessToken)).status, 200)
    const second = await refresh(first.json.refreshToken)
    assert.equal(second.status, 200)
    assert.equal((await me(second.json.accessToken)).json.user.role, 'Sales Manager')
  })

  test('within the grace a repeat gets the same successor, also when both arrive at once', async () => {
    const { refreshToken } = await session()
    const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 200],
    )
    assert.equal(new Set(answers.map(answer => answer.json.refreshToken)).size, 1)
  })

  test('an old token used after the grace ends the session, access tokens included', async () => {
    const { id, accessToken, refreshToken } = await session()
    const { json } = await refresh(refreshToken)
    assert.equal((await me(accessToken)).status, 200)
    await t.ownerSql("update sessions set rotated_at = rotated_at - interval '21 seconds' where id = $1", [id])
    const reuse = await refresh(refreshToken)
    assert.equal(reuse.status, 401)
    assert.equal(reuse.json.code, 'invalid_refresh_token')
    assert.equal((await refresh(json.refreshToken)).status, 401)
    for (const token of [accessToken, json.accessToken]) {
      const answer = await me(token)
      assert.equal(answer.status, 401)
      assert.equal(answer.json.code, 'token_revoked')
    }
  })

  test('a session ends after 14 idle days, and after 90 days however busy', async () => {
    const idle = await session()
    await t.ownerSql("update sessions set last_used_at = now() - interval '14 days 1 minute' where id = $1", [idle.id])
    assert.equal((await refresh(idle.refreshToken)).status, 401)
    const old = await session()
    await t.ownerSql("update sessions set created_at = now() - interval '90 days 1 minute' where id = $1", [old.id])
    assert.equal((await refresh(old.refreshToken)).status, 401)
  })

  test('tokens that are not ours are refused', async () => {
    const { id, accessToken, refreshToken } = await session()
    const other = await session()
    const mac = other.refreshToken.split('.')[2]
    for (const forged of [
      `tdm_rt_${id}.0.${mac}`,
      refreshToken.replace('.0.', '.1.'),
      `${refreshToken}=`,
      refreshToken.slice(0, -1),
      accessToken,
      'x',
    ]) {
      assert.equal((await refresh(forged)).json.code, 'invalid_refresh_token', forged)
    }
    assert.equal((await refresh(refreshToken)).status, 200, 'forgeries do not end the session')
  })
})

test('logout ends access and refresh token on every node; with an API key nothing ends', async () => {
  const node = await t.secondApp()
  const { json } = await login(t.main.users['Sales Manager'].email)
  const onOther = () => node.call('GET', '/v1/api/auth/me', { as: json.accessToken })
  assert.equal((await onOther()).status, 200)
  assert.equal((await t.call('POST', '/v1/api/auth/logout', { as: json.accessToken })).text, '{"success":true}')
  assert.equal((await me(json.accessToken)).json.code, 'token_revoked')
  assert.equal((await refresh(json.refreshToken)).status, 401)
  await node.app.services.authenticator.poll()
  assert.equal((await onOther()).status, 401)
  assert.equal((await t.call('POST', '/v1/api/auth/logout', { as: t.main.liveKey })).status, 200)
  assert.equal((await me(t.main.liveKey)).status, 200)
})
