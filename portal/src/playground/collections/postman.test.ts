// Collections as files of Postman: what is written, what is read again, and that no credential is ever part
// of a file.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { postmanCollection } from '@tandem/catalog'
import { type Content, fromPostman, toPostman } from './postman.ts'

const origin = 'http://127.0.0.1:3000'
const row = (name: string, value: string, enabled = true) => ({ name, value, enabled })
const content: Content = {
  name: 'Smoke test',
  description: 'Before each release.',
  requests: [
    {
      ...{ name: 'List leads', method: 'GET', path: '/v1/api/leads', pathValues: [], body: '' },
      query: [row('limit', '5'), row('status', 'New', false)],
      headers: [row('X-Trace', '{{trace}}')],
      tests: [
        { subject: 'status', target: '', operator: 'one_of', value: '200, 2xx' },
        { subject: 'json', target: '/leads', operator: 'count', value: '{{expected}}' },
        { subject: 'header', target: 'Content-Type', operator: 'contains', value: 'json"; // tandem test {}' },
      ],
      captures: [{ name: 'leadId', pointer: '/leads/0/id' }],
    },
  ],
  folders: [
    {
      name: 'Texts',
      requests: [
        {
          ...{ name: 'One text', method: 'PATCH', path: '/v2/messages/{messageId}/{{part}}', query: [], captures: [] },
          pathValues: [{ name: 'messageId', value: '{{messageId}}' }],
          headers: [row('Content-Type', 'application/json')],
          body: '{"to": "{{to}}", "n": {{count}}}',
          tests: [],
        },
      ],
    },
    { name: 'Empty', requests: [] },
  ],
}

test('what goes out to Postman comes back as it was', () => {
  const { left, variables, ...back } = fromPostman(JSON.stringify(toPostman(content, origin)))
  assert.deepEqual(back, content)
  assert.deepEqual([left, variables], [[], []])
})

test('tests go along as scripts that run', () => {
  const file = toPostman(content, origin) as { item: { event: { script: { exec: string[] } }[] }[] }
  const lines = file.item[0]!.event[0]!.script.exec
  const names: string[] = []
  const body = { leads: [{ id: 7 }] }
  const chain = (): object => new Proxy(() => chain(), { get: () => chain() })
  const set: Record<string, unknown> = {}
  const pm = {
    test: (name: string, run: () => void) => {
      names.push(name)
      run()
    },
    expect: chain,
    variables: { replaceIn: (text: string) => text },
    collectionVariables: { set: (name: string, value: unknown) => Object.assign(set, { [name]: value }) },
    response: { code: 200, json: () => body, headers: { get: () => 'application/json' } },
  }
  new Function('pm', lines.join('\n'))(pm)
  assert.deepEqual(names.slice(0, 2), ['Status is one of 200, 2xx', '/leads has {{expected}} items'])
  assert.deepEqual(set, { leadId: 7 })
})

test('no credential goes out or comes in', () => {
  const key = `tdm_live_${'a1B2'.repeat(9)}12`
  const leaky: Content = {
    ...{ name: 'Leaky', description: '', folders: [] },
    requests: [
      {
        ...{ name: 'Leaky', method: 'POST', path: `/v2/x/${key}` },
        query: [row('token', 'abc')],
        headers: [row('Authorization', `Bearer ${key}`)],
        body: `{"password": "hunter2", "note": "${key}"}`,
      },
    ],
  }
  const out = JSON.stringify(toPostman(leaky, origin))
  assert.doesNotMatch(out, /hunter2|tdm_live_|"abc"/)
  const file = JSON.stringify({
    info: { name: `Mine ${key}`, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: key }] },
    item: [
      {
        name: 'Login',
        request: {
          method: 'POST',
          auth: { type: 'bearer', bearer: [{ key: 'token', value: key }] },
          header: [{ key: 'Authorization', value: `Bearer ${key}` }],
          body: { mode: 'raw', raw: `{"password": "hunter2"}` },
          url: `https://api.example.com/v1/login?api_key=${key}&page=2`,
        },
      },
    ],
  })
  const read = fromPostman(file)
  assert.doesNotMatch(JSON.stringify(read), /hunter2|tdm_live_/)
  assert.equal(read.requests[0]!.path, '/v1/login')
  assert.deepEqual(read.requests[0]!.query?.[1], row('page', '2'))
  assert.deepEqual(read.left, ['the credential of 1 request'])
})

