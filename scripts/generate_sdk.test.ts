// The generator of the SDK: what it makes of each kind of schema, and what it refuses because a method could not carry it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sdkFiles } from './generate_sdk.ts'
import type { OpenApiDocument } from './openapi_operations.ts'
import { comment, type Schema, typeText } from './sdk_types.ts'

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const data = (schema: Schema): Schema => ({ type: 'object', properties: { status: {}, data: schema, meta: {} } })

type Operation = OpenApiDocument['paths'][string][string]

const operation = (operationId: string, more: Partial<Operation> = {}): Operation => ({
  operationId,
  summary: 'Do it',
  description: 'It is done.',
  responses: { 200: json(data({ type: 'object' })) },
  ...more,
})

/** The generated files for a document with these operations, each at an address of its own. */
function generate(...operations: Operation[]): { table: string; types: string } {
  const paths = Object.fromEntries(operations.map((one, index) => [`/v2/${index}`, { post: one }]))
  const { files } = sdkFiles({ paths, components: { schemas: {} } })
  const [table = '', types = ''] = Object.values(files)
  return { table, types }
}

const field = (name: string, place: string) => ({ name, in: place, schema: { type: 'string' } })
const bodyOf = (...names: string[]) => ({
  requestBody: json({ type: 'object', properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])) }),
})

describe('what a method could not carry is refused', () => {
  test('two fields of one name, wherever they stand', () => {
    const clash = operation('things.create', { parameters: [field('from', 'query')], ...bodyOf('from') })
    assert.throws(() => generate(clash), /things\.create: two fields are named from/)
  })

  test('a body that is no object', () => {
    const list = operation('things.create', { requestBody: json({ type: 'array', items: {} }) })
    assert.throws(() => generate(list), /things\.create: the SDK needs a body that is an object/)
  })

  test('a list that takes no limit, or a lower one than the client asks for', () => {
    const meta = { type: 'object', properties: { pagination: {} } }
    const page: Schema = { type: 'object', properties: { data: { type: 'array', items: {} }, meta } }
    const list = (maximum?: number) =>
      operation('things.list', {
        parameters: maximum === undefined ? [] : [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum } }],
        responses: { 200: json(page) },
      })
    assert.throws(() => generate(list()), /things\.list: the SDK reads lists with limit=100/)
    assert.throws(() => generate(list(50)), /limit=100/)
    assert.match(generate(list(200)).table, /things\.list POST \/v2\/0 p items/)
  })

  test('two methods of one name, and a method that is a group too', () => {
    assert.throws(
      () => generate(operation('api_keys.list'), operation('apiKeys.list')),
      /two methods for apiKeys\.list/,
    )
    assert.throws(
      () => generate(operation('calls'), operation('calls.create')),
      /two methods|both a method and a group/,
    )
    assert.throws(() => generate(operation('request.send')), /two methods for request\.send/)
  })
})

test('the table says which fields go into the query when there is a body too', () => {
  const { table } = generate(
    operation('a.b', { parameters: [field('dryRun', 'query'), field('Idempotency-Key', 'header')], ...bodyOf('name') }),
    operation('a.c', { parameters: [field('q', 'query')], security: [] }),
  )
  assert.match(table, /^.*`a\.b POST \/v2\/0 dbk {2}dryRun$/m)
  assert.match(table, /^a\.c POST \/v2\/1 du`$/m)
})

test('a list of words takes an array, a stream its events by name', () => {
  const words = { type: 'string', pattern: '^(?:a|b)(?:,(?:a|b))*$', description: 'Which.' }
  const message = (event: string, schema: Schema): Schema => ({
    type: 'object',
    properties: { event: { const: event }, id: { type: 'string' }, data: schema },
  })
  const schema: Schema = { anyOf: [message('one', { type: 'integer' }), message('two', { type: 'string' })] }
  const { types } = generate(
    operation('s.open', {
      parameters: [{ name: 'kinds', in: 'query', schema: words }],
      responses: { 200: { content: { 'text/event-stream': { schema } } } },
    }),
  )
  assert.match(types, /kinds\?: string \| ReadonlyArray<'a' \| 'b'>/)
  assert.match(types, /\| StreamEvent<'one', number>\n {2}\| StreamEvent<'two', string>/)
  assert.match(types, /open: StreamOperation<SOpenParams, SOpenEvent>/)
})

