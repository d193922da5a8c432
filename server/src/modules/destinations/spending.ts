// What calls cost while they last: each further minute is taken before the last one ends, and what a call did not use is given back
// when it is over, no matter who ended it. And what texts cost that are taken back.

import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import { dateIn, minutesBegun } from '../../kernel/values/clock.ts'
import { organizationSubject } from './rules.ts'
import {
  addMinute,
  type DueCall,
  findCallSpend,
  findPolicies,
  listDueSpend,
  lockCallSpend,
  removeCallSpend,
  returnSpend,
  takeSpendIn,
} from './store.ts'
import { giveBack, lockInOrder } from './ways.ts'

export type { DueCall } from './store.ts'

/** A further minute is taken so long before it begins. */
const leadSeconds = 15
/** Where there is none, the call is ended when it has no more than this left. */
const lastMs = 6_000

/** Calls of all tenants that need another minute soon, or are over. */
export function dueSpend(db: Db, nowMs: number, limit: number): Promise<DueCall[]> {
  return listDueSpend(db, nowMs, leadSeconds, limit)
}

/**
 * Takes the next minutes of calls that talk, and settles those that are over.
 * @returns the ids of those that may not go on
 */
export async function settleSpend(tx: Tx, scope: Scope, callIds: readonly string[], nowMs: number): Promise<string[]> {
  const subjects = (await findCallSpend(tx, scope, callIds)).flatMap(row => row.subjects)
  const usage = await lockInOrder(tx, scope, subjects, nowMs)
  const rows = await lockCallSpend(tx, scope, callIds)
  const over = rows.filter(row => row.ended_at !== null)
  const settled = over.map(row => ({ ...row, used: minutesBegun(row.answered_at, Date.parse(row.ended_at ?? '')) }))
  await giveBack(tx, scope, settled)
  if (over.length > 0)
    await removeCallSpend(
      tx,
      scope,
      over.map(row => row.call_id),
    )
  const talking = rows.filter(row => row.ended_at === null && row.answered_at !== null)
  const policies = talking.length === 0 ? [] : await findPolicies(tx, scope, [...new Set(subjects)])
  const ending: string[] = []
  for (const { call_id, answered_at, minutes, rate_micros: micros, currency, subjects } of talking) {
    const untilMs = Date.parse(answered_at ?? '') + minutes * 60_000
    // Another process may have taken it meanwhile.
    if (untilMs - nowMs > leadSeconds * 1_000) continue
    const limits = policies.filter(({ subject, daily_spend }) => subjects.includes(subject) && daily_spend !== null)
    const refused = limits.length > 0 && (await takeSpendIn(tx, scope, limits, [{ micros, currency }], nowMs)).size > 0
    if (!refused) await addMinute(tx, scope, call_id, usage.get(subjects[0] ?? '')?.day)
    else if (untilMs - nowMs <= lastMs) ending.push(call_id)
  }
  return ending
}

/** So long after a policy is changed other nodes may let texts pass by the one before. */
const knownMs = 2_000

/** A text that was accepted, and does not leave after all. */
export type TextSpend = { micros: number | null; currency: string | null; acceptedMs: number }

/**
 * Locks what was spent today where the organization has a ceiling for that, and by the API key whose own ceiling counted the text: to be
 * called before anything else is locked that others may want with it.
 * @returns what gives back the price of a text that was counted today
 */
export async function lockTextSpend(
  tx: Tx,
  scope: Scope,
  { timeZone, nowMs, keyId }: { timeZone: string; nowMs: number; keyId: string | null },
): Promise<(text: TextSpend) => Promise<void>> {
  const [policy] = await findPolicies(tx, scope, [organizationSubject])
  const limited = policy !== undefined && policy.daily_spend !== null ? policy : undefined
  const subjects = [...(limited === undefined ? [] : [organizationSubject]), ...(keyId === null ? [] : [keyId])]
  if (subjects.length === 0) return async () => {}
  const usage = await lockInOrder(tx, scope, subjects, nowMs)
  return async ({ micros, currency, acceptedMs }) => {
    if (micros === null || micros === 0 || currency === null) return
    const acceptedOn = dateIn(timeZone, acceptedMs)
    // Before every node knew of the organization's ceiling it may not have been counted there. Of a key's the text itself says so.
    const isCounted = (subject: string) =>
      subject === keyId || (limited !== undefined && acceptedMs >= Date.parse(limited.updated_at) + knownMs)
    const parts = [...usage.values()]
      .filter(({ subject, day }) => day === acceptedOn && isCounted(subject))
      .map(({ subject, day }) => ({ subject, day, currency, micros }))
    if (parts.length > 0) await returnSpend(tx, scope, parts)
  }
}
