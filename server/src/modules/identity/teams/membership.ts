// Who is in a team, as others than a person say it: what an identity provider keeps.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { limits, presentTeam } from './endpoints.ts'
import { findTeam, lockPerson, putMember, removeMember, type TeamRow } from './store.ts'

/** Locks teams, always in the same order, and before any member. @returns those there are */
export async function lockTeams(tx: Tx, principal: Principal, ids: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const id of [...new Set(ids)].sort()) if ((await findTeam(tx, principal, id, true)) !== undefined) found.push(id)
  return found
}

/**
 * Puts somebody into a team that is locked, or takes them out; whether they lead it stays as it is. Nothing for who is no member of the
 * organization, and nobody comes into a team that is full, or into more teams than a person may be in.
 * @returns whether that changed it; the caller makes every node ask again
 */
export async function keepTeamMember(
  tx: Tx,
  principal: Principal,
  { teamId, userId, isIn }: { teamId: string; userId: number; isIn: boolean },
): Promise<boolean> {
  const team = await findTeam(tx, principal, teamId)
  const person = team && (await lockPerson(tx, principal, userId))
  if (team === undefined || person === undefined) return false
  const standing = team.members.find(member => member.userId === userId)
  if ((standing !== undefined) === isIn) return false
  if (isIn && (team.members.length >= limits.members || person.teams >= limits.ofPerson)) return false
  if (isIn) await putMember(tx, principal, teamId, userId, false)
  else await removeMember(tx, principal, teamId, userId)
  const record = presentTeam((await findTeam(tx, principal, teamId)) as TeamRow)
  const member = { userId, lead: standing?.lead ?? false }
  const by = { userId: principal.userId, keyId: principal.keyId }
  const type = isIn ? 'team.member_added' : 'team.member_removed'
  await emit(tx, principal, { type, resourceId: teamId, data: { ...record, member, changed: ['member'], by } })
  return true
}
