// Lists of words in query parameters: what is taken, and what is refused in which words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { SortBy, sortOf, WordList, wordsOf } from './list_query.ts'
import { compileValidator } from './validate.ts'

const words = ['New', 'Hot'] as const
const columns = ['created_at', 'name'] as const
const query = Type.Object({
  status: Type.Optional(WordList(words, 'Only these.')),
  sort: Type.Optional(SortBy(columns, '-created_at')),
})
const validate = compileValidator({ query })
const faults = (sent: object) => validate({ query: { ...sent }, body: undefined })

test('words are taken in any case and order, each once, with blanks around commas', () => {
  assert.equal(faults({ status: 'hot, new,NEW' }), undefined)
  assert.deepEqual(wordsOf('hot, new,NEW', words), ['New', 'Hot'])
  for (const status of ['', 'New,', 'New,Lost', 'New;Hot']) {
    const message = 'must be one or more, with commas between, of: New, Hot'
    assert.deepEqual(faults({ status }), [{ field: 'status', code: 'not_allowed', message }], status)
  }
})

test('a sort names columns, each once, and turns those with - around', () => {
  assert.equal(faults({ sort: '-NAME, created_at' }), undefined)
  assert.deepEqual(sortOf('-NAME, created_at', columns), [
    { column: 'name', descending: true },
    { column: 'created_at', descending: false },
  ])
  for (const sort of ['size', '--name', 'name,,created_at', 'name,-name', ''])
    assert.deepEqual(
      faults({ sort })?.map(({ field, code }) => [field, code]),
      [['sort', 'not_allowed']],
      sort,
    )
  assert.match(faults({ sort: 'size' })?.[0]?.message ?? '', /created_at, name/)
  assert.match(faults({ sort: 'name,name' })?.[0]?.message ?? '', /once/)
})
