// SQL of legal holds.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { Person, Subject } from '../person/index.ts'

/** Whom a hold on a person is about, as it was when it was placed. */
export type HeldPerson = { subject: Subject; label: string; person: Person }

export type HoldRow = {
  id: string
  tenant_id: number | null
  subject: HeldPerson | null
  reason: string
  placed_by: number
  placed_at: string
  released_by: number | null
  released_at: string | null
}

const columns = sql.raw('id, tenant_id, subject, reason, placed_by, placed_at, released_by, released_at')

export async function insertHold(
  tx: Tx,
  { organizationId }: Scope,
  row: Pick<HoldRow, 'id' | 'tenant_id' | 'subject' | 'reason' | 'placed_by'> & { pattern: string | null },
  nowMs: number,
): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`
    insert into legal_holds (organization_id, id, tenant_id, subject, pattern, reason, placed_by, placed_at)
    values (${organizationId}, ${row.id}, ${row.tenant_id}, ${row.subject === null ? null : JSON.stringify(row.subject)}::json,
      ${row.pattern}, ${row.reason}, ${row.placed_by}, ${isoMs(nowMs)})
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** Those that stand, or all, the newest first, behind an id: of the organization as a whole, and of persons in this tenant. */
export async function listHolds(
  tx: Tx,
  { organizationId, tenantId }: Scope,
  { standing, before, limit }: { standing: boolean; before?: string; limit: number },
): Promise<HoldRow[]> {
  const { rows } = await sql<HoldRow>`
    select ${columns} from legal_holds
    where organization_id = ${organizationId} and (tenant_id is null or tenant_id = ${tenantId})
      and (not ${standing} or released_at is null) and (${before ?? null}::text is null or id < ${before ?? null})
    order by id desc limit ${limit}`.execute(tx)
  return rows
}

/** Whether whom a hold is about has a record or an address in common with a person. */
const isAbout = ({ records, phones, emails }: Person) => sql`exists (
  select from json_array_elements_text(subject -> 'person' -> 'records') as t (name) where t.name = any(${records}::text[])
  union all
  select from json_array_elements_text(subject -> 'person' -> 'phones') as t (name) where t.name = any(${phones}::text[])
  union all
  select from json_array_elements_text(subject -> 'person' -> 'emails') as t (name) where t.name = any(${emails}::text[]))`

/** Whether one that stands keeps this person: of the organization, or of the person in this tenant. */
export async function isHeld(tx: Tx, { organizationId, tenantId }: Scope, person: Person): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from legal_holds
      where organization_id = ${organizationId} and released_at is null
        and (tenant_id is null or (tenant_id = ${tenantId} and ${isAbout(person)}))) as held`.execute(tx)
  return rows[0]!.held
}

/** One of them; nobody else changes it before the transaction ends. */
export async function lockHold(tx: Tx, { organizationId, tenantId }: Scope, id: string): Promise<HoldRow | undefined> {
  const { rows } = await sql<HoldRow>`
    select ${columns} from legal_holds
    where organization_id = ${organizationId} and id = ${id} and (tenant_id is null or tenant_id = ${tenantId}) for update`.execute(
    tx,
  )
  return rows[0]
}

export async function releaseHold(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  { userId, nowMs }: { userId: number; nowMs: number },
): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`
    update legal_holds set released_by = ${userId}, released_at = ${isoMs(nowMs)}
    where organization_id = ${organizationId} and id = ${id} returning ${columns}`.execute(tx)
  return rows[0]!
}

/** What released holds say of a person who is erased goes too. */
export async function forgetPerson(tx: Tx, { organizationId, tenantId }: Scope, person: Person): Promise<void> {
  await sql`
    update legal_holds set subject = '{}', pattern = ''
    where organization_id = ${organizationId} and tenant_id = ${tenantId} and released_at is not null and ${isAbout(person)}`.execute(
    tx,
  )
}
