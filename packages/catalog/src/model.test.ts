// The catalog says of every endpoint what the Explorer promises, and its error samples are what the server answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { resolveSchema } from './document.ts'
import {
  catalogIndex,
  choicesOf,
  endpointDetail,
  mergedSchema,
  namesIn,
  readCatalog,
  reasonPhrase,
  rulesText,
  typeText,
} from './index.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)

test('every endpoint has name, address, permission, fields, replies and problems', () => {
  assert.ok(catalog.endpoints.length > 40)
  for (const endpoint of catalog.endpoints) {
    const { id, name, description, summary, permission, replies, problems, address, rateLimit, version } = endpoint
    assert.ok(name && description && summary && permission.description && rateLimit && problems.length > 0, id)
    assert.ok(description.startsWith(summary.slice(0, -1)), id)
    assert.match(address, new RegExp(`^/explorer/${version}/[a-z-]+/(?:get|post|put|patch|delete)-[a-z0-9-]+$`))
    assert.equal(permission.roles.length > 0, !/^(public|operator:(read|manage))$/.test(permission.level), id)
    assert.ok(replies[0] !== undefined && replies[0].status < 400, id)
    // Two addresses of OAuth answer by their status alone, one of them with an address to go on to.
    assert.equal(replies[0].examples.length, /^oauth\.(authorize|revoke)$/.test(id) ? 0 : 1, id)
    assert.equal(replies[0].status >= 300, id === 'oauth.authorize', id)
    for (const { status, examples } of replies.slice(1)) assert.ok(examples.length > 0, `${id} ${status}`)
    for (const { name: field, type, in: place } of endpoint.parameters) {
      assert.ok(type !== '' && type !== 'any JSON', `${id} ${field} in ${place}`)
    }
    assert.deepEqual(endpointDetail(document, id), endpoint)
    assert.equal(catalog.byId.get(id), endpoint)
    assert.equal(catalog.byAddress.get(address), endpoint)
  }
  assert.equal(catalog.byAddress.size, catalog.endpoints.length)
  assert.equal(endpointDetail(document, 'no.such'), undefined)
})

test('the index holds every endpoint and stays small', () => {
  const index = catalogIndex(document)
  assert.deepEqual(
    index.map(({ id, level }) => [id, level]),
    catalog.endpoints.map(({ id, permission }) => [id, permission.level]),
  )
  assert.ok(JSON.stringify(index).length < catalog.endpoints.length * 500)
})

test('categories keep the order of the document, and together hold every endpoint once', () => {
  const held = catalog.categories.flatMap(({ endpoints }) => endpoints)
  assert.deepEqual([...held].sort(), [...catalog.byId.keys()].sort())
  assert.equal(catalog.categories[0]?.name, 'Authentication')
  for (const { name, description } of catalog.categories) assert.ok(description.endsWith('.'), name)
})

