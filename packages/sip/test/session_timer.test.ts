// Session timers (RFC 4028): the table of §9, the call flow of §12, 422, refreshes, and two ends that never both refresh or both
// wait for the other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextRequest } from '../src/dialog/requests.ts'
import type { TimerWish } from '../src/dialog/session_timer.ts'
import {
  answerTimer,
  defaultTimerWish,
  raisedWish,
  refreshesByUpdate,
  refreshHeaders,
  tickTimer,
  timerDeadlineMs,
  timerFromResponse,
  timerHeaders,
} from '../src/dialog/session_timer.ts'
import type { SipHeader } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { good, headersOf, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const { caller } = setUp()
const requestWith = (headers: readonly SipHeader[]) =>
  overWire(nextRequest(caller, 'INVITE', { via, headers }).request).message
const invite = (...lines: string[]) => requestWith(headersOf(...lines))
const responseWith = (status: number, headers: readonly SipHeader[]) => respond(invite(), status, { headers }).message
const answer = (wish: TimerWish | undefined, ...lines: string[]) => good(answerTimer(invite(...lines), wish, 0))

test('what an INVITE of ours says (§7.1)', () => {
  assert.deepEqual(timerHeaders(defaultTimerWish), headersOf('Session-Expires: 1800'))
  assert.deepEqual(
    timerHeaders({ interval: 4000, minimum: 3600, refresher: 'uac' }),
    headersOf('Session-Expires: 4000;refresher=uac', 'Min-SE: 3600'),
  )
})

test('who refreshes: table 2 of §9', () => {
  const table: [supported: boolean, named: string, expected: string][] = [
    [false, '', 'uas'],
    [true, '', 'uac'],
    [true, ';refresher=uac', 'uac'],
    [true, ';refresher=uas', 'uas'],
  ]
  for (const [supported, named, expected] of table) {
    const lines = [`Session-Expires: 1800${named}`, ...(supported ? ['Supported: timer'] : [])]
    const { headers, timer } = answer(defaultTimerWish, ...lines)
    const expires = headers.find(({ name }) => name === 'Session-Expires')
    assert.equal(expires?.value, `1800;refresher=${expected}`)
    assert.equal(
      headers.some(({ name, value }) => name === 'Require' && value === 'timer'),
      supported,
    )
    assert.equal(timer?.isOurs, expected === 'uas')
  }
  const chosen = answer({ ...defaultTimerWish, refresher: 'uas' }, 'Session-Expires: 1800', 'Supported: timer')
  assert.equal(chosen.timer?.isOurs, true)
})

test('a caller without a wish gets ours, and we refresh; without any wish there is no timer', () => {
  assert.deepEqual(answer(defaultTimerWish).headers, headersOf('Session-Expires: 1800;refresher=uas'))
  assert.deepEqual(answer(undefined), { timer: undefined, headers: [] })
  assert.equal(answer(undefined, 'Session-Expires: 1200', 'Supported: timer').timer?.interval, 1200)
})

test('the interval may go down, not below Min-SE of the caller, and never up (§9)', () => {
  const wish = { interval: 600, minimum: 90 }
  assert.equal(answer(wish, 'Session-Expires: 1800', 'Supported: timer').timer?.interval, 600)
  assert.equal(answer(wish, 'Session-Expires: 1800', 'Min-SE: 900', 'Supported: timer').timer?.interval, 900)
  assert.equal(answer(defaultTimerWish, 'Session-Expires: 300', 'Supported: timer').timer?.interval, 300)
  assert.equal(answer(defaultTimerWish, 'Min-SE: 7200', 'Supported: timer').timer?.interval, 7200)
})

test('422 to who understands it, and the next try is as high as it asks (§9, §7.3)', () => {
  const wish = { interval: 1800, minimum: 1200 }
  const refused = answerTimer(invite('Session-Expires: 600', 'Supported: timer'), wish, 0)
  assert.ok(isFault(refused))
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.headers, headersOf('Min-SE: 1200'))
  assert.equal(answer(wish, 'Session-Expires: 600').timer?.interval, 600, 'a proxy put it in: the caller knows no 422')
  const next = raisedWish({ interval: 600, minimum: 90 }, responseWith(422, refused.headers!))
  assert.deepEqual(next, { interval: 1200, minimum: 1200 })
  assert.deepEqual(raisedWish({ interval: 1800, minimum: 90 }, responseWith(422, headersOf('Min-SE: 1200'))), {
    interval: 1800,
    minimum: 1200,
  })
  assert.equal(raisedWish({ interval: 1800, minimum: 1200 }, responseWith(422, headersOf('Min-SE: 1200'))), undefined)
  assert.equal(raisedWish(defaultTimerWish, responseWith(422, [])), undefined)
})

