// What is kept of a request: allowed headers only, bodies without secrets and not above their size, and nothing that would
// make a flood or the portal's own reading dear.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { keepsDetail, maxKeptBytes, requestDetail, sourceOf } from './request_detail.ts'

const input = (body: string | undefined, more: Partial<Parameters<typeof requestDetail>[0]> = {}) => ({
  status: 200,
  headers: {},
  body: body === undefined ? undefined : Buffer.from(body),
  response: undefined,
  ...more,
})

test('no header that could hold a credential is kept', () => {
  const headers = {
    authorization: 'Bearer tdm_live_abc',
    cookie: 'session=1',
    'x-api-key': 'abc',
    'content-type': 'application/json',
    'user-agent': `${'agent '.repeat(200)}`,
    'idempotency-key': 'tdm_live_0123456789abcdef',
    'if-match': '"3"',
  }
  const kept = requestDetail(input(undefined, { headers })).headers
  assert.deepEqual(Object.keys(kept).sort(), ['content-type', 'idempotency-key', 'if-match', 'user-agent'])
  assert.equal(kept['idempotency-key'], '[redacted]')
  assert.equal(kept['user-agent']?.length, 500)
})

test('a long body is cut at a whole character, after its secrets are gone, and the note says so', () => {
  // The key stands across the place of the cut, behind characters of three bytes.
  const key = `tdm_live_${'k'.repeat(38)}`
  for (let shift = 0; shift < 60; shift++) {
    const text = JSON.stringify({ body: `${'€'.repeat(2_700)}${'a'.repeat(shift)}${key}${'€'.repeat(500)}` })
    const { body, note } = requestDetail(input(text))
    assert.ok(Buffer.byteLength(body as string) <= maxKeptBytes && Buffer.byteLength(body as string) > maxKeptBytes - 4)
    assert.ok(!body?.includes('tdm_') && !body?.includes('kkk') && !body?.includes('\ufffd'), `shift ${shift}`)
    assert.match(note ?? '', /^The request body had \d+ bytes; the first 8192 are kept\.$/)
  }
})

test('the answer is kept of refusals only, without secrets', () => {
  const response = '{"error":{"message":"no","token":"abc"}}'
  assert.equal(requestDetail(input('{}', { response })).response, null)
  assert.equal(
    requestDetail(input('{}', { response, status: 422 })).response,
    '{"error":{"message":"no","token":"[redacted]"}}',
  )
})

test('of what is no JSON and speaks of secrets nothing is kept, nor the answer that quotes it', () => {
  const response = '{"message":"Unexpected token } in \\"hunter2\\"}"}'
  const spilled = requestDetail(input('{"password":"hunter2"}}', { response, status: 400 }))
  assert.deepEqual([spilled.body, spilled.response], [null, null])
  assert.match(spilled.note ?? '', /not kept/)
  const harmless = requestDetail(input('{"name":"Ada"}}', { response: '{"message":"bad"}', status: 400 }))
  assert.deepEqual([harmless.body, harmless.response, harmless.note], ['{"name":"Ada"}}', '{"message":"bad"}', null])
})

test('a body that was not read is said to be missing; bytes that are no text and bottomless JSON do no harm', () => {
  const announced = requestDetail(input(undefined, { status: 403, headers: { 'content-length': '12' } }))
  assert.equal(announced.note, 'The request was answered before its body was read.')
  assert.equal(requestDetail(input(undefined, { headers: { 'content-length': '0' } })).note, null)
  const bytes = requestDetail({ ...input(''), body: Buffer.from([0x7b, 0x00, 0xff, 0xfe]) })
  assert.equal(bytes.body, '{\ufffd\ufffd\ufffd')
  const deep = requestDetail(input('['.repeat(30_000) + ']'.repeat(30_000), { status: 400 }))
  assert.ok((deep.body as string).startsWith('[[['))
})

test('a source is what the browser says it is', () => {
  assert.equal(sourceOf({}), 'api')
  assert.equal(sourceOf({ 'x-tandem-source': 'portal' }), 'api')
  assert.equal(sourceOf({ 'sec-fetch-site': 'cross-site', 'x-tandem-source': 'portal' }), 'api')
  assert.equal(sourceOf({ 'sec-fetch-site': 'same-origin' }), 'playground')
  assert.equal(sourceOf({ 'sec-fetch-site': 'same-origin', 'x-tandem-source': 'portal' }), 'portal')
})

test('which requests keep their bodies', () => {
  const hot = { logBody: 'refusals' } as Endpoint
  const plain = {} as Endpoint
  const kept = (
    endpoint: Endpoint | undefined,
    status: number,
    source: 'api' | 'playground' | 'portal',
    method = 'POST',
  ) => keepsDetail(endpoint, { status, source, method })
  assert.ok(kept(plain, 200, 'api') && kept(plain, 200, 'api', 'GET') && kept(undefined, 404, 'api'))
  assert.ok(!kept(hot, 200, 'api') && kept(hot, 422, 'api') && kept(hot, 200, 'playground'))
  assert.ok(
    !kept(plain, 200, 'portal', 'GET') && kept(plain, 201, 'portal', 'POST') && kept(plain, 404, 'portal', 'GET'),
  )
  assert.ok(!kept(plain, 429, 'playground'), 'a flood beyond the limit')
  const written = { logBody: 'never' } as Endpoint
  assert.ok(!kept(written, 200, 'api') && !kept(written, 422, 'api') && !kept(written, 200, 'playground'))
})
