// What is known of users elsewhere in the portal once one was changed: the page, the lists, the names that records show.
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import type { UserRecord } from './user_noun.ts'

export function useUserSaved(): (saved: UserRecord) => void {
  const cache = useQueryClient()
  const { mode } = useSession()
  return saved => {
    cache.setQueryData([mode, 'user', String(saved.id)], saved)
    void cache.invalidateQueries({ queryKey: [mode, 'users'] })
    void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'directory' })
  }
}

/** What is said of API keys that were ended by a change. */
export function keysText(count: number): string {
  if (count === 0) return ''
  return count === 1 ? ' One API key was revoked.' : ` ${count} API keys were revoked.`
}
