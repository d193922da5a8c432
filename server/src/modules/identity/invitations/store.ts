// SQL of invitations. What a link opens is found before any organization is known.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { constraintOf, type Db, type Scope, type Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { Problem } from '../../../kernel/values/problem.ts'

export type InvitationRow = {
  id: string
  email: string
  role: Role
  invited_by: number
  state: 'pending' | 'accepted' | 'declined' | 'revoked'
  expires_at: string
  user_id: number | null
  created_at: string
  decided_at: string | null
}

const columns = [
  'id',
  'email',
  'role',
  'invited_by',
  'state',
  'expires_at',
  'user_id',
  'created_at',
  'decided_at',
] as const

const hashOf = (token: string) => createHash('sha256').update(token).digest()

export async function insertInvitation(
  tx: Tx,
  { organizationId }: Scope,
  {
    token,
    ...invitation
  }: Pick<InvitationRow, 'id' | 'email' | 'role' | 'invited_by' | 'expires_at'> & { token: string },
): Promise<InvitationRow> {
  return tx
    .insertInto('invitations')
    .values({ ...invitation, organization_id: organizationId, token_hash: hashOf(token) })
    .returning(columns)
    .$castTo<InvitationRow>()
    .executeTakeFirstOrThrow()
}

/** The newest first, one more than asked for where there are more. */
export async function listInvitations(
  tx: Tx,
  { organizationId }: Scope,
  state: InvitationRow['state'] | undefined,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<InvitationRow[]> {
  let asked = tx.selectFrom('invitations').select(columns).where('organization_id', '=', organizationId)
  if (state !== undefined) asked = asked.where('state', '=', state)
  if (beforeId !== undefined) asked = asked.where('id', '<', beforeId)
  return asked
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .$castTo<InvitationRow>()
    .execute()
}

/** With its row locked: it is answered once. */
export async function lockInvitation(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .$castTo<InvitationRow>()
    .executeTakeFirst()
}

export async function decideInvitation(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  decision: { state: InvitationRow['state']; user_id?: number },
): Promise<InvitationRow> {
  return tx
    .updateTable('invitations')
    .set({ ...decision, decided_at: sql`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<InvitationRow>()
    .executeTakeFirstOrThrow()
}

/** What a link opens. */
export type FoundInvitation = {
  organization_id: number
  tenant_id: number
  id: string
  email: string
  role: Role
  organization_name: string
  inviter_name: string
  /** The account of the address, where it has one. */
  account_id: number | null
}

export async function findInvitation(db: Db, token: string, nowMs: number): Promise<FoundInvitation | undefined> {
  const rows = await db.call<FoundInvitation>('find_invitation', 'select * from find_invitation($1, $2)', [
    hashOf(token),
    new Date(nowMs).toISOString(),
  ])
  return rows[0]
}

/** @throws Problem `email_taken` when somebody else was quicker */
export async function insertVerifiedAccount(
  tx: Tx,
  { email, name, hash }: { email: string; name: string; hash: string },
): Promise<number> {
  try {
    const { rows } = await sql<{ id: number }>`select make_verified_account(${email}, ${name}, ${hash}) as id`.execute(
      tx,
    )
    return rows[0]!.id
  } catch (error) {
    if (constraintOf(error) === 'accounts_email_key') throw new Problem('invitation_needs_login')
    throw error
  }
}

/**
 * Makes a person a member; one who was a member and left is the same user again.
 * @throws Problem `already_member`
 */
export async function insertMember(
  tx: Tx,
  { organizationId }: Scope,
  { accountId, role, email, name }: { accountId: number; role: Role; email: string; name: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into users as u (organization_id, account_id, email, name, role)
    values (${organizationId}, ${accountId}, ${email}, ${name}, ${role})
    on conflict (organization_id, account_id) do update set role = excluded.role, removed_at = null, disabled_at = null,
      version = u.version + 1, updated_at = now()
    where u.removed_at is not null
    returning id`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Problem('already_member')
  if (role === 'Admin')
    await sql`update users set admin_id = ${`ADM-${String(row.id).padStart(6, '0')}`}
              where organization_id = ${organizationId} and id = ${row.id}`.execute(tx)
  return row.id
}
