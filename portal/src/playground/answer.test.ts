// What is read out of an answer: limits, times, errors with their meaning, rows of a body, rows of a tree.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { readCatalog } from '@tandem/catalog'
import fc from 'fast-check'
import { findIn, prepareBody, rowAt, rowsOf, rowText, visible } from './body/body_work.ts'
import { rowSegments } from './body/row_segments.ts'
import { bracketPairs, pairBeside } from './editor/bracket_pairs.ts'
import { prettyJson } from './json/json_pretty.ts'
import { sortHeaders } from './response_panel/header_order.ts'
import { hasMembers, treeRows } from './response_panel/tree_rows.ts'
import { explain, permissionFit, placeOfField } from './sending/explain.ts'
import { readRateLimit, readRetryAfter } from './sending/rate_limit.ts'
import { entryFor, readServerTiming, responseMs, splitTime } from './sending/timing.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)
const sms = catalog.byId.get('messages.sms.send')!
const limitHeaders: [string, string][] = [
  ['ratelimit-policy', '"key";q=1000;w=60'],
  ['ratelimit', '"key";r=871;t=24'],
]

test('reads the limit as the server writes it', () => {
  assert.deepEqual(readRateLimit(limitHeaders), {
    policy: 'key',
    quota: 1000,
    windowSeconds: 60,
    remaining: 871,
    resetSeconds: 24,
  })
  assert.equal(readRateLimit([]), undefined)
  assert.equal(readRateLimit([['RateLimit', 'nonsense']]), undefined)
  assert.equal(readRateLimit([['RateLimit', '"ip";r=5']])?.quota, undefined)
  assert.equal(readRetryAfter([['Retry-After', '12']], 0), 12)
  assert.equal(readRetryAfter([['Retry-After', new Date(90_000).toUTCString()]], 60_000), 30)
  assert.equal(readRetryAfter([['Retry-After', 'soon']], 0), undefined)
})

test('splits the time of a request', () => {
  const headers: [string, string][] = [['server-timing', 'db;dur=3.5, total;dur=41.2;desc="all, of it"']]
  assert.equal(readServerTiming(headers), 41.2)
  assert.equal(readServerTiming([['server-timing', 'a;dur=1.5, b;dur=2']]), 3.5)
  assert.equal(readServerTiming([['server-timing', 'cache;desc=hit']]), undefined)
  const entry = {
    name: 'u',
    initiatorType: 'fetch',
    startTime: 10,
    responseStart: 65,
    responseEnd: 71,
    encodedBodySize: 289,
  }
  assert.deepEqual(splitTime(entry, 10, 72, headers), { totalMs: 62, waitMs: 55, downloadMs: 6, serverMs: 41.2 })
  assert.equal(splitTime({ ...entry, responseStart: 0 }, 10, 72, []).waitMs, undefined)
  // What the page took for itself, here 40 ms, is no part of the response time; unless nothing else is known.
  assert.equal(responseMs(splitTime(entry, 10, 111, headers)), 61)
  assert.equal(responseMs(splitTime(undefined, 10, 111, headers)), 101)
  assert.equal(entryFor([entry, { ...entry, startTime: 5 }], 'u', 9.5), entry)
  assert.equal(entryFor([entry], 'other', 0), undefined)
})

const answer = (status: number, json: unknown, headers: [string, string][] = []) => ({
  status,
  statusText: 'X',
  headers,
  json,
})
const context = { endpoint: sms, problems: catalog.problems, credential: undefined, nowMs: 0 }

test('explains each shape of an error from the reference of the endpoint', () => {
  const v2 = explain(
    answer(422, { status: 422, error: { code: 'invalid_to_number', message: 'm', retriable: false } }),
    context,
  )!
  assert.equal(v2.title, catalog.problemByCode.get('invalid_to_number')!.title)
  assert.equal(v2.link, '/errors/invalid_to_number')
  assert.equal(v2.isDocumented, true)
  const details = [{ field: 'to', code: 'required', message: 'is required' }, 'odd', { message: 'x' }]
  const v1 = explain(
    answer(400, { success: false, error: 'Bad Request', code: 'validation_failed', message: 'm', details }),
    context,
  )!
  assert.deepEqual(v1.fields, [
    { field: 'to', code: 'required', message: 'is required' },
    { field: '', code: '', message: 'x' },
  ])
  const refused = answer(401, { error: 'invalid_client', error_description: 'client is invalid', error_uri: '/x' })
  const oauth = explain(refused, { ...context, endpoint: catalog.byId.get('oauth.token')! })!
  assert.deepEqual(
    [oauth.code, oauth.message, oauth.link],
    ['invalid_client', 'client is invalid', '/errors/invalid_client'],
  )
  assert.equal(oauth.isDocumented, true)
  assert.equal(oauth.permission, undefined)
  assert.equal(explain(answer(400, { error: { code: 'lead_gone' } }), context)?.link, undefined)
  assert.equal(explain(answer(502, '<html>'), context)?.title, '502 X')
  assert.equal(explain(answer(200, {}), context), undefined)
})

