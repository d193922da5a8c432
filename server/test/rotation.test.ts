// Keys of each kind are replaced while two nodes serve: nothing that was valid before is refused, new things are made with the new key, and
// what is over is over. And the list of sealed columns, by which texts are sealed again, is whole.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeProtectedHeader } from 'jose'
import { Webhook } from 'standardwebhooks'
import type { Ground } from '../src/kernel/boot/rotation.ts'
import { plannedKeys } from '../src/planned_keys.ts'
import {
  advanceSealing,
  finishPepper,
  needsOf,
  publicKeys,
  rotatePepper,
  rotateSealing,
  rotateSigning,
  statusOf,
} from '../src/rotate.ts'
import { sealedColumns, travellingSeals } from '../src/sealed_columns.ts'
import { eventually } from './eventually.ts'
import { testPassword } from './harness.ts'
import { basic, startOAuth } from './oauth.ts'
import { codeOf, logIn, type Strong, strongSomebody } from './people.ts'
import { testRootSource } from './root_key.ts'
import { sealedPlaces } from './sealed_places.ts'
import { answering, emitEvents, newWebhook, type Receiver, startReceiver } from './webhooks.ts'

const root = join(import.meta.dirname, '../..')
const env = { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' }
const o = await startOAuth({ env, work: true })
const { t, newApp, post } = o
const hourMs = 3_600_000
const ground = (): Ground => ({ owner: t.owner, source: testRootSource, nowMs: Date.now() })
const at = (ms: number) => ({ ...ground(), nowMs: Date.now() + ms })

let other: Awaited<ReturnType<typeof t.secondApp>>
let receiver: Receiver
let app: Awaited<ReturnType<typeof newApp>>
let person: Strong
before(async () => {
  other = await t.secondApp()
  receiver = await startReceiver()
  receiver.answer = answering(204)
  app = await newApp()
  person = await strongSomebody(t)
})
after(() => receiver?.close())

const nodes = () => [t, other]
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const me = (node: Pick<typeof t, 'call'>, as: string) => node.call('GET', '/v1/api/auth/me', { as })

async function newKey(): Promise<string> {
  const body = { name: 'One of many', mode: 'live' }
  const { json, text } = await t.call('POST', '/v2/auth/api-keys', { as: (await logInAs()).accessToken, body })
  assert.ok(json.data?.secret, text)
  return json.data.secret
}

async function oauthToken(secret = app.live.secret): Promise<string> {
  const { json, text } = await post(
    '/oauth/token',
    { grant_type: 'client_credentials' },
    basic(app.live.clientId, secret),
  )
  assert.ok(json.access_token, text)
  return json.access_token
}

type Session = { accessToken: string; refreshToken: string }

async function logInAs(): Promise<Session> {
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword }
  return (await t.call('POST', '/v1/api/auth/login', { body, ip: '198.51.100.7' })).json
}

async function refreshed(node: Pick<typeof t, 'call'>, { refreshToken }: Session): Promise<Session> {
  const { json, status, text } = await node.call('POST', '/v1/api/auth/refresh', { body: { refreshToken } })
  assert.equal(status, 200, text)
  return json
}

/** Requests of all kinds at both nodes, one after the other, until it is stopped; what was refused. */
function startLoad(session: Session, key: string) {
  const refused: string[] = []
  let isOver = false
  let rounds = 0
  // A test that fails does not stop it.
  const latestMs = performance.now() + 60_000
  async function round(): Promise<void> {
    const token = await oauthToken()
    for (const node of nodes()) {
      session = await refreshed(node, session)
      // Nothing is taken from memory.
      for (const { app } of nodes()) app.services.authenticator.forget()
      // The other node does not listen, and so knows no authorization server.
      for (const as of [key, session.accessToken, ...(node === t ? [token] : [])]) {
        const { status, text } = await me(node, as)
        if (status !== 200) refused.push(`${rounds}: ${text}`)
      }
    }
    rounds++
  }
  const running = (async () => {
    while (!isOver && performance.now() < latestMs) await round().catch(error => refused.push(String(error)))
  })()
  return {
    async stop() {
      isOver = true
      await running
      assert.ok(rounds > 3, String(rounds))
      assert.deepEqual(refused.slice(0, 3), [])
    },
  }
}

