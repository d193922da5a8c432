// From an endpoint, a command or a log to a request; whose credential goes with it; what is asked before it is sent.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { catalogIndex, parseCurl, type RequestValue, readCatalog, toCurl } from '@tandem/catalog'
import { narrow } from './editor/completion.ts'
import { bodyExamples, draftFromLog, draftFromRequest, draftOf, matchPath } from './json/examples.ts'
import { lintJson } from './json/json_schema_lint.ts'
import { isToken, whyNotSent } from './request/browser_headers.ts'
import { createVault, IDLE_MS, kindOfCredential, maskCredential } from './request/credential.ts'
import { NotAuthorized } from './request/oauth.ts'
import { effectiveRequest, isSendable, requestValue } from './request/request.ts'
import { suggestName } from './request/variables.ts'
import { consequence, needsConfirmation } from './state/guard.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)
const entries = catalogIndex(document)
const origin = 'http://127.0.0.1:3000'
const login = { kind: 'login' as const }
const effective = (draft: Parameters<typeof effectiveRequest>[0]) =>
  effectiveRequest(draft, { origin, lookup: () => undefined, token: 't' })

test('every endpoint begins with a request that lacks at most the ids of its path', () => {
  for (const endpoint of catalog.endpoints) {
    const draft = draftOf(endpoint, login)
    const filled = { ...draft, pathValues: draft.pathValues.map(({ name, value }) => ({ name, value: value || '1' })) }
    assert.ok(isSendable(effective(filled)), endpoint.id)
    for (const { name, text } of bodyExamples(endpoint)) {
      const faults = lintJson(text, endpoint.bodySchema)
      if (name !== 'Every field')
        assert.deepEqual(
          faults.filter(({ message }) => /required/.test(message)),
          [],
          `${endpoint.id} ${name}`,
        )
    }
  }
})

test('a path of the catalog is found in a plain one; a word beats a token', () => {
  assert.deepEqual(matchPath('/v1/api/leads/12', entries), {
    path: '/v1/api/leads/{id}',
    values: [{ name: 'id', value: '12' }],
  })
  assert.equal(
    matchPath('/v1/api/finance/invoices/number-audit', entries)?.path,
    '/v1/api/finance/invoices/number-audit',
  )
  assert.equal(matchPath('/v9/nothing', entries), undefined)
})

test('a draft made into cURL and read again is the same request', () => {
  for (const endpoint of catalog.endpoints) {
    const draft = draftOf(endpoint, { kind: 'none' })
    const pathValues = draft.pathValues.map(({ name }) => ({ name, value: 'a b/ü' }))
    const request = requestValue(
      effectiveRequest({ ...draft, pathValues }, { origin, lookup: () => undefined, token: undefined }),
    )
    const parsed = parseCurl(toCurl(request)) as RequestValue
    const taken = draftFromRequest(parsed, { entries, origin, credential: { kind: 'none' } })
    assert.equal(taken.draft.path, endpoint.path)
    assert.deepEqual(
      requestValue(effectiveRequest(taken.draft, { origin, lookup: () => undefined, token: undefined })),
      request,
    )
  }
})

test('the token of a command goes to the vault, another host is reported', () => {
  const request: RequestValue = {
    method: 'get',
    url: 'https://api.example.com/api/leads?page=2&q=a+b',
    headers: [
      ['authorization', 'Bearer abc'],
      ['Accept', '*/*'],
    ],
  }
  const taken = draftFromRequest(request, { entries, origin, credential: login })
  assert.equal(taken.token, 'abc')
  assert.equal(taken.otherOrigin, 'https://api.example.com')
  assert.equal(taken.draft.path, '/v1/api/leads')
  assert.deepEqual(taken.draft.headers, [])
  assert.deepEqual(
    taken.draft.query.map(({ name, value }) => `${name}=${value}`),
    ['page=2', 'q=a b'],
  )
  const variable = draftFromRequest(
    { ...request, headers: [['Authorization', 'Bearer $API_KEY']] },
    { entries, origin, credential: login },
  )
  assert.equal(variable.token, undefined)
  assert.deepEqual(variable.draft.credential, login)
})

