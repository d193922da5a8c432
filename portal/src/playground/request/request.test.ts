// What is previewed is what is sent: one value, for any draft.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import test from 'node:test'
import { parseCurl, toCurl } from '@tandem/catalog'
import fc from 'fast-check'
import { fetchOptions } from '../sending/send.ts'
import { formRows, textOfRows } from './form.ts'
import {
  type Draft,
  effectiveRequest,
  emptyDraft,
  httpText,
  isSendable,
  onlyVariablesMissing,
  requestValue,
  tokensOf,
} from './request.ts'

const origin = 'http://127.0.0.1:3000'
const plain = { origin, lookup: () => undefined, token: undefined }
const draft = (part: Partial<Draft>): Draft => ({ ...emptyDraft, ...part })
const row = (name: string, value: string, enabled = true) => ({ name, value, enabled })

test('an effective request has the method in upper case, an absolute address and the headers in order', () => {
  const made = effectiveRequest(
    draft({
      method: 'patch',
      path: '/v1/api/leads/{id}',
      pathValues: [{ name: 'id', value: '7/8 ü' }],
      query: [row('q', 'a b&c=ä'), row('off', '1', false), row('', ''), row('empty', '')],
      headers: [row('X-Duplicate-Mode', ' block '), row('x-note', 'a'), row('X-Note', 'b')],
      body: '{"name":"Ada"}',
    }),
    { ...plain, token: 'abc' },
  )
  assert.equal(made.method, 'PATCH')
  assert.equal(made.url, `${origin}/v1/api/leads/7%2F8%20%C3%BC?q=a%20b%26c%3D%C3%A4&empty=`)
  assert.deepEqual(made.headers, [
    { name: 'X-Duplicate-Mode', value: 'block', origin: 'you' },
    { name: 'x-note', value: 'a, b', origin: 'you' },
    { name: 'Authorization', value: 'Bearer abc', origin: 'credential' },
    { name: 'Content-Type', value: 'application/json', origin: 'Playground' },
  ])
  assert.equal(isSendable(made), true)
})

const formHeader = row('Content-Type', 'application/x-www-form-urlencoded')

test('a form is rows and text, whatever its values are, and what a variable holds ends no field', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' }))), pairs => {
      const rows = pairs.map(([key, value]) => row(key.toWellFormed(), value.toWellFormed()))
      const text = textOfRows(rows)
      if (!/\{\{/.test(text)) assert.deepEqual(formRows(text), rows)
    }),
  )
  assert.deepEqual(formRows('a=1+2&b=%26'), [row('a', '1 2'), row('b', '&')])
  assert.equal(textOfRows([row('token', '{{my.token}}'), row('off', 'x', false), row('', '')]), 'token={{my.token}}')
  const values: Record<string, string> = { token: 'a&b=c "d"' }
  const made = effectiveRequest(
    draft({ method: 'POST', path: '/oauth/revoke', headers: [formHeader], body: 'token={{token}}&client_id=x' }),
    { ...plain, lookup: known => values[known] },
  )
  assert.equal(made.body, 'token=a%26b%3Dc%20%22d%22&client_id=x')
  assert.deepEqual(new URLSearchParams(made.body).get('token'), values['token'])
})

test('no key and no token goes to the authorization server', () => {
  const asked = { method: 'POST', path: '/oauth/token', headers: [formHeader], body: 'a=1' }
  const made = effectiveRequest(draft(asked), { ...plain, token: 'abc' })
  assert.deepEqual(
    made.headers.map(({ name }) => name),
    ['Content-Type'],
  )
  assert.match(made.dropped[0]?.why ?? '', /asks the client who it is/)
  const own = draft({ ...asked, headers: [formHeader, row('Authorization', 'Basic eDp5')] })
  assert.ok(effectiveRequest(own, plain).headers.some(({ value }) => value === 'Basic eDp5'))
})

