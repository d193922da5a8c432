// The body editor says beforehand what the server would refuse, and offers what it would take.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { type JsonSchema, readCatalog } from '@tandem/catalog'
import { completeJson } from './json_complete.ts'
import { lintJson, lintParameter, nearest } from './json_schema_lint.ts'

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)

/** The schema of a body with those it names, as the Playground hands it on. */
const bodyOf = (id: string): JsonSchema => {
  const { bodySchema, schemas = {} } = catalog.byId.get(id) ?? {}
  return { ...bodySchema, components: { schemas } }
}

const schema: JsonSchema = {
  type: 'object',
  required: ['from', 'to'],
  minProperties: 1,
  properties: {
    from: { type: 'string', minLength: 1, maxLength: 5 },
    to: { type: 'string', format: 'phone', examples: ['+15005550100'] },
    email: { type: ['string', 'null'], format: 'idn-email' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    hook: { type: 'string', format: 'url' },
    count: { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' },
    price: { type: 'number', multipleOf: 0.01 },
    priority: { type: 'string', enum: ['Hot', 'Warm'], default: 'Warm' },
    code: { type: 'string', pattern: '^[A-Z]+$', 'x-error-message': 'must be capitals' },
    mode: { const: 'test' },
    active: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true },
    lines: {
      type: 'array',
      items: { type: 'object', required: ['quantity'], properties: { quantity: { type: 'number' } } },
    },
    parent: { anyOf: [{ type: 'object', properties: { id: { type: 'integer' } } }, { type: 'null' }] },
    metadata: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
  },
}
const good = '"from": "a", "to": "+1 555 010 0001"'
const messages = (more: string) =>
  lintJson(`{${good}${more === '' ? '' : `, ${more}`}}`, schema).map(({ message }) => message)

test('samples of the catalog have no fault under their own schema', () => {
  let count = 0
  for (const endpoint of catalog.endpoints) {
    if (endpoint.bodyExample === null) continue
    count++
    assert.deepEqual(lintJson(JSON.stringify(endpoint.bodyExample, null, 2), bodyOf(endpoint.id)), [], endpoint.id)
  }
  assert.ok(count > 5)
})

test('each rule of the subset marks its breach', () => {
  const cases: [string, RegExp | undefined][] = [
    ['', undefined],
    ['"email": null', undefined],
    ['"email": "x"', /email must be an email address/],
    ['"email": " иван@почта.рф "', undefined],
    ['"day": "2026-02-30"', /day must be a calendar date/],
    ['"at": "2026-02-28T10:00:00"', /at must be a time/],
    ['"at": "2026-02-28T10:00:00Z"', undefined],
    ['"hook": "ftp://x"', /hook must be an http/],
    ['"count": 0', /count must be at least 1/],
    ['"count": 10', /count must be at most 9/],
    ['"count": 1.5', /count must be a whole number/],
    ['"count": "1"', /count must be a whole number/],
    ['"price": 0.07', undefined],
    ['"price": 0.075', /price must be a multiple/],
    ['"priority": "hot"', /priority must be one of: Hot, Warm/],
    ['"code": "ab"', /code must be capitals/],
    ['"mode": "live"', /mode must be "test"/],
    ['"active": null', /active must be true or false/],
    ['"tags": ["a", "a"]', /twice/],
    ['"tags": ["a", "b", "c"]', /at most 2 entries, and has 3/],
    ['"lines": [{}]', /quantity is required/],
    ['"parent": null', undefined],
    ['"parent": {"id": "x"}', /id must be a whole number/],
    ['"parent": 5', /parent must be an object in curly brackets or null/],
    ['"metadata": {"any": "x"}', undefined],
    ['"metadata": {"any": 1}', /any must be text/],
    ['"colour": 1', /colour isn’t a field here/],
    ['"prioritty": "Hot"', /Did you mean priority/],
    ['"from": "b"', /twice/],
    ['"count": {{n}}', undefined],
    ['"priority": "{{p}}"', undefined],
  ]
  for (const [more, expected] of cases) {
    const found = messages(more)
    if (expected === undefined) assert.deepEqual(found, [], more)
    else assert.match(found.join('\n'), expected, more)
  }
})

test('a fault lies on the value, an unknown field on its name, a missing one on the brace', () => {
  const text = '{"to": "+15550100001", "count": 99, "x": 1}'
  const marked = lintJson(text, schema).map(({ from, to }) => text.slice(from, to))
  assert.deepEqual(marked, ['{', '99', '"x"'])
})

test('parameters of the query are text that stands for their type', () => {
  const limit: JsonSchema = { type: 'integer', minimum: 1 }
  assert.equal(lintParameter('limit', '20', limit), undefined)
  assert.equal(lintParameter('limit', '0', limit), 'limit must be at least 1.')
  assert.equal(lintParameter('limit', 'many', limit), 'limit must be a whole number.')
  assert.equal(lintParameter('deleted', 'true', { type: 'boolean' }), undefined)
  assert.equal(lintParameter('deleted', 'yes', { type: 'boolean' }), 'deleted must be true or false.')
  assert.equal(
    lintParameter('q', '12', { type: 'string', maxLength: 1 }),
    'q must have at most 1 character, and has 2.',
  )
  assert.match(lintParameter('after', 'x', { type: 'string', format: 'moment' }) ?? '', /after must be a date/)
})

test('a fault within call instructions is reported with its place, however deep it stands', () => {
  const call = bodyOf('calls.create')
  const inList = (list: unknown) => {
    const text = JSON.stringify({ from: '+15005550006', to: '+15005550100', instructions: list })
    return lintJson(text, call).map(({ from, to, message }) => [text.slice(from, to), message])
  }
  const nested = (it: unknown) => [{ verb: 'dial', targets: [{ type: 'client', identity: 'ada' }], onFail: [it] }]
  const cases: [it: unknown, marked: string, message: RegExp][] = [
    [{ verb: 'sai', text: 'Hello' }, '"sai"', /\.verb must be one of: answer, .*hangup\. Did you mean say\?$/],
    [{ text: 'Hello' }, '{', /\.verb is required: answer, /],
    [{ verb: 'say' }, '{', /\.text is required\.$/],
    [{ verb: 'say', text: 'Hello', txt: 'x' }, '"txt"', /\.txt isn’t a field here, .* Did you mean text\?$/],
    [{ verb: 'say', text: 'Hello', loop: 1_001 }, '1001', /\.loop must be at most 1000\.$/],
    [{ verb: 'leave' }, '"leave"', /\.verb must be one of/],
    [
      { verb: 'gather', prompt: [{ verb: 'hangup' }] },
      '"hangup"',
      /\.prompt\[0\]\.verb must be one of: say, play, pause\.$/,
    ],
    [{ verb: 'gather', branches: { x: 'menu' } }, '"x"', /^The name x must be what is typed/],
    [
      { verb: 'dial', targets: [{ type: 'pager' }] },
      '"pager"',
      /\.targets\[0\]\.type must be one of: number, sip, client, queue\.$/,
    ],
    [{ verb: 'redirect', url: 'next page' }, '"next page"', /\.url must be an address without spaces/],
    ['hangup', '"hangup"', /\] must be an object in curly brackets\.$/],
  ]
  for (const [it, marked, message] of cases) {
    for (const [list, place] of [
      [[it], /^(instructions\[0\]|The name)/],
      [nested(it), /^(instructions\[0\]\.onFail\[0\]|The name)/],
    ] as const) {
      const found = inList(list)
      assert.equal(found.length, 1, JSON.stringify(found))
      assert.equal(found[0]?.[0], marked)
      assert.match(found[0]?.[1] ?? '', message)
      assert.match(found[0]?.[1] ?? '', place)
    }
  }
  assert.deepEqual(inList(nested({ verb: 'enqueue', queue: 'q', wait: [{ verb: 'leave' }] })), [])
  assert.deepEqual(inList([]), [['[]', 'instructions must have at least 1 entry.']])
})

