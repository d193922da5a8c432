// What messaging screens choose from: the numbers, messaging services and carriers of the organization. Each list is read
// once and shared by all who show it; where the person may not read it, it is empty and nothing is asked.
import type { Carrier, MessagingService, PhoneNumber as OwnNumber } from '@tandem/sdk'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { useSession } from '../session/session.ts'

export type { Carrier, MessagingService, OwnNumber }

/** The most a list offers; anyone who has more types what is not among them. */
const most = 200

export type Choices<Item> = { items: readonly Item[]; isPending: boolean; isKnown: boolean }

function useChoices<Item>(
  key: string,
  permission: string,
  read: (mode: Mode, signal: AbortSignal) => Promise<{ items: Item[] }>,
  enabled: boolean,
): Choices<Item> {
  const { mode, permissions } = useSession()
  const allowed = enabled && permissions.has(permission)
  const query = useQuery({
    queryKey: [mode, key, 'to choose from'],
    queryFn: async ({ signal }) => (await read(mode, signal)).items,
    enabled: allowed,
  })
  return { items: query.data ?? [], isPending: allowed && query.isPending, isKnown: query.data !== undefined }
}

export function useNumbers(enabled = true): Choices<OwnNumber> {
  return useChoices(
    'numbers',
    'numbers:read',
    (mode, signal) => apiOf(mode).numbers.list({ limit: most }, { signal }),
    enabled,
  )
}

export function useServices(enabled = true): Choices<MessagingService> {
  const read = (mode: Mode, signal: AbortSignal) => apiOf(mode).messagingServices.list({ limit: most }, { signal })
  return useChoices('services', 'messages:read', read, enabled)
}

/** Services as a filter offers them. */
export function useServiceOptions() {
  return useServices().items.map(({ serviceId, name }) => ({ value: serviceId, label: name }))
}

/** Only the live mode has carriers: in the test mode nothing is asked. */
export function useCarriers(enabled = true): Choices<Carrier> {
  const { mode } = useSession()
  const read = (of: Mode, signal: AbortSignal) => apiOf(of).carriers.list({ limit: most }, { signal })
  return useChoices('carriers', 'carriers:read', read, enabled && mode === 'live')
}

/** The same for carriers. */
export function useCarrierOptions() {
  return useCarriers().items.map(({ carrierId, name }) => ({ value: carrierId, label: name }))
}

/** The lists and records that a change of a number, a service or a carrier makes stale. */
export function forgetMessagingLists(cache: QueryClient, mode: Mode): void {
  for (const key of ['numbers', 'services', 'carriers', 'service', 'carrier', 'number', 'opt-outs'])
    void cache.invalidateQueries({ queryKey: [mode, key] })
}
