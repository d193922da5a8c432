// SQL of destination policies and of what counts against their ceilings. Counting happens in functions of the database, which
// lock the row of each subject that has a ceiling.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import { type CallCeiling, type CeilingRefusal, organizationSubject, type Policy } from './rules.ts'

export type PolicyRow = Policy & { updated_at: string }

const columns = sql.raw(
  'subject, countries, allowed_prefixes, blocked_prefixes, kinds, concurrent_calls, daily_calls, daily_spend, updated_at',
)

/** Whether nothing leaves for the organization, and no call is let in: it is suspended, or closing. */
export async function isNothingToLeave(tx: Tx, { organizationId }: Scope): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select state <> 'active' as held from organizations where id = ${organizationId}`.execute(tx)
  return rows[0]?.held !== false
}

/** Whether nothing leaves the installation as a whole; what comes in is let in then. */
export async function isInstallationHeld(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select exists (select from sending_hold) as held`.execute(tx)
  return rows[0]?.held !== false
}

export async function findPolicies(tx: Tx, { tenantId }: Scope, subjects: readonly string[]): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select ${columns} from destination_policies
    where tenant_id = ${tenantId} and subject = any(${[...subjects]}::text[])`.execute(tx)
  return rows
}

/** Those that may hold when these calls leave: the organization's, of the keys they were asked for with, and of all trunks. */
export async function findPoliciesOfCalls(
  tx: Tx,
  { tenantId }: Scope,
  callIds: readonly string[],
): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select ${columns} from destination_policies
    where tenant_id = ${tenantId} and (subject = ${organizationSubject} or starts_with(subject, 'trk_')
      or subject in (select key_id from calls where tenant_id = ${tenantId} and id = any(${[...callIds]}::text[])))`.execute(
    tx,
  )
  return rows
}

/** Policies of keys and trunks by their ids, one more than `limit` when there are more. */
export async function listPolicies(
  tx: Tx,
  { tenantId }: Scope,
  { limit, behind }: { limit: number; behind: string },
): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select ${columns} from destination_policies
    where tenant_id = ${tenantId} and subject > ${behind} and subject <> ${organizationSubject}
    order by subject limit ${limit + 1}`.execute(tx)
  return rows
}

/** Changes of this policy wait for each other until the transaction ends, also where nothing is set yet. */
export async function lockPolicy(tx: Tx, { tenantId }: Scope, subject: string): Promise<void> {
  const of = `destination_policies ${subject}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${of}, ${tenantId}::bigint))`.execute(tx)
}

export async function writePolicy(tx: Tx, { tenantId }: Scope, policy: Policy, at: string): Promise<PolicyRow> {
  const spend = policy.daily_spend === null ? null : JSON.stringify(policy.daily_spend)
  const { rows } = await sql<PolicyRow>`
    insert into destination_policies (tenant_id, ${columns})
    values (${tenantId}, ${policy.subject}, ${policy.countries}::text[], ${[...policy.allowed_prefixes]}::text[],
      ${[...policy.blocked_prefixes]}::text[], ${policy.kinds}::text[], ${policy.concurrent_calls}, ${policy.daily_calls},
      ${spend}::json, ${at})
    on conflict (tenant_id, subject) do update set countries = excluded.countries,
      allowed_prefixes = excluded.allowed_prefixes, blocked_prefixes = excluded.blocked_prefixes, kinds = excluded.kinds,
      concurrent_calls = excluded.concurrent_calls, daily_calls = excluded.daily_calls, daily_spend = excluded.daily_spend,
      updated_at = excluded.updated_at
    returning ${columns}`.execute(tx)
  return rows[0]!
}

export async function removePolicy(tx: Tx, { tenantId }: Scope, subject: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from destination_policies where tenant_id = ${tenantId} and subject = ${subject}`.execute(tx)
  return numAffectedRows === 1n
}

/** Whether a tenant has such a key or trunk, so that it can have a policy. */
export async function hasSubject(tx: Tx, { tenantId, organizationId }: Scope, subject: string): Promise<boolean> {
  const found = subject.startsWith('key_')
    ? sql`select from api_keys where organization_id = ${organizationId} and tenant_id = ${tenantId} and id = ${subject}`
    : sql`select from trunks where tenant_id = ${tenantId} and id = ${subject}`
  const { rows } = await sql<{ found: boolean }>`select exists (${found}) as found`.execute(tx)
  return rows[0]!.found
}

