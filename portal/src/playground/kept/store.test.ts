// What is kept between visits: drafts, history, saved requests, variables. Never a credential, never more than was agreed,
// and readable by the portal of tomorrow.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import fc from 'fast-check'
import { type Draft, emptyDraft } from '../request/request.ts'
import { findDraft, forgetDraft, keepDraft, latestDraft, parkDraft, trimDrafts, unparkDraft } from './drafts.ts'
import { clearHistory, findAnswer, keepHistory, keptOf, listHistory, planDrops } from './history.ts'
import { createLadder, readDraft, scrubDraft } from './records.ts'
import { findVariables, importSaved, keepVariables, listSaved, removeSaved } from './saved.ts'
import { holdsSecret, scrubNamed, scrubText } from './secrets.ts'
import { decodeShare, encodeShare, isShare } from './share.ts'
import { memoryStore, shelves } from './store.ts'

const key = 'tdm_live_0123456789abcdefghijABCDEFGHIJ01ab12CD'
const refreshToken = 'tdm_rt_ses_01k9r7d3w2v8e6q4n5m1b0c9xz.0.c2lnbmF0dXJlc2lnbmF0dXJl'
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const opaque = 'opaque-oauth-token-of-another-server'
const secrets = [key, refreshToken, jwt, opaque]