test('the 2xx decides; without Session-Expires there is no timer (§7.2)', () => {
  assert.equal(timerFromResponse(responseWith(200, []), 0), undefined)
  const ours = timerFromResponse(responseWith(200, headersOf('Session-Expires: 1800;refresher=uac')), 5_000)
  assert.deepEqual(ours, { interval: 1800, isOurs: true, refreshedMs: 5_000, isRefreshing: false })
  assert.equal(timerFromResponse(responseWith(200, headersOf('Session-Expires: 20;refresher=uas')), 0)?.interval, 90)
})

test('who refreshes does so at half; who waits ends the call shortly before the end (§7.2, §10)', () => {
  const ours = { interval: 1800, isOurs: true, refreshedMs: 0, isRefreshing: false }
  assert.equal(timerDeadlineMs(ours), 900_000)
  assert.deepEqual(tickTimer(ours, 899_999), { timer: ours, due: undefined })
  const due = tickTimer(ours, 900_000)
  assert.equal(due.due, 'refresh')
  assert.equal(timerDeadlineMs(due.timer), 1_768_000)
  assert.equal(tickTimer(due.timer, 900_001).due, undefined)
  assert.equal(tickTimer(due.timer, 1_768_000).due, 'end', 'nobody answered the refresh')
  const others = { ...ours, isOurs: false, interval: 90 }
  assert.equal(timerDeadlineMs(others), 60_000)
  assert.equal(tickTimer(others, 60_000).due, 'end')
})

test('a refresh keeps the interval and the side, no matter who made the call (§7.4)', () => {
  const timer = { interval: 600, isOurs: true, refreshedMs: 0, isRefreshing: true }
  assert.deepEqual(refreshHeaders(timer, defaultTimerWish), headersOf('Session-Expires: 600;refresher=uac'))
  assert.deepEqual(
    valuesOf(requestWith(refreshHeaders({ ...timer, isOurs: false }, defaultTimerWish)), 'Session-Expires'),
    ['600;refresher=uas'],
  )
  assert.equal(refreshesByUpdate(invite('Allow: INVITE, UPDATE')), true)
  assert.equal(refreshesByUpdate(invite('Allow: INVITE')), false)
})

test('whatever both wish for: one refreshes, the other waits, both for the same time', () => {
  const wish = fc.record({ interval: fc.integer({ min: 90, max: 7200 }), minimum: fc.integer({ min: 90, max: 3600 }) })
  const sane = wish.map(({ interval, minimum }) => ({ interval: Math.max(interval, minimum), minimum }))
  fc.assert(
    fc.property(sane, sane, fc.constantFrom('uac' as const, 'uas' as const, undefined), (first, theirs, refresher) => {
      let ours: TimerWish = { ...first, ...(refresher && { refresher }) }
      const supported = headersOf('Supported: timer')
      let result = answerTimer(requestWith([...timerHeaders(ours), ...supported]), theirs, 0)
      if (isFault(result)) {
        const raised = raisedWish(ours, responseWith(422, result.headers!))
        assert.ok(raised)
        ours = raised
        result = answerTimer(requestWith([...timerHeaders(ours), ...supported]), theirs, 0)
      }
      const called = good(result)
      const caller = timerFromResponse(responseWith(200, called.headers), 0)
      assert.ok(caller && called.timer)
      assert.equal(caller.interval, called.timer.interval)
      assert.notEqual(caller.isOurs, called.timer.isOurs)
      assert.ok(caller.interval >= Math.max(90, ours.minimum))
      // The refresh by anyone who does it leaves both as they are.
      const refresh = requestWith([...refreshHeaders({ ...caller, isOurs: true }, theirs), ...supported])
      const again = answerTimer(refresh, { interval: 7200, minimum: 90 }, 1)
      assert.equal(good(again).timer?.isOurs, false)
      assert.equal(good(again).timer?.interval, caller.interval)
    }),
    { numRuns: 200 },
  )
})