test('a command is one verb or a list', () => {
  const reported = (body: unknown) =>
    lintJson(JSON.stringify(body), bodyOf('calls.command')).map(({ message }) => message)
  for (const good of [{ verb: 'mute' }, { verb: 'record', mode: 'call' }, { instructions: [{ verb: 'hangup' }] }])
    assert.deepEqual(reported(good), [])
  assert.deepEqual(reported({ verb: 'mute', instructions: [] }), [
    'instructions isn’t a field here, so the server rejects it.',
  ])
  assert.match(reported({}).join(), /^verb is required: answer, /)
  assert.deepEqual(reported({ verb: 'record' }), ['mode is required.'])
  assert.deepEqual(reported({ instructions: [{ verb: 'mute', leg: 'both' }] }), [
    'instructions[0].leg must be one of: self, peer.',
  ])
})

test('misspelt names find their way', () => {
  assert.equal(nearest('call_back_url', ['to', 'callbackUrl']), 'callbackUrl')
  assert.equal(nearest('bdy', ['body', 'from']), 'body')
  assert.equal(nearest('colour', ['body', 'from']), undefined)
})

const at = (text: string) => completeJson(text.replace('|', ''), text.indexOf('|'), schema, [])
const labels = (text: string) => at(text)?.suggestions.map(({ label }) => label)

