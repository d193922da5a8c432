// When something is due, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, daysAfter, daysBetween, dueWords } from './due_days.ts'
import '../../test/words.ts'

test('a day is that of the time zone that is asked for', () => {
  assert.equal(dayOf('2026-11-26T23:30:00Z', 'Europe/Berlin'), '2026-11-27')
  assert.equal(dayOf('2026-11-26T23:30:00Z', 'America/New_York'), '2026-11-26')
})

test('days are counted by the calendar', () => {
  assert.equal(daysBetween('2026-02-27', '2026-03-01'), 2)
  // Clocks change in between.
  assert.equal(daysBetween('2026-10-24', '2026-10-26'), 2)
  assert.equal(daysBetween('2026-11-26', '2026-11-14'), -12)
  assert.deepEqual([daysAfter('2026-02-27', 2), daysAfter('2026-10-24', 2)], ['2026-03-01', '2026-10-26'])
})

test('what is late says by how much, what is near in how many days, and what is far nothing', () => {
  const words = (date: string, isOverdue = false) => dueWords(date, '2026-11-26', isOverdue)
  assert.deepEqual(words('2026-11-14', true), { text: '12 days late', tone: 'bad' })
  assert.deepEqual(words('2026-11-25', true), { text: '1 day late', tone: 'bad' })
  // It is the next day already where the organization is.
  assert.equal(words('2026-11-26', true)?.text, '1 day late')
  assert.deepEqual(words('2026-11-26'), { text: 'due today', tone: 'warn' })
  assert.deepEqual(words('2026-11-27'), { text: 'due tomorrow', tone: 'warn' })
  assert.deepEqual(words('2026-12-03'), { text: 'due in 7 days', tone: 'warn' })
  assert.deepEqual(words('2026-12-08'), { text: 'due in 12 days', tone: 'neutral' })
  assert.equal(words('2027-01-01'), undefined)
})
