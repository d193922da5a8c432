// What a live list does with what the stream sends: nothing twice, nothing lost, and never without end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNewItems } from './lists.ts'

const idOf = (item: string) => item
const page = (...items: string[]) => ({ items, nextCursor: 'more', hasMore: true })
const list = { pages: [page('c', 'b'), page('a')], pageParams: [undefined, 'more'] }

test('new items stand on top, in the order they came in, and pages below stay', () => {
  const next = withNewItems(list, ['e', 'd'], idOf, 100)
  assert.deepEqual(
    next?.pages.map(({ items }) => items),
    [['e', 'd', 'c', 'b'], ['a']],
  )
  assert.deepEqual(next?.pageParams, list.pageParams)
})

test('what the list holds already, on whatever page, is left out; then it is the same list', () => {
  assert.deepEqual(withNewItems(list, ['d', 'a', 'c'], idOf, 100)?.pages[0]?.items, ['d', 'c', 'b'])
  assert.equal(withNewItems(list, ['a', 'b'], idOf, 100), list)
  assert.equal(withNewItems(undefined, ['a'], idOf, 100), undefined)
})

test('beyond its length the list is cut, and says that there is more', () => {
  const next = withNewItems(list, ['e', 'd'], idOf, 3)
  assert.deepEqual(next, {
    pages: [{ items: ['e', 'd', 'c'], nextCursor: null, hasMore: true }],
    pageParams: [undefined],
  })
})