test('what cannot be sent is reported, never dropped silently', () => {
  const made = effectiveRequest(
    draft({
      method: 'GET',
      path: '/v2/messages',
      body: '{}',
      headers: [row('User-Agent', 'x'), row('Cookie', 'a=b'), row('Sec-Fetch-Mode', 'cors')],
    }),
    plain,
  )
  assert.equal(made.body, undefined)
  assert.deepEqual(
    made.notes.map(({ level, where }) => `${level} ${where}`),
    ['warning body'],
  )
  assert.deepEqual(
    made.dropped.map(({ name }) => name),
    ['User-Agent', 'Cookie', 'Sec-Fetch-Mode'],
  )
  assert.equal(made.headers.length, 0)
})

test('faults that would change or break the request are errors', () => {
  const faults = (part: Partial<Draft>, token?: string) =>
    effectiveRequest(draft(part), { ...plain, token })
      .notes.filter(({ level }) => level === 'error')
      .map(({ where }) => where)
  assert.deepEqual(faults({ path: '/v2/messages/{messageId}' }), ['path'])
  assert.deepEqual(faults({ path: '/v2/{a}', pathValues: [{ name: 'a', value: '..' }] }), ['path'])
  assert.deepEqual(faults({ headers: [row('X Y', '1')] }), ['headers'])
  assert.deepEqual(faults({ headers: [row('X-Y', 'ü')] }), ['headers'])
  assert.deepEqual(faults({ headers: [row('X-Y', 'a\nb')] }), ['headers'])
  assert.deepEqual(faults({ query: [row('', 'v')] }), ['query'])
  assert.deepEqual(faults({ method: 'TRACE' }), ['method'])
  assert.deepEqual(faults({ method: 'P OST' }), ['method'])
  assert.deepEqual(faults({}, 'two words'), ['credential'])
})

test('a path never leaves the server it is meant for', () => {
  fc.assert(
    fc.property(fc.string(), path => new URL(effectiveRequest(draft({ path }), plain).url).origin === origin),
    { numRuns: 500 },
  )
})

test('the own Authorization header wins over the credential, and says so', () => {
  const made = effectiveRequest(draft({ headers: [row('authorization', 'Bearer mine')] }), {
    ...plain,
    token: 'secret-token',
  })
  assert.deepEqual(made.headers, [{ name: 'authorization', value: 'Bearer mine', origin: 'you' }])
  assert.equal(made.dropped.length, 1)
  assert.doesNotMatch(JSON.stringify(made.dropped), /secret-token/)
})

test('variables are filled everywhere, escaped in JSON strings, and unknown ones stop the request', () => {
  const values: Record<string, string> = { id: '12', text: 'say "hi"\n', key: 'X-Tag' }
  const lookup = (name: string) => values[name]
  const written = draft({
    method: 'POST',
    path: '/v1/api/leads/{id}/{{id}}',
    pathValues: [{ name: 'id', value: '{{id}}' }],
    query: [row('q', '{{id}}-{{id}}')],
    headers: [row('{{key}}', '{{id}}')],
    body: '{"a": {{id}}, "b": "x {{text}}", "c\\"{{id}}": 1, "d": "{{nobody}}"}',
  })
  const made = effectiveRequest(written, { ...plain, lookup })
  assert.equal(made.url, `${origin}/v1/api/leads/12/12?q=12-12`)
  assert.deepEqual(made.headers[0], { name: 'X-Tag', value: '12', origin: 'you' })
  assert.equal(made.body, '{"a": 12, "b": "x say \\"hi\\"\\n", "c\\"12": 1, "d": "{{nobody}}"}')
  assert.deepEqual(
    made.notes.map(({ variable }) => variable),
    ['nobody'],
  )
  assert.equal(onlyVariablesMissing(made), true)
  assert.equal(isSendable(effectiveRequest(written, { ...plain, lookup, literalVariables: true })), true)
})