test('every sample fits the schema of its status', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  // The same schema stands at many endpoints, as that of an error; compiling it is what takes the time.
  const compiled = new Map<string, ValidateFunction>()
  for (const { id, replies, bodySchema, bodyExample, schemas } of catalog.endpoints) {
    // With the schemas it comes with, an endpoint is whole: nothing is looked up elsewhere.
    const fits = (schema: object | null, value: unknown, what: string) => {
      const text = JSON.stringify(schema)
      const whole = text.includes('"$ref"') ? JSON.stringify({ ...schema, components: { schemas } }) : text
      const validate = compiled.get(whole) ?? ajv.compile(JSON.parse(whole))
      compiled.set(whole, validate)
      assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`)
    }
    if (bodyExample !== null) fits(bodySchema, bodyExample, id)
    for (const { schema, examples, status } of replies) {
      for (const { value, name } of examples) {
        fits(schema, value, `${id} ${status} ${name}`)
      }
    }
  }
})

test('an endpoint comes with the schemas it names, and those that these name, each once', () => {
  const { schemas = {}, parameters = [] } = catalog.byId.get('calls.create') ?? {}
  assert.equal(parameters.find(({ name }) => name === 'instructions')?.type, 'list of Instruction')
  const names = Object.keys(schemas)
  for (const name of ['Instruction', 'SayInstruction', 'PromptInstruction', 'LeaveInstruction', 'SipTarget'])
    assert.ok(names.includes(name), name)
  // A list within an instruction is one of instructions again: it is named there, not described again.
  assert.deepEqual(schemas['DialInstruction']?.properties?.['onFail']?.items, {
    $ref: '#/components/schemas/Instruction',
  })
  assert.deepEqual(
    names.filter(name => !(name in catalog.schemas)),
    [],
  )
  assert.deepEqual(catalog.byId.get('leads.create')?.schemas, {})
})

test('a body that is a choice is one field, with the name of what is chosen among', () => {
  const fields = catalog.byId.get('calls.command')?.parameters.filter(field => field.in === 'body') ?? []
  assert.deepEqual(
    fields.map(({ name, type, required }) => [name, type, required]),
    [['body', 'CallCommand', true]],
  )
  const { schemas = {} } = catalog.byId.get('calls.command') ?? {}
  assert.deepEqual(choicesOf(schemas['CallCommand'] ?? {}).slice(0, 2), ['InstructionsCommand', 'AnswerInstruction'])
  const merged = mergedSchema(schemas['RecordCommand'] ?? {}, schemas)
  assert.deepEqual(merged.required, ['verb', 'mode'])
  assert.equal(merged.properties?.['mode']?.const, 'call')
  assert.equal(merged.properties?.['channels']?.default, 'mono')
})

test('reason phrases are those of Node, for every status of the error reference', () => {
  for (const status of [200, 201, 204, 304, ...catalog.problems.map(problem => problem.status)]) {
    if (status !== 0) assert.equal(reasonPhrase(status), STATUS_CODES[status])
  }
})

test('fields within objects follow their parent, and say within what they are required', () => {
  const fields = catalog.byId.get('invoices.create')?.parameters ?? []
  const field = (name: string) => fields.find(candidate => candidate.name === name)
  assert.equal(field('customer')?.required, true)
  assert.equal(field('customer.name')?.required, true)
  assert.equal(field('lines')?.required, false)
  assert.equal(field('lines[].quantity')?.required, false)
  assert.equal(field('lines[].quantity')?.requiredWithin, 'lines')
  assert.equal(field('lines[].tax_rate')?.requiredWithin, undefined)
})

test('unknown fields are refused by the body schema, as by the server', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const { bodySchema, bodyExample } = catalog.byId.get('leads.create') ?? {}
  assert.ok(ajv.validate(bodySchema as object, bodyExample))
  assert.ok(!ajv.validate(bodySchema as object, { ...(bodyExample as object), colour: 'red' }))
})

test('types and rules in words', () => {
  const cases: [schema: object, type: string, rules: string][] = [
    [{ type: 'string', minLength: 1, maxLength: 1600 }, 'text', '1–1,600 characters'],
    [{ type: 'string', maxLength: 1 }, 'text', 'at most 1 character'],
    [{ type: 'string', minLength: 3, maxLength: 3 }, 'text', 'exactly 3 characters'],
    [{ type: 'string', format: 'phone' }, 'text', 'phone number, best E.164'],
    [{ type: ['string', 'null'], enum: ['Hot', 'Cold', null] }, 'text or null', 'one of Hot, Cold'],
    [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer', 'at least 1'],
    [{ type: 'integer', minimum: 1, maximum: 36000 }, 'integer', '1–36,000'],
    [{ type: 'number', minimum: 0, maximum: 1234567.125 }, 'number', '0–1,234,567.125'],
    [{ type: 'string', pattern: '^[A-Z]+$', 'x-error-message': 'must be capitals' }, 'text', 'capitals'],
    [{ type: 'string', pattern: '\\S', 'x-error-message': 'must not be empty' }, 'text', 'not empty'],
    [{ type: 'string', pattern: '^a' }, 'text', 'matches ^a'],
    [
      { type: 'array', items: { type: 'string', maxLength: 5 }, maxItems: 20, uniqueItems: true },
      'list of text',
      'at most 20 entries; no entry twice; each: at most 5 characters',
    ],
    [{ type: 'array', items: { type: 'object', properties: {} } }, 'list of objects', ''],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null', ''],
    [{ const: true }, 'true', ''],
    [{ $ref: '#/components/schemas/Pet' }, 'Pet', ''],
    [{ type: ['array', 'null'], items: { $ref: '#/components/schemas/Pet' } }, 'list of Pet or null', ''],
    [{}, 'any JSON', ''],
  ]
  for (const [schema, type, rules] of cases) {
    assert.equal(typeText(schema), type)
    assert.equal(rulesText(schema), rules)
  }
})

test('the names a value has: its own, those of a choice, those of the entries of a list', () => {
  const [cat, dog] = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
  assert.deepEqual(namesIn(cat), ['Cat'])
  assert.deepEqual(namesIn({ type: 'array', items: { oneOf: [cat, dog] } }), ['Cat', 'Dog'])
  assert.deepEqual(namesIn({ type: 'object', properties: { cat } }), [])
})

test('references resolve, and a circle of them ends', () => {
  const own = { a: { $ref: '#/b' }, b: { type: 'string' }, c: { $ref: '#/c' } }
  assert.deepEqual(resolveSchema(own, { $ref: '#/a' }), { type: 'string' })
  assert.deepEqual(resolveSchema(own, { $ref: '#/c' }), {})
  assert.deepEqual(resolveSchema(own, { $ref: '#/none/at/all' }), {})
})

test('another OpenAPI document, without our extensions, is read for what it has', () => {
  const foreign = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets/{petId}': { parameters: [], get: { operationId: 'getPet', responses: { 200: {} } } } },
  }
  const [endpoint] = readCatalog(foreign).endpoints
  assert.equal(endpoint?.address, '/explorer/v2/other/get-pets-pet-id')
  assert.equal(endpoint?.permission.level, 'any credential')
  assert.deepEqual(endpoint?.problems, [])
})
