// Names, times and drafts of the inbox, and what a thread knows of its end.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsIn } from './draft.ts'
import { snoozeChoices } from './snooze_times.ts'
import { withEnd } from './thread_end.ts'
import type { Item } from './views.ts'
import { initialsOf, waitText } from './words.ts'

test('initials are of names only', () => {
  assert.deepEqual(['Ada Lovelace', '山田 太郎', 'Bob', '+15005550100', 'ada@example.com'].map(initialsOf), [
    'AL',
    '山太',
    'B',
    null,
    null,
  ])
})

test('waiting is said in one unit', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  const since = (minutes: number) => waitText(new Date(now - minutes * 60_000).toISOString(), now)
  assert.deepEqual([0, 5, 59, 61, 47 * 60, 72 * 60].map(since), ['1 min', '5 min', '59 min', '1 h', '47 h', '3 d'])
})

test('later today is offered while there is a later; next week is a Monday to come', () => {
  const keys = (date: Date) => snoozeChoices(date).map(({ key }) => key)
  assert.deepEqual(keys(new Date(2026, 10, 26, 9, 30)), ['today', 'tomorrow', 'week'])
  assert.deepEqual(keys(new Date(2026, 10, 26, 22)), ['tomorrow', 'week'])
  for (let day = 23; day < 30; day++) {
    const monday = snoozeChoices(new Date(2026, 10, day, 12)).at(-1)!.at
    assert.equal(monday.getDay(), 1)
    assert.equal(monday.getDate(), 30)
  }
})

test('only who is still named is mentioned, once', () => {
  const mentioned = [
    { userId: 1, name: 'Ada' },
    { userId: 2, name: 'Bob' },
    { userId: 1, name: 'Ada' },
  ]
  assert.deepEqual(mentionsIn('@Ada please', mentioned), [1])
})

const item = (itemId: string, status: string | null = null) => ({ itemId, status }) as Item
const page = (items: Item[], hasMore = false) => ({ items, nextCursor: null, hasMore })

test('what was added stands at the end, what changed is as it is now', () => {
  const data = { pages: [page([item('b', 'queued'), item('a')])], pageParams: [undefined] }
  const after = withEnd(data, page([item('c'), item('b', 'delivered')], true))
  assert.deepEqual(
    after?.pages[0]?.items.map(({ itemId, status }) => [itemId, status]),
    [
      ['c', null],
      ['b', 'delivered'],
      ['a', null],
    ],
  )
})

test('where much was missed meanwhile the thread begins at its end again, without a hole', () => {
  const data = { pages: [page([item('a')])], pageParams: [undefined] }
  assert.deepEqual(
    withEnd(data, page([item('z'), item('y')], true))?.pages.map(({ items }) => items.length),
    [2],
  )
})
