// The contract of the catalog: every endpoint is what its declaration says. A new endpoint is tested by being declared;
// what cannot be derived (real ids, how to provoke its own problems) is in its module's contract.ts. Two files share it, so that neither
// takes too long: contract.test.ts and contract_v2.test.ts.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalog } from '../src/catalog.ts'
import { clientKey } from '../src/kernel/access/limit.ts'
import { wireSample } from '../src/kernel/documents/openapi.ts'
import {
  answersVersion,
  type Endpoint,
  fullPath,
  isPersonOnly,
  takesIdempotencyKey,
  takesIfMatch,
} from '../src/kernel/endpoint/endpoint.ts'
import { type Permission, type Role, roles, rolesWith } from '../src/kernel/values/permission.ts'
import { problems } from '../src/nouns.ts'
import {
  assertFits,
  codeOf,
  detailsOf,
  impossibleIds,
  impossibleNumbers,
  insertScopedKeys,
  loadContracts,
  ownProblems,
  type ScopedKeys,
  send,
  timeless,
  urlOf,
} from './contract.ts'
import { testCatalog } from './contract_catalog.ts'
import { assertDeleted, assertEvents, type EventRow } from './contract_events.ts'
import type { ContractRequest, EndpointContract } from './contract_types.ts'
import { setPolicy } from './destinations.ts'
import { startTestApp, type TestApp, testPassword } from './harness.ts'
import { somebody } from './people.ts'
import { assertResealed } from './sealed_places.ts'

const contracts = await loadContracts()
let t: TestApp
let keys: ScopedKeys
/** Somebody who has spent all requests of the minute. */
let limited: { id: number; token: string }
/** The sessions that there were at first. */
let lasting: string[]
const contractOf = (definition: Endpoint): EndpointContract => contracts.get(definition.id) ?? {}

async function prepared(definition: Endpoint): Promise<ContractRequest> {
  const request = (await contractOf(definition).prepare?.(t)) ?? {}
  return contractOf(definition).endsCredential === undefined
    ? request
    : { ...request, as: await tokenOf(definition, 'Admin') }
}

async function freshToken(role: Role): Promise<string> {
  const { json } = await t.call('POST', '/v1/api/auth/login', {
    body: { emailOrAdminId: t.main.users[role].email, password: testPassword },
  })
  return json.accessToken
}

async function tokenOf(definition: Endpoint, role: Role): Promise<string> {
  const { endsCredential } = contractOf(definition)
  if (endsCredential === 'with its user') return (await somebody(t, role)).as
  return endsCredential === true ? freshToken(role) : t.main.tokens[role]
}

/** Ends what was logged in for one endpoint: a person has a hundred logins at most, and the oldest, which all tests share, would go first. */
async function endFreshLogins(): Promise<void> {
  await t.ownerSql(
    'update sessions set revoked_at = now() where user_id = any ($1) and id <> all ($2) and revoked_at is null',
    [Object.values(t.main.users).map(({ id }) => id), lasting],
  )
}

const isGuarded = (definition: Endpoint) => definition.permission !== 'public'

