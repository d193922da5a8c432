// SQL of hand-overs: what one person owned goes to another, in both tenants of their organization.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'

export type Mode = 'live' | 'test'
/** Of one kind in one mode: how many there were when it began, and how many were given. */
export type KindCount = { mode: Mode; kind: string; total: number; given: number }

export type HandOverRow = {
  id: string
  from_user_id: number
  to_user_id: number
  by_user_id: number
  key_id: string | null
  state: 'running' | 'completed'
  kinds: KindCount[]
  created_at: string
  finished_at: string | null
}

const columns = sql.raw(
  'h.id, h.from_user_id, h.to_user_id, h.by_user_id, h.key_id, h.state, h.kinds, h.created_at, h.finished_at',
)

export type NewHandOver = Pick<
  HandOverRow,
  'id' | 'from_user_id' | 'to_user_id' | 'by_user_id' | 'key_id' | 'created_at'
>

export async function insertHandOver(tx: Tx, { organizationId }: Scope, made: NewHandOver): Promise<HandOverRow> {
  const { rows } = await sql<HandOverRow>`
    insert into hand_overs as h (organization_id, id, from_user_id, to_user_id, by_user_id, key_id, created_at)
    values (${organizationId}, ${made.id}, ${made.from_user_id}, ${made.to_user_id}, ${made.by_user_id}, ${made.key_id},
      ${made.created_at})
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** What is still on its way to somebody who leaves goes to who takes over from them. */
export async function redirectHandOvers(
  tx: Tx,
  { organizationId }: Scope,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    update hand_overs set to_user_id = ${to}
    where organization_id = ${organizationId} and to_user_id = ${from}
      and (state = 'running' or look_again_at is not null)`.execute(tx)
}

export async function findHandOver(tx: Tx, { organizationId }: Scope, id: string): Promise<HandOverRow | undefined> {
  const { rows } = await sql<HandOverRow>`
    select ${columns} from hand_overs h where h.organization_id = ${organizationId} and h.id = ${id}`.execute(tx)
  return rows[0]
}

/** The newest first, one more than `limit` where there are more. */
export async function listHandOvers(
  tx: Tx,
  { organizationId }: Scope,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<HandOverRow[]> {
  const { rows } = await sql<HandOverRow>`
    select ${columns} from hand_overs h
    where h.organization_id = ${organizationId} and ${beforeId === undefined ? sql`true` : sql`h.id < ${beforeId}`}
    order by h.id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Whether what an account's user owned in this organization is still being handed over. */
export async function isHandingOver(tx: Tx, { organizationId }: Scope, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from hand_overs h join users u on u.organization_id = h.organization_id and u.id = h.from_user_id
    where h.organization_id = ${organizationId} and u.account_id = ${accountId} and h.state = 'running'`.execute(tx)
  return rows.length > 0
}

export type Leased = {
  organization_id: number
  id: string
  live_tenant_id: number
  test_tenant_id: number
  attempts: number
}

export function claimHandOvers(db: Db, token: string, limit: number, seconds: number): Promise<Leased[]> {
  return db.work('claim_hand_overs', 'select * from claim_hand_overs($1, $2, $3)', [token, limit, seconds])
}

/** Locks it for what this transaction does, and renews its lease; undefined for one that is another worker's by now. */
export async function holdHandOver(
  tx: Tx,
  { organizationId }: Scope,
  { id, token, seconds }: { id: string; token: string; seconds: number },
): Promise<HandOverRow | undefined> {
  const { rows } = await sql<HandOverRow>`
    update hand_overs h set leased_until = now() + make_interval(secs => ${seconds}), attempts = 0
    where h.organization_id = ${organizationId} and h.id = ${id} and h.token = ${token} returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}

export async function changeKinds(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  kinds: readonly KindCount[],
): Promise<void> {
  await sql`
    update hand_overs set kinds = ${JSON.stringify(kinds)}::json
    where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

/** The first time it looks once more after some seconds, the second time it is over. */
export async function endHandOver(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  { nowIso, againSeconds }: { nowIso: string; againSeconds: number },
): Promise<HandOverRow> {
  const { rows } = await sql<HandOverRow>`
    update hand_overs h set state = 'completed', finished_at = coalesce(h.finished_at, ${nowIso}::timestamptz),
      look_again_at = case when h.state = 'running' then now() + make_interval(secs => ${againSeconds}) end,
      token = null, leased_until = null
    where h.organization_id = ${organizationId} and h.id = ${id} returning ${columns}`.execute(tx)
  return rows[0]!
}

/** Gives a lease back, after some seconds. */
export async function releaseHandOver(
  tx: Tx,
  { organizationId }: Scope,
  { id, token, seconds }: { id: string; token: string; seconds: number },
): Promise<void> {
  await sql`
    update hand_overs set token = null, leased_until = now() + make_interval(secs => ${seconds})
    where organization_id = ${organizationId} and id = ${id} and token = ${token}`.execute(tx)
}