test('offers the fields that are missing, required ones first', () => {
  assert.deepEqual(labels('{|}')?.slice(0, 3), ['from', 'to', 'email'])
  assert.ok(!labels('{"from": "a", "|"}')?.includes('from'))
  assert.deepEqual(labels('{"lines": [{"|"}]}'), ['quantity'])
  assert.equal(labels('{"from": "a" | }'), undefined)
  assert.equal(at('{"pri|"}')?.suggestions.find(({ label }) => label === 'priority')?.insert, '"priority": "Warm"')
  assert.equal(at('{"pri|": 1}')?.suggestions.find(({ label }) => label === 'priority')?.insert, '"priority"')
})

test('offers values: enums, examples, booleans, null', () => {
  assert.deepEqual(labels('{"priority": |}'), ['Hot', 'Warm'])
  assert.deepEqual(labels('{"priority": "H|"}'), ['Hot', 'Warm'])
  assert.deepEqual(labels('{"active": |}'), ['true', 'false'])
  assert.deepEqual(labels('{"to": "|"}'), ['+15005550100'])
  assert.deepEqual(labels('{"mode": |}'), ['test'])
})

test('offers the verbs of call instructions, what each takes, and both again within', () => {
  const call = bodyOf('calls.create')
  const offered = (text: string) => completeJson(text.replace('|', ''), text.indexOf('|'), call, [])?.suggestions ?? []
  const names = (text: string) => offered(text).map(({ label }) => label)
  const verbs = offered('{"instructions": [|]}')
  assert.ok(verbs.length > 25 && !verbs.some(({ label }) => label === 'leave'))
  assert.equal(verbs.find(({ label }) => label === 'say')?.insert, '{ "verb": "say", "text": "" }')
  assert.equal(verbs.find(({ label }) => label === 'dial')?.insert, '{ "verb": "dial", "targets": [] }')
  assert.deepEqual(names('{"instructions": [{"|"}]}'), ['verb'])
  assert.ok(names('{"instructions": [{"verb": "|"}]}').includes('hangup'))
  assert.deepEqual(names('{"instructions": [{"verb": "say", "|"}]}').slice(0, 3), ['text', 'label', 'language'])
  const within = '{"instructions": [{"verb": "dial", "targets": [], "confirm": [|]}]}'
  assert.deepEqual(names(within), ['say', 'play', 'pause'])
  assert.deepEqual(names('{"instructions": [{"verb": "dial", "targets": [|]}]}'), ['number', 'sip', 'client', 'queue'])
  assert.deepEqual(names('{"instructions": [{"verb": "dial", "targets": [{"type": "queue", "|"}]}]}'), [
    'queue',
    'skills',
  ])
  const command = completeJson('{""}', 2, bodyOf('calls.command'), [])
  assert.deepEqual(
    command?.suggestions.map(({ label }) => label),
    ['verb', 'instructions'],
  )
})

test('offers variables after {{', () => {
  const made = completeJson('{"to": "{{le"}', 12, schema, [{ name: 'leadId', value: '12' }])
  assert.deepEqual(
    made?.suggestions.map(({ insert }) => insert),
    ['leadId}}'],
  )
  assert.equal(made?.from, 10)
})
