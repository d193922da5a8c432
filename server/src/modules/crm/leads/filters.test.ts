// The query string of the list: what it may say, and what is made of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchFaults, searchText } from '../../../kernel/noun/search_text.ts'
import { filtersOf, type ListQuery, orderOf } from './filters.ts'

const viewer = { userId: 3, restricted: false, timeZone: 'Europe/Berlin', defaultCountry: 'DE' }
const created = (query: ListQuery) => filtersOf(query, viewer).created
const faulty = (query: ListQuery) => searchFaults(query.q).map(fault => fault.field)

test('lists of words are taken in any letter case and order', () => {
  const { statuses, priorities } = filtersOf({ status: 'junk, new,NEW', priority: 'COLD' }, viewer)
  assert.deepEqual([statuses, priorities], [['New', 'Junk'], ['Cold']])
})

test('the owner is a user, oneself, or nobody; who is restricted says so', () => {
  assert.equal(filtersOf({ owner_id: '12' }, viewer).owner, 12)
  assert.equal(filtersOf({ owner_id: 'me' }, viewer).owner, 3)
  assert.equal(filtersOf({ owner_id: 'none' }, viewer).owner, null)
  assert.equal(filtersOf({}, viewer).restrictedTo, undefined)
  assert.equal(filtersOf({}, { ...viewer, restricted: true }).restrictedTo, 3)
})

test('the order is the newest first, or what is asked for, and always ends with the id', () => {
  assert.deepEqual(orderOf(undefined), [
    { column: 'created_at', descending: true },
    { column: 'id', descending: true },
  ])
  assert.deepEqual(orderOf('-priority, name'), [
    { column: 'priority', descending: true },
    { column: 'name', descending: false },
    { column: 'id', descending: false },
  ])
  assert.deepEqual(orderOf('-id'), [{ column: 'id', descending: true }])
})

test('a date is a whole day in the time zone of the organization, a time without offset local time there', () => {
  const day = '2026-07-01'
  assert.deepEqual(created({ 'created_at[gte]': day, 'created_at[lte]': day }), {
    from: '2026-06-30T22:00:00.000Z',
    before: '2026-07-01T22:00:00.000Z',
  })
  assert.deepEqual(created({ 'created_at[gt]': day, 'created_at[lt]': '2026-07-03' }), {
    from: '2026-07-01T22:00:00.000Z',
    before: '2026-07-02T22:00:00.000Z',
  })
  // The night in which clocks go forward has no 02:30; the day has 23 hours.
  assert.deepEqual(created({ 'created_at[gte]': '2026-03-29', 'created_at[lte]': '2026-03-29' }), {
    from: '2026-03-28T23:00:00.000Z',
    before: '2026-03-29T22:00:00.000Z',
  })
  assert.equal(created({ 'created_at[gte]': '2026-01-01T12:00' }).from, '2026-01-01T11:00:00.000Z')
  assert.equal(created({ 'created_at[gte]': '2026-01-01T12:00:00+05:30' }).from, '2026-01-01T06:30:00.000Z')
})

test('bounds are met exactly, the narrower of two counts, and none leaves the years of the database', () => {
  const moment = '2026-01-01T00:00:00.123Z'
  assert.equal(created({ 'created_at[gt]': moment }).from, '2026-01-01T00:00:00.124Z')
  assert.equal(created({ 'created_at[lte]': moment }).before, '2026-01-01T00:00:00.124Z')
  assert.equal(created({ 'created_at[lt]': moment }).before, moment)
  assert.equal(
    created({ 'created_at[gte]': '2026-02-02T00:00:00Z', 'created_at[gt]': moment }).from,
    '2026-02-02T00:00:00.000Z',
  )
  assert.deepEqual(created({ 'created_at[gte]': '0000-01-01', 'created_at[lte]': '9999-12-31' }), {
    from: '0001-01-02T00:00:00.000Z',
    before: '9999-12-31T00:00:00.000Z',
  })
  assert.deepEqual(created({}), {})
})

test('search text becomes words: the longest first, short ones at beginnings, but for scripts without blanks', () => {
  assert.deepEqual(searchText(' ada  LOVELACE ', null), {
    words: ['LOVELACE', 'ada'],
    digits: [],
    rough: ['LOVELACE', 'ada'],
    roughWords: [],
  })
  assert.deepEqual(searchText('li', null), { words: [' li'], digits: [], rough: [], roughWords: [' li'] })
  assert.deepEqual(searchText('李', null).words, ['李'])
  for (const q of ['李', 'あ', 'カ', '김', ' 李 ']) assert.deepEqual(faulty({ q }), [], q)
  for (const q of ['é', '1', 'я', '👍']) assert.deepEqual(faulty({ q }), ['q'], q)
  assert.deepEqual(faulty({ q: ' a ' }), ['q'])
  assert.deepEqual(faulty({ q: 'ab' }), [])
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