async function published(node: Pick<typeof t, 'call'>): Promise<string[]> {
  const { json } = await node.call('GET', '/.well-known/jwks.json')
  const { keys } = (await (await fetch(`${o.base}/oauth/jwks`)).json()) as { keys: { kid: string; d?: string }[] }
  assert.ok(keys.every(({ d }) => d === undefined))
  const kids = json.keys.map(({ kid }: { kid: string }) => kid)
  // Of the node that listens, the same at both addresses.
  const isSame =
    keys
      .map(({ kid }) => kid)
      .sort()
      .join() === [...kids].sort().join()
  return node === t && !isSame ? [] : kids
}

const keysPublished = (count: number) =>
  eventually(`${count} keys in every JWKS`, async () => {
    const lists = await Promise.all(nodes().map(published))
    return lists.every(({ length }) => length === count)
  })

describe('a signing key', () => {
  test('is published, then signs, then ends, and no token is refused before its time', async () => {
    const session = await logInAs()
    const [former, early] = [session.accessToken, await oauthToken()]
    const load = startLoad(session, t.main.liveKey)
    const next = await rotateSigning(ground, { overlapMs: 24 * hourMs, isNow: false, revokesFormer: false })
    await keysPublished(2)
    assert.equal(
      (await rotateSigning(ground, { overlapMs: 24 * hourMs, isNow: false, revokesFormer: false })).kid,
      next.kid,
    )
    assert.notEqual(kidOf(await oauthToken()), next.kid, 'nobody may have it yet')
    const said: string[] = []
    const log = { info: (words: string) => void said.push(words) } as never
    const job = (ms: number) => {
      const clock = { now: () => Date.now() + ms }
      return plannedKeys({ owner: t.owner, source: testRootSource, config: { signingKeyDays: 90 }, clock, log }).run()
    }
    await job(23 * hourMs)
    assert.deepEqual(said, [])
    await job(25 * hourMs)
    assert.deepEqual(said, ['the signing key 2 signs from now on'])
    for (const node of nodes())
      await eventually('tokens of the new key', async () => {
        const mine = await node.call('POST', '/v1/api/auth/login', {
          ...{
            body: { emailOrAdminId: t.main.users['Sales Manager'].email, password: testPassword },
            ip: '198.51.100.8',
          },
        })
        return kidOf(mine.json.accessToken) === next.kid
      })
    await eventually('OAuth tokens of the new key', async () => kidOf(await oauthToken()) === next.kid)
    for (const node of nodes()) assert.equal((await me(node, former)).status, 200, 'the former key is taken')
    assert.equal((await me(t, early)).status, 200)
    await keysPublished(2)
    const exported = await t.call('GET', '/v2/audit-events/export?format=ndjson', { as: t.main.tokens.Admin })
    await load.stop()

    await job(51 * hourMs)
    await keysPublished(1)
    for (const { app } of nodes()) app.services.authenticator.forget()
    assert.equal((await me(other, former)).json.code, 'invalid_token')
    const { keys } = await publicKeys(ground)
    assert.deepEqual(keys.map(key => [key.kid === next.kid, 'd' in key]).sort(), [
      [false, false],
      [true, false],
    ])
    const [row] = (await statusOf(ground)).secrets.filter(
      ({ kind, version }) => kind === 'signing_key' && version === 1,
    )
    assert.equal(row?.state, 'retired')
    assert.ok(
      exported.status === 200 && exported.text.includes(kidOf(former) as string),
      'the log names keys of before',
    )
  })

  test('is replaced at once in an emergency, and the tokens of the former are refused', async () => {
    const session = await logInAs()
    const made = await rotateSigning(ground, { overlapMs: 0, isNow: true, revokesFormer: true })
    await keysPublished(1)
    for (const { app } of nodes()) app.services.authenticator.forget()
    for (const node of nodes()) assert.equal((await me(node, session.accessToken)).status, 401)
    const again = await refreshed(other, session)
    assert.equal(kidOf(again.accessToken), made.kid)
    assert.equal((await me(t, again.accessToken)).status, 200, 'a session goes on by its refresh token')
  })

  test('begins to be replaced by itself when it is too old', async () => {
    const said: string[] = []
    const log = { info: (words: string) => void said.push(words) } as never
    const job = (signingKeyDays: number) => {
      const clock = { now: () => Date.now() + 91 * 24 * hourMs }
      return plannedKeys({ owner: t.owner, source: testRootSource, config: { signingKeyDays }, clock, log }).run()
    }
    await job(0)
    await job(92)
    assert.deepEqual(said, [])
    await job(90)
    await job(90)
    assert.deepEqual(said, ['the signing key 4 is published, and signs in a day'])
  })
})

