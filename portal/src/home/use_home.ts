// What Home shows, in one call. It is read again soon after something happened that it may show; those who hear no events look every
// half minute.
import type { HomeGetReply } from '@tandem/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useGathered } from '../data/gathered.ts'
import { useLive } from '../data/live.ts'
import { usePolled } from '../data/polled.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'

export type Home = HomeGetReply

/** What happens within this time is read at once, however much it is. */
const gatherMs = 2_000
const pollMs = 30_000
/** How many texts were sent is a figure of the week among others: nobody need hear of each for it. */
const countedMs = 60_000
const shown = ['lead.*', 'conversation.*', 'message.received', 'call.*', 'task.*', 'invoice.*'] as const

export function useHome(): UseQueryResult<Home> {
  const api = useApi()
  const { mode, permissions } = useSession()
  const query = useQuery({
    queryKey: [mode, 'home'],
    queryFn: ({ signal }) => api.home.get({}, { signal }),
    refetchOnMount: 'always',
  })
  const hears = permissions.has('events:read')
  const changed = useGathered(query.refetch, gatherMs)
  useLive(
    [{ events: shown }],
    message => {
      if (message.event === 'gap' || message.event === 'event') changed()
    },
    hears,
  )
  usePolled({ query }, hears ? countedMs : pollMs)
  return query
}
