// What asks before it calls or texts a number: the API, phones, instructions, transfers and messages all do so here.

import type { Principal } from '../../kernel/access/principal.ts'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { readingsOf } from './ranges.ts'
import {
  type CallCeiling,
  type CeilingRefusal,
  ceilingProblems,
  ceilingText,
  type DestinationRefusal,
  defaultPolicy,
  hasCallCeiling,
  organizationSubject,
  type Policy,
  refusalOf,
  refusalText,
} from './rules.ts'
import { countCall, findPolicies } from './store.ts'

export type { CeilingRefusal, DestinationRefusal, Policy } from './rules.ts'
export { defaultPolicy } from './rules.ts'
export { type DueCall, dueSpend, lockTextSpend, settleSpend } from './spending.ts'
export {
  findPoliciesOfCalls,
  isInstallationHeld,
  isNothingToLeave,
  type Price,
  takeSpend,
  takeSpendIn,
} from './store.ts'
export { type Leaving, type Way, type Ways, waysOut } from './ways.ts'

const listeners = new Set<(db: Db, tenantId: number) => void>()

/** Has something done on this node as soon as policies of a tenant have changed here: for those who keep them in memory. */
export function onPolicyChange(listener: (db: Db, tenantId: number) => void): void {
  listeners.add(listener)
}

/** Says that policies of a tenant changed, once that is committed. */
export function policiesChanged(db: Db, tenantId: number): void {
  for (const listener of listeners) listener(db, tenantId)
}

/** Who asks: the mode they act in, and the API key they came with. */
export type Asker = { mode: 'live' | 'test'; keyId: string | null; defaultCountry: string | null }

/** Of all policies of a tenant those that hold for a key, the organization's first, which is the default one where none is set. */
export function policiesFor(stored: readonly Policy[], { mode, keyId }: Pick<Asker, 'mode' | 'keyId'>): Policy[] {
  const of = (subject: string) => stored.find(policy => policy.subject === subject)
  const own = keyId === null ? undefined : of(keyId)
  return [of(organizationSubject) ?? defaultPolicy(mode), ...(own === undefined ? [] : [own])]
}

/** The policies that hold for a key, as a transaction sees them. */
export async function policiesIn(
  tx: Tx,
  scope: Scope,
  { mode, keyId }: Pick<Asker, 'mode' | 'keyId'>,
): Promise<Policy[]> {
  const subjects = [organizationSubject, ...(keyId === null ? [] : [keyId])]
  return policiesFor(await findPolicies(tx, scope, subjects), { mode, keyId })
}

/** Why a number or SIP address may not be called or texted; undefined where it may. */
export function destinationRefusal(
  policies: readonly Policy[],
  to: string,
  defaultCountry: string | null,
): DestinationRefusal | undefined {
  return refusalOf(policies, readingsOf(to, defaultCountry))
}

/** Why a call may not be made. */
export type CallRefusal = DestinationRefusal | CeilingRefusal<CallCeiling>
type AnyRefusal = DestinationRefusal | CeilingRefusal

/** The call that is asked for; `policies` where they were read in this transaction, those of the asker. */
type Asked = { to: string; nowMs: number; policies?: readonly Policy[] }

/**
 * Asks whether a call may be made, and counts it if so: within the transaction that stores it. Until that ends, nobody else of the
 * tenant is counted where there is a ceiling.
 */
export async function admitCall(tx: Tx, scope: Scope, asker: Asker & Asked): Promise<CallRefusal | undefined> {
  const { policies = await policiesIn(tx, scope, asker) } = asker
  const refusal = destinationRefusal(policies, asker.to, asker.defaultCountry)
  if (refusal !== undefined) return refusal
  // One that limits spend only is locked too: it is wanted again when the call leaves, and always in the same order.
  const limited = policies.filter(policy => hasCallCeiling(policy) || policy.daily_spend !== null)
  return limited.length === 0 ? undefined : countCall(tx, scope, limited, asker.nowMs)
}

/** The problem code of a refusal. */
export function codeOf<R extends AnyRefusal>(refusal: R) {
  type Code = R extends CeilingRefusal<infer C> ? (typeof ceilingProblems)[C] : DestinationRefusal['code']
  return ('ceiling' in refusal ? ceilingProblems[refusal.ceiling] : refusal.code) as Code
}

/** What a refusal says to people: cause and remedy. */
export function textOf(refusal: AnyRefusal): string {
  return 'ceiling' in refusal ? ceilingText(refusal) : refusalText(refusal)
}

/** The answer to anyone who asked for a call or text that is refused. */
export function refusedBy(refusal: AnyRefusal, field = 'to'): Problem {
  const message = textOf(refusal)
  const isBusy = 'ceiling' in refusal && refusal.ceiling === 'concurrent_calls'
  return new Problem(codeOf(refusal), {
    message,
    details: [{ field, code: 'ceiling' in refusal ? 'ceiling_reached' : 'not_allowed', message }],
    ...(isBusy ? { headers: { 'retry-after': '10' } } : {}),
  })
}

/** Whether a destination is, or may be read as, a telephone number: a SIP address by its user part. */
export function isNumberIn(to: string): boolean {
  return readingsOf(to, null).length > 0
}

/** @throws Problem where a call by this principal may not be made; counts it where it may */
export async function checkCall(tx: Tx, principal: Principal, asked: Asked): Promise<void> {
  const refusal = await admitCall(tx, principal, { ...askerOf(principal), ...asked })
  if (refusal !== undefined) throw refusedBy(refusal)
}

/** The same of the destination alone: nothing is counted, as somebody else will ask again before the call is made. */
export async function checkDestination(tx: Tx, principal: Principal, to: string): Promise<void> {
  const refusal = destinationRefusal(await policiesIn(tx, principal, principal), to, principal.settings.defaultCountry)
  if (refusal !== undefined) throw refusedBy(refusal)
}

export function askerOf({ mode, keyId, settings }: Principal): Asker {
  return { mode, keyId, defaultCountry: settings.defaultCountry }
}

/**
 * Refuses a key with a policy of its own what others call by, without that policy: keys, users, phones, what a number does with
 * calls. Nobody lifts their own limits.
 * @param does what it wants, for the message: `makes no keys`
 * @throws Problem `scope_not_held`
 */
export async function refuseRestricted(tx: Tx, principal: Principal, does: string): Promise<void> {
  if (principal.keyId === null || (await findPolicies(tx, principal, [principal.keyId])).length === 0) return
  throw new Problem('scope_not_held', {
    message: `This key has a destination policy of its own, so it ${does}. Let a person or another key do so.`,
  })
}
