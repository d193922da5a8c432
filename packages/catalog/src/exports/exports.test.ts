// Files that other programs import keep to the rules of those programs, and the Markdown to those of tables.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  brunoCollection,
  catalogMarkdown,
  endpointMarkdown,
  llmsFullTxt,
  postmanCollection,
  readCatalog,
  schemasMarkdown,
} from '../index.ts'

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)
const base = 'http://localhost:3000'

// biome-ignore lint/suspicious/noExplicitAny: files of others, looked into field by field
type Any = any

/** Fails on a field that the format does not know, or on one that it needs and is missing. */
function holds(value: Any, needed: string, optional: string, where: string): void {
  const known = new Set(`${needed} ${optional}`.split(' '))
  for (const name of needed.split(' ')) assert.ok(value[name] !== undefined, `${where} lacks ${name}`)
  for (const name of Object.keys(value)) assert.ok(known.has(name), `${where} has ${name}`)
}

function isText(value: unknown, where: string): void {
  assert.equal(typeof value, 'string', where)
}

test('the Postman collection keeps to format v2.1', () => {
  const collection = JSON.parse(JSON.stringify(postmanCollection(document, base))) as Any
  holds(collection, 'info item', 'auth variable event protocolProfileBehavior', 'collection')
  holds(collection.info, 'name schema', 'description version _postman_id', 'info')
  assert.equal(collection.info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json')
  assert.deepEqual(collection.auth.bearer, [{ key: 'token', value: '{{token}}', type: 'string' }])
  assert.equal(collection.variable.find((variable: Any) => variable.key === 'baseUrl').value, base)
  let count = 0
  for (const folder of collection.item) {
    holds(folder, 'name item', 'description auth event variable', folder.name)
    for (const item of folder.item) {
      count++
      holds(item, 'name request response', 'id description event variable', item.name)
      checkPostmanRequest(item.request, item.name)
      for (const response of item.response) {
        const known = 'name originalRequest status code header body cookie _postman_previewlanguage'
        holds(response, known, 'id responseTime timings', item.name)
        assert.ok(Number.isInteger(response.code) && response.code >= 200, item.name)
        JSON.parse(response.body)
      }
    }
  }
  // Of OAuth two are written by hand: the token of a program, and the question for a person.
  assert.equal(count, catalog.endpoints.length)
})

/** A body as it is once variables have been filled in. */
const withNumbers = (text: string) => JSON.parse(text.replaceAll(/\{\{\w+\}\}/g, '1'))

function checkPostmanRequest(request: Any, where: string): void {
  holds(request, 'method header url', 'auth body description proxy certificate', where)
  holds(request.url, 'raw host path', 'query variable protocol port hash', where)
  assert.deepEqual(request.url.host, ['{{baseUrl}}'])
  assert.ok(request.url.raw.startsWith(`{{baseUrl}}/${request.url.path.join('/')}`), where)
  for (const pair of [...request.header, ...(request.url.query ?? []), ...(request.url.variable ?? [])]) {
    holds(pair, 'key value', 'description disabled type', where)
    isText(pair.key, where)
    isText(pair.value, where)
  }
  const inPath = request.url.path.filter((part: string) => part.startsWith(':')).map((part: string) => part.slice(1))
  assert.deepEqual((request.url.variable ?? []).map((variable: Any) => variable.key).sort(), inPath.sort(), where)
  if (request.body === undefined) return
  if (request.body.mode === 'urlencoded') {
    for (const field of request.body.urlencoded) holds(field, 'key value type', 'description disabled', where)
    return
  }
  assert.equal(request.body.mode, 'raw')
  if (request.body.options.raw.language === 'json') assert.equal(typeof withNumbers(request.body.raw), 'object')
}

test('the Bruno collection has no field that Bruno refuses, and files get names of their own', () => {
  const collection = JSON.parse(JSON.stringify(brunoCollection(document, base))) as Any
  holds(collection, 'version name items', 'environments brunoConfig root', 'collection')
  assert.equal(collection.version, '1')
  for (const { variables, name } of collection.environments) {
    for (const variable of variables) holds(variable, 'name value type enabled secret', '', name)
  }
  let count = 0
  for (const folder of collection.items) {
    holds(folder, 'type name items', 'seq root', folder.name)
    assert.equal(folder.type, 'folder')
    assert.equal(
      new Set(folder.items.map(({ name }: Any) => name.toLowerCase())).size,
      folder.items.length,
      folder.name,
    )
    for (const item of folder.items) {
      count++
      holds(item, 'type name request', 'seq tags settings', item.name)
      const needed = 'url method headers params auth body script vars assertions tests docs'
      holds(item.request, needed, 'hooks', item.name)
      for (const header of item.request.headers) holds(header, 'name value enabled', 'description', item.name)
      for (const param of item.request.params) {
        holds(param, 'name value type enabled', 'description', item.name)
        assert.ok(param.type === 'query' || item.request.url.includes(`:${param.name}`), item.name)
        assert.notEqual(param.value, param.type === 'path' ? '' : undefined, item.name)
      }
      const modes = folder.name === 'OAuth 2.1' ? ['none', 'basic', 'oauth2'] : ['none', 'bearer']
      assert.ok(modes.includes(item.request.auth.mode), item.name)
      const { mode, json, text } = item.request.body
      if (mode !== 'formUrlEncoded')
        assert.equal(mode, json !== undefined ? 'json' : text !== undefined ? 'text' : 'none')
      if (item.request.body.json !== undefined) withNumbers(item.request.body.json)
    }
  }
  // Of OAuth two are written by hand: the token of a program, and the question for a person.
  assert.equal(count, catalog.endpoints.length)
})

test('neither export holds a secret or another address', () => {
  for (const text of [
    JSON.stringify(postmanCollection(document, base)),
    JSON.stringify(brunoCollection(document, base)),
  ]) {
    const variables = JSON.parse(text)
    const token = (variables.variable ?? variables.environments[0].variables).find(
      (variable: Any) => (variable.key ?? variable.name) === 'token',
    )
    assert.equal(token.value, '')
  }
})

test('rows of Markdown tables have as many cells as their head', () => {
  const pages = [...catalog.endpoints.map(endpoint => endpointMarkdown(endpoint, base)), catalogMarkdown(catalog, base)]
  for (const page of [...pages, schemasMarkdown(catalog, base), llmsFullTxt(document, base)]) {
    let cells = 0
    let isFenced = false
    for (const line of page.split('\n')) {
      if (line.startsWith('```')) isFenced = !isFenced
      if (isFenced || !line.startsWith('|')) {
        cells = 0
        continue
      }
      const count = line.replaceAll('\\|', '').split('|').length
      if (cells === 0) cells = count
      assert.equal(count, cells, line)
    }
    assert.ok(!isFenced)
    assert.ok(!/<[a-z]/i.test(page.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')), 'no text is taken for HTML')
  }
})

test('what bodies name is described once, and every name leads there', () => {
  const reported = schemasMarkdown(catalog, base)
  const headings = [...reported.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name)
  assert.deepEqual(headings, Object.keys(catalog.schemas))
  assert.ok(headings.includes('SayInstruction') && headings.includes('CallCommand'))
  assert.match(reported, /^\| `onFail` \| list of \[`Instruction`\]\(\S+\/schemas\.md#instruction\) \|/m)
  assert.match(reported, /^\| `targets` \| list of \[`NumberTarget`\]\S+ or \[`SipTarget`\]/m)
  const places = new Set(headings.map(name => name.toLowerCase()))
  const whole = llmsFullTxt(document, base)
  assert.ok(whole.includes('\n## SayInstruction\n'))
  let count = 0
  for (const text of [reported, whole]) {
    for (const [, place = ''] of text.matchAll(/\/schemas\.md#(\w+)\)/g)) {
      assert.ok(places.has(place), place)
      count++
    }
  }
  assert.ok(count > 60)
  const page = endpointMarkdown(catalog.byId.get('calls.create') as never, base)
  assert.match(page, /\| `instructions` \| body \| list of Instruction \|/)
  assert.match(page, /^Schemas: \[`Instruction`\]\(http:\/\/localhost:3000\/schemas\.md#instruction\)\.$/m)
})

/** The requests of an export in the order of a run, each with its two scripts and all it sends. */
function runsOf(): Record<
  'Postman' | 'Bruno',
  { name: string; folder: string; before: string; after: string; sent: string }[]
> {
  const [postman, bruno] = [postmanCollection, brunoCollection].map(
    make => JSON.parse(JSON.stringify(make(document, base))) as Any,
  )
  const scriptOf = (item: Any, listen: string) =>
    item.event.find((event: Any) => event.listen === listen)?.script.exec.join('\n') ?? ''
  return {
    Postman: postman.item.flatMap((folder: Any) =>
      folder.item.map((item: Any) => ({
        ...{ name: item.name, folder: folder.name, sent: JSON.stringify(item.request) },
        ...{ before: scriptOf(item, 'prerequest'), after: scriptOf(item, 'test') },
      })),
    ),
    Bruno: bruno.items.flatMap((folder: Any) =>
      folder.items.map(({ name, request }: Any) => ({
        ...{ name, folder: folder.name, sent: JSON.stringify(request) },
        ...{ before: request.script.req ?? '', after: request.tests },
      })),
    ),
  }
}

test('what Postman sends in a query is escaped: a plus sign would be a blank', () => {
  const { item } = JSON.parse(JSON.stringify(postmanCollection(document, base))) as Any
  const query = item.flatMap((folder: Any) => folder.item).flatMap((one: Any) => one.request.url.query ?? []) as Any[]
  assert.ok(query.some(({ value }) => value === '%2B15005550110'))
  for (const { key, value } of query) assert.doesNotMatch(value, /[+ &#]/, key)
})

for (const program of ['Postman', 'Bruno'] as const)
  test(`${program}: what a request names has been kept by one before it, or is asked for before the request is sent`, () => {
    // A public app has no secret, and asks people all the same.
    const known = new Set(['baseUrl', 'token', 'oauthClientSecret'])
    for (const { name, before, after, sent } of runsOf()[program]) {
      for (const [, variable = ''] of sent.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(known.has(variable) || before.includes(`"${variable}"`), `${name} needs ${variable}`)
      // Both are JavaScript.
      for (const script of [before, after]) new Function('pm', 'bru', 'res', 'test', 'expect', script)
      assert.match(after, /answers as documented/)
      for (const [, variable = ''] of after.matchAll(/(?:set|setVar)\("(\w+)"/g)) known.add(variable)
    }
    for (const id of ['leadId', 'invoiceId', 'webhookId', 'apiKeyId', 'messageId', 'callId', 'requestId', 'deliveryId'])
      assert.ok(known.has(id), id)
  })

test('a run makes before it reads, changes before it removes, and logs out at the very end', () => {
  const { Postman, Bruno } = runsOf()
  const names = Postman.map(({ name }) => name)
  assert.deepEqual(
    Bruno.map(({ name }) => name),
    names.map(name => name.replaceAll(/[/\\:*?"<>|]/g, ' ')),
  )
  const inOrder = (...asked: string[]) => {
    const places = asked.map(name => names.indexOf(name))
    assert.ok(!places.includes(-1), asked.join())
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
      asked.join(),
    )
  }
  inOrder('Create a lead', 'List leads', 'Get a lead', 'Update a lead', 'Delete a lead', 'Restore a lead')
  inOrder('Create an invoice', 'Get an invoice', 'Send an invoice', 'Record a payment', 'Cancel an invoice')
  inOrder('Create an API key', 'Rotate an API key', 'Revoke an API key')
  // Of another folder than what needs it.
  inOrder('Add a number', "Set a number's call settings", 'Release a number', 'Log out')
  assert.equal(names.at(-1), 'Log out')
})

test('a run removes and changes nothing that a list found, and opens no stream', () => {
  for (const { name, sent, before } of runsOf().Postman) {
    const { method, url } = JSON.parse(sent)
    if (/"(?:recordingId|conferenceId)"/.test(before)) assert.equal(method, 'GET', name)
    const shared = ['/v2/organization', '/v2/destinations/policies/:policy', '/v2/webhooks/signing-secret/rotate']
    if (method !== 'GET' && shared.includes(`/${url.path.join('/')}`)) assert.match(before, /changeSettings/, name)
    if (/-stream$|\/stream$/.test(url.path.join('/'))) assert.match(before, /sendStreams/, name)
  }
})
