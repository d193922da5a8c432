// JSON with places: mistakes are named where they are, and printing changes white space only.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { createPlaces, resolvePointer, valueAt } from './json_pointer.ts'
import { prettyJson } from './json_pretty.ts'
import { nodeAtField, plainValue, readJson } from './json_text.ts'

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const { root, faults } = readJson(text)
      assert.deepEqual(faults, [])
      assert.equal(JSON.stringify(plainValue(root!)), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('faults exactly where JSON.parse fails', () => {
  const near = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', '\\', '1', 'x', '{'))
    .map(
      ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
    )
  fc.assert(
    fc.property(near, text => {
      let good = true
      try {
        JSON.parse(text)
      } catch {
        good = false
      }
      const { root, faults } = readJson(text)
      assert.equal(root !== undefined && faults.length === 0, good, text)
    }),
    { numRuns: 3_000 },
  )
})

test('says in words what is wrong, at its place', () => {
  const first = (text: string) => {
    const { from, message } = readJson(text).faults[0]!
    return `${from} ${message}`
  }
  assert.equal(first('{"a": 1 "b": 2}'), '6 A comma is missing after this.')
  assert.equal(first('{"a": 1,}'), '7 There can’t be a comma after the last entry.')
  assert.equal(first('{a: 1}'), '1 Write "a" in double quotes.')
  assert.equal(first('{"a": }'), '1 The value of "a" is missing.')
  assert.equal(first('{"a": \'x\'}'), '6 Text goes in double quotes, not single ones.')
  assert.equal(first('{"a": [1, 2}'), '11 A ] must come before this }.')
  assert.equal(first('{"a": 01}'), '6 01 isn’t a JSON number.')
  assert.equal(first('{"a": "x'), '6 The closing double quote is missing.')
  assert.equal(first('{} x'), '3 Nothing can follow the end of the value.')
})

test('a variable may stand for a value', () => {
  const { root, faults } = readJson('{"id": {{leadId}}, "list": [{{a}}, 1]}')
  assert.deepEqual(faults, [])
  assert.equal(nodeAtField(root!, 'id').kind, 'variable')
  assert.equal(nodeAtField(root!, 'list[0]').kind, 'variable')
})

test('deep nesting is refused, not a crash', () => {
  assert.match(readJson('['.repeat(100_000)).faults[0]!.message, /deeper/)
})

test('finds the field a server names, or the nearest above it', () => {
  const text = '{"lines": [{"quantity": 3}], "to": "x"}'
  const { root } = readJson(text)
  const at = (field: string) => text.slice(nodeAtField(root!, field).from, nodeAtField(root!, field).to)
  assert.equal(at('lines[0].quantity'), '3')
  assert.equal(at('lines[0].price'), '{"quantity": 3}')
  assert.equal(at(''), text)
})

test('pretty printing moves white space only', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      const pretty = prettyJson(JSON.stringify(value, null, indent))
      assert.equal(pretty, JSON.stringify(JSON.parse(JSON.stringify(value)), null, 2))
    }),
  )
  assert.equal(
    prettyJson('{"n":1.50,"big":12345678901234567890,"2":0,"1":0,"e":{ },"a":[ ]}'),
    '{\n  "n": 1.50,\n  "big": 12345678901234567890,\n  "2": 0,\n  "1": 0,\n  "e": {},\n  "a": []\n}',
  )
})

test('every place of a document lies in the value its pointer names', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, place) => {
      const text = prettyJson(JSON.stringify(value))
      const parsed = JSON.parse(text)
      const found = valueAt(text, place % text.length)
      if (found === undefined) return
      assert.equal(
        JSON.stringify(JSON.parse(text.slice(found.from, found.to))),
        JSON.stringify(resolvePointer(parsed, found.pointer)),
      )
    }),
    { numRuns: 2_000 },
  )
})

test('a text that is walked in steps has the same values at the same places, in whichever order they are asked for', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 3 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      (...given) => {
        const [value, offsets, stride] = given
        const text = prettyJson(JSON.stringify(value))
        const places = createPlaces(text, stride)
        for (const offset of offsets) {
          const at = offset % (text.length + 1)
          let found = places.find(at, -1)
          for (let steps = 0; found === 'later'; steps++) {
            assert.ok(steps <= text.length, 'it gets on')
            found = places.find(at, -1)
          }
          assert.deepEqual(found && { ...found }, valueAt(text, at) && { ...valueAt(text, at) })
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('the value at a place is the scalar there, also on its name', () => {
  const text = '{"data": [{"id": "msg_1", "n/m": {"x": 1}}]}'
  assert.equal(valueAt(text, text.indexOf('msg_1'))?.pointer, '/data/0/id')
  assert.equal(valueAt(text, text.indexOf('"id"'))?.pointer, '/data/0/id')
  assert.equal(valueAt(text, text.indexOf('1}'))?.pointer, '/data/0/n~1m/x')
  assert.equal(valueAt(text, 0)?.pointer, '')
  assert.equal(resolvePointer(JSON.parse(text), '/data/0/n~1m/x'), 1)
  assert.equal(resolvePointer({}, '/__proto__'), undefined)
})
