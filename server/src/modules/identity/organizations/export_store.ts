// SQL of archives of an organization.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

export const exportStates = ['queued', 'running', 'ready', 'failed', 'expired'] as const

export type ExportRow = {
  id: string
  state: (typeof exportStates)[number]
  asked_by: number
  storage: string | null
  storage_key: string | null
  size_bytes: number | null
  sha256: string | null
  rows: number | null
  files: number | null
  error: string | null
  attempts: number
  expires_at: string | null
  ready_at: string | null
  created_at: string
}

const columns = [
  'id',
  'state',
  'asked_by',
  'storage',
  'storage_key',
  'size_bytes',
  'sha256',
  'rows',
  'files',
  'error',
  'attempts',
  'expires_at',
  'ready_at',
  'created_at',
] as const

export async function insertExport(
  tx: Tx,
  { organizationId }: Scope,
  row: { id: string; asked_by: number; created_at: string },
): Promise<ExportRow> {
  return tx
    .insertInto('organization_exports')
    .values({ ...row, organization_id: organizationId, state: 'queued' })
    .returning(columns)
    .$castTo<ExportRow>()
    .executeTakeFirstOrThrow()
}

export async function listExports(tx: Tx, { organizationId }: Scope): Promise<ExportRow[]> {
  return tx
    .selectFrom('organization_exports')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(50)
    .$castTo<ExportRow>()
    .execute()
}

export async function findExport(tx: Tx, { organizationId }: Scope, id: string): Promise<ExportRow | undefined> {
  return tx
    .selectFrom('organization_exports')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$castTo<ExportRow>()
    .executeTakeFirst()
}

export type ExportJob = { organization_id: number; id: string }

export function claimExports(db: Db, token: string, most: number, leaseSeconds: number): Promise<ExportJob[]> {
  return db.work('claim_organization_exports', 'select * from claim_organization_exports($1, $2, $3)', [
    token,
    most,
    leaseSeconds,
  ])
}

/** Writes down what became of it, as long as the lease is ours. */
export async function settleExport(
  tx: Tx,
  { organizationId }: Scope,
  { id, token }: { id: string; token: string },
  change: Partial<Omit<ExportRow, 'id' | 'created_at' | 'asked_by' | 'attempts'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organization_exports')
    .set({ ...change, lease_token: null, lease_until: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('lease_token', '=', token)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps the lease for so long. */
export async function renewExport(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  token: string,
  seconds: number,
): Promise<void> {
  await sql`update organization_exports set lease_until = clock_timestamp() + make_interval(secs => ${seconds})
            where organization_id = ${organizationId} and id = ${id} and lease_token = ${token}`.execute(tx)
}

export type Expired = { organization_id: number; id: string; storage: string; storage_key: string }

export function listExpired(db: Db, nowMs: number): Promise<Expired[]> {
  return db.work('expired_organization_exports', 'select * from expired_organization_exports($1)', [isoMs(nowMs)])
}

export async function expireExport(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  await tx
    .updateTable('organization_exports')
    .set({ state: 'expired' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .execute()
}
