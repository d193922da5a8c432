// Leads that other modules ask for: one that somebody sees, and those behind a telephone number.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { holdersOf } from '../../../kernel/noun/keys.ts'
import { idsOf, ownIdOf } from '../../../kernel/noun/record_ids.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { findRecord } from '../../../kernel/noun/verbs_read.ts'
import { Problem } from '../../../kernel/values/problem.ts'

/** A lead as leads.get shows it to this person; undefined for one in the trash, or that they may not see. */
export function findVisibleLead(tx: Tx, principal: Principal, id: number): Promise<NounRecord | undefined> {
  return foundRecord(findRecord(tx, principal, tableNamed('lead'), `lead:${id}`))
}

/** What a look-up finds; undefined where it answers that there is no such record. */
export async function foundRecord(finding: Promise<NounRecord>): Promise<NounRecord | undefined> {
  try {
    return await finding
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

/** Whether a company is there, and not in the trash, whether or not anybody sees it. */
export async function isCompanyThere(tx: Tx, { tenantId }: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from companies where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`.execute(tx)
  return rows.length > 0
}

/** Ids of leads with this number (E.164 with +), the oldest first, at most ten; not those in the trash. */
export async function findLeadsByPhone(tx: Tx, scope: Scope, phone: string): Promise<number[]> {
  const noun = tableNamed('lead')
  const { rows } = await sql<{ record_id: string }>`
    select k.record_id from ${holdersOf(noun, scope, [{ field: 'phone', value: phone }])} k`.execute(tx)
  const ids = rows.map(row => Number(ownIdOf(idsOf(noun.spec), row.record_id)))
  return ids.sort((a, b) => a - b).slice(0, 10)
}

/** Those of the numbers (E.164 with +) that leads have; not leads in the trash. */
export async function phonesOfLeads(tx: Tx, scope: Scope, phones: readonly string[]): Promise<Set<string>> {
  const keys = phones.map(value => ({ field: 'phone', value }))
  const { rows } = await sql<{ value: string }>`
    select distinct k.value from ${holdersOf(tableNamed('lead'), scope, keys)} k`.execute(tx)
  return new Set(rows.map(({ value }) => value))
}
