// What SCIM may do to a member's role and standing, and what it never touches: the last Admin, the owner, and who the key acts as.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { endKeysOf } from '../api_keys/index.ts'
import { findOwnerId } from '../organizations/index.ts'
import { keepMember } from '../users/index.ts'
import { scimFault } from './fault.ts'
import { endGrants, findSettings, type GroupRule, groupNamesOf } from './store.ts'

export type Acting = {
  tx: Tx
  principal: Principal /** The address of SCIM, without a slash at the end. */
  base: string
}

/** The role of the first rule whose group somebody is in. */
export function roleByGroups(map: readonly GroupRule[], names: readonly string[]): Role | undefined {
  const held = new Set(names.map(name => name.toLowerCase()))
  return map.find(({ group }) => held.has(group.toLowerCase()))?.role
}

const refusals = {
  last_admin: 'This is the last active Admin of the organization. Make somebody else Admin first.',
  owner: 'This is the owner of the organization, whom SCIM does not touch.',
  own: 'The key acts as this user. Make a key of another Admin first.',
}

/** Changes role or standing. A member who is disabled loses sessions, keys and what they let programs do. @throws a fault `mutability` */
export async function changeStanding(
  { tx, principal }: Acting,
  userId: number,
  change: { role?: Role; disabled?: boolean },
): Promise<boolean> {
  if (change.disabled === true && principal.userId === userId) throw scimFault(409, refusals.own, 'mutability')
  const kept = await keepMember(tx, principal, userId, change)
  if (kept.outcome === 'last_admin') throw scimFault(409, refusals.last_admin, 'mutability')
  if (kept.outcome === 'owner') throw scimFault(409, refusals.owner, 'mutability')
  if (kept.outcome === 'not_found') throw scimFault(404, 'There is no such user.')
  if (change.disabled === true && kept.outcome === 'changed') {
    await endKeysOf(tx, principal, userId)
    await endGrants(tx, principal, userId)
  }
  return kept.outcome === 'changed'
}

/** Gives members the role of their groups. Who cannot be changed stays what they are: a group is not refused for it. */
export async function roleByMembership(acting: Acting, userIds: readonly number[]): Promise<void> {
  const { tx, principal } = acting
  const { group_map, default_role } = await findSettings(tx, principal)
  if (group_map.length === 0) return
  for (const userId of userIds) {
    const role = roleByGroups(group_map, await groupNamesOf(tx, principal, userId)) ?? default_role
    const isOwner = (await findOwnerId(tx, principal)) === userId
    if (!isOwner) await keepMember(tx, principal, userId, { role })
  }
}