describe('the pepper', () => {
  test('is replaced; what is used is hashed again, and what is not says so before the former ends', async () => {
    const [used, unused, fresh] = [await newKey(), await newKey(), await newKey()]
    const load = startLoad(await logInAs(), used)
    const needs = await rotatePepper(ground)
    assert.ok(needs.apiKeys > 1 && needs.recoveryCodes === 10, JSON.stringify(needs))
    // Many at once, the first time after.
    const many = await Promise.all(Array.from({ length: 20 }, (_, n) => me(nodes()[n % 2]!, fresh)))
    assert.deepEqual([...new Set(many.map(({ status }) => status))], [200])
    for (const key of [t.main.liveKey, t.main.testKey]) assert.equal((await me(other, key)).status, 200)
    const versions = await t.sql<{ pepper_version: number; count: number }>(
      'select pepper_version, count(*)::int from api_keys where last_four = any ($1) group by 1 order by 1',
      [[used.slice(-4), unused.slice(-4)]],
    )
    assert.deepEqual(
      versions.map(({ pepper_version, count }) => [pepper_version, count]),
      [
        [1, 1],
        [2, 1],
      ],
    )
    const secrets = await t.sql('select 1 from oauth_app_secrets where pepper_version = 2')
    assert.equal(secrets.length, 1, 'the client secret that was used')
    const recovery = await logIn(t, person.email)
    const [recoveryCode] = person.recoveryCodes
    const body = { challengeToken: recovery.challengeToken, recoveryCode }
    const opened = await other.call('POST', '/v1/api/auth/login/verify', { body, ip: recovery.ip })
    assert.equal(opened.status, 200, opened.text)
    await load.stop()

    await assert.rejects(finishPepper(ground, false), /API keys have not been used since: they would be refused/)
    assert.ok((await needsOf(ground)).recoveryCodes === 9)
    const { ended } = await finishPepper(ground, true)
    assert.equal(ended, 1)
    await sleep(2_500)
    for (const { app } of nodes()) app.services.authenticator.forget()
    for (const node of nodes()) {
      assert.equal((await me(node, used)).status, 200)
      assert.equal((await me(node, unused)).json.code, 'invalid_api_key')
    }
    assert.equal((await needsOf(ground)).total, 0)
  })
})