/** Tests the endpoints of one part of the catalog. */
export function testContracts(isTested: (definition: Endpoint) => boolean): void {
  before(async () => {
    t = await startTestApp()
    lasting = (await t.ownerSql<{ id: string }>('select id from sessions')).map(({ id }) => id)
    keys = await insertScopedKeys(t)
    // Nobody carries the calls that are made here, so they all stay under way.
    for (const { liveKey } of [t.main, t.other])
      await setPolicy(t, 'organization', { concurrentCalls: null, dailyCalls: null }, liveKey)
    const { userId, as } = await somebody(t, 'Admin')
    limited = { id: userId, token: as }
  })
  after(() => t?.close())

  for (const definition of catalog.filter(isTested)) {
    describe(`${definition.id} (${definition.method} ${fullPath(definition)})`, () => {
      after(endFreshLogins)
      test('is described for people', () => {
        assert.match(definition.id, /^[a-z_]+(\.[a-z_]+)+$/)
        assert.ok(definition.name.length >= 5 && !definition.name.endsWith('.'), 'name is a short title')
        assert.ok(
          definition.description.length >= 30 && definition.description.endsWith('.'),
          'description is a sentence or more',
        )
        assertFits(definition, wireSample(definition))
      })

      test('the sample succeeds and its reply fits the schema', async () => {
        const answer = await send(t, definition, await prepared(definition))
        assert.equal(answer.status, definition.status ?? 200, answer.text)
        assertFits(definition, answer.json)
        if (answersVersion(definition) && definition.params !== undefined)
          assert.match(answer.headers['etag'] ?? '', /^"\d+"$/)
      })

      if (isGuarded(definition)) guardTests(definition)
      inputTests(definition)
      writeTests(definition)
      if (definition.method !== 'GET') eventTest(definition)
      if (definition.method === 'DELETE') deletionTest(definition)
      if (definition.params !== undefined && isGuarded(definition)) foreignTest(definition)

      test('is limited', async () => {
        const ip = `203.0.113.${1 + (catalog.indexOf(definition) % 250)}`
        const as = isGuarded(definition) ? limited.token : undefined
        const spent = isGuarded(definition) ? `user ${limited.id}` : clientKey(ip)
        // Spent now, whatever is left of what was spent before and leaves the window meanwhile.
        t.app.services.limiter.take(spent, Number.MAX_SAFE_INTEGER, t.clock.now(), 1_000_000)
        const answer = await send(t, definition, await prepared(definition), { ip, as })
        assert.equal(answer.status, 429)
        assert.equal(codeOf(answer), 'rate_limited')
        const seconds = Number(answer.headers['retry-after'])
        assert.ok(seconds >= 1 && seconds <= 61)
        assert.match(answer.text, new RegExp(`\\b${seconds} seconds?\\b`))
        if (definition.version === 'v1') assert.equal(answer.json.error, 'Too Many Requests')
      })

      for (const code of ownProblems(definition)) {
        test(`answers ${code} when it is so`, async () => {
          const provoke = contractOf(definition).problems?.[code as keyof typeof problems]
          assert.ok(provoke, `${definition.id} declares ${code}, but its contract.ts does not show how it occurs`)
          const answer = await send(t, definition, await provoke(t))
          assert.equal(codeOf(answer), code, answer.text)
          assert.equal(answer.status, problems[code as keyof typeof problems].status)
        })
      }
    })
  }
  testCatalog(() => t)

  test('what lies sealed after all of it is in the list of sealed columns, and is sealed again', () =>
    assertResealed(t))
}

function deletionTest(definition: Endpoint): void {
  test('answers what is gone by its id, and what stays as it is now', async () => {
    const request = await prepared(definition)
    const answer = await send(t, definition, request)
    const get = catalog.find(other => other.method === 'GET' && fullPath(other) === fullPath(definition))
    const reading = get && (await send(t, get, { ...request, query: {} }))
    assertDeleted(definition, { ...definition.sample.params, ...request.params }, answer, reading)
    if ((answer.json.data ?? answer.json).deleted === true)
      assert.equal((await send(t, definition, request)).status, 404)
  })
}

function eventTest(definition: Endpoint): void {
  test('a change leaves an event', async () => {
    const request = await prepared(definition)
    const [last] = await t.ownerSql<{ id: string }>('select max(id) as id from event_log')
    const answer = await send(t, definition, request)
    assert.equal(answer.status, definition.status ?? 200, answer.text)
    const events = await t.ownerSql<EventRow>(
      'select type, resource_id, data from event_log where id > $1 order by id',
      [last?.id ?? ''],
    )
    assertEvents(definition, answer.json, events, t.main.users.Admin.id)
  })
}

