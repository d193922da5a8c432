// SQL of domains of organizations.
import { sql } from 'kysely'
import { constraintOf, type Db, type Scope, type Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { asciiAddress, type DomainRow, type Verdict } from './rules.ts'

export const domains = resourceRows<DomainRow, 'status'>({
  table: 'organization_domains',
  of: 'organization',
  columns:
    'r.id, r.domain, r.token, r.status, r.misses, r.found, r.checked_at, r.check_at, r.verified_at, r.version, r.created_at, r.updated_at',
  filters: { status: 'status' },
})

/** Writes what a look made of a domain. @throws Problem `domain_taken` */
export async function writeLook(tx: Tx, scope: Scope, row: DomainRow, verdict: Verdict, nowMs: number) {
  const at = new Date(nowMs).toISOString()
  const verified_at = verdict.status === 'verified' && row.status !== 'verified' ? at : row.verified_at
  try {
    return await domains.change(tx, scope, row.id, { ...verdict, verified_at, checked_at: at }, nowMs)
  } catch (error) {
    if (constraintOf(error) === 'organization_domains_verified') throw new Problem('domain_taken')
    throw error
  }
}

export type DueDomain = { organization_id: number; tenant_id: number; id: string; domain: string; token: string }

/** Domains of all organizations that are to be looked up again. */
export async function findDue(db: Db, nowMs: number, most: number): Promise<DueDomain[]> {
  return db.call<DueDomain>('due_organization_domains', 'select * from due_organization_domains($1, $2)', [
    new Date(nowMs).toISOString(),
    most,
  ])
}

/** Whether the domain of an address is verified by the organization. */
export async function speaksFor(tx: Tx, { organizationId }: Pick<Scope, 'organizationId'>, email: string) {
  const asked = sql<{ speaks: boolean }>`select speaks_for(${organizationId}, ${asciiAddress(email)}) as speaks`
  const { rows } = await asked.execute(tx)
  return rows[0]?.speaks === true
}

export async function hasVerified(tx: Tx, { organizationId }: Scope): Promise<boolean> {
  const { rows } = await sql`select from organization_domains
    where organization_id = ${organizationId} and status = 'verified' limit 1`.execute(tx)
  return rows.length > 0
}
