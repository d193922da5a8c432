// Rules of sessions: how long one lives, and what a refresh token may still do.

export const sessionIdleSeconds = 14 * 24 * 3_600
export const sessionMaxSeconds = 90 * 24 * 3_600
/** A client that lost our answer may repeat its refresh this long and gets the same successor. */
export const refreshGraceSeconds = 20

export type SessionState = {
  generation: number
  rotated_seconds_ago: number | null
  idle_seconds: number
  age_seconds: number
  revoked: boolean
}

/**
 * What a refresh token of `generation` does to its session.
 * - `rotate`: the newest token: a successor is made
 * - `repeat`: the one before, within the grace: the same successor again
 * - `reuse`: an old token was used again, so it was stolen or cloned: the session ends
 * - `refuse`: the session is over
 */
export function judgeRefresh(session: SessionState, generation: number): 'rotate' | 'repeat' | 'reuse' | 'refuse' {
  if (session.revoked) return 'refuse'
  if (session.idle_seconds > sessionIdleSeconds || session.age_seconds > sessionMaxSeconds) return 'refuse'
  if (generation === session.generation) return 'rotate'
  const inGrace = session.rotated_seconds_ago !== null && session.rotated_seconds_ago <= refreshGraceSeconds
  if (generation === session.generation - 1 && inGrace) return 'repeat'
  return generation < session.generation ? 'reuse' : 'refuse'
}
