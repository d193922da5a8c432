// What records are called that others name: the server sends the names with a list, and one that is missing is asked for once.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { apiOf, useApi } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { knownNoun } from './known.ts'
import { type Included, methodsOf } from './methods.ts'
import { ownIdOf } from './noun.ts'

function ownId(one: string, id: string | number): string | number {
  const noun = knownNoun(one)
  return noun === undefined ? id : ownIdOf({ one, ...noun }, id)
}
const keyOf = (mode: Mode, one: string, id: string | number) => [mode, 'name of', one, String(ownId(one, id))]

export function keepNames(cache: QueryClient, mode: Mode, included: Included): void {
  for (const [one, records] of Object.entries(included))
    for (const [id, { title }] of Object.entries(records))
      cache.setQueryData<string | null>(keyOf(mode, one, id), title)
}

/** One change of a name is seen after so long at the latest. */
const staleMs = 5 * 60_000

/** The users of the organization by name, the active ones first; everybody may know them. */
export function useDirectory(enabled = true) {
  const api = useApi()
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'directory'],
    queryFn: async ({ signal }) => (await api.colleagues.list({}, { signal })).colleagues,
    staleTime: staleMs,
    enabled,
  })
}

const nameQuery = (mode: Mode, one: string, id: string | number) =>
  queryOptions<string | null>({
    queryKey: keyOf(mode, one, id),
    queryFn: ({ signal }) => fetchName(mode, one, id, signal),
    staleTime: staleMs,
  })

/** Null for what the person may not see. */
async function fetchName(mode: Mode, one: string, id: string | number, signal: AbortSignal): Promise<string | null> {
  const api = apiOf(mode)
  if (one === 'user') {
    const { colleagues } = await api.colleagues.list({ ids: String(id) }, { signal })
    return colleagues[0]?.name ?? null
  }
  const noun = knownNoun(one)
  if (noun === undefined) return null
  try {
    const reply = await methodsOf(api, noun.many).get({ id: ownId(one, id) }, { signal })
    return String((reply[one] as Readonly<Record<string, unknown>>)[noun.title] ?? id)
  } catch {
    return null
  }
}

/** What a record is called; undefined until it is known, null where it is not to be seen. */
export function useName(one: string, id: string | number | null): string | null | undefined {
  const { mode, permissions } = useSession()
  const isUser = one === 'user' && id !== null
  const directory = useDirectory(isUser)
  const listed = directory.data?.find(user => user.id === Number(id))?.name
  const noun = knownNoun(one)
  const isHidden = noun !== undefined && !permissions.has(`${noun.many}:read`)
  // A user is asked for only where the directory is too long for them.
  const isAsked = id !== null && !isHidden && (!isUser || (directory.isSuccess && listed === undefined))
  const query = useQuery({ ...nameQuery(mode, one, id ?? ''), enabled: isAsked })
  return isHidden ? null : (listed ?? query.data)
}
