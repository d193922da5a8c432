// SQL of acts on organizations as a whole, mostly by functions that cross tenants.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { AnyOrganizationState } from './rules.ts'

export type StateRow = {
  state: AnyOrganizationState
  name: string
  state_reason: string | null
  closing_by: 'owner' | 'operator' | null
  closes_at: string | null
  owner_user_id: number | null
}

/** With its row locked: moves happen one after the other. */
export async function lockState(tx: Tx, { organizationId }: Scope): Promise<StateRow> {
  const { rows } = await sql<StateRow>`
    select state, name, state_reason, closing_by, closes_at, owner_user_id from organizations
    where id = ${organizationId} for no key update`.execute(tx)
  return rows[0] as StateRow
}

export type Move = {
  from: AnyOrganizationState
  to: AnyOrganizationState
  reason: string | null
  closingBy: 'owner' | 'operator' | null
  closesAt: string | null
}

export async function moveOrganization(tx: Tx, { organizationId }: Scope, move: Move): Promise<boolean> {
  const { from, to, reason, closingBy, closesAt } = move
  const { rows } = await sql<{ moved: boolean }>`
    select move_organization(${organizationId}, ${from}, ${to}, ${reason}, ${closingBy}, ${closesAt}) as moved`.execute(
    tx,
  )
  return rows[0]?.moved === true
}

export type AdminRow = { email: string; name: string; locale: string | null; is_owner: boolean }

export async function listAdmins(tx: Tx, { organizationId }: Scope): Promise<AdminRow[]> {
  const { rows } = await sql<AdminRow>`select * from organization_admins(${organizationId})`.execute(tx)
  return rows
}

export type NewOrganization = {
  name: string
  timeZone: string
  currency: string
  defaultCountry: string | null
  mailsPerDay: number | null
}
export type Made = { organization_id: number; live_tenant_id: number; test_tenant_id: number }

export async function makeOrganization(tx: Tx, given: NewOrganization): Promise<Made> {
  const { name, timeZone, currency, defaultCountry, mailsPerDay } = given
  const { rows } = await sql<Made>`
    select * from make_organization(${name}, ${timeZone}, ${currency}, ${defaultCountry}, ${mailsPerDay}::integer)`.execute(
    tx,
  )
  return rows[0] as Made
}

export type Owner = {
  email: string
  name: string
  hash: string | null
  isTemporary: boolean
  isVerified: boolean
  byHolder: boolean
}

/** Its first Admin, who owns it. */
export async function makeOwner(
  tx: Tx,
  organizationId: number,
  { email, name, hash, isTemporary, isVerified, byHolder }: Owner,
): Promise<{ account_id: number; user_id: number; needs_password: boolean }> {
  const { rows } = await sql<{ account_id: number; user_id: number; needs_password: boolean }>`
    select * from make_owner(${organizationId}, ${email}, ${name}, ${hash}, ${isTemporary}, ${isVerified}, ${byHolder})`.execute(
    tx,
  )
  return rows[0]!
}

export type Closing = { organization_id: number; tenant_id: number; name: string; closes_at: string }

export function listClosing(db: Db): Promise<Closing[]> {
  return db.work('closing_organizations', 'select * from closing_organizations()', [])
}

export type ToErase = { organization_id: number; tenant_ids: number[]; all_of_it: boolean }

export async function listToErase(db: Db, nowMs: number, fiscalDays: number): Promise<ToErase[]> {
  const text = 'select organization_id, tenant_ids::int[] as tenant_ids, all_of_it from organizations_to_erase($1, $2)'
  return db.work('organizations_to_erase', text, [isoMs(nowMs), fiscalDays])
}

/** Erases some rows of a closed organization; how many. */
export async function eraseSome(db: Db, organizationId: number, allOfIt: boolean, most: number): Promise<number> {
  const text = 'select erase_organization($1, $2, $3) as gone'
  const rows = await db.work<{ gone: number }>('erase_organization', text, [organizationId, allOfIt, most])
  return Number(rows[0]?.gone ?? 0)
}

/** The stores in which files of a tenant may lie. */
export async function listStorages(tx: Tx, { tenantId }: Scope): Promise<string[]> {
  const { rows } = await sql<{ storage: string }>`
    select storage from recordings where tenant_id = ${tenantId} and storage is not null
    union select storage from attachment_files where tenant_id = ${tenantId}
    union select storage from inbound_mails where tenant_id = ${tenantId}
    union select storage from imports where tenant_id = ${tenantId} and storage is not null`.execute(tx)
  return rows.map(({ storage }) => storage)
}

/** From here on the transaction is of this organization: one that it has made, or that its work concerns as well. */
export async function enter(tx: Tx, { organizationId, tenantId }: Scope): Promise<void> {
  await sql`select set_config('app.tenant_id', ${String(tenantId)}, true),
    set_config('app.organization_id', ${String(organizationId)}, true)`.execute(tx)
}
