// Who may make an organization on this server, as the page itself says: nobody has to ask for it.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'

const modes = ['closed', 'invite', 'open'] as const
export type SignUpMode = (typeof modes)[number]

/** What the server wrote into the page; undefined in development, where Vite serves it. */
function written(): SignUpMode | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="tandem-sign-up"]')?.content
  return modes.find(mode => mode === content)
}

/** Undefined until it is known, which in development alone takes a moment. */
export function useSignUpMode(): SignUpMode | undefined {
  const known = written()
  const query = useQuery({
    queryKey: ['sign_up'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => apiOf('live').auth.getSignUp(),
    enabled: known === undefined,
  })
  return known ?? query.data?.signUp
}