test('401 and 403 compare permissions, unless the refusal is about something else', () => {
  const error = (code: string) => ({ error: { code, message: '' } })
  const credential = { label: 'the key "dev"', permissions: new Set(['leads:read']) }
  const denied = explain(answer(403, error('insufficient_scope')), { ...context, credential })
  assert.equal(denied?.permission?.verdict, 'denied')
  assert.match(denied?.permission?.text ?? '', /Needs messages:send, which the key "dev" doesn’t have/)
  assert.equal(explain(answer(403, error('recipient_opted_out')), { ...context, credential })?.permission, undefined)
  assert.equal(explain(answer(401, error('missing_credentials')), context)?.permission?.verdict, 'missing')
  assert.equal(permissionFit(sms, { label: 'x', permissions: undefined }).verdict, 'unknown')
  assert.equal(permissionFit(sms, { label: 'x', permissions: new Set(['messages:send']) }).verdict, 'allowed')
  assert.equal(permissionFit(undefined, undefined).verdict, 'unknown')
  assert.equal(
    permissionFit({ permission: { level: 'public', description: '', roles: [] } }, undefined).verdict,
    'open',
  )
})

test('405 names the methods, 429 the seconds, and a field its place', () => {
  assert.deepEqual(explain(answer(405, {}, [['allow', 'GET, POST']]), context)?.allow, ['GET', 'POST'])
  assert.equal(explain(answer(429, {}, [['retry-after', '7']]), context)?.retryAfterSeconds, 7)
  const list = catalog.byId.get('leads.list')!
  assert.equal(placeOfField('limit', list), 'query')
  assert.equal(placeOfField('Idempotency-Key', sms), 'headers')
  assert.equal(placeOfField('to', sms), 'body')
})

test('headers that describe the request come first', () => {
  const sorted = sortHeaders([
    ['Date', 'x'],
    ['zeta', '1'],
    ['Content-Type', 'y'],
    ...limitHeaders,
    ['X-Request-Id', 'req'],
  ])
  assert.deepEqual(
    sorted.map(([name]) => name),
    ['x-request-id', 'ratelimit', 'ratelimit-policy', 'content-type', 'zeta', 'date'],
  )
})

const bytes = (text: string) => new TextEncoder().encode(text)

test('distinguishes JSON, text, bytes and nothing', () => {
  assert.equal(prepareBody(bytes(''), '').kind, 'empty')
  assert.equal(prepareBody(new Uint8Array([0xff, 0xfe, 0x00]), 'image/png').kind, 'binary')
  assert.equal(prepareBody(bytes('hello'), 'text/plain').kind, 'text')
  const json = prepareBody(bytes('{"a":1.0}'), 'application/json; charset=utf-8')
  assert.equal(json.kind, 'json')
  assert.equal(json.pretty.text, '{\n  "a": 1.0\n}')
  const broken = prepareBody(bytes('{"a":'), 'application/problem+json')
  assert.equal(broken.kind, 'text')
  assert.match(broken.fault ?? '', /JSON/)
  assert.equal(prepareBody(bytes('[1]'), '').kind, 'json')
})

test('whichever printer indents, the text is the same but for white space, and values stay as they were written', () => {
  const written = [
    '{"b":1,"a":[],"c":{},"d":[{"e":null}]}',
    '{"a":1.50,"a":2}',
    '{"2":0,"1":0}',
    '{"__proto__":1}',
    '[12345678901234567890, -0, 1e2]',
    '"\\u0041\\/"',
  ]
  const compact = fc.json().map(text => JSON.stringify(JSON.parse(text)))
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...written), fc.json(), compact), text => {
      const { pretty } = prepareBody(bytes(text), 'application/json')
      assert.equal(pretty.text, prettyJson(text))
    }),
    { numRuns: 500 },
  )
})

test('nothing is lost where the room of the printer ends, wherever that is', () => {
  for (let depth = 1; depth < 12; depth++) {
    for (let length = 0; length < 200; length++) {
      const text = `${'['.repeat(depth)}"${'x'.repeat(length)}",[0]${']'.repeat(depth)}`
      assert.equal(prettyJson(text), JSON.stringify(JSON.parse(text), null, 2))
    }
  }
})

