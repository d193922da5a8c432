// Whose the organization is, and the transfer that is under way.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'

export const ownershipKey = ['live', 'ownership']

/** Nothing is asked for by those who may not know. */
export function useOwnership(enabled = true) {
  const isAsked = useSession().permissions.has('organization:transfer') && enabled
  const query = useQuery({
    queryKey: ownershipKey,
    queryFn: ({ signal }) => apiOf('live').ownership.get({}, { signal }),
    enabled: isAsked,
  })
  return { ...query, isAsked }
}
