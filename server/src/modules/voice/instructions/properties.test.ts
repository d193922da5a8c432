// Lists made by chance out of the schemas: valid ones are taken and survive JSON, and our check agrees with a validator of
// JSON Schema; spoilt ones are refused with faults that point at something that is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { Schema } from './check.ts'
import {
  commandVerbs,
  describeInstruction,
  instructionsJsonSchema,
  readCommand,
  readInstructions,
  withDefaults,
  withoutSecrets,
} from './index.ts'
import type { ListKind } from './parts.ts'
import { type Instruction, type Verb, verbSchemas, verbs, verbsOfList } from './schema.ts'

const context = {
  phone: (text: string) => (/^\+\d{7,15}$/.test(text) ? text : undefined),
  url: (text: string) =>
    /^https:\/\/[a-z./]+$/.test(text) ? { href: text } : { code: 'not_a_url', message: 'is not an address' },
}

type Loose = Record<string, unknown>

/** Words that fit a pattern, by the pattern: what fast-check makes of look-alikes would rarely fit. */
function textOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.format === 'phone') return fc.constantFrom('+15550100001', '+4930123456')
  if (schema.format === 'url') return fc.constantFrom('https://example.com/a', 'https://example.com/b.wav')
  const { minLength = 0, maxLength = 20 } = schema
  if (schema.pattern !== undefined) {
    const most = Math.min(maxLength, 12)
    return fc
      .stringMatching(new RegExp(schema.pattern, 'u'))
      .filter(text => [...text].length <= most && text.length >= minLength)
  }
  return fc
    .string({ minLength, maxLength: Math.min(maxLength, 12), unit: 'grapheme' })
    .filter(text => !text.includes('\0'))
}

function arbitraryOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { minimum, maximum, additionalProperties: members } = schema
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(choice => arbitraryOf(choice, depth)))
  if (schema['x-instructions'] !== undefined) return listOf(schema['x-instructions'], depth + 1)
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc
        .double({ min: minimum, max: maximum, noNaN: true })
        .map(value => Math.round(value * 10) / 10 || (minimum ?? 0))
    case 'array':
      return fc.uniqueArray(arbitraryOf(schema.items ?? {}, depth), {
        minLength: schema.minItems,
        maxLength: schema.maxItems,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      })
    default:
      break
  }
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties).filter(([name]) => name !== 'label')
    const required = new Set(schema.required)
    const members = entries.map(([name, property]) => [name, arbitraryOf(property, depth)] as const)
    return fc.record(Object.fromEntries(members), { requiredKeys: [...required] as never[] })
  }
  if (typeof members !== 'object')
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.integer(), { minKeys: 1, maxKeys: 3 })
  const names = fc
    .stringMatching(new RegExp(schema.propertyNames?.pattern ?? '', 'u'))
    .filter(name => name.length <= 10)
  return fc.dictionary(names, arbitraryOf(members, depth), { maxKeys: 3 })
}

const perVerb = new Map<string, fc.Arbitrary<Loose>>()
function instructionOf(verb: Verb, depth: number): fc.Arbitrary<Loose> {
  const key = `${verb} ${depth}`
  const known =
    perVerb.get(key) ?? arbitraryOf(verbSchemas[verb] as unknown as Schema, depth).map(it => repaired(it as Loose))
  perVerb.set(key, known as fc.Arbitrary<Loose>)
  return known as fc.Arbitrary<Loose>
}

/** Of lists within lists, only short ones of what is heard once it gets deep. */
function listOf(kind: ListKind, depth: number): fc.Arbitrary<Loose[]> {
  const allowed = verbsOfList[kind].filter(verb => depth < 3 || ['say', 'play', 'pause', 'hangup'].includes(verb))
  return fc.array(
    fc.constantFrom(...allowed).chain(verb => instructionOf(verb, depth)),
    { minLength: 1, maxLength: depth === 1 ? 5 : 2 },
  )
}

