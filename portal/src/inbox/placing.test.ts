// A list of the inbox follows what happens: what changed is where it belongs, and nothing stands twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Listing, placed } from './placing.ts'
import type { Conversation } from './views.ts'

const one = (id: string, more: Partial<Conversation> = {}): Conversation =>
  ({
    conversationId: id,
    state: 'open',
    waitingSince: null,
    snoozedUntil: null,
    assignee: null,
    mentioned: false,
    version: 1,
    lastActivity: { itemId: 'msg_1', kind: 'text', direction: 'inbound', at: '2026-11-20T10:00:00Z', preview: '' },
    ...more,
  }) as Conversation
const waiting = (id: string, minute: number) =>
  one(id, { waitingSince: `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z` })

const list = (pages: Conversation[][], hasMore = false) => ({
  pages: pages.map((items, index) => ({ items, nextCursor: null, hasMore: index < pages.length - 1 || hasMore })),
  pageParams: pages.map(() => undefined),
})
const ids = (data: ReturnType<typeof placed>) =>
  data?.pages.map(({ items }) => items.map(({ conversationId }) => conversationId).join('')).join('|')
const oldest: Listing = { view: 'waiting', order: 'oldest', userId: 7, isSearch: false }

test('what begins to wait comes to its place by time, on whichever page that is', () => {
  const data = list([[waiting('a', 1), waiting('c', 5)], [waiting('d', 9)]])
  assert.equal(ids(placed(data, waiting('b', 3), oldest)), 'abc|d')
  assert.equal(ids(placed(data, waiting('e', 7), oldest)), 'ac|ed')
  assert.equal(ids(placed(data, waiting('f', 11), oldest)), 'ac|df')
  assert.equal(ids(placed(data, waiting('b', 3), { ...oldest, order: 'newest' })), 'bac|d')
})

test('behind what is loaded it waits for its own page', () => {
  const data = list([[waiting('a', 1)]], true)
  assert.equal(ids(placed(data, waiting('z', 50), oldest)), 'a')
})

test('what is answered leaves, and what moves is not left behind', () => {
  const data = list([[waiting('a', 1), waiting('b', 3), waiting('c', 5)]])
  assert.equal(ids(placed(data, one('b'), oldest)), 'ac')
  assert.equal(ids(placed(data, waiting('a', 4), oldest)), 'bac')
  assert.equal(placed(data, one('x'), oldest), data)
})

test('whose it is decides of mine and unassigned', () => {
  const data = list([[one('a')]])
  const taken = one('a', { assignee: { userId: 7, name: 'Ada' } })
  assert.equal(ids(placed(data, taken, { ...oldest, view: 'unassigned', order: 'newest' })), '')
  assert.equal(ids(placed(list([[]]), taken, { ...oldest, view: 'mine', order: 'newest' })), 'a')
  assert.equal(ids(placed(list([[]]), taken, { ...oldest, view: 'mine', order: 'newest', userId: 8 })), '')
})

test('what is read stays among the unread while one is there, and what is closed leaves', () => {
  const unread: Listing = { ...oldest, view: 'unread', order: 'newest' }
  const data = list([[one('a', { unread: true }), one('b', { unread: true })]])
  assert.equal(ids(placed(data, one('b', { unread: false }), unread)), 'ab')
  assert.equal(ids(placed(data, one('b', { unread: true, state: 'closed' }), unread)), 'a')
  assert.equal(ids(placed(list([[]]), one('b', { unread: false }), unread)), '')
  const theirs = one('c', { unread: true, assignee: { userId: 8, name: 'Bo' } })
  assert.equal(ids(placed(list([[]]), theirs, unread)), '')
  assert.equal(ids(placed(list([[]]), { ...theirs, mentioned: true }, unread)), 'c')
})

test('an answer that was on its way while something changed does not undo it', () => {
  const data = list([[{ ...waiting('a', 1), version: 3 }]])
  assert.equal(placed(data, { ...one('a'), version: 2 }, oldest), data)
  assert.equal(ids(placed(data, { ...one('a'), version: 4 }, oldest)), '')
})

test('what a search found is changed in place, and nothing is added to it', () => {
  const search = { ...oldest, isSearch: true }
  const data = list([[waiting('a', 1), waiting('b', 3)]])
  assert.equal(ids(placed(data, waiting('a', 9), search)), 'ab')
  assert.equal(ids(placed(data, waiting('x', 2), search)), 'ab')
  assert.equal(ids(placed(data, one('b'), search)), 'a')
})
