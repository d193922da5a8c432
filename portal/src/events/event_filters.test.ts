// What the filters of the event log mean: days begin where the reader is, numbers belong to their noun, and every kind can be chosen.
// test: own process
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TandemEvent } from '@tandem/sdk'
import { fits, kindsOf, queryOf } from './event_filters.ts'

process.env['TZ'] = 'America/New_York'

test('a day begins where the reader is, in the list and in what is live', () => {
  const query = queryOf({ createdAfter: '2026-03-03', createdBefore: '2026-03-04' })
  assert.deepEqual(query, { createdAfter: '2026-03-03T05:00:00.000Z', createdBefore: '2026-03-04T05:00:00.000Z' })
  const at = (timestamp: string) => fits({ timestamp } as TandemEvent, query)
  assert.deepEqual(
    ['2026-03-03T04:59:59Z', '2026-03-03T05:00:00Z', '2026-03-04T04:59:59Z', '2026-03-04T05:00:00Z'].map(at),
    [false, true, true, false],
  )
  assert.deepEqual(queryOf({ createdAfter: 'soon' }), { createdAfter: 'soon' }, 'the server says what is wrong with it')
})

test('lead:12 is number 12 among the events of leads, unless another type is asked for', () => {
  assert.deepEqual(queryOf({ resourceId: 'lead:12' }), { type: 'lead.*', resourceId: '12' })
  assert.deepEqual(queryOf({ resourceId: 'lead:12', type: 'lead.created' }), { type: 'lead.created', resourceId: '12' })
  assert.deepEqual(queryOf({ resourceId: 'msg_1', inspect: 'evt_1' }), { resourceId: 'msg_1' })
})

test('every kind can be chosen, also one that nothing on the page is of', () => {
  const known = ['lead.created', 'company.created', 'company.merged', 'recording.available']
  assert.deepEqual(kindsOf(known, ['lead.created'], undefined), [
    ...['lead.*', 'invoice.*', 'message.*', 'call.*', 'webhook.*'],
    ...['lead.created', 'company.*', 'company.created', 'company.merged', 'recording.*', 'recording.available'],
  ])
  assert.deepEqual(kindsOf([], ['task.created', 'task.created'], 'note.created').slice(5), [
    'task.created',
    'note.created',
  ])
})
