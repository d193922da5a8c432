// SQL of leads: reading one, changing one, their duplicates and their history. Creation in groups is in `creation_store.ts`,
// lists are in `list_store.ts`.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { type Changed, type Contact, type LeadRow, type LeadStatus, leadColumns } from './rules.ts'

/** For SELECT: what a lead is read as. */
export const columns = sql.join(leadColumns.map(column => sql.ref(column)))

/** A lead, in the trash or not. */
export async function findLead(tx: Tx, scope: Scope, id: number): Promise<LeadRow | undefined> {
  const { rows } = await sql<LeadRow>`
    select ${columns} from leads where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

/** A lead with its row locked, in the trash or not. */
export async function lockLead(tx: Tx, scope: Scope, id: number): Promise<LeadRow | undefined> {
  const { rows } = await sql<LeadRow>`
    select ${columns} from leads where tenant_id = ${scope.tenantId} and id = ${id} for update`.execute(tx)
  return rows[0]
}

/** Leads that name one of these in a column, locked. */
export async function lockLeadsNaming(
  tx: Tx,
  scope: Scope,
  column: 'company_id' | 'contact_id',
  ids: readonly string[],
  limit: number | null = null,
): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`
    select ${columns} from leads where tenant_id = ${scope.tenantId} and ${sql.ref(column)} = any(${ids}::text[])
    order by id limit ${limit} for update`.execute(tx)
  return rows
}

/** Changes columns of a locked lead and counts its version up; answers the lead as it is now. */
export async function changeLead(
  tx: Tx,
  lead: LeadRow,
  changes: Partial<Changed> & { deleted_at?: string | null },
  now: string,
): Promise<LeadRow> {
  const row = await tx
    .updateTable('leads')
    .set({ ...changes, updated_at: now, version: lead.version + 1 })
    .where('tenant_id', '=', lead.tenant_id)
    .where('id', '=', lead.id)
    .returning(leadColumns)
    .executeTakeFirstOrThrow()
  return row as LeadRow
}

export type StatusChange = { from: LeadStatus; to: LeadStatus; changedBy: number; secondsInState: number }

/** Adds a move to the history. `lead` is the lead after it. */
export async function insertStatusChange(tx: Tx, lead: LeadRow, change: StatusChange): Promise<void> {
  await tx
    .insertInto('lead_status_changes')
    .values({
      tenant_id: lead.tenant_id,
      lead_id: lead.id,
      version: lead.version,
      from_status: change.from,
      to_status: change.to,
      changed_by: change.changedBy,
      changed_at: lead.status_changed_at,
      seconds_in_state: change.secondsInState,
    })
    .execute()
}

/** Forgets the moves of leads that are removed for good. */
export async function removeStatusChanges(tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> {
  await sql`
    delete from lead_status_changes where tenant_id = ${scope.tenantId} and lead_id = any(${ids}::bigint[])`.execute(tx)
}

/** The role of a user of the organization; undefined when there is none, or it is disabled. */
export async function roleOfActive(tx: Tx, scope: Scope, userId: number): Promise<Role | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('role')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row?.role as Role | undefined
}

/** Leads with this e-mail (in any letter case) or this phone, the oldest first, at most ten of each; not those in the trash. */
export async function findLeadsByContact(tx: Tx, { email, phone }: Contact): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`
    select ${columns} from find_leads_by_contact(${email}, ${phone}) order by id`.execute(tx)
  return rows
}

/**
 * Makes transactions that are about to write the same e-mail or phone in the tenant follow one another: what the first has
 * committed is there for the second to find. Locks are taken in the order of their numbers, so none wait in a circle.
 */
export async function lockContact(tx: Tx, scope: Scope, { email, phone }: Contact): Promise<void> {
  const keys = [email && `lead e-mail ${email.toLowerCase()}`, phone && `lead phone ${phone}`].filter(Boolean)
  await sql`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended(text, ${scope.tenantId}::bigint) as key
      from unnest(${keys}::text[]) as t (text)
      order by key
    ) k`.execute(tx)
}

/** Leads with this number (E.164 with +), the oldest first, at most ten; not those in the trash. */
export async function findLeadsByPhone(tx: Tx, scope: Scope, phone: string): Promise<LeadRow[]> {
  const found = await findLeadsByContact(tx, { email: null, phone })
  return found.filter(lead => lead.tenant_id === scope.tenantId)
}

/** The id of a lead to be made. */
export async function nextLeadId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('leads_id_seq') as id`.execute(tx)
  return rows[0]!.id
}
