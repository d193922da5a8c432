// Who has a telephone number or an e-mail address: what is asked for at the same time goes in one request, and is kept for a while.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiOf } from '../session/api.ts'
import { type Mode, type Session, useSession } from '../session/session.ts'
import { clientOf } from './phone_text.ts'

export type Person = { type: 'user' | 'contact' | 'lead' | 'company'; id: string; name: string }

/** What is asked for within this time is asked together. */
const gatherMs = 15
const maxAddresses = 100
/** One change of a name is seen after so long at the latest. */
const staleMs = 5 * 60_000

type Gathered = { addresses: Set<string>; answer: Promise<Map<string, Person>> }
const gathering = new Map<Mode, Gathered>()

function askTogether(mode: Mode, address: string): Promise<Map<string, Person>> {
  const known = gathering.get(mode)
  if (known !== undefined && known.addresses.size < maxAddresses) {
    known.addresses.add(address)
    return known.answer
  }
  const addresses = new Set([address])
  const answer = new Promise(resolve => setTimeout(resolve, gatherMs)).then(async () => {
    if (gathering.get(mode)?.addresses === addresses) gathering.delete(mode)
    const { people } = await apiOf(mode).people.find({ addresses: [...addresses].join(',') })
    return new Map(people.map(({ address, ...person }) => [address, person]))
  })
  gathering.set(mode, { addresses, answer })
  return answer
}

const whoQuery = (mode: Mode, address: string) =>
  queryOptions<Person | null>({
    queryKey: [mode, 'who has', address],
    queryFn: async () => (await askTogether(mode, address)).get(address) ?? null,
    staleTime: staleMs,
  })

const somebodys = ['leads:read', 'contacts:read', 'companies:read']

/** What is asked for an address of a message, call or mail; undefined where nobody can have it, or nobody whom one may see. */
function askedFor(address: string, { permissions }: Pick<Session, 'permissions'>): string | undefined {
  const text = clientOf(address) ?? address
  if (/^[^\s,]+@[^\s,]+$/.test(text)) return text.toLowerCase()
  return /^\+[1-9]\d{5,14}$/.test(text) && somebodys.some(one => permissions.has(one)) ? text : undefined
}

/** Who has an address; null for nobody that one may see, undefined until that is known. */
export function useWho(address: string): Person | null | undefined {
  const session = useSession()
  const asked = askedFor(address, session)
  const query = useQuery({ ...whoQuery(session.mode, asked ?? ''), enabled: asked !== undefined })
  return asked === undefined ? null : query.data
}

/** The same once, for what is said afterwards. */
export function useAskWho(): (address: string) => Promise<Person | null> {
  const cache = useQueryClient()
  const session = useSession()
  return async address => {
    const asked = askedFor(address, session)
    return asked === undefined ? null : cache.fetchQuery(whoQuery(session.mode, asked)).catch(() => null)
  }
}

/** Asks for all that the rows of a list name, also those that are not in sight yet. */
export function usePeople<Item>(items: readonly Item[], addressesOf: ((item: Item) => readonly string[]) | undefined) {
  const cache = useQueryClient()
  const session = useSession()
  const { mode } = session
  const named = addressesOf === undefined ? [] : items.flatMap(addressesOf)
  const asked = [...new Set(named.flatMap(address => askedFor(address, session) ?? []))].join()
  useEffect(() => {
    for (const address of asked === '' ? [] : asked.split(',')) void cache.prefetchQuery(whoQuery(mode, address))
  }, [cache, mode, asked])
}
