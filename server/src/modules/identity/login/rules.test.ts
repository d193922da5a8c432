// What a refresh token may still do: every case of generation, grace and age, and that nothing else revives a session.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkRefresh,
  refreshGraceSeconds,
  type SessionState,
  secondsToLive,
  sessionIdleSeconds,
  sessionMaxSeconds,
} from './rules.ts'

const session: SessionState = {
  generation: 3,
  renews: false,
  rotated_seconds_ago: 5,
  idle_seconds: 5,
  age_seconds: 900,
  revoked: false,
}

test('the newest token rotates, the one before repeats within the grace, older ones are reuse', () => {
  assert.equal(checkRefresh(session, 3), 'rotate')
  assert.equal(checkRefresh({ ...session, renews: true }, 3, refreshGraceSeconds), 'rotate')
  assert.equal(checkRefresh(session, 2), 'repeat')
  assert.equal(checkRefresh({ ...session, rotated_seconds_ago: refreshGraceSeconds }, 2), 'repeat')
  assert.equal(checkRefresh({ ...session, rotated_seconds_ago: refreshGraceSeconds + 0.001 }, 2), 'reuse')
  assert.equal(checkRefresh(session, 1), 'reuse')
  assert.equal(checkRefresh(session, 0), 'reuse')
})

test('a token from the future and a session that is over are refused', () => {
  assert.equal(checkRefresh(session, 4), 'refuse')
  assert.equal(checkRefresh({ ...session, revoked: true }, 3), 'refuse')
  assert.equal(checkRefresh({ ...session, revoked: true }, 1), 'refuse')
  assert.equal(checkRefresh({ ...session, idle_seconds: sessionIdleSeconds + 1 }, 3), 'refuse')
  assert.equal(checkRefresh({ ...session, age_seconds: sessionMaxSeconds + 1 }, 3), 'refuse')
  assert.equal(checkRefresh({ ...session, generation: 0, rotated_seconds_ago: null }, 0), 'rotate')
})

test('with a rest the newest token stays the newest for so long, and nothing else changes', () => {
  assert.equal(checkRefresh(session, 3, 20), 'keep')
  assert.equal(checkRefresh({ ...session, rotated_seconds_ago: 20 }, 3, 20), 'rotate')
  assert.equal(checkRefresh({ ...session, rotated_seconds_ago: null }, 3, 20), 'rotate')
  assert.equal(checkRefresh(session, 2, 20), 'repeat')
  assert.equal(checkRefresh(session, 1, 20), 'reuse')
  assert.equal(checkRefresh({ ...session, revoked: true }, 3, 20), 'refuse')
})

test('a session lives its idle days, but never past its last day', () => {
  assert.equal(secondsToLive(0), sessionIdleSeconds)
  assert.equal(secondsToLive(sessionMaxSeconds - 60.5), 60)
  assert.equal(secondsToLive(sessionMaxSeconds + 60), 0)
})
