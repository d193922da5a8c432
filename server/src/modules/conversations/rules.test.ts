// How conversations move, as pure functions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changed } from './change_rules.ts'
import { ofCall } from './exchanges.ts'
import { begin, type Exchange, follow, joined, previewOf, type Standing, setAside } from './rules.ts'

const at = (minute: number) => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`
const exchange = (
  minute: number,
  effect: Exchange['effect'],
  direction: Exchange['direction'] = 'inbound',
): Exchange => ({
  itemId: `msg_${minute}`,
  kind: 'text',
  direction,
  at: at(minute),
  preview: `at ${minute}`,
  effect,
})
const waits = (minute: number) => exchange(minute, 'waits')
const answers = (minute: number) => exchange(minute, 'answers', 'outbound')
const after = (first: Exchange, ...then: Exchange[]): Standing =>
  then.reduce((standing, one) => follow(standing, one).next, begin(first))

test('the oldest that nobody answered waits, in whichever order it is heard of', () => {
  assert.equal(after(waits(1), waits(2)).waiting_since, at(1))
  assert.equal(after(waits(2), waits(1)).waiting_since, at(1))
  assert.equal(after(waits(1), answers(2)).waiting_since, null)
  assert.equal(after(waits(1), answers(2), waits(3)).waiting_since, at(3))
  // What is heard of late was answered already.
  assert.equal(after(waits(1), answers(3), waits(2)).waiting_since, null)
  // An answer that is heard of late answers what came before it alone.
  assert.equal(after(waits(1), waits(3), answers(2)).waiting_since, at(3))
  assert.equal(after(waits(2), answers(1)).waiting_since, at(2))
})

test('the same exchange twice changes nothing', () => {
  for (const list of [
    [waits(1), answers(2)],
    [waits(1), waits(2)],
    [waits(1), answers(2), waits(3)],
  ]) {
    const once = after(list[0]!, ...list.slice(1))
    const last = list.at(-1)!
    assert.deepEqual(follow(once, last).next, once)
    assert.equal(follow(once, last).happened, null)
  }
})

test('what is set aside waits no more, and everything else that waits goes on', () => {
  const aside = (standing: Standing, minute: number) =>
    setAside(standing, { itemId: `msg_${minute}`, at: at(minute) }) ?? standing
  const shown = ({ state, waiting_since }: Standing) => `${state} ${waiting_since?.slice(14, 16) ?? '-'}`
  assert.equal(shown(aside(after(waits(1)), 1)), 'closed -')
  // A question before it, and one behind it.
  assert.equal(shown(aside(after(waits(1), waits(2)), 2)), 'open 01')
  assert.equal(shown(aside(after(waits(1), waits(2)), 1)), 'open 02')
  assert.equal(shown(aside(aside(after(waits(1), waits(2)), 1), 2)), 'closed -')
  // Somebody wrote a note behind it.
  assert.equal(
    shown(aside({ ...after(waits(1)), last_item: 'not_1', last_kind: 'note', last_at: at(2) }, 1)),
    'closed -',
  )
  // It was answered before, and what waits is something else.
  assert.equal(shown(aside(after(waits(1), answers(2), waits(3)), 1)), 'open 03')
  assert.equal(
    setAside({ ...after(waits(1)), state: 'closed', waiting_since: null }, { itemId: 'msg_1', at: at(1) }),
    undefined,
  )
})

test('what nobody has to answer opens nothing', () => {
  assert.equal(begin(exchange(1, 'none')).state, 'closed')
  const closed: Standing = { ...begin(waits(1)), state: 'closed', waiting_since: null }
  assert.equal(follow(closed, exchange(2, 'none')).next.state, 'closed')
  assert.deepEqual([follow(closed, waits(2)).next.state, follow(closed, waits(2)).happened], ['open', 'reopened'])
})

test('of two that become one the earlier waits on, unless the other was answered since', () => {
  assert.equal(joined(begin(waits(2)), begin(waits(1))).waiting_since, at(1))
  assert.equal(joined(after(waits(1), answers(3)), begin(waits(2))).waiting_since, null)
  assert.equal(joined(after(waits(1), answers(2)), begin(waits(3))).waiting_since, at(3))
  assert.equal(joined(begin(answers(5)), begin(waits(7))).state, 'open')
})

test('changes by people say what happened, and nothing where it is so already', () => {
  const before = {
    state: 'open',
    snoozed_until: null,
    waiting_since: at(1),
    closed_waiting_since: null,
    assignee_id: null,
    team_id: null,
  } as const
  assert.deepEqual(changed(before, { assigneeId: null, state: 'open' }).happened, [])
  const closed = changed(before, { state: 'closed', assigneeId: 7 })
  assert.deepEqual([closed.happened, closed.next.waiting_since], [['assigned', 'closed'], null])
  const snoozed = changed(before, { snoozedUntil: '2026-12-01T00:00:00Z' })
  assert.deepEqual([snoozed.happened, snoozed.next.state, snoozed.next.waiting_since], [['snoozed'], 'snoozed', at(1)])
  assert.deepEqual(changed(snoozed.next, { state: 'open' }).happened, ['reopened'])
})

test('what was closed by mistake waits again, unless it was answered', () => {
  const before = { ...begin(waits(1)), assignee_id: null, team_id: null }
  const closed = { ...before, ...changed(before, { state: 'closed' }).next }
  assert.equal(closed.waiting_since, null)
  assert.equal(
    changed({ ...closed, ...changed(closed, { state: 'closed' }).next }, { state: 'open' }).next.waiting_since,
    at(1),
  )
  assert.equal(changed(closed, { snoozedUntil: '2026-12-01T00:00:00Z' }).next.waiting_since, at(1))
  const answered = { ...closed, ...follow(closed, answers(2)).next }
  assert.equal(changed(answered, { state: 'open' }).next.waiting_since, null)
  assert.equal(follow(closed, waits(3)).next.waiting_since, at(3))
})

test('who spoke on the box while something else was answered waits since they hung up', () => {
  const facts = {
    callId: 'call_1',
    direction: 'inbound',
    from: '+12025550100',
    to: '+15005550006',
    state: 'completed',
  } as const
  const call = ofCall({ ...facts, bridgedTo: null, answeredAt: at(0), createdAt: at(0), endedAt: at(3) })
  const { next } = follow({ ...after(waits(0), answers(1)), state: 'closed' }, call!)
  assert.deepEqual([next.state, next.waiting_since, next.last_inbound_at], ['open', at(3), at(3)])
})

test('a preview is one line', () => {
  assert.equal(previewOf('  Dear all,\n\nhello '), 'Dear all, hello')
  assert.equal(previewOf('x'.repeat(500)).length, 160)
})
