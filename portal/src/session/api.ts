// The server, through the SDK: one client a mode, on the session's tokens, and the cache of what it answered.
import { createTandem, type Tandem } from '@tandem/sdk'
import { QueryClient } from '@tanstack/react-query'
import { askForProof } from './proof.ts'
import { accessToken, type Mode, useSession } from './session.ts'

/** Sends no cookie and keeps nothing; asks the session for another token when the server refuses one. */
function clientOf(mode: Mode): Tandem {
  return createTandem({
    baseUrl: window.location.origin,
    async token({ refused, stepUp }) {
      if (stepUp !== true) return accessToken(mode, refused)
      await askForProof()
      return accessToken(mode)
    },
    fetchOptions: { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' },
    // A longer wait is shown, and what they look at goes on by itself (`ui/states.tsx`).
    longestWaitSeconds: 1,
    headers: { 'X-Tandem-Source': 'portal' },
  })
}

const clients: Record<Mode, Tandem> = { live: clientOf('live'), test: clientOf('test') }

/** The client of a mode, for code outside components. */
export function apiOf(mode: Mode): Tandem {
  return clients[mode]
}

/** The client of the mode the portal is in. */
export function useApi(): Tandem {
  return clients[useSession().mode]
}

/**
 * What the browser thinks of its network stops nothing: the server may be on this machine or in its LAN, and what waited for the network
 * would be sent by a form that was closed long ago. What does not arrive fails, and is shown with the way to try again.
 */
const networkMode = 'always'

/** Only counters are polled, of carriers and imports: what is shown is fresh for half a minute, and live views hear of changes by the stream. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 30_000, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { networkMode, retry: false },
  },
})
