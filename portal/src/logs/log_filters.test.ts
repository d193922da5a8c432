// What the address of the log means: the list and the stream must agree on it, or a live row stands where it does not belong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsFilters, type LoggedRequest } from './fits.ts'
import { queryOf } from './log_filters.ts'

const nowMs = Date.parse('2026-03-03T12:00:30Z')
const request: LoggedRequest = {
  method: 'POST',
  path: '/v2/messages/sms',
  status: 422,
  source: 'api',
  endpointId: 'messages.sms.send',
  keyId: 'key_1',
  userId: 7,
  problem: 'invalid_to_number',
  resourceId: null,
  at: '2026-03-03T11:59:00Z',
}

test('without a filter the portal itself is left out, with "all" nothing is', () => {
  assert.deepEqual(queryOf({}, nowMs), { source: 'api,playground' })
  assert.deepEqual(queryOf({ source: 'all', inspect: 'msg_1', create: '1' }, nowMs), {})
})

test('a span counts back from the minute; an hour chosen among the bars overrules it', () => {
  assert.equal(queryOf({ since: '15m' }, nowMs).createdAfter, '2026-03-03T11:45:00.000Z')
  assert.equal(
    queryOf({ since: '1h', createdAfter: '2026-03-03T08:00:00Z' }, nowMs).createdAfter,
    '2026-03-03T08:00:00Z',
  )
  assert.equal(queryOf({ since: 'ever' }, nowMs).createdAfter, undefined)
})

test('numbers are numbers, and nonsense is not sent', () => {
  assert.equal(queryOf({ userId: '7' }, nowMs).userId, 7)
  assert.equal('userId' in queryOf({ userId: 'seven' }, nowMs), false)
})

test('a live request fits as the server would have it', () => {
  const fits = (params: Readonly<Record<string, string | undefined>>) => fitsFilters(request, queryOf(params, nowMs))
  for (const params of [
    {},
    { status: '4xx' },
    { status: '422', method: 'POST', path: '/v2/messages' },
    { userId: '7', keyId: 'key_1', endpointId: 'messages.sms.send', problem: 'invalid_to_number' },
    { since: '15m', source: 'api' },
    { createdAfter: '2026-03-03T11:00:00Z', createdBefore: '2026-03-03T12:00:00Z' },
  ]) {
    assert.equal(fits(params), true, JSON.stringify(params))
  }
  for (const params of [
    { status: '5xx' },
    { status: '400' },
    { method: 'GET' },
    { path: '/messages' },
    { userId: '8' },
    { source: 'playground' },
    { resourceId: 'msg_1' },
    { createdBefore: '2026-03-03T11:00:00Z' },
    { createdAfter: '2026-03-03T11:59:01Z' },
  ]) {
    assert.equal(fits(params), false, JSON.stringify(params))
  }
})
