// Who may make an organization on this server, as the server says it.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'

/** Undefined until the server said it. */
export function useSignUpMode(): 'closed' | 'invite' | 'open' | undefined {
  const query = useQuery({
    queryKey: ['sign_up'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => apiOf('live').auth.getSignUp(),
  })
  return query.data?.signUp
}
