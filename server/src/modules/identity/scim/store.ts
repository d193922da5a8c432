// SQL of SCIM: what providers call members, their groups, what is set up, and the last requests.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import type { Equality } from './filter.ts'

/** What a group gives its members: a role, one of the organization's own, a team. */
export type GroupRule = { group: string; role: Role | null; roleId: string | null; teamId: string | null }
export type ScimSettings = { enabled: boolean; default_role: Role; group_map: GroupRule[]; version: number }

const unset: ScimSettings = { enabled: false, default_role: 'Sales Executive', group_map: [], version: 1 }

export async function findSettings(tx: Tx, { organizationId }: Scope): Promise<ScimSettings> {
  const { rows } = await sql<ScimSettings>`
    select enabled, default_role, group_map, version from scim_settings where organization_id = ${organizationId}`.execute(
    tx,
  )
  return rows[0] === undefined ? unset : whole(rows[0])
}

/** Rules name only what they give. */
function whole(settings: ScimSettings): ScimSettings {
  const group_map = settings.group_map.map(({ group, role = null, roleId = null, teamId = null }) => ({
    ...{ group, role, roleId, teamId },
  }))
  return { ...settings, group_map }
}

export async function writeSettings(tx: Tx, { organizationId }: Scope, next: Omit<ScimSettings, 'version'>) {
  const map = JSON.stringify(next.group_map)
  const { rows } = await sql<ScimSettings>`
    insert into scim_settings as s (organization_id, enabled, default_role, group_map, version)
    values (${organizationId}, ${next.enabled}, ${next.default_role}, ${map}::json, 2)
    on conflict (organization_id) do update set enabled = excluded.enabled, default_role = excluded.default_role,
      group_map = excluded.group_map, version = s.version + 1, updated_at = now()
    returning enabled, default_role, group_map, version`.execute(tx)
  return whole(rows[0] as ScimSettings)
}

/** A member as the provider sees them. */
export type ScimUserRow = {
  id: number
  account_id: number
  email: string
  name: string
  role: Role
  disabled: boolean
  removed: boolean
  user_name: string
  external_id: string | null
  given_name: string | null
  family_name: string | null
  deleted: boolean
  created_at: string
  updated_at: string
}

const userColumns = sql`u.id, u.account_id, u.email, u.name, u.role, u.disabled_at is not null as disabled,
  u.removed_at is not null as removed, coalesce(s.user_name, u.email) as user_name, s.external_id, s.given_name, s.family_name,
  s.deleted_at is not null as deleted, u.created_at, greatest(u.updated_at, s.updated_at) as updated_at`
const userTables = sql`users u left join scim_users s on s.organization_id = u.organization_id and s.user_id = u.id`
const isShown = sql`u.kind = 'person' and u.removed_at is null and s.deleted_at is null`

const userConditions: Record<string, (value: string | boolean) => RawBuilder<unknown>> = {
  id: value => sql`u.id::text = ${String(value)}`,
  userName: value => sql`lower(coalesce(s.user_name, u.email)) = lower(${String(value)})`,
  externalId: value => sql`s.external_id = ${String(value)}`,
  email: value => sql`lower(u.email) = lower(${String(value)})`,
  active: value => sql`(u.disabled_at is null) = ${value === true}`,
}

export type Page = { offset: number; limit: number }

async function pageOf<Row>(tx: Tx, columns: RawBuilder<unknown>, from: RawBuilder<unknown>, key: string, page: Page) {
  const counted = await sql<{ count: number }>`select count(*)::integer as count ${from}`.execute(tx)
  const { rows } = await sql<Row>`
    select ${columns} ${from} order by ${sql.raw(key)} offset ${page.offset} limit ${page.limit}`.execute(tx)
  return { rows, total: counted.rows[0]!.count }
}

export async function listScimUsers(tx: Tx, { organizationId }: Scope, filter: readonly Equality[], page: Page) {
  const all = [
    sql`u.organization_id = ${organizationId}`,
    isShown,
    ...filter.map(({ attribute, value }) => userConditions[attribute]!(value)),
  ]
  return pageOf<ScimUserRow>(tx, userColumns, sql`from ${userTables} where ${sql.join(all, sql` and `)}`, 'u.id', page)
}

export async function findScimUser(tx: Tx, { organizationId }: Scope, id: number): Promise<ScimUserRow | undefined> {
  const { rows } = await sql<ScimUserRow>`select ${userColumns} from ${userTables}
    where u.organization_id = ${organizationId} and u.id = ${id} and ${isShown}`.execute(tx)
  return rows[0]
}