test('with blanks it is no variable: templates of mails are sent as they are written', () => {
  const body = '{"subject": "Hello {{ name }}, {{ lead.name | upcase }}", "id": "{{id}}"}'
  const made = effectiveRequest(draft({ method: 'POST', path: '/v2/mail/templates', body }), {
    ...plain,
    lookup: name => (name === 'id' ? '12' : 'filled in'),
  })
  assert.equal(made.body, '{"subject": "Hello {{ name }}, {{ lead.name | upcase }}", "id": "12"}')
  assert.deepEqual(made.notes, [])
})

test('tokens of a path are its single braces', () => {
  assert.deepEqual(tokensOf('/v1/{a}/{{b}}/{c}'), ['a', 'c'])
})

test('cURL says what is sent, with a variable in place of the credential unless asked', () => {
  const made = effectiveRequest(draft({ method: 'POST', path: '/v2/x', body: '{}' }), { ...plain, token: 'tok-1' })
  assert.doesNotMatch(toCurl(requestValue(made), 'API_KEY'), /tok-1/)
  assert.match(toCurl(requestValue(made), 'API_KEY'), /Bearer \$API_KEY/)
  assert.match(toCurl(requestValue(made)), /Bearer tok-1/)
})

test('the request as HTTP text masks the credential, no matter who wrote it', () => {
  const made = effectiveRequest(draft({ method: 'POST', path: '/v2/x', body: '{}' }), { ...plain, token: 'tok-1' })
  assert.equal(
    httpText(made, false),
    'POST /v2/x HTTP/1.1\nHost: 127.0.0.1:3000\nAuthorization: Bearer $API_KEY\nContent-Type: application/json\n\n{}',
  )
  assert.match(httpText(made, true), /Bearer tok-1/)
  const own = effectiveRequest(draft({ headers: [row('authorization', 'Basic abc')] }), plain)
  assert.match(httpText(own, false), /authorization: \$API_KEY\n/)
})

const rowsOf = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.array(fc.record({ name, value, enabled: fc.boolean() }), { maxLength: 6 })
const anyText = fc.string({ unit: 'binary' })
const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/)
const ascii = fc.stringMatching(/^[\t\x20-\x7e]{0,30}$/)
export const drafts = fc.record({
  method: fc.constantFrom('get', 'GET', 'post', 'PUT', 'patch', 'DELETE', 'HEAD', 'OPTIONS'),
  path: fc.oneof(fc.constantFrom('/v1/api/leads/{id}', '/v2/a b/{id}?x#y', '//evil', '/%41%zz'), anyText),
  pathValues: fc.oneof(anyText, ascii).map(value => [{ name: 'id', value }]),
  query: rowsOf(
    anyText.filter(text => text !== ''),
    anyText,
  ),
  headers: fc.oneof(rowsOf(token, ascii), fc.constant([]), rowsOf(anyText, anyText)),
  body: fc.oneof(anyText, fc.json(), fc.constant('')),
  credential: fc.constant({ kind: 'none' as const }),
})

test('whatever is written: previewed = what fetch takes = what cURL says', () => {
  let sendable = 0
  fc.assert(
    fc.property(drafts, written => {
      const made = effectiveRequest(written, { ...plain, token: 'abc123' })
      if (!isSendable(made)) return
      sendable++
      const { referrerPolicy: _, cache: __, ...options } = fetchOptions(made, new AbortController().signal)
      const request = new Request(made.url, options)
      assert.equal(request.url, made.url)
      assert.equal(request.method, made.method)
      const sent = [...request.headers].map(([name, value]) => `${name}: ${value}`)
      const shown = made.headers.map(({ name, value }) => `${name.toLowerCase()}: ${value}`)
      assert.deepEqual(sent.sort(), shown.sort())
      assert.deepEqual(parseCurl(toCurl(requestValue(made))), requestValue(made))
    }),
    { numRuns: 1_500 },
  )
  assert.ok(sendable > 500, `only ${sendable} of 1,500 could be sent`)
})
