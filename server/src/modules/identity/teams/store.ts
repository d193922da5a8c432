// SQL of teams and their members.
import { sql } from 'kysely'
import { constraintOf, type Scope, type Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'

export type TeamMember = { userId: number; name: string; lead: boolean }
export type TeamRow = {
  id: string
  name: string
  description: string
  version: number
  created_at: string
  updated_at: string
  members: TeamMember[]
}

const columns = sql`t.id, t.name, t.description, t.version, t.created_at, t.updated_at, (
  select coalesce(json_agg(json_build_object('userId', u.id, 'name', u.name, 'lead', m.is_lead)
    order by m.is_lead desc, u.name collate "und-x-icu", u.id), '[]')
  from team_members m join users u on u.organization_id = m.organization_id and u.id = m.user_id and u.removed_at is null
  where m.organization_id = t.organization_id and m.team_id = t.id) as members`

/** The newest first, one more than asked for where there are more. */
export async function listTeams(
  tx: Tx,
  { organizationId }: Scope,
  { userId, limit, beforeId }: { userId: number | undefined; limit: number; beforeId: string | undefined },
): Promise<TeamRow[]> {
  const conditions = [sql`t.organization_id = ${organizationId}`]
  if (beforeId !== undefined) conditions.push(sql`t.id < ${beforeId}`)
  if (userId !== undefined)
    conditions.push(sql`t.id in (
      select m.team_id from team_members m where m.organization_id = ${organizationId} and m.user_id = ${userId})`)
  const { rows } = await sql<TeamRow>`
    select ${columns} from teams t where ${sql.join(conditions, sql` and `)} order by t.id desc limit ${limit + 1}`.execute(
    tx,
  )
  return rows
}

/** @param locked nobody else changes it or its members before the transaction ends */
export async function findTeam(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  locked = false,
): Promise<TeamRow | undefined> {
  const here = sql`t.organization_id = ${organizationId} and t.id = ${id}`
  // Locked first, so that the members are read as they are then.
  if (locked) await sql`select from teams t where ${here} for update`.execute(tx)
  const { rows } = await sql<TeamRow>`select ${columns} from teams t where ${here}`.execute(tx)
  return rows[0]
}

/** How many there are; others that make one wait for this transaction. */
export async function countTeams(tx: Tx, { organizationId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('teams', ${organizationId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from teams where organization_id = ${organizationId}`.execute(tx)
  return rows[0]!.count
}

type TeamValues = { name: string; description: string }

/** @throws Problem `team_name_taken` */
export async function insertTeam(tx: Tx, { organizationId }: Scope, id: string, values: TeamValues): Promise<TeamRow> {
  const { rows } = await refuseTaken(
    sql<TeamRow>`
      insert into teams as t (organization_id, id, name, description)
      values (${organizationId}, ${id}, ${values.name}, ${values.description}) returning ${columns}`.execute(tx),
  )
  return rows[0]!
}

/** Of one that is locked; counts its version up. @throws Problem `team_name_taken` */
export async function changeTeam(tx: Tx, { organizationId }: Scope, id: string, values: TeamValues): Promise<TeamRow> {
  const { rows } = await refuseTaken(
    sql<TeamRow>`
      update teams t set name = ${values.name}, description = ${values.description}, version = t.version + 1, updated_at = now()
      where t.organization_id = ${organizationId} and t.id = ${id} returning ${columns}`.execute(tx),
  )
  return rows[0]!
}

export async function removeTeam(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  await sql`delete from teams where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

async function refuseTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (constraintOf(error) === 'teams_name_key') throw new Problem('team_name_taken')
    throw error
  }
}

/** A person who is a member of the organization, locked: who counts their teams counts them alone. */
export async function lockPerson(
  tx: Tx,
  { organizationId }: Scope,
  userId: number,
): Promise<{ teams: number } | undefined> {
  const locked = await sql`
    select from users where organization_id = ${organizationId} and id = ${userId} and kind = 'person' and removed_at is null
    for no key update`.execute(tx)
  if (locked.rows.length === 0) return undefined
  const { rows } = await sql<{ teams: number }>`
    select count(*)::integer as teams from team_members where organization_id = ${organizationId} and user_id = ${userId}`.execute(
    tx,
  )
  return rows[0]
}

export async function putMember(
  tx: Tx,
  { organizationId }: Scope,
  teamId: string,
  userId: number,
  lead: boolean,
): Promise<void> {
  await sql`
    insert into team_members (organization_id, team_id, user_id, is_lead) values (${organizationId}, ${teamId}, ${userId}, ${lead})
    on conflict (organization_id, team_id, user_id) do update set is_lead = excluded.is_lead`.execute(tx)
}

export async function removeMember(tx: Tx, { organizationId }: Scope, teamId: string, userId: number): Promise<void> {
  await sql`
    delete from team_members where organization_id = ${organizationId} and team_id = ${teamId} and user_id = ${userId}`.execute(
    tx,
  )
}
