// The OpenAPI document held against a validator of JSON Schema that is not ours: every schema is one, every example fits the
// schema it stands beside, and call instructions are taken and refused by it in every place that takes them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { catalog, sentRequests, withProtocol } from '../src/catalog.ts'
import { openApiDocument } from '../src/kernel/documents/openapi.ts'
import { categories, plannedCategories } from '../src/kernel/endpoint/endpoint.ts'

type Json = Record<string, unknown>
type Media = { schema: Json; example?: unknown }
type Operation = {
  operationId: string
  parameters: { name: string; schema: Json; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

// As it is read by everybody else: as text.
const document = JSON.parse(JSON.stringify(openApiDocument(withProtocol(catalog), sentRequests))) as {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}
const { schemas } = document.components
const operations = Object.values(document.paths).flatMap(path => Object.values(path))

const ajv = new Ajv2020({ strict: false, allErrors: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
for (const name of ['phone', 'moment', 'url', 'binary']) ajv.addFormat(name, true)
ajv.addSchema(document, 'openapi')

/** The check of the schema at a place of the document, where the references in it begin too. */
function schemaAt(...way: (string | number)[]) {
  const pointer = way.map(step => `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
  const fits = ajv.getSchema(`openapi#${pointer.join('')}`)
  assert.ok(fits, `there is no schema at ${way.join(' ')}`)
  return fits
}

const named = (name: string) => schemaAt('components', 'schemas', name)

function assertFits(fits: ReturnType<typeof schemaAt>, value: unknown, what: string): void {
  assert.ok(fits(value), `${what}: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(value)}`)
}

describe('every schema and every example', () => {
  test('of requests and replies, those that Tandem sends too', () => {
    let count = 0
    const all = [document.paths, document.webhooks].flatMap(part => Object.entries(part))
    for (const [path, methods] of all) {
      for (const [method, { operationId, parameters, requestBody, responses }] of Object.entries(methods)) {
        const way = [path in document.webhooks ? 'webhooks' : 'paths', path, method]
        for (const [index, { name, example }] of parameters.entries()) {
          const fits = schemaAt(...way, 'parameters', index, 'schema')
          if (example !== undefined) assertFits(fits, example, `${operationId} ${name}`)
        }
        const parts = [['requestBody', requestBody] as const, ...Object.entries(responses)]
        for (const [name, part] of parts) {
          for (const [type, { example }] of Object.entries(part?.content ?? {})) {
            const own = name === 'requestBody' ? [name] : ['responses', name]
            const fits = schemaAt(...way, ...own, 'content', type, 'schema')
            if (example !== undefined) assertFits(fits, example, operationId)
            count++
          }
        }
      }
    }
    assert.ok(count > 200)
  })

  test('of named schemas, their properties and defaults included', () => {
    let count = 0
    for (const [name, schema] of Object.entries(schemas)) {
      const whole = ['components', 'schemas', name]
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
      for (const [way, own] of [
        [whole, schema] as const,
        ...properties.map(([place, own]) => [[...whole, 'properties', place], own] as const),
      ]) {
        const fits = schemaAt(...way)
        const values = [...((own['examples'] as unknown[]) ?? []), ...('default' in own ? [own['default']] : [])]
        for (const value of values) assertFits(fits, value, way.join(' '))
        count += values.length
      }
    }
    assert.ok(count > 150, `only ${count}`)
  })

  test('of the reference of call instructions', () => {
    const page = readFileSync(new URL('../../docs/call_instructions.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text))
    assert.ok(blocks.length > 30)
    for (const block of blocks) {
      for (const it of [block].flat()) {
        assertFits(named(it.verb === 'leave' ? 'WaitInstruction' : 'Instruction'), it, 'docs/call_instructions.md')
      }
    }
  })
})

describe('call instructions', () => {
  /** The schema of a property of the body or of the data of the reply. */
  const fieldOf = (id: string, name: string, isReply: boolean): Json | undefined => {
    const operation = operations.find(({ operationId }) => operationId === id)
    const whole = isReply ? operation?.responses : { body: operation?.requestBody }
    const media = Object.values(whole ?? {})[0]?.content?.['application/json']?.schema as Json
    const at = (schema: Json | undefined, key: string) => (schema?.['properties'] as Record<string, Json>)?.[key]
    const data = isReply ? at(media, 'data') : media
    return at((data?.['items'] as Json) ?? data, name)
  }

  test('are named wherever they are taken and given back', () => {
    const taking = ['calls.create', 'client_calls.create', 'numbers.voice.set', 'sip_credentials.create']
    const places = operations.flatMap(({ operationId }) =>
      [false, true].flatMap(isReply => {
        const found = fieldOf(operationId, 'instructions', isReply)
        return found === undefined ? [] : [{ id: `${operationId} ${isReply}`, items: found['items'] }]
      }),
    )
    for (const { id, items } of places) assert.deepEqual(items, { $ref: '#/components/schemas/Instruction' }, id)
    assert.ok(places.length >= 9, places.map(({ id }) => id).join(', '))
    for (const id of taking)
      assert.ok(
        places.some(place => place.id === `${id} false`),
        id,
      )
    for (const id of ['calls.get', 'numbers.voice.get'])
      assert.ok(
        places.some(place => place.id === `${id} true`),
        id,
      )
  })

  const cases: [it: unknown, isGood: boolean][] = [
    [{ verb: 'say', text: 'Hello' }, true],
    [{ verb: 'sing', text: 'Hello' }, false],
    [{ verb: 'say' }, false],
    [{ verb: 'say', text: 'Hello', txt: 'Hello' }, false],
    [{ verb: 'say', text: 'Hello', loop: 1_001 }, false],
    [{ verb: 'leave' }, false],
    [{ verb: 'redirect', url: '../next?step=2' }, true],
    [{ verb: 'redirect', url: 'not an address' }, false],
    [{ verb: 'sendDigits', digits: '12w#' }, true],
    [{ verb: 'sendDigits', digits: '••••', sensitive: true }, true],
    [{ verb: 'sendDigits', digits: '12x' }, false],
    [{ verb: 'dial', targets: [{ type: 'queue', queue: 'support' }] }, true],
    [{ verb: 'transfer', to: { type: 'queue', queue: 'support' } }, false],
    [{ verb: 'gather', prompt: [{ verb: 'hangup' }] }, false],
    [{ verb: 'enqueue', queue: 'q', wait: [{ verb: 'leave' }] }, true],
    [{ verb: 'enqueue', queue: 'q', onFail: [{ verb: 'leave' }] }, false],
    [{ verb: 'detectMachine', onMachine: [{ verb: 'dial', targets: [], onFail: [] }] }, false],
    [{ verb: 'detectMachine', onMachine: [{ verb: 'enqueue', queue: 'q', onFail: [{ verb: 'hangup' }] }] }, true],
  ]

  test('are taken and refused in a list, however deep they stand', () => {
    const way = ['requestBody', 'content', 'application/json', 'schema', 'properties', 'instructions']
    const fits = schemaAt('paths', '/v2/voice/calls', 'post', ...way)
    for (const [it, isGood] of cases) {
      assert.equal(fits([it]), isGood, JSON.stringify(it))
      const within = { verb: 'dial', targets: [{ type: 'client', identity: 'ada' }], onFail: [it] }
      assert.equal(fits([within]), isGood, JSON.stringify(within))
    }
    assert.equal(fits([]), false)
    assert.equal(fits(new Array(101).fill({ verb: 'pause' })), false)
  })

  test('are taken as commands where a live call takes them', () => {
    const fits = named('CallCommand')
    for (const body of [{ verb: 'mute' }, { verb: 'leave' }, { instructions: [{ verb: 'pause' }] }])
      assertFits(fits, body, 'a command')
    assertFits(fits, { verb: 'record', mode: 'call', channels: 'dual' }, 'a command')
    for (const body of [
      {},
      { verb: 'pause' },
      { verb: 'record' },
      { verb: 'record', mode: 'message' },
      { verb: 'mute', leg: 'both' },
      { verb: 'mute', instructions: [{ verb: 'pause' }] },
      { instructions: [] },
    ])
      assert.equal(fits(body), false, JSON.stringify(body))
  })
})

/** Where a schema within takes integers of any size; what references lead to has its turn as a schema of its own. */
function unbounded(value: unknown, where: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, maximum, exclusiveMaximum, enum: values } = value as Json
  const own = [type].flat().includes('integer') && (maximum ?? exclusiveMaximum ?? values) === undefined ? [where] : []
  const within = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples')
  return [...own, ...within.flatMap(([name, inner]) => unbounded(inner, `${where}.${name}`))]
}

test('every integer that a request body takes has a largest: past it no column can hold one', () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    unbounded(requestBody?.content['application/json']?.schema, operationId),
  )
  assert.deepEqual(bodies, [])
})

test('each category has endpoints, or is said to be planned, and then the document does not list it', () => {
  const without = categories.filter(name => !catalog.some(({ category }) => category === name))
  assert.deepEqual(without, plannedCategories)
  const { tags } = openApiDocument(withProtocol(catalog), sentRequests) as { tags: { name: string }[] }
  assert.deepEqual(
    tags.map(({ name }) => name),
    categories.filter(name => !plannedCategories.includes(name)),
  )
})