function guardTests(definition: Endpoint): void {
  const permission = definition.permission as Permission
  // A refusal comes before anything is looked up, so no record is prepared for it: one let through would be answered otherwise.
  const refused = async (as: string | undefined, status: number, code: string) => {
    const answer = await send(t, definition, {}, { as })
    assert.equal(codeOf(answer), code, answer.text)
    assert.equal(answer.status, status)
  }

  test('refuses every broken credential', async () => {
    await refused(undefined, 401, 'missing_credentials')
    await refused('tdm_live_nonsense', 401, 'invalid_api_key')
    await refused(keys.revoked, 401, 'key_revoked')
    await refused(keys.expired, 401, 'key_expired')
    await refused('not.a.token', 401, 'invalid_token')
    const { tokens, clock } = { tokens: t.app.services.tokens, clock: t.clock }
    const claims = {
      sessionId: 'ses_00000000000000000000000000',
      userId: t.main.users.Admin.id,
      tenantId: t.main.liveTenantId,
      role: 'Admin',
    }
    await refused(await tokens.signAccess(claims, clock.now() - 7_200_000), 401, 'token_expired')
    await refused(await tokens.signAccess(claims, clock.now()), 401, 'invalid_token')
    const ended = await freshToken('Admin')
    await t.call('POST', '/v1/api/auth/logout', { as: ended })
    await refused(ended, 401, 'token_revoked')
  })

  test('every role gets what the catalog says', async () => {
    for (const role of roles) {
      const isAllowed = rolesWith(permission).includes(role)
      const request = isAllowed ? await prepared(definition) : {}
      const answer = await send(t, definition, request, { as: await tokenOf(definition, role) })
      const code = codeOf(answer)
      if (isAllowed) {
        assert.notEqual(code, 'insufficient_scope')
        if (code === 'insufficient_role')
          assert.ok(!answer.text.includes(`the permission ${permission}, which`), answer.text)
      } else {
        assert.equal(code, 'insufficient_role', `${role}: ${answer.text}`)
        assert.ok(answer.text.includes(permission), 'the answer names the permission')
      }
    }
  })

  test('every scope gets what the catalog says', async () => {
    const only = keys.only.get(permission) as string
    const answer = await send(t, definition, await prepared(definition), { as: only })
    const { needsAnother } = contractOf(definition)
    if (needsAnother === undefined)
      assert.ok(answer.status < 400 || codeOf(answer) !== 'insufficient_scope', answer.text)
    else assert.match(answer.text, needsAnother)
    // Who holds all but this one holds each of the others, so that one which is enough is found here;
    await refused(keys.allBut.get(permission) as string, 403, 'insufficient_scope')
    // alone, each of them is tried at every tenth endpoint: one that is let in by what it lacks.
    const others = [...keys.only].filter(([scope]) => scope !== permission)
    const turn = catalog.indexOf(definition) % 10
    for (const [scope, key] of others.filter((_, index) => index % 10 === turn)) {
      const other = await send(t, definition, {}, { as: key })
      assert.equal(codeOf(other), 'insufficient_scope', `${scope}: ${other.text}`)
    }
  })

  if (definition.shared === true) {
    test('is done in live mode only, for live and test mode share what it changes', async () => {
      await refused(t.main.testKey, 403, 'live_mode_required')
      const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword, mode: 'test' }
      const { json } = await t.call('POST', '/v1/api/auth/login', { body })
      await refused(json.accessToken, 403, 'live_mode_required')
    })
  }

  if (definition.handsOut === true) {
    test('hands out nothing that the key which asks does not hold', async () => {
      const answer = await send(t, definition, await prepared(definition), { as: keys.only.get(permission) as string })
      assert.match(codeOf(answer) ?? '', /^(scope_not_held|person_required)$/, answer.text)
    })
  }
}

type ObjectSchema = { properties?: Record<string, { type?: string | string[] }>; required?: string[] }