test('folders in folders, forms, foreign scripts and addresses of every spelling', () => {
  const read = fromPostman(
    JSON.stringify({
      info: { name: 'Theirs', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [
        {
          name: 'Users',
          item: [
            {
              name: 'Admins',
              item: [{ name: 'One', request: { url: { raw: '{{host}}/users/:id?x=1', path: ['users', ':id'] } } }],
            },
          ],
        },
        {
          name: 'Form',
          event: [{ listen: 'test', script: { exec: ['// a note', 'pm.environment.set("a", 1)'] } }],
          request: {
            method: 'post',
            url: 'https://x.example/oauth/token',
            body: { mode: 'urlencoded', urlencoded: [{ key: 'a', value: 'b c' }] },
          },
        },
        { name: 'Nothing', request: {} },
      ],
    }),
  )
  assert.deepEqual(
    read.folders.map(({ name, requests }) => [name, requests?.[0]?.path]),
    [['Users / Admins', '/users/{id}']],
  )
  const [form] = read.requests
  assert.deepEqual([form!.method, form!.path, form!.body], ['POST', '/oauth/token', 'a=b%20c'])
  assert.deepEqual(read.left, ['the scripts of 1 request', '1 request without a readable address'])
  assert.throws(() => fromPostman('{}'), /isn’t a Postman collection/)
  assert.throws(() => fromPostman('nope'), /isn’t JSON/)
})

test('variables that requests name come along, without those that are secret; what is cut is said', () => {
  const long = `{"text": "${'x'.repeat(70_000)}"}`
  const get = (name: string, url: string) => ({ name, request: { method: 'GET', url } })
  const read = fromPostman(
    JSON.stringify({
      info: { name: 'Theirs', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: [
        { key: 'baseUrl', value: 'https://api.example.com' },
        { key: 'leadId', value: '12' },
        { key: 'count', value: 5 },
        { key: 'partnerToken', value: 'abcdefgh' },
        { key: 'pair', value: `tdm_live_${'a1B2'.repeat(9)}12` },
        { key: 'off', value: 'x', disabled: true },
        { key: 'empty', value: '' },
        { key: 'unused', value: 'x' },
        { key: 'leadId', value: '13' },
      ],
      item: [
        get('One', '{{baseUrl}}/v1/api/leads/{{leadId}}?n={{count}}&p={{partnerToken}}'),
        { name: 'In a folder', item: [get('Two', '{{baseUrl}}/v2/x/{{pair}}/{{off}}/{{empty}}')] },
        { name: 'Long', request: { method: 'POST', url: '/v2/x', body: { mode: 'raw', raw: long } } },
      ],
    }),
  )
  assert.deepEqual(read.variables, [
    { name: 'leadId', value: '13', secret: false },
    { name: 'count', value: '5', secret: false },
    { name: 'partnerToken', value: null, secret: true },
    { name: 'pair', value: null, secret: true },
  ])
  assert.equal(read.requests[1]!.body?.length, 65_536)
  assert.deepEqual(read.left, ['the end of 1 body that is longer than 65,536 characters'])
})

test('the catalog’s own export can be read in', () => {
  const document: object = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
  const read = fromPostman(JSON.stringify(postmanCollection(document, origin)))
  const paths = read.folders.flatMap(({ requests }) => (requests ?? []).map(({ method, path }) => `${method} ${path}`))
  assert.ok(paths.includes('POST /v1/api/leads'), paths.slice(0, 5).join())
  assert.ok(paths.includes('GET /v1/api/leads/{id}'))
})