/** What contradicts itself is taken out again: the schemas cannot say it. */
function repaired(source: Loose): Loose {
  const it = { ...source }
  const drop = (...names: string[]) => {
    for (const name of names) delete it[name]
  }
  const both = (one: string, other: string) => it[one] !== undefined && it[other] !== undefined && drop(other)
  for (const list of ['onEnd', 'onFail', 'onMachine']) both(list, 'actionUrl')
  if (it['actionUrl'] === undefined) drop('actionOnEmpty')
  both('reason', 'sipCode')
  both('confirm', 'confirmUrl')
  if (it['confirm'] === undefined) drop('confirmKey')
  both('wait', 'waitUrl')
  if (it['coach'] !== undefined) drop('muted')
  for (const target of [it['to'], ...((it['targets'] as unknown[]) ?? [])] as Loose[]) {
    if (target?.['type'] === 'sip') Object.assign(target, { user: 'a', password: 'b' })
  }
  switch (it['verb']) {
    case 'say':
      it['text'] = `Say ${it['text']}`
      break
    case 'play':
      if (it['url'] === undefined) it['tone'] ??= 'beep'
      both('url', 'tone')
      if (it['tone'] !== undefined) drop('seekSeconds')
      break
    case 'gather': {
      if (it['finishOnKey'] === '') it['numDigits'] ??= 3
      const names = Object.keys((it['branches'] as object) ?? {})
      const typed = names.filter(
        name => name.length <= Number(it['numDigits'] ?? 99) && !/[#*0-9A-D]*[#A-D*]/.test(name),
      )
      if (/^\d$/.test(String(it['finishOnKey']))) drop('branches')
      else if (it['branches'] !== undefined) it['branches'] = Object.fromEntries(typed.map(name => [name, 'start']))
      break
    }
    case 'dial': {
      const targets = it['targets'] as Loose[]
      if (targets.some(target => target['type'] === 'queue')) it['targets'] = targets.slice(0, 1)
      break
    }
    case 'record':
      if (it['mode'] === 'call') drop('finishOnKey', 'silenceSeconds', 'trim', 'beep', 'actionUrl')
      else drop('channels')
      break
    case 'transfer':
      it['mode'] = 'attended'
      break
    case 'tag':
      it['tags'] ??= ['a']
      break
    case 'goto':
      it['to'] = 'start'
      break
  }
  return it
}

/** Labels on all instructions: none is unreachable then, and every jump has its place to go to. */
function labelled(list: Loose[]): Loose[] {
  let count = 0
  const mark = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mark)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([name, member]) => [name, name === 'data' ? member : mark(member)])
    const copy = Object.fromEntries(members) as Loose
    return typeof copy['verb'] === 'string' ? { ...copy, label: `l${count++}` } : copy
  }
  return [{ verb: 'pause', label: 'start' }, ...(mark(list) as Loose[])]
}

const valid = listOf('any', 1).map(labelled)
const runs = { numRuns: 300 }

const ajv = new Ajv2020({ strict: false, allErrors: false })
ajv.addFormat('phone', text => context.phone(text) !== undefined)
ajv.addFormat('uri-reference', text => 'href' in context.url(text))
const fits = ajv.compile(instructionsJsonSchema())

test('valid lists are taken as they are, survive JSON, and can be read again', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(valid, list => {
      const sent = JSON.parse(JSON.stringify(list))
      const reading = readInstructions(sent, context)
      assert.ok('instructions' in reading, JSON.stringify(reading))
      assert.deepEqual(reading.instructions, sent)
      assert.deepEqual(readInstructions(JSON.parse(JSON.stringify(reading.instructions)), context), reading)
      assert.ok(fits(sent), JSON.stringify(fits.errors))
      for (const instruction of reading.instructions as Instruction[]) {
        seen.add(instruction.verb)
        assert.ok(describeInstruction(instruction).startsWith(instruction.verb))
        assert.equal(withDefaults(instruction as never)['verb'], instruction.verb)
      }
      assert.ok(!JSON.stringify(withoutSecrets(reading.instructions)).includes('"password":"b"'))
    }),
    runs,
  )
  assert.deepEqual(
    verbsOfList.any.filter(verb => !seen.has(verb)),
    [],
  )
})

/** The places of a value, as ways of names and indexes. */
function waysOf(value: unknown, way: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [way]
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value)
  return [way, ...keys.flatMap(key => waysOf((value as Loose)[key], [...way, key]))]
}

