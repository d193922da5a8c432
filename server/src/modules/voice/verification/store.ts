// SQL of the verification of numbers: the code sent last, who has a number and who holds it, and the change of hands.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import type { Verification } from './rules.ts'

/** What was asked for last for a number, locked. */
export async function lockVerification(
  tx: Tx,
  { tenantId }: Scope,
  numberId: string,
): Promise<Verification | undefined> {
  const { rows } = await sql<Verification>`
    select method, code_hash, expires_at, wrong_codes, requests, requests_since from number_verifications
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
    insert into number_verifications (tenant_id, number_id, method, code_hash, expires_at, wrong_codes, requests,
      requests_since)
    values (${tenantId}, ${numberId}, ${row.method}, ${row.code_hash}, ${row.expires_at}, 0, ${row.requests},
      ${row.requests_since})
    on conflict on constraint number_verifications_pkey do update set method = excluded.method,
      code_hash = excluded.code_hash, expires_at = excluded.expires_at, wrong_codes = 0, requests = excluded.requests,
      requests_since = excluded.requests_since`.execute(tx)
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