test('rows put together are the text again, and every offset lies in its row', () => {
  const texts = fc
    .array(fc.oneof(fc.string({ maxLength: 20 }), fc.constant('\n'), fc.constant('x'.repeat(1_000))))
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(texts, fc.nat(), (text, place) => {
      const rows = rowsOf(text)
      const pieces = Array.from(rows.starts, (from, row) => text.slice(from, rows.starts[row + 1] ?? text.length))
      assert.equal(pieces.join(''), text)
      for (const piece of pieces) assert.ok(piece.replace(/\n$/, '').length <= 400)
      const at = place % (text.length + 1)
      const row = rowAt(rows, at)
      assert.ok(rows.starts[row]! <= at && (row + 1 >= rows.starts.length || at < rows.starts[row + 1]!))
      assert.ok(!rowText(rows, row).includes('\n'))
    }),
  )
})

test('find: letter case counts only for capitals; nothing of a query is a pattern', () => {
  assert.deepEqual(findIn('Ada ada', 'ada').length, 2)
  assert.deepEqual(findIn('Ada ada', 'Ada'), [{ from: 0, to: 3 }])
  assert.deepEqual(findIn('a.b a+b', 'a+b'), [{ from: 4, to: 7 }])
  assert.equal(findIn('x'.repeat(20_000), 'x').length, 10_000)
  assert.deepEqual(findIn('abc', ''), [])
})

test('characters that would deceive are shown', () => {
  assert.equal(visible('a\u202eb\0c\td'), 'a\u27e8U+202E\u27e9b\u27e8U+0000\u27e9c\td')
})

test('segments of a row put together are the row, with its tokens, ids and matches', () => {
  const row = '  "messageId": "msg_01k9r7d3w2v8e6q4n5m1b0c9xz", "n": -1.5e3, "ok": true'
  const look = { isJson: true, isLineStart: true, matches: [{ from: 104, to: 108 }], current: undefined }
  const segments = rowSegments(row, 100, look)
  assert.equal(segments.map(({ text }) => text).join(''), row)
  assert.deepEqual(
    segments.filter(({ kind }) => kind === 'number').map(({ text }) => text),
    ['-1.5e3'],
  )
  assert.deepEqual(
    segments.filter(({ id }) => id !== undefined).map(({ text }) => text),
    ['msg_01k9r7d3w2v8e6q4n5m1b0c9xz'],
  )
  assert.deepEqual(
    segments.filter(({ found }) => found).map(({ text }) => text),
    ['essa'],
  )
  assert.ok(rowSegments(row, 0, { ...look, isLineStart: false, matches: [] }).every(({ kind }) => kind === 'plain'))
  fc.assert(
    fc.property(fc.string(), fc.boolean(), (text, isJson) => {
      const parts = rowSegments(text, 0, { isJson, isLineStart: true, matches: findIn(text, 'a'), current: undefined })
      assert.equal(parts.map(part => part.text).join(''), visible(text))
    }),
  )
})

test('a tree shows what is open, a hundred members at a time', () => {
  const value = { list: Array.from({ length: 250 }, (_, n) => n), 'a/b': { x: null }, none: [] }
  assert.deepEqual(treeRows(value, new Set(), new Map()).length, 1)
  const rows = treeRows(value, new Set(['', '/list', '/a~1b']), new Map())
  assert.equal(rows.length, 1 + 3 + 100 + 1 + 1)
  assert.deepEqual(
    rows.find(row => row.kind === 'more'),
    { kind: 'more', pointer: '/list\n', depth: 2, parent: '/list', rest: 150 },
  )
  assert.equal(treeRows(value, new Set(['', '/list']), new Map([['/list', 600]])).length, 1 + 3 + 250)
  assert.equal(hasMembers(value.none), false)
})

test('brackets find their partners, strings left out', () => {
  const text = '{"a": "[{", "b": [1, {"c": 2}]}'
  const pairs = bracketPairs(text)
  assert.deepEqual(
    pairs.map(({ open, close }) => text.slice(open, close + 1)),
    [text, '[1, {"c": 2}]', '{"c": 2}'],
  )
  assert.equal(pairBeside(pairs, text.length)?.open, 0)
  assert.equal(pairBeside(pairs, 7), undefined)
  fc.assert(fc.property(fc.string(), text => bracketPairs(text).every(({ open, close }) => open < close)))
})