const leaky: Draft = {
  method: 'POST',
  path: '/v2/{id}',
  pathValues: [{ name: 'id', value: key }],
  query: [
    { name: 'token', value: 'abc', enabled: true },
    { name: 'q', value: jwt, enabled: false },
  ],
  headers: [
    { name: 'Authorization', value: `Bearer ${opaque}`, enabled: true },
    { name: 'X-Note', value: `see ${refreshToken}`, enabled: true },
  ],
  body: JSON.stringify({ key, nested: { password: 'hunter2 "x"', note: `Bearer ${jwt}`, keep: 'Ada' }, opaque }),
  credential: { kind: 'key', keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xz' },
}
const noSecret = (value: unknown) => {
  const text = JSON.stringify(value)
  for (const secret of [...secrets, 'hunter2']) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 400)}`)
}

test('the scanner removes what looks like a credential, and only that', () => {
  for (const secret of [key, refreshToken, jwt]) {
    assert.equal(scrubText(`a ${secret} b`), 'a <removed> b')
    assert.equal(scrubText(encodeURIComponent(`x=${secret}`)).includes(secret), false)
  }
  assert.equal(scrubText('Authorization: Bearer abcdefgh12345678'), 'Authorization: Bearer <removed>')
  assert.equal(scrubText(`token-${jwt}`), 'token-<removed>')
  const long = 'eyJ'.repeat(300_000)
  assert.equal(scrubText(long), long, 'in a moment')
  assert.equal(scrubText('{"accessToken": "short"}'), '{"accessToken": "<removed>"}')
  assert.equal(scrubText('{"password": "{{password}}"}'), '{"password": "{{password}}"}')
  const form = 'grant_type=refresh_token&refresh_token=short&client_secret=x%2By&token={{token}}'
  assert.equal(
    scrubText(form),
    'grant_type=refresh_token&refresh_token=<removed>&client_secret=<removed>&token={{token}}',
  )
  assert.equal(scrubText(`${opaque}!`, [opaque]), '<removed>!')
  assert.equal(scrubNamed('X-Api-Key', 'anything'), '<removed>')
  assert.equal(scrubNamed('Authorization', '{{auth}}'), '{{auth}}')
  const plain =
    '{"messageId":"msg_01k9r7d3w2v8e6q4n5m1b0c9xz","to":"+15005550100","note":"the bearer of news","n":12345678901}'
  assert.equal(scrubText(plain), plain)
  assert.equal(holdsSecret(plain), false)
})

test('scrubbing twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...secrets, '"password":"x"', 'Bearer '))), parts => {
      const once = scrubText(parts.join(' '))
      assert.equal(scrubText(once), once)
      assert.ok(![key, refreshToken, jwt].some(secret => once.includes(secret)))
    }),
  )
})

test('no credential reaches any shelf, link or file', async () => {
  const store = memoryStore()
  await keepDraft(store, 'live', leaky, { nowMs: 1, secrets: [opaque] })
  const entry = {
    atMs: 2,
    mode: 'live' as const,
    draft: leaky,
    target: `/v2/x?token=abc&k=${key}`,
    status: 200,
    failure: null,
    totalMs: 3,
    requestId: null,
  }
  await keepHistory(
    store,
    entry,
    {
      headers: [
        ['x-key', key],
        ['set-cookie', 'a=b'],
      ],
      body: `{"accessToken":"${jwt}"}`,
    },
    [opaque],
  )
  await keepVariables(
    store,
    'live',
    [
      { name: 'a', value: opaque },
      { name: 'token', value: 'abc' },
    ],
    [opaque],
  )
  for (const shelf of shelves) noSecret(await store.list(shelf))
  assert.equal((await store.list('drafts')).length, 1)
  const fragment = await encodeShare(leaky, [opaque])
  const shared = await decodeShare(fragment)
  noSecret(shared)
  assert.deepEqual(shared.credential, { kind: 'none' })
  assert.match(shared.body, /"keep":"Ada"/)
  assert.deepEqual(
    (await findDraft(store, { mode: 'live', method: 'POST', path: '/v2/{id}' }))?.credential,
    leaky.credential,
  )
})

test('drafts: one for each mode, method and path; the last one is where to go on; the oldest go', async () => {
  const store = memoryStore()
  const draft = (path: string, body: string): Draft => ({ ...emptyDraft, method: 'POST', path, body })
  await keepDraft(store, 'test', draft('/a', 'one'), { nowMs: 1, secrets: [] })
  await keepDraft(store, 'live', draft('/a', 'two'), { nowMs: 2, secrets: [] })
  await keepDraft(store, 'test', draft('/b', 'three'), { nowMs: 3, secrets: [] })
  assert.equal((await findDraft(store, { mode: 'test', method: 'POST', path: '/a' }))?.body, 'one')
  assert.equal((await latestDraft(store, 'test'))?.body, 'three')
  assert.equal((await latestDraft(store, 'live'))?.body, 'two')
  await forgetDraft(store, { mode: 'test', method: 'POST', path: '/a' })
  assert.equal(await findDraft(store, { mode: 'test', method: 'POST', path: '/a' }), undefined)
  assert.equal(await keepDraft(store, 'test', draft('/big', 'x'.repeat(300_000)), { nowMs: 4, secrets: [] }), false)
  for (let n = 0; n < 210; n++) await keepDraft(store, 'test', draft(`/n/${n}`, 'x'), { nowMs: 10 + n, secrets: [] })
  await trimDrafts(store)
  assert.equal((await store.list('drafts')).length, 200)
  assert.equal(await findDraft(store, { mode: 'live', method: 'POST', path: '/a' }), undefined)
})

test('a draft parked on leaving is put away for its own user only', async () => {
  const items = new Map<string, string>()
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
  const store = memoryStore()
  parkDraft(storage, '7', 'test', { ...leaky, path: '/v2/x', pathValues: [] }, [opaque])
  noSecret([...items])
  await unparkDraft(storage, store, '8', 1)
  assert.deepEqual(await store.list('drafts'), [])
  parkDraft(storage, '7', 'test', { ...leaky, path: '/v2/x', pathValues: [] }, [opaque])
  await unparkDraft(storage, store, '7', 1)
  assert.notEqual(await findDraft(store, { mode: 'test', method: 'POST', path: '/v2/x' }), undefined)
  assert.equal(items.size, 0)
})

test('history: newest first, answers up to 256 kB each and 20 MB in all, 500 rows', async () => {
  const store = memoryStore()
  const entry = (atMs: number) => ({
    atMs,
    mode: 'test' as const,
    draft: { ...emptyDraft, path: `/${atMs}` },
    target: `/${atMs}`,
    status: 200,
    failure: null,
    totalMs: 5,
    requestId: 'req_1',
  })
  const first = await keepHistory(store, entry(1), { headers: [['a', 'b']], body: 'small' }, [])
  const sameInstant = await keepHistory(store, entry(1), undefined, [])
  const large = await keepHistory(store, entry(2), { headers: [], body: 'x'.repeat(300_000) }, [])
  assert.notEqual(first.id, sameInstant.id)
  assert.deepEqual(
    (await listHistory(store)).map(({ id }) => id),
    [large.id, sameInstant.id, first.id],
  )
  assert.deepEqual(await findAnswer(store, first.id), { headers: [['a', 'b']], body: 'small' })
  assert.equal(await findAnswer(store, large.id), undefined)
  for (let n = 0; n < 90; n++) await keepHistory(store, entry(10 + n), { headers: [], body: 'x'.repeat(255_000) }, [])
  const rows = await listHistory(store)
  const kept = rows.reduce((sum, row) => sum + row.keptBytes, 0)
  assert.ok(kept <= 20 * 1024 * 1024 && kept > 19 * 1024 * 1024, String(kept))
  assert.equal((await store.list('answers')).length, rows.filter(row => row.keptBytes > 0).length)
  assert.equal(rows.length, 93)
  const many = Array.from({ length: 510 }, (_, n) => ({ id: String(n), keptBytes: 0, draft: emptyDraft }))
  assert.deepEqual(planDrops(many).dropped.length, 10)
  const wide = Array.from({ length: 100 }, (_, n) => ({
    id: String(n),
    keptBytes: 9,
    draft: { ...emptyDraft, body: 'x'.repeat(250_000) },
  }))
  assert.deepEqual(planDrops(wide), { emptied: [], dropped: wide.slice(83).map(({ id }) => id) })
  await clearHistory(store, 'live')
  assert.equal((await listHistory(store)).length, 93)
  await clearHistory(store, 'test')
  assert.deepEqual([await listHistory(store), await store.list('answers')], [[], []])
})

test('of an answer the text is kept, and nothing of one that is large or no text', async () => {
  const headers: [string, string][] = [['content-type', 'x/y']]
  const kept = (content: BlobPart) => keptOf({ headers, body: new Blob([content]) })
  assert.deepEqual(await kept('\ufeffGrüße'), { headers, body: '\ufeffGrüße' })
  assert.equal(await kept(new Uint8Array([0x52, 0x49, 0x46, 0x46, 0xff, 0xfe])), undefined)
  assert.equal(await kept('x'.repeat(300 * 1024)), undefined)
})

test('of a stream the newest events that fit are kept, and the others counted', async () => {
  const headers: [string, string][] = [['content-type', 'text/event-stream; charset=utf-8']]
  const entry = {
    ...{ atMs: 1, mode: 'test' as const, draft: emptyDraft, target: '/v2/stream' },
    ...{ status: 200, failure: null, totalMs: 3, requestId: null },
  }
  const keptWith = async (body: string, more: { leftOut?: number; isCut?: boolean } = {}) => {
    const store = memoryStore()
    const answer = await keptOf({ headers, body: new Blob([body]), ...more })
    const row = await keepHistory(store, entry, answer, [opaque])
    return [await findAnswer(store, row.id), row.keptBytes] as const
  }
  const event = (n: number) => `data: {"n":${n},"text":"${'ü'.repeat(1_000)}","token":"${opaque}"}\n\n`
  const events = Array.from({ length: 300 }, (_, n) => event(n))
  const [answer, bytes] = await keptWith(events.join(''), { leftOut: 7 })
  assert.ok(bytes > 250_000 && bytes <= 256 * 1024, String(bytes))
  noSecret(answer)
  const count = answer!.body.split('\n\n').length - 1
  assert.equal(answer!.leftOut, 7 + 300 - count)
  assert.ok(answer!.body.startsWith(`data: {"n":${300 - count},`) && answer!.body.includes('"n":299,'))
  assert.equal(answer!.isCut, undefined)

  const [cut] = await keptWith(`${event(1)}data: ${'x'.repeat(400_000)}\n\n: still here\n\n`)
  assert.deepEqual([cut!.leftOut, cut!.isCut], [1, true])
  assert.ok(cut!.body.endsWith('xxx\n\n: still here\n\n'))
  const small = { headers, body: event(2).replaceAll(opaque, '<removed>'), leftOut: 3, isCut: true }
  assert.deepEqual((await keptWith(event(2), { leftOut: 3, isCut: true }))[0], small)
})

test('requests that were kept by name are read, from the browser and from files of then', async () => {
  const store = memoryStore()
  const kept = (name: string, path: string) => ({ schema: 1, name, atMs: 1, draft: { ...emptyDraft, path } })
  await store.put('saved', 'b', kept('Zebra', '/z'))
  await store.put('saved', 'a', kept('', '/a'))
  await store.put('saved', 'newer', { ...kept('Newer', '/n'), schema: 2 })
  const list = await listSaved(store)
  assert.deepEqual(
    list.map(({ name }) => name),
    ['GET /a', 'Zebra'],
  )
  const file = { kind: 'tandem-playground', schema: 1, requests: list.map(({ name, draft }) => ({ name, draft })) }
  assert.deepEqual(
    importSaved(JSON.stringify(file)).map(({ draft }) => draft.path),
    ['/a', '/z'],
  )
  assert.throws(() => importSaved('{}'), /has no saved requests/)
  assert.throws(() => importSaved('nope'), /isn’t JSON/)
  await removeSaved(store, 'a')
  assert.equal((await listSaved(store)).length, 1)
})

test('variables keep their order and their source', async () => {
  const store = memoryStore()
  const list = [
    { name: 'leadId', value: '12', source: 'POST /v1/api/leads /lead/id' },
    { name: 'a.b', value: '' },
  ]
  await keepVariables(store, 'test', list, [])
  assert.deepEqual(await findVariables(store, 'test'), list)
  assert.deepEqual(await findVariables(store, 'live'), [])
})

test('records of an older schema climb up, newer and broken ones are left alone', () => {
  const ladder = createLadder([
    record => ({ ...record, name: `${record['title']}` }),
    record => ({ ...record, name: String(record['name']).toUpperCase() }),
  ])
  assert.equal(ladder.current, 3)
  assert.equal(ladder.unpack({ schema: 1, title: 'ada' })?.['name'], 'ADA')
  assert.equal(ladder.unpack({ schema: 2, name: 'ada' })?.['name'], 'ADA')
  assert.equal(ladder.unpack(ladder.pack({ name: 'ada' }))?.['name'], 'ada')
  for (const broken of [null, 'x', [], {}, { schema: 4 }, { schema: 0 }, { schema: 1.5 }, { schema: '1' }]) {
    assert.equal(ladder.unpack(broken), undefined)
  }
  assert.equal(
    createLadder([
      () => {
        throw new Error('no')
      },
    ]).unpack({ schema: 1 }),
    undefined,
  )
})

test('a draft is read back from anything, and is the same draft when it was one', () => {
  fc.assert(fc.property(fc.anything(), value => void readDraft(value)))
  assert.equal(readDraft({ method: 'GET', path: 'relative' }), undefined)
  assert.equal(readDraft({ method: 'G T', path: '/' }), undefined)
  const draft = scrubDraft(leaky, [opaque])
  assert.deepEqual(readDraft(JSON.parse(JSON.stringify(draft))), draft)
  const odd = readDraft({
    method: 'get',
    path: '/{a}',
    pathValues: 5,
    query: [null, { name: 1 }],
    credential: { kind: 'key', keyId: '<x>' },
  })
  assert.deepEqual(odd, {
    ...emptyDraft,
    path: '/{a}',
    pathValues: [{ name: 'a', value: '' }],
    query: [{ name: '', value: '', enabled: true }],
  })
})

test('share links: there and back, and a clear word for those that cannot be read', async () => {
  const draft: Draft = {
    ...emptyDraft,
    method: 'PATCH',
    path: '/v1/api/leads/{id}',
    pathValues: [{ name: 'id', value: 'ü/1' }],
    body: '{"a": "€"}',
  }
  const fragment = await encodeShare(draft, [])
  assert.match(fragment, /^request=1\.[\w-]+$/)
  assert.ok(isShare(`#${fragment}`))
  assert.deepEqual(await decodeShare(`#${fragment}`), draft)
  await assert.rejects(decodeShare('#request=2.abc'), /another version/)
  for (const bad of ['request=1.', 'request=1.!!', `${fragment.slice(0, -6)}`, 'request=1.AAAA']) {
    await assert.rejects(decodeShare(bad), /damaged or incomplete/, bad)
  }
  const noise = randomBytes(30_000).toString('base64')
  await assert.rejects(encodeShare({ ...draft, body: noise }, []), /too large/)
})

test('a link that unfolds into far more than a request is refused', async () => {
  const bomb = new Blob([new Uint8Array(30_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = Buffer.from(await new Response(bomb).arrayBuffer()).toString('base64url')
  await assert.rejects(decodeShare(`request=1.${packed}`), /damaged/)
})
