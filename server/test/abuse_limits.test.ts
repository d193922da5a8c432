// Limits as they are by default, against a really listening server behind a trusted proxy: of an address, a person, a key, and
// all keys of a person; who is counted together, and what a refusal says.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, describe, test } from 'node:test'
import { newApiKey } from '../src/kernel/values/ids.ts'
import { startListening } from './abuse.ts'
import { testPassword } from './harness.ts'
import { send, type WireAnswer, type WireRequest } from './wire.ts'

const byDefault = { TANDEM_RATE_LIMIT_IP: '', TANDEM_RATE_LIMIT_KEY: '', TANDEM_TRUSTED_PROXIES: '127.0.0.0/8' }
const { t: limited, port: limitedPort } = await startListening(byDefault)

describe('limits as they are by default', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  after(() => agent.destroy())
  const from = (ip: string, more: Partial<WireRequest> = {}) =>
    send(limitedPort, { path: '/v1/api/auth/me', agent, headers: { 'x-forwarded-for': ip }, ...more })
  const statuses = (answers: WireAnswer[]) =>
    Object.fromEntries(
      Map.groupBy(answers, answer => answer.status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    )
  const many = (count: number, one: () => Promise<WireAnswer>) => Promise.all(Array.from({ length: count }, one))

  function assertLimited(answer: WireAnswer, name: string, limit: number): void {
    assert.equal(answer.status, 429)
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 61, String(answer.headers['retry-after']))
    const { success, error, message } = answer.json
    assert.deepEqual([success, error], [false, 'Too Many Requests'])
    assert.match(message, new RegExp(`\\b${seconds} seconds?\\b`))
    assert.match(String(answer.headers['ratelimit-policy']), new RegExp(`^"${name}";q=${limit};w=60$`))
    assert.match(String(answer.headers['ratelimit']), new RegExp(`^"${name}";r=0;t=\\d+$`))
  }

  test('an address has 100 a minute without a credential, and another address its own', async () => {
    assert.deepEqual(statuses(await many(120, () => from('198.51.100.1'))), { 401: 100, 429: 20 })
    const refused = await from('198.51.100.1')
    assertLimited(refused, 'ip', 100)
    assert.equal((await from('198.51.100.2')).status, 401)
    const v2 = await from('198.51.100.1', { path: '/v2/organization' })
    assert.equal(v2.status, 429)
    assert.deepEqual([v2.json.status, v2.json.error.code, v2.json.error.retriable], [429, 'rate_limited', true])
    assert.ok(Number(v2.headers['retry-after']) >= 1)
    limited.clock.advance(Number(refused.headers['retry-after']) * 1_000)
    assert.equal((await from('198.51.100.1')).status, 401, 'Retry-After was too short')
  })

  test('people behind one address keep out of each other, and out of the way of strangers there', async () => {
    const [first, second] = [limited.main.tokens['Sales Manager'], limited.main.tokens['Sales Executive']]
    assert.deepEqual(statuses(await many(120, () => from('198.51.100.11'))), { 401: 100, 429: 20 })
    assert.deepEqual(statuses(await many(300, () => from('198.51.100.11', { as: first }))), { 200: 300 })
    const theirs = await from('198.51.100.11', { as: second })
    assert.deepEqual([theirs.status, theirs.headers['ratelimit-policy']], [200, '"user";q=1000;w=60'])
    assert.equal(theirs.headers['ratelimit'], '"user";r=999;t=61')
  })

  test('a person has 1,000 a minute, from all addresses and sessions and in both modes together', async () => {
    const body = { emailOrAdminId: limited.main.users['Finance Manager'].email, password: testPassword, mode: 'test' }
    const login = await limited.call('POST', '/v1/api/auth/login', { body })
    const tokens = [limited.main.tokens['Finance Manager'], login.json.accessToken]
    let turn = 0
    const answers = await many(1_010, () => from(`203.0.113.${turn % 250}`, { as: tokens[turn++ % 2] as string }))
    assert.deepEqual(statuses(answers), { 200: 1_000, 429: 10 })
    assertLimited(await from('198.51.100.12', { as: tokens[0] as string }), 'user', 1_000)
  })

  test('a key has 1,000 a minute, whatever the address, and does not spend those of the address', async () => {
    const as = limited.main.liveKey
    let turn = 0
    const answers = await many(1_010, () => from(`203.0.113.${turn++ % 250}`, { as }))
    assert.deepEqual(statuses(answers), { 200: 1_000, 429: 10 })
    assertLimited(await from('198.51.100.3', { as }), 'key', 1_000)
    assert.equal((await from('198.51.100.3', { as: limited.main.testKey })).status, 200, 'another key has its own')
    assert.equal((await from('203.0.113.1')).headers['ratelimit'], '"ip";r=99;t=61')
  })

  test('making keys does not multiply the limit: all keys of a user in a mode have 5,000 a minute', async () => {
    const { id } = limited.other.users.Admin
    const spent = 5_000 - 3
    limited.app.services.limiter.take(`keys ${limited.other.liveTenantId} ${id}`, 5_000, limited.clock.now(), spent)
    const make = (mode: string) =>
      limited.call('POST', '/v2/auth/api-keys', { as: limited.other.tokens.Admin, body: { name: 'more', mode } })
    const keys = await Promise.all(['live', 'live', 'live', 'live', 'live', 'test'].map(make))
    const answers: WireAnswer[] = []
    for (const { json } of keys) answers.push(await from('198.51.100.13', { as: json.data.secret }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429, 429, 200],
    )
    assertLimited(answers[3] as WireAnswer, 'keys', 5_000)
    assert.match(answers[3]?.json.message, /all API keys of this user/)
    assert.match(
      String(answers[0]?.headers['ratelimit']),
      /^"keys";r=2;t=(59|60|61)$/,
      'the limit that is nearer to its end is sent',
    )
    assert.equal(answers[5]?.headers['ratelimit-policy'], '"key";q=1000;w=60', 'test keys take nothing from live ones')
    limited.clock.advance(62_000)
  })

  test('an invalid key is charged to the address, so guessing has no 1,000', async () => {
    const guesses = await many(110, () => from('198.51.100.4', { as: newApiKey('live') }))
    assert.deepEqual(statuses(guesses), { 401: 100, 429: 10 })
    assert.equal((await from('198.51.100.4', { as: limited.other.liveKey })).status, 200, 'a valid key goes on')
  })

  test('of forwarded addresses the one that the trusted proxy saw counts, not what the client claims', async () => {
    const first = await from('6.6.6.6, 198.51.100.5')
    const second = await from('7.7.7.7, 198.51.100.5')
    const left = (answer: WireAnswer) => Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1])
    assert.deepEqual([left(first), left(second)], [99, 98])
    for (const odd of ['', ',', 'unknown', '::1, not an address', '198.51.100.6, 127.0.0.1', 'x'.repeat(2_000)]) {
      const { status, text } = await from(odd)
      assert.ok(status === 401 || status === 429, `${odd}: ${text}`)
    }
  })
})
