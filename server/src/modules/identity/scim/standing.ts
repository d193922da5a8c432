// What SCIM may do to a member's role, teams and standing, and what it never touches: the last Admin, the owner, and who the key acts as.
import type { Principal } from '../../../kernel/access/principal.ts'
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { endKeysOf } from '../api_keys/index.ts'
import { insertRevocation } from '../login/index.ts'
import { isProtected } from '../members/index.ts'
import { findOwnerId, lockOrganization } from '../organizations/index.ts'
import { findRole, type HeldRole } from '../roles/index.ts'
import { keepTeamMember, lockTeams } from '../teams/index.ts'
import { findUser, keepMember } from '../users/index.ts'
import { scimFault } from './fault.ts'
import { endGrants, findSettings, type GroupRule, groupNamesOf } from './store.ts'

export type Acting = {
  tx: Tx
  principal: Principal
  nowMs: number
  /** The address of SCIM, without a slash at the end. */
  base: string
}

/** The rules whose groups are among these, in their order. */
export function rulesOfGroups(map: readonly GroupRule[], names: readonly string[]): GroupRule[] {
  const held = new Set(names.map(name => name.toLowerCase()))
  return map.filter(({ group }) => held.has(group.toLowerCase()))
}

const givesRole = ({ role, roleId }: GroupRule) => role !== null || roleId !== null

const refusals = {
  last_admin: 'This is the last active Admin of the organization. Make somebody else Admin first.',
  owner: 'This is the owner of the organization, or who can still take it back: SCIM does not touch them.',
  own: 'The key acts as this user. Make a key of another Admin first.',
  protected:
    'The owner of the organization, who can take it back, or who runs the installation: they change their address themselves.',
}

/** Who has another address can be made to log in as: not who has more than any role gives, nor who the key acts as. @throws a fault `mutability` */
export async function refuseRenaming({ tx, principal, nowMs }: Acting, userId: number): Promise<void> {
  if (principal.userId === userId) throw scimFault(409, refusals.own, 'mutability')
  await lockOrganization(tx, principal)
  if (await isProtected(tx, principal, userId, nowMs)) throw scimFault(409, refusals.protected, 'mutability')
}

/** Changes role or standing. A member who is disabled loses sessions, keys and what they let programs do. @throws a fault `mutability` */
export async function changeStanding(
  { tx, principal, nowMs }: Acting,
  userId: number,
  change: { role?: Role; disabled?: boolean },
): Promise<boolean> {
  if (change.disabled === true && principal.userId === userId) throw scimFault(409, refusals.own, 'mutability')
  const kept = await keepMember(tx, principal, userId, change, nowMs)
  if (kept.outcome === 'last_admin') throw scimFault(409, refusals.last_admin, 'mutability')
  if (kept.outcome === 'owner') throw scimFault(409, refusals.owner, 'mutability')
  if (kept.outcome === 'not_found') throw scimFault(404, 'There is no such user.')
  if (change.disabled === true && kept.outcome === 'changed') {
    await endKeysOf(tx, principal, userId)
    await endGrants(tx, principal, userId)
  }
  return kept.outcome === 'changed'
}

/**
 * Gives members what their groups give, as far as these rules say anything of it: rules of a group that they came into or left, or that
 * were in the map or are now. Who cannot be changed stays what they are: a group is not refused for it.
 */
export async function actByMembership(
  acting: Acting,
  userIds: readonly number[],
  rules: readonly GroupRule[],
): Promise<void> {
  const { tx, principal } = acting
  const { group_map: map, default_role } = await findSettings(tx, principal)
  const groups = new Map<number, GroupRule[]>()
  for (const userId of [...userIds].sort((a, b) => a - b))
    groups.set(userId, rulesOfGroups(map, await groupNamesOf(tx, principal, userId)))
  const teamIds = rules.flatMap(({ teamId }) => teamId ?? [])
  if (teamIds.length > 0) await teamsOf(acting, groups, await lockTeams(tx, principal, teamIds))
  if (!rules.some(givesRole) || !map.some(givesRole)) return
  const given = new Set([...map, ...rules].flatMap(({ roleId }) => roleId ?? []))
  const ownerId = await findOwnerId(tx, principal)
  for (const [userId, held] of groups) {
    if (userId === ownerId) continue
    const role = (await firstRole(acting, held)) ?? { role: default_role, role_id: null }
    const before = (await findUser(tx, principal, userId))?.role_id ?? null
    // A role of the organization's own that no rule gave stays beside the one it was made of.
    const isByHand = role.role_id === null && before !== null && !given.has(before)
    await keepMember(tx, principal, userId, isByHand ? { role: role.role } : role, acting.nowMs)
  }
}

/** Of the first rule that gives one; a role that was deleted gives nothing. */
async function firstRole({ tx, principal }: Acting, rules: readonly GroupRule[]): Promise<HeldRole | undefined> {
  for (const { role, roleId } of rules) {
    if (role !== null) return { role, role_id: null }
    const own = roleId === null ? undefined : await findRole(tx, principal, roleId, 'share')
    if (own !== undefined) return { role: own.base, role_id: own.id }
  }
  return undefined
}

async function teamsOf(
  { tx, principal }: Acting,
  groups: ReadonlyMap<number, readonly GroupRule[]>,
  teamIds: readonly string[],
): Promise<void> {
  const { organizationId, keyId, email, mode } = principal
  const by = { organizationId, type: 'scim', id: keyId, onBehalfOf: principal.userId, name: email, mode } as const
  let isChanged = false
  for (const teamId of teamIds)
    for (const [userId, rules] of groups) {
      const isIn = rules.some(rule => rule.teamId === teamId)
      if (!(await keepTeamMember(tx, principal, { teamId, userId, isIn }))) continue
      isChanged = true
      const action = isIn ? 'team.member_added' : 'team.member_removed'
      const targets = [
        { type: 'team', id: teamId },
        { type: 'user', id: userId },
      ]
      await recordAudit(tx, by, { action, targets })
    }
  // Who sees whose records is asked again on every node.
  if (isChanged) await insertRevocation(tx, 'organization', organizationId)
}