test('a logged request comes back without what the browser writes itself', () => {
  const logged = {
    method: 'POST',
    path: '/v2/voice/calls/call_1/hangup',
    query: 'a=1',
    requestHeaders: { 'user-agent': 'x', 'idempotency-key': 'k', 'content-type': 'application/json' },
    requestBody: '{"reason":"x"}',
  }
  const draft = draftFromLog(logged, { entries, credential: login })
  assert.equal(draft.path, '/v2/voice/calls/{callId}/hangup')
  assert.deepEqual(draft.headers, [{ name: 'idempotency-key', value: 'k', enabled: true }])
  assert.equal(draft.body, '{\n  "reason": "x"\n}')
  assert.deepEqual(draft.query, [{ name: 'a', value: '1', enabled: true }])
  assert.equal(draftFromLog({ method: 'GET', path: '/v2/messages' }, { entries, credential: login }).body, '')
})

const noAuthorization = { refresh: () => Promise.reject(new Error('none')), revoke: async () => {} }

test('an authorization is renewed once for all who ask, ended where it is forgotten, and gone where the server ended it', async () => {
  let nowMs = 1_000_000
  let asked = 0
  let hasEnded = false
  const revoked: string[] = []
  const tokens = (number: number) => ({
    ...{ access: `access-token-${number}`, refresh: `refresh-token-${number}` },
    ...{ expiresAtMs: nowMs + 3_600_000, scopes: ['leads:read'] },
  })
  const vault = createVault({
    now: () => nowMs,
    login: async () => '',
    mint: () => Promise.reject(new Error('none')),
    async refresh({ refresh }) {
      if (hasEnded) throw new NotAuthorized('the authorization has ended')
      asked++
      assert.equal(refresh, 'refresh-token-1')
      return tokens(2)
    },
    revoke: async ({ refresh }) => void revoked.push(refresh),
  })
  const oauth = { kind: 'oauth' as const }
  assert.equal(await vault.resolve(oauth), undefined)
  vault.authorize(tokens(1))
  assert.deepEqual([vault.scopes(), vault.peek(oauth)], [['leads:read'], 'access-token-1'])
  for (let minutes = 0; minutes < 60; minutes += 20) {
    nowMs += 20 * 60_000
    const both = await Promise.all([vault.resolve(oauth), vault.resolve(oauth)])
    const expected = minutes === 40 ? 'access-token-2' : 'access-token-1'
    assert.deepEqual(both, [expected, expected])
  }
  assert.equal(asked, 1)
  vault.authorize(tokens(3))
  vault.forget()
  assert.deepEqual(revoked, ['refresh-token-2', 'refresh-token-3'])
  assert.ok(vault.secrets().includes('refresh-token-1'), 'the scanner knows what an answer may still show')
  vault.authorize({ ...tokens(4), expiresAtMs: nowMs })
  hasEnded = true
  await assert.rejects(vault.resolve(oauth), /has ended. Get a new token/)
  assert.equal(vault.scopes(), undefined)
})

test('the vault mints once, renews in time, forgets when idle, and remembers what it has seen for the scanner', async () => {
  let nowMs = 1_000_000
  let minted = 0
  const vault = createVault({
    now: () => nowMs,
    login: async () => 'login-token',
    ...noAuthorization,
    mint: async keyId => ({ token: `${keyId}-${++minted}`, expiresAtMs: nowMs + 900_000 }),
  })
  let heard = 0
  const stop = vault.subscribe(() => heard++)
  const key = { kind: 'key' as const, keyId: 'key_1' }
  assert.equal(vault.peek(key), undefined)
  assert.deepEqual(await Promise.all([vault.resolve(key), vault.resolve(key)]), ['key_1-1', 'key_1-1'])
  assert.equal(vault.peek(key), 'key_1-1')
  nowMs += 850_000
  assert.equal(await vault.resolve(key), 'key_1-2')
  assert.equal(await vault.resolve({ kind: 'login' }), 'login-token')
  assert.equal(await vault.resolve({ kind: 'none' }), undefined)
  vault.paste(' Authorization: Bearer pasted-token ')
  assert.equal(await vault.resolve({ kind: 'pasted' }), 'pasted-token')
  assert.ok(heard > 0)
  stop()
  nowMs += IDLE_MS + 1
  assert.equal(vault.peek({ kind: 'pasted' }), undefined)
  vault.expire(IDLE_MS)
  assert.equal(await vault.resolve({ kind: 'pasted' }), undefined)
  assert.deepEqual(vault.secrets(), ['key_1-1', 'key_1-2', 'login-token', 'pasted-token'])
})

