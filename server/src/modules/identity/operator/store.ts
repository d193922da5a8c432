// SQL of what operators see and change, by functions that cross tenants and read no record.
import { sql } from 'kysely'
import type { OperatorLevel } from '../../../kernel/access/operator.ts'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { containing } from '../../../kernel/data/like.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { AnyOrganizationState } from '../organizations/index.ts'

export type OrganizationRow = {
  id: number
  name: string
  state: AnyOrganizationState
  state_reason: string | null
  state_since: string
  closing_by: 'owner' | 'operator' | null
  closes_at: string | null
  erased_at: string | null
  mails_per_day: number | null
  version: number
  created_at: string
  owner_email: string | null
  owner_name: string | null
  members: number
  leads: number
  messages: number
  calls: number
}

export type OrganizationQuery = {
  id?: number | undefined
  state?: AnyOrganizationState | undefined
  words?: string | undefined
  behind?: number | undefined
  limit: number
}

export function listOrganizations(
  db: Db,
  { id, state, words, behind, limit }: OrganizationQuery,
): Promise<OrganizationRow[]> {
  const like = words === undefined ? null : containing(words)
  const values = [id ?? null, state ?? null, like, behind ?? null, limit]
  return db.call('list_organizations', 'select * from list_organizations($1, $2, $3, $4, $5)', values)
}

export async function findLiveTenant(db: Db, organizationId: number): Promise<number | undefined> {
  const rows = await db.call<{ id: number | null }>('tenant_of', "select tenant_of($1, 'live') as id", [organizationId])
  return rows[0]?.id ?? undefined
}

export async function changeFacts(
  tx: Tx,
  organizationId: number,
  change: { name?: string | undefined; mailsPerDay?: number | null | undefined },
): Promise<void> {
  const sets = change.mailsPerDay !== undefined
  await sql`select change_organization(${organizationId}, ${change.name ?? null}, ${sets}, ${change.mailsPerDay ?? null}::integer)`.execute(
    tx,
  )
}

export type Standing = { level: OperatorLevel | null; email: string; has_factor: boolean }

export async function findStanding(db: Db, accountId: number): Promise<Standing | undefined> {
  return (await db.call<Standing>('operator_standing', 'select * from operator_standing($1)', [accountId]))[0]
}

export type OperatorRow = {
  account_id: number
  email: string
  name: string
  level: OperatorLevel
  has_factor: boolean
  created_at: string
}

export function listOperators(db: Db): Promise<OperatorRow[]> {
  return db.call('list_operators', 'select * from list_operators()', [])
}

export type SetOperator = {
  account_id: number
  email: string
  level: OperatorLevel | null
  before: OperatorLevel | null
  refused: boolean
  voided: boolean
}

/** Undefined where the address has no account. */
export async function setOperator(
  tx: Tx,
  email: string,
  level: OperatorLevel | null,
  { byAccount, mayBeLast }: { byAccount: number | null; mayBeLast: boolean },
): Promise<SetOperator | undefined> {
  const { rows } =
    await sql<SetOperator>`select * from set_operator(${email}, ${level}, ${byAccount}::bigint, ${mayBeLast})`.execute(
      tx,
    )
  return rows[0]
}

export type NewEvent = {
  id: string
  nowMs: number
  action: string
  accountId: number | null
  operator: string
  organizationId: number | null
  target: string | null
  reason: string | null
  ip: string | null
}

export async function addEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { id, nowMs, action, accountId, operator, organizationId, target, reason, ip } = event
  await sql`select add_operator_event(${id}, ${isoMs(nowMs)}, ${action}, ${accountId}::bigint, ${operator}, ${organizationId}::bigint,
    ${target}, ${reason}, ${ip})`.execute(tx)
}

export type EventRow = {
  id: string
  at: string
  action: string
  account_id: number | null
  operator: string
  organization_id: number | null
  target: string | null
  reason: string | null
  ip: string | null
}

export function listEvents(
  db: Db,
  {
    organizationId,
    beforeId,
    limit,
  }: { organizationId?: number | undefined; beforeId?: string | undefined; limit: number },
): Promise<EventRow[]> {
  const values = [organizationId ?? null, beforeId ?? null, limit]
  return db.call('list_operator_events', 'select * from list_operator_events($1, $2, $3)', values)
}