export type UsageRow = { subject: string; day: string; calls: number; spend: Record<string, number>; active: number }

/** What was used on a day (YYYY-MM-DD), and how many calls are under way; nothing of subjects without a ceiling. */
export async function listUsage(
  tx: Tx,
  { tenantId }: Scope,
  subjects: readonly string[],
  day: string,
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select s.subject, coalesce(u.day::text, ${day}) as day, coalesce(u.calls, 0) as calls,
      coalesce(u.spend, '{}') as spend,
      (select count(*)::integer from calls c where c.tenant_id = ${tenantId} and c.counted and c.ended_at is null
        and (s.subject = ${organizationSubject} or c.key_id = s.subject or c.trunk_id = s.subject)) as active
    from unnest(${[...subjects]}::text[]) as s (subject)
    left join destination_usage u on u.tenant_id = ${tenantId} and u.subject = s.subject and u.day >= ${day}::date`.execute(
    tx,
  )
  return rows
}

const eventIds = (count: number) => Array.from({ length: count }, () => newId('evt'))

/** Counts one call against the ceilings of these policies, unless it would break one, which is then answered. */
export async function countCall(
  tx: Tx,
  { tenantId }: Scope,
  policies: readonly Policy[],
  nowMs: number,
): Promise<CeilingRefusal<CallCeiling> | undefined> {
  const { rows } = await sql<{ ceiling: CallCeiling; subject: string; ceiling_limit: string }>`
    select * from count_call(${tenantId}, ${policies.map(policy => policy.subject)}::text[],
      ${policies.map(policy => policy.concurrent_calls)}::integer[], ${policies.map(policy => policy.daily_calls)}::integer[],
      ${isoMs(nowMs)}, ${eventIds(2 * policies.length)}::text[])`.execute(tx)
  const [row] = rows
  return row && { ceiling: row.ceiling, subject: row.subject, limit: row.ceiling_limit }
}

/** What a text or a minute of a call costs: millionths of a currency, or null. */
export type Price = { micros: number | null; currency: string | null }

type TakenRow = { item: number; subject: string; ceiling_limit: string }

function spendValues(tenantId: number, policies: readonly Policy[], prices: readonly Price[], nowMs: number) {
  return [
    tenantId,
    policies.map(policy => policy.subject),
    policies.map(policy => JSON.stringify(policy.daily_spend)),
    prices.map(price => price.micros),
    prices.map(price => price.currency),
    isoMs(nowMs),
    eventIds(policies.length),
  ] as const
}

function refusalsOf(rows: readonly TakenRow[]): Map<number, CeilingRefusal> {
  return new Map(
    rows.map(row => [row.item - 1, { ceiling: 'daily_spend', subject: row.subject, limit: row.ceiling_limit }]),
  )
}

/**
 * Takes what a text costs from the ceilings of these policies, at once and for good: a crash before the text is stored leaves it
 * counted. Below zero it is given back.
 * @returns why not, by the index of the price
 */
export async function takeSpend(
  db: Db,
  { tenantId }: Pick<Scope, 'tenantId'>,
  policies: readonly Policy[],
  prices: readonly Price[],
  nowMs: number,
): Promise<Map<number, CeilingRefusal>> {
  const rows = await db.call<TakenRow>('take_spend', 'select * from take_spend($1, $2, $3, $4, $5, $6, $7)', [
    ...spendValues(tenantId, policies, prices, nowMs),
  ])
  return refusalsOf(rows)
}

/** The same within a transaction, for texts that are stored by it. */
export async function takeSpendIn(
  tx: Tx,
  { tenantId }: Pick<Scope, 'tenantId'>,
  policies: readonly Policy[],
  prices: readonly Price[],
  nowMs: number,
): Promise<Map<number, CeilingRefusal>> {
  const [of, subjects, ceilings, micros, currencies, at, ids] = spendValues(tenantId, policies, prices, nowMs)
  const { rows } = await sql<TakenRow>`
    select * from take_spend(${of}, ${subjects}::text[], ${ceilings}::json[], ${micros}::bigint[], ${currencies}::text[],
      ${at}, ${ids}::text[])`.execute(tx)
  return refusalsOf(rows)
}

/** What was used by these on the day it is, locked in their order until the transaction ends. */
export async function lockUsage(
  tx: Tx,
  { tenantId }: Scope,
  subjects: readonly string[],
  nowMs: number,
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select subject, day::text, calls, spend, active
    from lock_destination_usage(${tenantId}, ${[...subjects]}::text[], ${isoMs(nowMs)})`.execute(tx)
  return rows
}

