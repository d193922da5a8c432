// What is known of users elsewhere in the portal once one was changed: the page, the lists, the names that records show.
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { useMembersChanged } from './member.ts'
import type { UserRecord } from './user_noun.ts'

export function useUserSaved(): (saved: UserRecord) => void {
  const cache = useQueryClient()
  const { mode } = useSession()
  const changed = useMembersChanged()
  return saved => {
    cache.setQueryData([mode, 'user', String(saved.id)], saved)
    changed()
    // Roles say how many have them.
    void cache.invalidateQueries({ queryKey: [mode, 'roles'] })
  }
}
