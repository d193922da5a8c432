// What another module needs for the timeline of a lead: the lead as somebody sees it, and what happened to it.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type LeadRow, maySee } from './rules.ts'
import { findLead } from './store.ts'

/** A lead as leads.get shows it to this person; undefined for one in the trash, or that they may not see. */
export async function findVisibleLead(tx: Tx, principal: Principal, id: number): Promise<LeadRow | undefined> {
  const lead = await findLead(tx, principal, id)
  return lead === undefined || lead.deleted_at !== null || !maySee(principal, lead) ? undefined : lead
}

/** A lead as an event reports it. */
export type LeadSnapshot = Partial<Record<keyof LeadRow | 'previousStatus', string | number | null>>

export type LeadEventRow = {
  id: string
  type: string
  /** With milliseconds. */
  at: string
  data: LeadSnapshot
  /** The lead before this change; null for the first event. */
  previous: LeadSnapshot | null
}

/**
 * What happened to a lead, newest first.
 * @param behind time and id of the event behind which to go on
 */
export async function listLeadEvents(
  tx: Tx,
  { tenantId }: Scope,
  leadId: number,
  behind: readonly [at: string, id: string] | undefined,
  limit: number,
): Promise<LeadEventRow[]> {
  const [at, id] = behind ?? [null, null]
  // A change that emits two events shows the same lead in both: what was before has a lower version.
  const { rows } = await sql<LeadEventRow>`
    select e.id, e.type, e.at, e.data, (
      select p.data from events p
      where p.tenant_id = ${tenantId} and p.resource_id = ${String(leadId)} and p.sequence < e.sequence
        and p.type like 'lead.%' and (p.data ->> 'version')::integer < (e.data ->> 'version')::integer
      order by p.sequence desc limit 1) as previous
    from (
      select id, type, date_trunc('milliseconds', at) as at, sequence, data from events
      where tenant_id = ${tenantId} and resource_id = ${String(leadId)} and type like 'lead.%'
    ) e
    where ${at}::timestamptz is null or (e.at, e.id) < (${at}::timestamptz, ${id}::text)
    order by e.at desc, e.id desc limit ${limit}`.execute(tx)
  return rows
}