/** Minutes of a call that were taken from ceilings; `rate_micros` each. */
export type CallSpendRow = {
  call_id: string
  rate_micros: number
  currency: string
  minutes: number
  subjects: string[]
  day: string
}

const spendColumns = sql.raw('s.call_id, s.rate_micros, s.currency, s.minutes, s.subjects, s.day::text as day')

export async function findCallSpend(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<CallSpendRow[]> {
  const { rows } = await sql<CallSpendRow>`
    select ${spendColumns} from call_spend s
    where s.tenant_id = ${tenantId} and s.call_id = any(${[...callIds]}::text[])`.execute(tx)
  return rows
}

/** The same with when the calls were answered and ended, locked. */
export async function lockCallSpend(
  tx: Tx,
  { tenantId }: Scope,
  callIds: readonly string[],
): Promise<(CallSpendRow & { answered_at: string | null; ended_at: string | null })[]> {
  const { rows } = await sql<CallSpendRow & { answered_at: string | null; ended_at: string | null }>`
    select ${spendColumns}, c.answered_at, c.ended_at
    from call_spend s join calls c on c.tenant_id = s.tenant_id and c.id = s.call_id
    where s.tenant_id = ${tenantId} and s.call_id = any(${[...callIds]}::text[])
    order by s.call_id for update of s`.execute(tx)
  return rows
}

/** A call whose first minute is taken. */
export async function insertCallSpend(
  tx: Tx,
  { tenantId }: Scope,
  { call_id, rate_micros, currency, subjects, day }: Omit<CallSpendRow, 'minutes'>,
): Promise<void> {
  await sql`
    insert into call_spend (tenant_id, call_id, rate_micros, currency, minutes, subjects, day)
    values (${tenantId}, ${call_id}, ${rate_micros}, ${currency}, 1, ${[...subjects]}::text[], ${day}::date)`.execute(
    tx,
  )
}

/** One more minute was taken, on a day where that is known. */
export async function addMinute(tx: Tx, { tenantId }: Scope, callId: string, day: string | undefined): Promise<void> {
  await sql`
    update call_spend set minutes = minutes + 1, day = coalesce(${day ?? null}::date, day)
    where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
}

export async function removeCallSpend(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<void> {
  await sql`delete from call_spend where tenant_id = ${tenantId} and call_id = any(${[...callIds]}::text[])`.execute(tx)
}

/** Gives amounts back to locked subjects, each on the day it was taken; a day that is over keeps what it counted. */
export async function returnSpend(
  tx: Tx,
  { tenantId }: Scope,
  parts: readonly { subject: string; day: string; currency: string; micros: number }[],
): Promise<void> {
  await sql`
    select return_spend(${tenantId}, ${parts.map(part => part.subject)}::text[], ${parts.map(part => part.day)}::date[],
      ${parts.map(part => part.currency)}::text[], ${parts.map(part => part.micros)}::bigint[])`.execute(tx)
}

/** The trunk a call goes by, before it is marked as dialled. */
export async function setTrunk(tx: Tx, { tenantId }: Scope, callId: string, trunkId: string | null): Promise<void> {
  await sql`update calls set trunk_id = ${trunkId} where tenant_id = ${tenantId} and id = ${callId}`.execute(tx)
}

export type DueCall = { tenant_id: number; organization_id: number; call_id: string }

export function listDueSpend(db: Db, nowMs: number, leadSeconds: number, limit: number): Promise<DueCall[]> {
  return db.work('due_call_spend', 'select * from due_call_spend($1, $2, $3)', [isoMs(nowMs), leadSeconds, limit])
}
