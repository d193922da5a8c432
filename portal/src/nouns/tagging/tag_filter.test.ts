// Filters by tags in an address: read, changed, and taken out one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagConditions, tagFilterOf, tagParams, withoutTag } from './tag_filter.ts'

test('an address says any of, all of or none, and is written back as it was', () => {
  for (const params of [
    { tags: 'tag_a,tag_b', 'tags[all]': undefined },
    { tags: undefined, 'tags[all]': 'tag_a,tag_b' },
    { tags: 'none', 'tags[all]': undefined },
    { tags: undefined, 'tags[all]': undefined },
  ])
    assert.deepEqual(tagParams(tagFilterOf(params)), params)
  assert.deepEqual(tagFilterOf({ tags: 'none' }), { mode: 'none', ids: [] })
  assert.deepEqual(tagFilterOf({ tags: 'none,tag_a' }), { mode: 'any', ids: ['none', 'tag_a'] })
})

test('every condition is shown, and taken out by itself', () => {
  const params = { tags: 'tag_a,none', 'tags[all]': 'tag_b' }
  const shown = tagConditions(params)
  assert.deepEqual(
    shown.map(({ parameter, id }) => `${parameter} ${id}`),
    ['tags tag_a', 'tags none', 'tags[all] tag_b'],
  )
  assert.deepEqual(withoutTag(params, shown[0]!), { tags: 'none' })
  assert.deepEqual(withoutTag(params, shown[2]!), { 'tags[all]': undefined })
})
