// SQL of what an organization wants of its audit log, of what is deleted by it, and of names that are erased.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'

export type PolicyRow = {
  retention_days: number | null
  legal_hold: boolean
  listens: boolean
  version: number
}

export const noPolicy: PolicyRow = { retention_days: null, legal_hold: false, listens: false, version: 1 }

export async function findPolicy(tx: Tx, { organizationId }: Scope): Promise<PolicyRow> {
  const { rows } = await sql<PolicyRow>`
    select retention_days, legal_hold, listens, version from audit_policies
    where organization_id = ${organizationId}`.execute(tx)
  return rows[0] ?? noPolicy
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockPolicy(tx: Tx, { organizationId }: Scope): Promise<PolicyRow> {
  await sql`insert into audit_policies (organization_id) values (${organizationId}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<PolicyRow>`
    select retention_days, legal_hold, listens, version from audit_policies
    where organization_id = ${organizationId} for update`.execute(tx)
  return rows[0]!
}

export async function changePolicy(
  tx: Tx,
  { organizationId }: Scope,
  { retention_days, legal_hold, listens }: Omit<PolicyRow, 'version'>,
): Promise<PolicyRow> {
  const { rows } = await sql<PolicyRow>`
    update audit_policies set retention_days = ${retention_days}, legal_hold = ${legal_hold}, listens = ${listens},
      version = version + 1, updated_at = clock_timestamp()
    where organization_id = ${organizationId} returning retention_days, legal_hold, listens, version`.execute(tx)
  return rows[0]!
}

/** Organizations with events that have been kept long enough, where their policy does not say otherwise. */
export async function organizationsToExpire(db: Db, defaultDays: number): Promise<number[]> {
  const text = 'select organization_id from audit_to_expire($1)'
  const rows = await db.work<{ organization_id: number }>('audit_to_expire', text, [defaultDays])
  return rows.map(row => row.organization_id)
}

/** Deletes the events of the first seal, when it has been kept long enough. */
export async function expireSeal(tx: Tx, defaultDays: number): Promise<{ events: number; up_to: number } | undefined> {
  const { rows } = await sql<{ events: number; up_to: number }>`select * from expire_audit(${defaultDays})`.execute(tx)
  return rows[0]
}

/** Erases names and addresses of somebody; how many. */
export async function eraseLabels(tx: Tx, subject: { type: string; id: string }): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select erase_audit_labels(${subject.type}, ${subject.id}) as gone`.execute(tx)
  return rows[0]!.gone
}

/** Whether each look at the sound of a recording is to be in the log. */
export async function hearsAreRecorded(tx: Tx, scope: Scope): Promise<boolean> {
  return (await findPolicy(tx, scope)).listens
}