/** By what the provider calls them or by address; also who left, or was deleted by it. */
export async function findScimUserNamed(tx: Tx, { organizationId }: Scope, userName: string, email: string) {
  const { rows } = await sql<ScimUserRow>`select ${userColumns} from ${userTables}
    where u.organization_id = ${organizationId} and u.kind = 'person'
      and (lower(s.user_name) = lower(${userName}) or lower(u.email) = lower(${email}))
    order by ${isShown} desc, u.id limit 1`.execute(tx)
  return rows[0]
}

export type Called = Pick<ScimUserRow, 'user_name' | 'external_id' | 'given_name' | 'family_name'>

/** What the provider calls a member from now on; it sees them again. */
export async function callUser(tx: Tx, { organizationId }: Scope, userId: number, called: Called): Promise<void> {
  const { user_name, external_id, given_name, family_name } = called
  await sql`
    insert into scim_users (organization_id, user_id, user_name, external_id, given_name, family_name)
    values (${organizationId}, ${userId}, ${user_name}, ${external_id}, ${given_name}, ${family_name})
    on conflict (organization_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      given_name = excluded.given_name, family_name = excluded.family_name, deleted_at = null, updated_at = now()`.execute(
    tx,
  )
}

export async function hideUser(tx: Tx, { organizationId }: Scope, userId: number): Promise<void> {
  await sql`update scim_users set deleted_at = now(), updated_at = now()
            where organization_id = ${organizationId} and user_id = ${userId}`.execute(tx)
}

/** Another address of a member's account: `changed`, or why not (`domain`, `foreign` for the address before, `shared`). */
export async function renameMember(tx: Tx, { organizationId }: Scope, userId: number, email: string) {
  const asked = sql<{ outcome: string }>`select rename_member(${organizationId}, ${userId}, ${email}) as outcome`
  return (await asked.execute(tx)).rows[0]?.outcome
}

/** The name of the account as well, where no other organization shares it. */
export async function nameAccount(tx: Tx, { organizationId }: Scope, userId: number, name: string): Promise<void> {
  await sql`select change_sole_account(${organizationId}, ${userId}, null, ${name}, null, false, false)`.execute(tx)
}

/** Ends what a member let programs do. */
export async function endGrants(tx: Tx, { organizationId }: Scope, userId: number): Promise<void> {
  await sql`select * from oauth_revoke_grants(array(select g.id from oauth_grants g
    where g.organization_id = ${organizationId} and g.user_id = ${userId} and g.revoked_at is null), 'admin')`.execute(
    tx,
  )
}

export type GroupRow = {
  id: string
  display_name: string
  external_id: string | null
  created_at: string
  updated_at: string
}

const groupColumns = sql`g.id, g.display_name, g.external_id, g.created_at, g.updated_at`

const groupConditions: Record<string, (value: string | boolean) => RawBuilder<unknown>> = {
  id: value => sql`g.id = ${String(value)}`,
  displayName: value => sql`lower(g.display_name) = lower(${String(value)})`,
  externalId: value => sql`g.external_id = ${String(value)}`,
  member:
    value => sql`exists (select from scim_members m where m.organization_id = g.organization_id and m.group_id = g.id
    and m.user_id::text = ${String(value)})`,
}

export async function listGroups(tx: Tx, { organizationId }: Scope, filter: readonly Equality[], page: Page) {
  const all = [
    sql`g.organization_id = ${organizationId}`,
    ...filter.map(({ attribute, value }) => groupConditions[attribute]!(value)),
  ]
  return pageOf<GroupRow>(tx, groupColumns, sql`from scim_groups g where ${sql.join(all, sql` and `)}`, 'g.id', page)
}

/** With its row locked: members come and go one change after the other. */
export async function lockGroup(tx: Tx, { organizationId }: Scope, id: string): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`select ${groupColumns} from scim_groups g
    where g.organization_id = ${organizationId} and g.id = ${id} for update`.execute(tx)
  return rows[0]
}

export async function insertGroup(tx: Tx, { organizationId }: Scope, name: string, externalId: string | null) {
  const { rows } = await sql<GroupRow>`
    insert into scim_groups as g (organization_id, id, display_name, external_id)
    values (${organizationId}, ${newId('sgr')}, ${name}, ${externalId}) returning ${groupColumns}`.execute(tx)
  return rows[0] as GroupRow
}