function inputTests(definition: Endpoint): void {
  test('refuses unknown query parameters and unknown fields', async () => {
    const request = await prepared(definition)
    const withQuery = await send(t, definition, {
      ...request,
      query: { ...definition.sample.query, ...request.query, nonsense: 1 },
    })
    assert.equal(codeOf(withQuery), 'validation_failed', withQuery.text)
    assert.ok(detailsOf(withQuery).some(fault => fault.field === 'nonsense'))
    const body = { ...((request.body ?? definition.sample.body ?? {}) as object), nonsense: 1 }
    if (definition.method === 'GET') return
    const withField = await send(t, definition, { ...request, body })
    assert.equal(codeOf(withField), contractOf(definition).unknownField ?? 'validation_failed', withField.text)
  })

  if (definition.body !== undefined) {
    const schema = definition.body as unknown as ObjectSchema
    test('names each missing and each mistyped field', async () => {
      const request = await prepared(definition)
      const sample = (request.body ?? definition.sample.body ?? {}) as Record<string, unknown>
      for (const field of schema.required ?? []) {
        const { [field]: _, ...rest } = sample
        const answer = await send(t, definition, { ...request, body: rest })
        assert.equal(codeOf(answer), 'validation_failed', answer.text)
        assert.ok(
          detailsOf(answer).some(fault => fault.field === field && fault.code === 'required'),
          answer.text,
        )
      }
      for (const [field, { type }] of Object.entries(schema.properties ?? {})) {
        if (type === undefined) continue
        const wrong = [type].flat().includes('array') ? 'text' : [[]]
        const answer = await send(t, definition, { ...request, body: { ...sample, [field]: wrong } })
        assert.equal(codeOf(answer), 'validation_failed', `${field}: ${answer.text}`)
        assert.ok(
          detailsOf(answer).some(fault => fault.field.startsWith(field)),
          `${field}: ${answer.text}`,
        )
      }
    })

    test('refuses bodies that are not JSON, too large, or of another type', async () => {
      const request = await prepared(definition)
      const malformed = await send(t, definition, request, { rawBody: '{"a":' })
      assert.equal(codeOf(malformed), 'malformed_json')
      const large = await send(t, definition, request, {
        rawBody: `{"a":"${'x'.repeat(definition.bodyLimit ?? 65_536)}"}`,
      })
      assert.equal(codeOf(large), 'payload_too_large')
      const typed = await send(t, definition, request, {
        rawBody: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      assert.equal(codeOf(typed), 'unsupported_media_type')
      assert.equal(typed.status, 415)
    })
  }

  if (definition.method === 'PATCH') {
    test('refuses a body that names nothing', async () => {
      const answer = await send(t, definition, { ...(await prepared(definition)), body: {} })
      assert.equal(codeOf(answer), 'validation_failed', answer.text)
    })
  }

  if (definition.query?.properties?.['cursor'] !== undefined) {
    test('refuses a cursor that is not its own', async () => {
      const request = await prepared(definition)
      const answer = await send(t, definition, { ...request, query: { ...request.query, cursor: 'bm90IGEgY3Vyc29y' } })
      assert.equal(codeOf(answer), 'invalid_cursor', answer.text)
    })
  }
}

function writeTests(definition: Endpoint): void {
  if (takesIdempotencyKey(definition)) {
    test('a repeat with the same Idempotency-Key gets the same bytes', async () => {
      const request = await prepared(definition)
      const headers = { 'idempotency-key': `contract ${definition.id}` }
      const first = await send(t, definition, request, { headers })
      assert.equal(first.status, definition.status ?? 200, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      const second = await send(t, definition, request, { headers })
      assert.equal(second.status, first.status)
      assert.equal(second.text, first.text)
      assert.equal(second.headers['idempotent-replayed'], 'true')
      assert.equal(second.headers['etag'], first.headers['etag'])
      const sent = request.body ?? definition.sample.body ?? {}
      const body = typeof sent === 'string' ? sent : { ...(sent as object) }
      const as = isPersonOnly(definition) ? t.main.tokens['Sales Manager'] : t.main.liveKey
      const other = await send(t, definition, { ...request, body }, { headers, as })
      assert.match(codeOf(other) ?? '', /^(idempotency_mismatch|insufficient_role)$/, other.text)
      const broken = await send(t, definition, request, { headers: { 'idempotency-key': 'x'.repeat(256) } })
      assert.equal(codeOf(broken), 'invalid_idempotency_key')
    })
  }
  if (takesIfMatch(definition)) {
    test('a change meant for another version is refused', async () => {
      const request = await prepared(definition)
      const stale = await send(t, definition, request, { headers: { 'if-match': '"999999"' } })
      assert.equal(codeOf(stale), 'version_mismatch', stale.text)
      const broken = await send(t, definition, request, { headers: { 'if-match': 'latest' } })
      assert.equal(codeOf(broken), 'invalid_if_match')
    })
  }
}

function foreignTest(definition: Endpoint): void {
  test("another organization's id is answered like one that is not there", async () => {
    const contract = contractOf(definition)
    assert.ok(contract.foreign, `${definition.id} has an id in its path, but its contract.ts gives no foreign record`)
    const foreign = await contract.foreign(t)
    const [name = ''] = Object.keys(foreign.params ?? {})
    const isNumber = typeof foreign.params?.[name] === 'number'
    const missing = {
      ...foreign,
      params: {
        ...foreign.params,
        [name]: isNumber ? 999_999_999 : `${String(foreign.params?.[name]).slice(0, -8)}zzzzzzzz`,
      },
    }
    const [theirs, nobodys] = [await send(t, definition, foreign), await send(t, definition, missing)]
    assert.equal(theirs.status, 404, `${urlOf(definition, foreign)}: ${theirs.text}`)
    assert.equal(timeless(theirs), timeless(nobodys))
    for (const impossible of isNumber ? impossibleNumbers : impossibleIds) {
      const answer = await send(t, definition, { ...foreign, params: { ...foreign.params, [name]: impossible } })
      assert.equal(codeOf(answer), 'not_found', `${impossible}: ${answer.text}`)
    }
  })
}
