// Tests of an answer, as a person puts them together: what they look at, when they pass, and what is said where they
// fail.
import '../../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnswerTest, captured, nameOfTest, runTests, type Tested } from './check.ts'

const answer: Tested = {
  status: 201,
  totalMs: 84.4,
  headers: [
    ['content-type', 'application/json; charset=utf-8'],
    ['etag', '"3"'],
  ],
  json: {
    data: { id: 'msg_1', parts: 2, ok: true, none: null, tags: ['a', 'b'], to: { b: 1, a: [2] } },
    'a/b': 'slash',
  },
}
const at = (subject: AnswerTest['subject'], target: string, operator: AnswerTest['operator'], value = '') => ({
  ...{ subject, target, operator, value },
})
const foundBy = (tested: AnswerTest, of = answer, variables: Record<string, string> = {}) =>
  runTests([tested], of, name => variables[name])[0]?.found

test('status: one, several, a class of them', () => {
  assert.equal(foundBy(at('status', '', 'equals', '201')), undefined)
  assert.equal(foundBy(at('status', '', 'equals', '200')), 'it’s 201')
  assert.equal(foundBy(at('status', '', 'one_of', '200, 201')), undefined)
  assert.equal(foundBy(at('status', '', 'one_of', '204,2xx')), undefined)
  assert.equal(foundBy(at('status', '', 'one_of', '4xx, 500')), 'it’s 201')
})

test('time and headers, whatever the case of their names', () => {
  assert.equal(foundBy(at('time', '', 'below', '100')), undefined)
  assert.equal(foundBy(at('time', '', 'below', '84')), 'it took 84 ms')
  assert.equal(foundBy(at('header', 'ETag', 'equals', '"3"')), undefined)
  assert.equal(foundBy(at('header', 'Content-Type', 'contains', 'json')), undefined)
  assert.equal(foundBy(at('header', 'Content-Type', 'equals', 'text/plain')), 'it’s "application/json; charset=utf-8"')
  assert.equal(foundBy(at('header', 'X-None', 'exists')), 'the answer has no such header')
})

test('JSON values by pointer: there, equal as text or JSON, containing, counted', () => {
  assert.equal(foundBy(at('json', '/data/id', 'equals', 'msg_1')), undefined)
  assert.equal(foundBy(at('json', '/data/id', 'equals', 'msg_2')), 'it’s "msg_1"')
  assert.equal(foundBy(at('json', '/data/parts', 'equals', '2')), undefined)
  assert.equal(foundBy(at('json', '/data/parts', 'equals', '"2"')), 'it’s 2')
  assert.equal(foundBy(at('json', '/data/ok', 'equals', 'true')), undefined)
  assert.equal(foundBy(at('json', '/data/none', 'exists')), undefined)
  assert.equal(foundBy(at('json', '/data/none', 'equals', 'null')), undefined)
  assert.equal(foundBy(at('json', '/data/to', 'equals', '{"a":[2],"b":1}')), undefined)
  assert.equal(foundBy(at('json', '/a~1b', 'equals', 'slash')), undefined)
  assert.equal(foundBy(at('json', '/data/gone', 'exists')), 'there’s no such value')
  assert.equal(foundBy(at('json', '/data/tags', 'contains', 'b')), undefined)
  assert.equal(foundBy(at('json', '/data/tags', 'contains', 'c')), 'it’s ["a","b"]')
  assert.equal(foundBy(at('json', '/data/to', 'contains', 'a')), undefined)
  assert.equal(foundBy(at('json', '/data/tags', 'count', '2')), undefined)
  assert.equal(foundBy(at('json', '/data/tags', 'count', '3')), 'it has 2')
  assert.equal(foundBy(at('json', '', 'count', '2')), undefined)
  assert.equal(foundBy(at('json', '/data', 'exists'), { ...answer, json: undefined }), 'the body isn’t JSON')
})

test('variables stand in values and targets; one without a value fails by name', () => {
  const tested = at('json', '/data/{{field}}', 'equals', '{{wanted}}')
  assert.equal(foundBy(tested, answer, { field: 'id', wanted: 'msg_1' }), undefined)
  assert.equal(foundBy(tested, answer, { field: 'id' }), '{{wanted}} has no value')
  assert.equal(nameOfTest(at('json', '/data/tags', 'count', '1')), '/data/tags has 1 item')
})

test('captures take texts bare and all else as JSON, and name what is not there', () => {
  const { taken, missed } = captured(
    [
      { name: 'id', pointer: '/data/id' },
      { name: 'parts', pointer: '/data/parts' },
      { name: 'gone', pointer: '/nothing' },
    ],
    answer.json,
  )
  assert.deepEqual(
    taken.map(({ name, value }) => [name, value]),
    [
      ['id', 'msg_1'],
      ['parts', '2'],
    ],
  )
  assert.deepEqual(missed, [{ name: 'gone', pointer: '/nothing' }])
})