test('a mint that fails is reported, and tried again the next time', async () => {
  let fails = true
  const vault = createVault({
    now: () => 0,
    login: async () => '',
    ...noAuthorization,
    mint: async () => {
      if (fails) throw new Error('revoked')
      return { token: 'good-token', expiresAtMs: 900_000 }
    },
  })
  const key = { kind: 'key' as const, keyId: 'k' }
  await assert.rejects(vault.resolve(key), /revoked/)
  fails = false
  assert.equal(await vault.resolve(key), 'good-token')
})

test('credentials are distinguished and masked', () => {
  assert.equal(kindOfCredential('tdm_live_x'), 'live key')
  assert.equal(kindOfCredential('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'), 'access token')
  assert.equal(kindOfCredential('hello'), 'unknown')
  const masked = maskCredential('tdm_test_0123456789abcdefghij')
  assert.equal(masked, 'tdm_test_…ghij')
  assert.doesNotMatch(maskCredential('short'), /short/)
})

test('live mode asks nothing for the authorization server: the client id says which mode is meant', () => {
  const asked = { method: 'POST', actingMode: 'live' as const, key: 'POST /oauth/token', isKnown: true }
  assert.equal(needsConfirmation(asked, new Set()), false)
})

test('live mode asks once for an endpoint that makes something new, else always, for reading never', () => {
  const ask = (method: string, actingMode: 'live' | 'test', confirmed: string[] = [], isKnown = true) =>
    needsConfirmation({ method, actingMode, key: 'k', isKnown }, new Set(confirmed))
  assert.deepEqual(
    [ask('POST', 'test'), ask('GET', 'live'), ask('POST', 'live'), ask('POST', 'live', ['k'])],
    [false, false, true, false],
  )
  assert.deepEqual([ask('DELETE', 'test'), ask('DELETE', 'live', ['k'])], [false, true])
  assert.deepEqual([ask('PATCH', 'live', ['k'], false), ask('GET', 'live', [], false)], [true, false])
})

test('the question says what will happen', () => {
  const sms = catalog.byId.get('messages.sms.send')!
  assert.match(consequence(sms, effective(draftOf(sms, login))), /sends a real SMS to \+15005550100 from \+15005550006/)
  const remove = catalog.byId.get('leads.delete')!
  const draft = { ...draftOf(remove, login), pathValues: [{ name: 'id', value: '7' }] }
  assert.match(consequence(remove, effective(draft)), /deletes live data: .*\/v1\/api\/leads\/7/)
})

test('names a browser will not send are reported with a reason', () => {
  const all =
    'User-Agent Cookie Host Origin Referer Accept-Encoding Date Via Sec-Fetch-Site Proxy-Authorization Content-Length Connection TE Trailer Transfer-Encoding Upgrade'
  for (const name of all.split(' ')) assert.ok(whyNotSent(name), name)
  for (const name of ['X-Request-Id', 'Authorization', 'Accept', 'Content-Type', 'If-Match'])
    assert.equal(whyNotSent(name), undefined)
  assert.ok(whyNotSent('X-HTTP-Method-Override', 'TRACE'))
  assert.equal(whyNotSent('X-HTTP-Method-Override', 'PATCH'), undefined)
  assert.deepEqual([isToken('X-A'), isToken('a b'), isToken('')], [true, false, false])
})

test('variables get a descriptive name', () => {
  assert.equal(suggestName('/lead/id', []), 'leadId')
  assert.equal(suggestName('/leads/0/id', []), 'leadId')
  assert.equal(suggestName('/data/0/messageId', []), 'messageId')
  assert.equal(suggestName('/data/0/messageId', ['messageId']), 'messageId2')
  assert.equal(suggestName('', []), 'value')
  assert.equal(suggestName('/created_at', []), 'createdAt')
})

test('suggestions narrow to what is typed, beginnings first', () => {
  const suggestion = (label: string) => ({
    label,
    insert: `"${label}"`,
    detail: '',
    info: '',
    kind: 'property' as const,
    required: false,
  })
  const list = ['callbackUrl', 'body', 'to', 'validityPeriod'].map(suggestion)
  assert.deepEqual(
    narrow(list, '"b').map(({ label }) => label),
    ['body', 'callbackUrl'],
  )
  assert.deepEqual(narrow(list, '"').length, 4)
  assert.deepEqual(narrow(list, 'zz'), [])
})
