// How often the protocol may be asked, what it answers then, and what the app's own log says of what went wrong.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as openid from 'openid-client'
import { basic, startOAuth, walk } from '../../../../test/oauth.ts'

const limits = { TANDEM_RATE_LIMIT_IP: '100', TANDEM_RATE_LIMIT_KEY: '1000', TANDEM_RATE_LIMIT_USER: '1000000' }
const o = await startOAuth({ env: { ...limits, TANDEM_TRUSTED_PROXIES: '127.0.0.1' } })
const { t, base, newApp } = o
const redirect = 'https://sync.example.com/callback'

let addresses = 0
/** An address that has asked nothing yet, as a proxy gives it. */
const fresh = () => ({ 'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}` })

async function ask(path: string, form: Record<string, string> | null, headers: Record<string, string>) {
  const response = await fetch(`${base}${path}`, {
    ...(form === null ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    headers,
    redirect: 'manual',
  })
  const text = await response.text()
  const json = text.startsWith('{') ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}
type Answer = Awaited<ReturnType<typeof ask>>

/** Asks until it is refused. @returns how often it was not, and the refusal */
async function untilRefused(most: number, one: (n: number) => Promise<Answer>): Promise<[number, Answer]> {
  for (let n = 0; n <= most; n++) {
    const answer = await one(n)
    if (answer.status === 429) return [n, answer]
  }
  return assert.fail(`not refused after ${most}`)
}

function isRefusal({ status, headers, json }: Answer, error = 'temporarily_unavailable'): void {
  assert.equal(status, 429)
  assert.equal(json.error, error)
  assert.match(json.error_description, /^[^\n]+$/)
  assert.equal('meta' in json || 'success' in json, false, 'the shape of the protocol')
  assert.ok(Number(headers.get('retry-after')) >= 1, 'Retry-After')
}

const machine = { grant_type: 'client_credentials', scope: 'leads:read' }

describe('tokens', () => {
  test('100 a minute of an address, and others go on', async () => {
    const { live } = await newApp()
    const from = fresh()
    const [passed, refusal] = await untilRefused(101, () => ask('/oauth/token', { grant_type: 'x' }, from))
    assert.equal(passed, 100)
    isRefusal(refusal)
    const other = await ask('/oauth/token', machine, { ...fresh(), ...basic(live.clientId, live.secret) })
    assert.equal(other.status, 200, other.text)
  })

  test('120 a minute of a client, from wherever; those who only say its name take nothing from it', async () => {
    const { live } = await newApp()
    for (let n = 0; n < 90; n++) await ask('/oauth/token', { ...machine, client_id: live.clientId }, fresh())
    const right = basic(live.clientId, live.secret)
    const [passed, refusal] = await untilRefused(121, () => ask('/oauth/token', machine, { ...fresh(), ...right }))
    assert.equal(passed, 120)
    isRefusal(refusal)
    assert.match(refusal.json.error_uri, /\/errors\/temporarily_unavailable$/)
  })

  test('wrong secrets: five are free, then each waits twice as long, up to a quarter of an hour; the right one never waits', async () => {
    const { live } = await newApp()
    const from = fresh()
    const guess = (n: number) => ask('/oauth/token', machine, { ...from, ...basic(live.clientId, `tdm_cs_live_${n}`) })
    const waits: number[] = []
    for (let n = 0; n < 18; n++) {
      const answer = await guess(n)
      if (answer.status === 401) {
        assert.equal(answer.json.error, 'invalid_client')
        continue
      }
      isRefusal(answer)
      const seconds = Number(answer.headers.get('retry-after'))
      waits.push(seconds)
      const right = await ask('/oauth/token', machine, { ...from, ...basic(live.clientId, live.secret) })
      assert.equal(right.status, 200, 'the right secret')
      t.clock.advance(seconds * 1_000)
    }
    assert.deepEqual(waits.slice(0, 4), [1, 2, 4, 8])
    const elsewhere = await ask('/oauth/token', machine, { ...fresh(), ...basic(live.clientId, 'tdm_cs_live_x') })
    assert.equal(elsewhere.status, 401, 'another address has its own count')
  })
})

describe('requests for authorization', () => {
  const form = (clientId: string) => ({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'leads:read',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const authorize = (clientId: string, headers: Record<string, string>) =>
    ask(`/oauth/authorize?${new URLSearchParams(form(clientId))}`, null, headers)

  test('30 a minute of an address, pushed ones among them; a browser gets a page', async () => {
    const { live } = await newApp({ kind: 'public', redirectUris: [redirect] })
    const from = fresh()
    const one = (n: number) =>
      n % 2 === 0 ? authorize(live.clientId, from) : ask('/oauth/par', form(live.clientId), from)
    const [passed, refusal] = await untilRefused(31, one)
    assert.equal(passed, 30)
    isRefusal(refusal)
    const page = await authorize(live.clientId, { ...from, accept: 'text/html' })
    assert.equal(page.status, 429)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.text, /try again in \d+ seconds?/)
  })

  test('60 a minute of a client', async () => {
    const { live } = await newApp({ kind: 'public', redirectUris: [redirect] })
    const [passed, refusal] = await untilRefused(61, () => authorize(live.clientId, fresh()))
    assert.equal(passed, 60)
    isRefusal(refusal)
  })
})

test('registrations: 10 an hour of an address, and 500 that nobody let in', async () => {
  const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/cb'], client_name: 'Tool' })
  const register = async (from: Record<string, string>): Promise<Answer> => {
    const headers = { ...from, 'content-type': 'application/json' }
    const response = await fetch(`${base}/oauth/register`, { method: 'POST', headers, body })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
  }
  const from = fresh()
  const [passed, refusal] = await untilRefused(11, () => register(from))
  assert.equal(passed, 10)
  isRefusal(refusal)
  assert.ok(Number(refusal.headers.get('retry-after')) > 60, 'an hour is longer than a minute')
  await t.ownerSql(
    `insert into oauth_foreign_clients (client_id, sealed) select 'dyn_x' || n, '' from generate_series(1, 500) n`,
  )
  const full = await register(fresh())
  assert.equal(full.json.error, 'temporarily_unavailable', full.text)
  await t.ownerSql(`delete from oauth_foreign_clients where client_id like 'dyn_x%'`)
})

test('documents of clients are fetched for an address ten times a minute', async () => {
  const from = fresh()
  const one = (n: number) =>
    ask(`/oauth/authorize?client_id=${encodeURIComponent(`https://nowhere.invalid/${n}.json`)}`, null, from)
  const [passed, refusal] = await untilRefused(11, one)
  assert.equal(passed, 10)
  assert.match(refusal.text, /too many documents/)
  assert.ok(Number(refusal.headers.get('retry-after')) >= 1)
})

describe('devices', () => {
  test('ask every five seconds, on whichever node, else slow_down', async () => {
    const { live } = await newApp({ kind: 'public' })
    const begun = await ask('/oauth/device_authorization', { client_id: live.clientId, scope: 'leads:read' }, fresh())
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: live.clientId,
      device_code: begun.json.device_code,
    }
    const poll = async () => (await ask('/oauth/token', form, fresh())).json.error
    assert.deepEqual([await poll(), await poll()], ['authorization_pending', 'slow_down'])
    t.clock.advance(5_000)
    assert.equal(await poll(), 'authorization_pending')
  })

  test('an address tries five wrong codes in ten minutes; right ones are not counted', async () => {
    const { live } = await newApp({ kind: 'public' })
    const from = fresh()
    const headers = { ...from, authorization: `Bearer ${t.main.tokens.Admin}`, 'x-tandem-portal': '1' }
    const type = async (userCode: string) => {
      const response = await fetch(`${base}/device/request`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ userCode }),
      })
      return { status: response.status, after: Number(response.headers.get('retry-after')) }
    }
    const begun = await ask('/oauth/device_authorization', { client_id: live.clientId, scope: 'leads:read' }, fresh())
    assert.equal((await type(begun.json.user_code)).status, 200)
    for (let n = 0; n < 5; n++) {
      t.clock.advance(20_000)
      assert.equal((await type('BBBB-BBBB')).status, 410)
    }
    const refused = await type(begun.json.user_code)
    assert.equal(refused.status, 429)
    assert.ok(refused.after > 60 && refused.after <= 600, String(refused.after))
  })
})

test('the twenty-first authorization of a client ends the oldest, and the person gets a mail', async () => {
  const app = await newApp({ redirectUris: [redirect] })
  const config = await o.discover(app.live.clientId, app.live.secret)
  for (let n = 0; n < 21; n++) {
    // A browser asks thirty times a minute at most.
    if (n % 10 === 9) t.clock.advance(61_000)
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: 'leads:read',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    assert.ok((await walk(o, url)).searchParams.get('code'), `authorization ${n}`)
  }
  const { json } = await t.call('GET', `/v2/auth/apps/${app.appId}/authorizations?active=false`, {
    as: t.main.tokens.Admin,
  })
  assert.deepEqual(
    json.data.map(({ revokedBecause }: { revokedBecause: string }) => revokedBecause),
    ['newer'],
  )
  const mails = await t.call('GET', '/v2/mails', { as: t.main.tokens.Admin })
  const subjects: string[] = mails.json.data.map(({ subject }: { subject: string }) => subject)
  assert.deepEqual(
    subjects.filter(subject => subject !== 'An app was registered in your name'),
    ['An older connection of Sync has ended'],
  )
})

test('the log of an app says what it was not answered, and nothing of another app', async () => {
  const [app, other] = [await newApp({ redirectUris: [redirect] }), await newApp()]
  const from = fresh()
  const right = basic(app.live.clientId, app.live.secret)
  await ask(
    '/oauth/token',
    { grant_type: 'authorization_code', code: 'none', redirect_uri: redirect, code_verifier: 'x'.repeat(43) },
    { ...from, ...right },
  )
  await ask('/oauth/token', machine, { ...from, ...basic(app.test.clientId, 'wrong') })
  await ask('/oauth/token', { ...machine, scope: 'leads:fly' }, { ...from, ...right })
  const list = async (appId: string, more = '') =>
    (await t.call('GET', `/v2/auth/apps/${appId}/errors${more}`, { as: t.main.tokens.Admin })).json.data
  const errors = await list(app.appId)
  assert.deepEqual(
    errors.map(({ error, mode, path, status }: Record<string, unknown>) => [error, mode, path, status]),
    [
      ['invalid_scope', 'live', '/oauth/token', 400],
      ['invalid_client', 'test', '/oauth/token', 401],
      ['invalid_grant', 'live', '/oauth/token', 400],
    ],
  )
  assert.match(errors[0].description, /leads:fly/)
  assert.match(errors[2].detail, /not found/)
  assert.equal(errors[2].description.includes(errors[2].detail), false, 'the app is answered less')
  assert.match(errors[0].requestId, /^req_/)
  assert.equal((await list(app.appId, '?mode=test&error=invalid_client')).length, 1)
  assert.deepEqual(await list(other.appId), [])
})