test('a file is bytes, whatever its schema says', () => {
  const { types, table } = generate(
    operation('f.read', {
      'x-envelope': 'file',
      responses: { 200: { content: { 'audio/wav': { schema: { type: 'string', format: 'binary' } } } } },
    }),
  )
  assert.match(types, /export type FReadReply = Blob/)
  assert.match(types, /read: Operation<Record<never, never>, FReadReply>/)
  assert.match(table, /f\.read POST \/v2\/0 f/)
})

test('named schemas are types of their names, also where they hold themselves; a choice is a body', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const node: Schema = {
    type: 'object',
    description: 'A knot.',
    required: ['children'],
    properties: { children: { type: 'array', items: ref('Node') }, leaf: ref('Leaf') },
  }
  const schemas = {
    Unused: { type: 'string' },
    Node: node,
    Leaf: { type: 'string' },
    Big: { allOf: [ref('Node'), { type: 'object', required: ['big'], properties: { big: { const: true } } }] },
    Either: { oneOf: [ref('Node'), ref('Big')] },
  }
  const own = operation('trees.grow', {
    parameters: [field('treeId', 'path')],
    requestBody: json(ref('Either')),
    responses: { 200: json(data(node)) },
  })
  const { files } = sdkFiles({ paths: { '/v2/trees': { post: own } }, components: { schemas } })
  const [table = '', types = ''] = Object.values(files)
  assert.match(table, /trees\.grow POST \/v2\/trees db/)
  assert.match(types, /^\/\*\* A knot\. \*\/\nexport type Node = \{\n {2}children: Node\[\]\n {2}leaf\?: Leaf\n\}$/m)
  assert.match(types, /^export type Either =\n {2}\| Node\n {2}\| Big\n$/m)
  assert.match(types, /^export type Big = Node & \{\n {2}big: true\n\}$/m)
  assert.match(types, /^export type TreesGrowParams = \{\n {2}treeId\??: string\n\} & Either$/m)
  assert.doesNotMatch(types, /Unused/)
})

test('types say what the schema says', () => {
  const cases: [Schema, string][] = [
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['it’s', "it's", 1, null] }, "'it’s' | 'it\\'s' | 1 | null"],
    [{ const: true }, 'true'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "Array<'a' | 'b'>"],
    [{ type: 'array', items: { type: 'integer' } }, 'number[]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', properties: {} }, 'Record<never, never>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', patternProperties: { '^.*$': { type: 'string' } } }, 'Record<string, string>'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ $ref: '#/components/schemas/ProblemV1' }, 'ProblemV1'],
    [{}, 'unknown'],
    [
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, 'b[gte]': { type: 'integer', minimum: 2 } },
      },
      "{\n  a: string\n  /** (at least 2) */\n  'b[gte]'?: number\n}",
    ],
  ]
  for (const [schema, text] of cases)
    assert.equal(
      typeText(schema, () => undefined),
      text,
    )
})

test('a comment cannot be ended by its text', () => {
  assert.equal(comment('a */ b', ''), '/** a *\\/ b */\n')
})

test('of the committed document: a method for each operation, a record for each noun', () => {
  const file = join(import.meta.dirname, '../docs/openapi.json')
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
  const { files, methods } = sdkFiles(document)
  const all = Object.values(document.paths).flatMap(path => Object.values(path))
  // Of the protocol of OAuth there is none: its clients are others'.
  const count = all.filter(operation => operation['x-version'] !== 'oauth').length
  assert.equal(files['sdk/src/operations.generated.ts']?.match(/^.*(GET|POST|PATCH|PUT|DELETE) \//gm)?.length, count)
  assert.equal(methods.split('\n').length, count + 2)
  const types = files['sdk/src/types.generated.ts'] ?? ''
  for (const name of ['Lead', 'Invoice', 'Payment', 'Message', 'Call', 'User', 'ApiKey', 'Organization', 'Scope'])
    assert.match(types, new RegExp(`^export type ${name} = `, 'm'))
  const code = types.replaceAll(/\/\*\*.*?\*\//gs, '')
  assert.ok(!/: any\b|<any>/.test(code))
  assert.match(code, /^export type CallsCreateParams = \{[^}]*^ {2}instructions\?: Instruction\[\]$/m)
  assert.match(code, /^export type DialInstruction = \{[^}]*^ {2}onFail\?: Instruction\[\]$/m)
  assert.match(code, /^export type CallsCommandParams = \{\s*callId: string\n\} & CallCommand$/m)
})