describe('the sealing key', () => {
  test('is replaced; all that lies sealed is sealed again, and the former one ends', async () => {
    const as = (await logInAs()).accessToken
    const settings = { host: '192.0.2.1', port: 2775, systemId: 'tandem', password: 'secret' }
    const carrier = await t.call('POST', '/v2/carriers', {
      as,
      body: { kind: 'smpp', name: 'Peer', enabled: false, settings },
    })
    assert.equal(carrier.status, 201, carrier.text)
    const headers = { 'idempotency-key': 'one key' }
    const body = { name: 'Made once', mode: 'live' }
    const made = await t.call('POST', '/v2/auth/api-keys', { as, headers, body })
    const hook = await newWebhook(t, receiver.origin, { eventTypes: ['lead.*'] })
    const load = startLoad(await logInAs(), t.main.testKey)
    const came = await rotateSealing(ground, false)
    assert.deepEqual(came.unreadable, [])
    assert.ok(came.resealed >= 4, String(came.resealed))
    const left = (await sealedPlaces(t.asOwner)).filter(({ versions }) =>
      versions.some(version => version !== came.version),
    )
    assert.deepEqual(left, [])
    await load.stop()
    assert.deepEqual(await advanceSealing(ground()), [], 'what is on its way is good for a while')
    const [done] = await advanceSealing(at(hourMs))
    assert.equal(done, '1 former sealing key has ended')
    await sleep(2_500)
    for (const node of nodes()) {
      const replayed = await node.call('POST', '/v2/auth/api-keys', { as, headers, body })
      assert.equal(replayed.text, made.text, 'a sealed reply')
    }
    await emitEvents(t)
    const request = await eventually('a delivery', () =>
      receiver.received.find(({ headers }) => headers['webhook-id'] !== undefined),
    )
    new Webhook(hook.secret).verify(request.body, request.headers)
    const factor = await logIn(t, person.email)
    const proof = { challengeToken: factor.challengeToken, code: codeOf(t, person.secret, 1) }
    const opened = await other.call('POST', '/v1/api/auth/login/verify', { body: proof, ip: factor.ip })
    assert.equal(opened.status, 200, opened.text)
    const path = `/v2/carriers/${carrier.json.data.carrierId}`
    const changed = await other.call('PATCH', path, { as, body: { settings: { port: 2776 } } })
    assert.equal(changed.status, 200, `${changed.text}: the password did not have to be entered again`)
  })

  test('stays while there are texts that do not open', async () => {
    const { owner } = ground()
    await t.sql("update carriers set secrets = 'sealed.2.' || repeat('A', 60) where name = 'Peer'")
    const came = await rotateSealing(() => ({ ...ground(), owner }), false)
    assert.deepEqual(came.unreadable, [{ table: 'carriers', column: 'secrets', count: 1 }])
    assert.equal(came.removedAtMs, null)
    assert.deepEqual(await advanceSealing(at(hourMs)), [])
    assert.notEqual((await rotateSealing(ground, true)).removedAtMs, null)
    assert.deepEqual(await advanceSealing(at(hourMs)), [
      '1 former sealing key has ended; texts that do not open stay in carriers.secrets',
    ])
  })
})

test('every purpose that something is sealed for is in the list of sealed columns, or travels', () => {
  const found = new Set<string>()
  for (const file of globSync('server/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, file), 'utf8')
    const isUser = /createSeal|SecretPlace|secretPlace|sealSecrets/.test(text)
    if (!isUser || file.endsWith('sealed_columns.ts')) continue
    const purposes = text.matchAll(/createSeal\([^,)]+, '([^']+)'|purpose: '([^']+)'|keeper<\w+>\('([^']+)'/g)
    for (const [, ...names] of purposes) found.add(names.find(Boolean) as string)
  }
  const listed = new Set([...sealedColumns.map(({ purpose }) => purpose), ...Object.keys(travellingSeals)])
  assert.deepEqual([...found].sort(), [...listed].sort())
})

test('what lies sealed after all this is in a column of the list', async () => {
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  const found = (await sealedPlaces(t.asOwner)).map(({ table, column }) => `${table}.${column}`)
  assert.ok(found.length >= 4, String(found))
  assert.deepEqual(
    found.filter(place => !listed.includes(place)),
    [],
  )
})
