// SQL of the verification of numbers: the code sent last, who has a number and who holds it, and the change of hands.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { Requests, Verification } from './rules.ts'

/** What was asked for last for a number, locked. */
export async function lockVerification(
  tx: Tx,
  { tenantId }: Scope,
  numberId: string,
): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`
    select method, code_hash, expires_at, wrong_codes from number_verifications
    where tenant_id = ${tenantId} and number_id = ${numberId} for update`.execute(tx)
  return rows[0]
}

/** Puts a code in the place of the one before. */
export async function writeVerification(
  tx: Tx,
  { tenantId }: Scope,
  numberId: string,
  row: Verification,
): Promise<void> {
  await sql`
    insert into number_verifications (tenant_id, number_id, method, code_hash, expires_at, wrong_codes)
    values (${tenantId}, ${numberId}, ${row.method}, ${row.code_hash}, ${row.expires_at}, 0)
    on conflict on constraint number_verifications_pkey do update set method = excluded.method,
      code_hash = excluded.code_hash, expires_at = excluded.expires_at, wrong_codes = 0`.execute(tx)
}

/** How often codes were asked for, for each subject (a number, `organization`), locked; what is older than a day is forgotten. */
export async function lockRequests(
  tx: Tx,
  { tenantId }: Scope,
  subjects: readonly string[],
  nowMs: number,
): Promise<Requests[]> {
  await sql`
    delete from number_code_requests where tenant_id = ${tenantId} and subject <> all(${[...subjects]}::text[])
      and requests_since < ${isoMs(nowMs)}::timestamptz - interval '1 day'`.execute(tx)
  await sql`
    insert into number_code_requests (tenant_id, subject, requests, requests_since)
    select ${tenantId}::bigint, s, 0, ${isoMs(nowMs)}::timestamptz from unnest(${[...subjects]}::text[]) s order by s
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<Requests & { subject: string }>`
    select subject, requests, requests_since from number_code_requests
    where tenant_id = ${tenantId} and subject = any(${[...subjects]}::text[]) order by subject for update`.execute(tx)
  return subjects.map(subject => rows.find(row => row.subject === subject)!)
}

export async function writeRequests(
  tx: Tx,
  { tenantId }: Scope,
  subject: string,
  { requests, requests_since }: Requests,
): Promise<void> {
  await sql`
    update number_code_requests set requests = ${requests}, requests_since = ${requests_since}
    where tenant_id = ${tenantId} and subject = ${subject}`.execute(tx)
}

export async function countWrongCode(tx: Tx, { tenantId }: Scope, numberId: string): Promise<void> {
  await sql`
    update number_verifications set wrong_codes = wrong_codes + 1
    where tenant_id = ${tenantId} and number_id = ${numberId}`.execute(tx)
}

export async function removeVerification(tx: Tx, { tenantId }: Scope, numberId: string): Promise<void> {
  await sql`
    delete from number_verifications where tenant_id = ${tenantId} and number_id = ${numberId}`.execute(tx)
}

/** The live tenant of the organization that runs this installation. */
export async function operatorScope(db: Db): Promise<Scope> {
  const [row] = await db.call<{ tenant_id: number; organization_id: number }>(
    'operator_tenant',
    'select * from operator_tenant()',
    [],
  )
  if (row === undefined) throw new Error('an installation has at least one organization')
  return { tenantId: row.tenant_id, organizationId: row.organization_id }
}
