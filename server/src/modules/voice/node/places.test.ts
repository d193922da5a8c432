// A call has one place however often it is asked for, gives it back once, and no place is lost with a call that never started.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlaces } from './places.ts'

const holder = { tenantId: 2, mode: 'test' } as const
const quota = { total: 3, tenant: 3, testTenant: 2, tests: 2 }

test('a job that comes back takes no second place; the end of a call gives its place back, once', () => {
  const places = createPlaces(quota)
  for (let tries = 0; tries < 5; tries++) assert.ok(places.take('one', holder))
  assert.ok(places.take('two', holder))
  assert.equal(places.take('three', holder), false)
  assert.ok(places.take('live', { tenantId: 1, mode: 'live' }))
  for (let ends = 0; ends < 3; ends++) places.give('one')
  assert.ok(places.take('three', holder))
  assert.equal(places.take('four', holder), false)
})

test('who took a place and was not started within a minute loses it; who is held keeps it', () => {
  let nowMs = 0
  const places = createPlaces(quota, () => nowMs)
  places.take('held', holder)
  places.take('broken', holder)
  nowMs = 59_000
  places.tidy(id => id === 'held')
  assert.equal(places.take('next', holder), false)
  nowMs = 61_000
  places.tidy(id => id === 'held')
  assert.ok(places.take('next', holder))
  assert.equal(places.take('one more', holder), false)
})
