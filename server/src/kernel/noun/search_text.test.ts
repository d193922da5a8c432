// What a search looks for, of the text that is sent: words, and the digits of a number however it is spelled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchFaults, searchText } from './search_text.ts'

const faulty = (q: string) => searchFaults(q).map(fault => fault.field)

test('search text becomes words: the longest first, short ones at beginnings, but for scripts without blanks', () => {
  assert.deepEqual(searchText(' ada  LOVELACE ', null), {
    words: ['LOVELACE', 'ada'],
    digits: [],
    rough: ['LOVELACE', 'ada'],
    roughWords: [],
  })
  assert.deepEqual(searchText('li', null), { words: [' li'], digits: [], rough: [], roughWords: [' li'] })
  assert.deepEqual(searchText('李', null).words, ['李'])
  for (const q of ['李', 'あ', 'カ', '김', ' 李 ']) assert.deepEqual(faulty(q), [], q)
  for (const q of ['é', '1', 'я', '👍']) assert.deepEqual(faulty(q), ['q'], q)
  assert.deepEqual(faulty(' a '), ['q'])
  assert.deepEqual(faulty('ab'), [])
})

test('a number is searched by its digits, however it is spelled', () => {
  const digits = (q: string) => searchText(q, 'DE').digits
  assert.deepEqual(digits('(415) 555-01'), ['41555501', '4941555501'])
  assert.deepEqual(digits('+49 (0)30 1234567'), ['490301234567', '49301234567'])
  assert.deepEqual(digits('0049 30 12'), ['493012', '493012'])
  assert.deepEqual(digits('030/1234567'), ['301234567', '49301234567'])
  for (const q of ['12', '00', 'a1234', '3M 2000', '+', '()']) assert.deepEqual(digits(q), [], q)
})

test('property: whatever is searched for, each word is well-formed, and there is one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 2, maxLength: 100 }), q => {
      const { words } = searchText(q, 'US')
      assert.ok(words.length > 0 && words.every(word => word.isWellFormed()))
    }),
  )
})