export async function changeGroup(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  name: string,
  externalId: string | null,
) {
  await sql`update scim_groups set display_name = ${name}, external_id = ${externalId}, updated_at = now()
            where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

export async function removeGroup(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  await sql`delete from scim_members where organization_id = ${organizationId} and group_id = ${id}`.execute(tx)
  await sql`delete from scim_groups where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

/** The members of groups that the provider sees. */
export async function listGroupMembers(tx: Tx, { organizationId }: Scope, groupIds: readonly string[]) {
  const { rows } = await sql<{ group_id: string; user_id: number; name: string }>`
    select m.group_id, m.user_id, u.name from scim_members m
    join ${userTables} on u.organization_id = m.organization_id and u.id = m.user_id
    where m.organization_id = ${organizationId} and m.group_id = any (${groupIds}::text[]) and ${isShown}
    order by m.user_id`.execute(tx)
  return rows
}

/** Which of these are members of the organization that the provider sees. */
export async function knownUsers(tx: Tx, { organizationId }: Scope, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select u.id from ${userTables}
    where u.organization_id = ${organizationId} and u.id = any (${ids}::bigint[]) and ${isShown}`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function changeMembers(
  tx: Tx,
  { organizationId }: Scope,
  groupId: string,
  { come, gone }: { come: readonly number[]; gone: readonly number[] },
): Promise<void> {
  await sql`delete from scim_members where organization_id = ${organizationId} and group_id = ${groupId}
              and user_id = any (${gone}::bigint[])`.execute(tx)
  await sql`insert into scim_members (organization_id, group_id, user_id)
            select ${organizationId}, ${groupId}, c from unnest(${come}::bigint[]) c on conflict do nothing`.execute(tx)
  await sql`update scim_groups set updated_at = now() where organization_id = ${organizationId} and id = ${groupId}`.execute(
    tx,
  )
}

/** Takes somebody out of all groups. */
export async function leaveGroups(tx: Tx, { organizationId }: Scope, userId: number): Promise<void> {
  await sql`delete from scim_members where organization_id = ${organizationId} and user_id = ${userId}`.execute(tx)
}

/** The names of the groups that somebody is in. */
export async function groupNamesOf(tx: Tx, { organizationId }: Scope, userId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select g.display_name as name from scim_members m
    join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId}`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Everybody in groups of these names. */
export async function usersInGroups(tx: Tx, { organizationId }: Scope, names: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct m.user_id as id from scim_members m
    join scim_groups g on g.organization_id = m.organization_id and g.id = m.group_id
    where m.organization_id = ${organizationId}
      and lower(g.display_name) = any (array(select lower(n) from unnest(${names}::text[]) n))
    order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

export type ShownGroup = { id: string; display_name: string; members: number }

export async function summaryOf(tx: Tx, { organizationId }: Scope): Promise<{ users: number; groups: ShownGroup[] }> {
  const counted = await sql<{ users: number }>`
    select count(*)::integer as users from scim_users where organization_id = ${organizationId} and deleted_at is null`.execute(
    tx,
  )
  const { rows: groups } = await sql<ShownGroup>`
    select g.id, g.display_name, (select count(*)::integer from scim_members m
      where m.organization_id = g.organization_id and m.group_id = g.id) as members
    from scim_groups g where g.organization_id = ${organizationId} order by g.display_name limit 500`.execute(tx)
  return { users: counted.rows[0]!.users, groups }
}

export type RequestRow = { id: string; method: string; path: string; status: number; fault: string | null; at: string }

const requestsKept = 50

export async function keepRequest(tx: Tx, { organizationId }: Scope, request: Omit<RequestRow, 'id'>): Promise<void> {
  const { method, path, status, fault, at } = request
  await sql`insert into scim_requests (organization_id, id, method, path, status, fault, at)
            values (${organizationId}, ${newId('srq')}, ${method}, ${path}, ${status}, ${fault}, ${at})`.execute(tx)
  await sql`delete from scim_requests where organization_id = ${organizationId} and id in (
              select id from scim_requests where organization_id = ${organizationId} order by id desc offset ${requestsKept})`.execute(
    tx,
  )
}

export async function listRequests(tx: Tx, { organizationId }: Scope): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`select id, method, path, status, fault, at from scim_requests
    where organization_id = ${organizationId} order by id desc limit ${requestsKept}`.execute(tx)
  return rows
}
