// The roles of the organization, with what such a role can be made of.
import type { RolesListReply, Role as SdkRole } from '@tandem/sdk'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { refresh } from '../session/session.ts'

/** `key` names it in addresses: its id, or of those that everybody has the name. */
export type RoleRecord = SdkRole & { key: string }
export type Vocabulary = RolesListReply['permissions']
export type RolesKnown = { roles: RoleRecord[]; permissions: Vocabulary; kinds: string[] }

export function withKey(role: SdkRole): RoleRecord {
  return { ...role, key: role.roleId ?? role.name.toLowerCase().replaceAll(' ', '_') }
}

const queryKey = ['live', 'roles', 'known']

/** @param enabled false for who may not read them */
export function useRoles(enabled = true) {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RolesKnown> => {
      const reply = await apiOf('live').roles.list({}, { signal })
      return { ...reply, roles: reply.roles.map(withKey) }
    },
    enabled,
  })
}

/** After one was changed: lists, users that have it, and what the person themselves may do now. */
export function forgetRoles(cache: QueryClient): void {
  void cache.invalidateQueries({
    predicate: ({ queryKey: [, of] }) => of === 'roles' || of === 'users' || of === 'user',
  })
  void refresh().catch(() => undefined)
}

/** Whether who holds this may make, change or give a role that holds that. */
export function mayGive({ permissions }: { permissions: readonly string[] }, held: ReadonlySet<string>): boolean {
  return permissions.every(permission => held.has(permission))
}