const spoils: ((owner: Loose, key: string | number) => void)[] = [
  (owner, key) => delete owner[key],
  (owner, key) => Object.assign(owner, { [key]: null }),
  (owner, key) => Object.assign(owner, { [key]: 'spoilt word' }),
  (owner, key) => Object.assign(owner, { [key]: -1 }),
  (owner, key) => Object.assign(owner, { [key]: 1e9 }),
  (owner, key) => Object.assign(owner, { [key]: 'long word '.repeat(900) }),
  (owner, key) => Object.assign(owner, { [key]: [] }),
  (owner, key) => Object.assign(owner, { [key]: { verb: 'say' } }),
  (owner, key) => Object.assign(owner, { [`${key}x`]: 1 }),
]

/** What is at the path of a fault; the path of something missing ends one step earlier. */
function pointsAtSomething(root: unknown, field: string, code: string): boolean {
  let value: unknown = { instructions: root }
  const steps = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  for (const [index, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, step)) return code === 'required' && index === steps.length - 1
    value = (value as Loose)[step]
  }
  return true
}

/** What only we report: sense, and the size of free data. */
const beyondSchema = ['conflict', 'unreachable', 'unknown_label', 'duplicate_label', 'required', 'wrong_format']

test('spoilt lists are refused at a place that is there, and where JSON Schema refuses them too', () => {
  let refused = 0
  fc.assert(
    fc.property(valid, fc.nat(), fc.constantFrom(...spoils), (list, pick, spoil) => {
      const sent = JSON.parse(JSON.stringify(list))
      const ways = waysOf(sent).filter(way => way.length > 0)
      const way = ways[pick % ways.length] as (string | number)[]
      const owner = way.slice(0, -1).reduce((value: Loose, key) => value[key] as Loose, sent as Loose)
      spoil(owner, way.at(-1) as string)
      const received = JSON.parse(JSON.stringify(sent))
      const reading = readInstructions(received, context)
      const faults = 'faults' in reading ? reading.faults : []
      if (!fits(received)) assert.ok(faults.length > 0, JSON.stringify(received))
      else
        for (const { code, field } of faults)
          assert.ok(beyondSchema.includes(code) || field.endsWith('.data'), `${field}: ${code}`)
      for (const { field, code, message } of faults) {
        refused++
        assert.ok(pointsAtSomething(received, field, code), `${field} (${code}) in ${JSON.stringify(received)}`)
        assert.ok(message.length > 0 && message.length < 700 && !/undefined|\[object/.test(message), message)
      }
    }),
    { numRuns: 1_000 },
  )
  assert.ok(refused > 300, `only ${refused} faults`)
})

const fitsCommand = ajv.compile({ $ref: '#/$defs/CallCommand', $defs: instructionsJsonSchema()['$defs'] })

test('commands are taken and refused as their schema says, but for what no schema says', () => {
  const [taken, refused] = [new Set<string>(), new Set<string>()]
  const anyVerb = fc.constantFrom(...verbs).chain(verb => instructionOf(verb, 2))
  fc.assert(
    fc.property(anyVerb, fc.option(fc.tuple(fc.nat(), fc.constantFrom(...spoils))), (it, spoilt) => {
      const body = JSON.parse(JSON.stringify(it))
      const names = Object.keys(body)
      if (spoilt !== null) spoilt[1](body, names[spoilt[0] % names.length] as string)
      const sent = JSON.parse(JSON.stringify(body))
      const reading = readCommand(sent, context)
      const faults = 'faults' in reading ? reading.faults : []
      const fits = fitsCommand(sent)
      ;(fits ? taken : refused).add(String(it['verb']))
      if (!fits) assert.ok(faults.length > 0, JSON.stringify(sent))
      else
        for (const { code, field } of faults)
          assert.ok(
            beyondSchema.includes(code) || field.endsWith('data'),
            `${field}: ${code} in ${JSON.stringify(sent)}`,
          )
    }),
    // So many that each verb comes unspoilt, whatever the seed.
    { numRuns: 4_000 },
  )
  assert.deepEqual([...taken].sort(), [...commandVerbs].sort())
  assert.ok(refused.has('pause') && refused.has('goto') && refused.has('record'))
})

test('whatever JSON comes, there is an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.array(fc.jsonValue({ maxDepth: 3 }))), value => {
      const reading = readInstructions(value, context)
      assert.ok('faults' in reading && reading.faults.length > 0 && reading.faults.length <= 20)
    }),
    runs,
  )
})
