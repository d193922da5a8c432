// Members as the portal reads them, and what may be done with each: only what the API would not refuse.
import type { Member } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveRelated } from '../data/live_records.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { useOwnership } from './ownership.ts'
import { rightsOf } from './rights.ts'

/** A member in a list: with what it is known by there. */
export type Listed = Member & { id: string }
export const listed = (member: Member): Listed => ({ ...member, id: String(member.userId ?? member.invitationId) })

/** Whether a password that somebody else made has ended before its person set one. */
export const isOver = (endsAt: string | null) => endsAt !== null && Date.parse(endsAt) <= Date.now()

export type Verb = 'role' | 'password' | 'enable' | 'disable' | 'sessions' | 'factors' | 'offer' | 'remove'

/** Why somebody keeps role, standing and membership. */
export type Kept = 'owner' | 'was_owner' | 'last_admin'

const memberKey = (id: number) => ['live', 'member', id]

/** A user as the list of members has them; undefined until that is known. */
export function useMember(userId: number, enabled = true): Member | undefined {
  const api = useApi()
  const query = useQuery({
    queryKey: memberKey(userId),
    queryFn: async ({ signal }) => (await api.members.list({ userId, limit: 1 }, { signal })).items[0] ?? null,
    enabled,
  })
  useLiveRelated({
    events: ['user.*'],
    isMine: data => enabled && data['id'] === userId,
    onChange: () => void query.refetch(),
  })
  return query.data ?? undefined
}

/** Brings up to date what lists and pages say of members, after something was done with one. */
export function useMembersChanged(): () => void {
  const cache = useQueryClient()
  const names: readonly unknown[] = ['members', 'member', 'ownership', 'users', 'user', 'directory', 'hand_overs']
  return () => void cache.invalidateQueries({ predicate: ({ queryKey }) => names.includes(queryKey[1]) })
}

/**
 * Whether there is an active Admin beside this one, while `enabled`; undefined until that is known. Who has a role that is made of Admin
 * is none.
 */
function useOtherAdmin(userId: number | null, enabled: boolean): boolean | undefined {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'users', 'other Admin', userId],
    async queryFn({ signal }) {
      for await (const { id, roleId } of api.users.list.all({ role: 'Admin', disabled: false }, { signal }))
        if (roleId === null && id !== userId) return true
      return false
    },
    enabled,
  })
  useLiveRelated({ events: ['user.*'], isMine: () => enabled, onChange: () => void query.refetch() })
  return enabled ? query.data : undefined
}

type Standing = Pick<Member, 'role' | 'roleId' | 'state' | 'userId'>

/** Why a member keeps role, standing and membership; null where nothing speaks against changing them, undefined until that is known. */
export function useKept({ role, roleId, state, userId }: Standing): Kept | null | undefined {
  const isAdmin = role === 'Admin' && roleId === null
  const ownership = useOwnership(isAdmin)
  const isOwnerless = ownership.data?.ownerUserId === null || !ownership.isAsked
  const { permissions } = useSession()
  const isActive = isAdmin && state === 'active'
  const hasOther = useOtherAdmin(userId, isActive && isOwnerless && permissions.has('users:manage'))
  if (!isAdmin) return null
  if (ownership.isAsked && ownership.data === undefined) return undefined
  const transfer = ownership.data?.transfer
  if (userId !== null && ownership.data?.ownerUserId === userId) return 'owner'
  if (transfer?.state === 'accepted' && transfer.fromUserId === userId) return 'was_owner'
  // An owner is an active Admin besides.
  if (!isActive || !isOwnerless) return null
  return hasOther === undefined ? undefined : hasOther ? null : 'last_admin'
}

/** Whether one holds all that a role may do: who does not, neither gives the role nor acts on those who have it. */
export function useHolds(): (role: Member['role']) => boolean {
  const { permissions } = useSession()
  return role => rightsOf(role).every(permission => permissions.has(permission))
}

/** What one may do with a member; empty until all that decides it is known. */
export function useVerbs(member: Member | undefined): readonly Verb[] {
  const { permissions, user } = useSession()
  const holds = useHolds()
  const kept = useKept(member ?? nobody)
  const { data: ownership } = useOwnership(member?.role === 'Admin')
  if (member === undefined || kept === undefined || member.kind !== 'person') return []
  if (!permissions.has('users:manage') || !holds(member.role)) return []
  const isSelf = member.userId === user.id
  const isFree = kept === null
  const isDisabled = member.state === 'disabled'
  const mayGetIt = member.role === 'Admin' && member.roleId === null && !isDisabled && !isSelf
  const offered: [Verb, boolean][] = [
    ['role', isFree],
    ['password', !member.isShared],
    ['enable', isDisabled],
    ['disable', !isDisabled && isFree && !isSelf],
    ['sessions', !isSelf && kept !== 'was_owner'],
    ['factors', !isSelf && member.hasSecondFactor === true && !member.isShared],
    ['offer', mayGetIt && ownership?.ownerUserId === user.id && ownership.transfer === null],
    ['remove', isFree && !isSelf],
  ]
  return offered.flatMap(([verb, may]) => (may ? [verb] : []))
}
const nobody: Standing = { role: 'Sales Executive', roleId: null, state: 'active', userId: null }
