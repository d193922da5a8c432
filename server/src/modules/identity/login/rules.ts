// Rules of sessions: how long one lives, and what a refresh token may still do.

export const sessionIdleSeconds = 14 * 24 * 3_600
export const sessionMaxSeconds = 90 * 24 * 3_600
/** A client that lost our answer may repeat its refresh this long and gets the same successor. */
export const refreshGraceSeconds = 20

export type SessionState = {
  generation: number
  /** Proved again since its last refresh. */
  renews: boolean
  rotated_seconds_ago: number | null
  idle_seconds: number
  age_seconds: number
  revoked: boolean
}

/**
 * What a refresh token of `generation` does to its session.
 * - `rotate`: the newest token: a successor is made
 * - `keep`: the newest token, made less than `restSeconds` ago: it stays the newest, but for a session that was proved again since
 * - `repeat`: the one before, within the grace: the same successor again
 * - `reuse`: an old token was used again, so it was stolen or cloned: the session ends
 * - `refuse`: the session is over
 */
export function checkRefresh(
  session: SessionState,
  generation: number,
  restSeconds = 0,
): 'rotate' | 'keep' | 'repeat' | 'reuse' | 'refuse' {
  if (session.revoked) return 'refuse'
  if (session.idle_seconds > sessionIdleSeconds || session.age_seconds > sessionMaxSeconds) return 'refuse'
  const restedSeconds = session.rotated_seconds_ago ?? Number.POSITIVE_INFINITY
  if (generation === session.generation) return restedSeconds < restSeconds && !session.renews ? 'keep' : 'rotate'
  const inGrace = restedSeconds <= refreshGraceSeconds
  if (generation === session.generation - 1 && inGrace) return 'repeat'
  return generation < session.generation ? 'reuse' : 'refuse'
}

/** How long a session of this age may live on from now when nobody refreshes it again. */
export function secondsToLive(ageSeconds: number): number {
  return Math.max(0, Math.min(sessionIdleSeconds, Math.floor(sessionMaxSeconds - ageSeconds)))
}
