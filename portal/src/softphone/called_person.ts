// Who a call was with: the record it was made from, or the one that has the number, where the person may see it.
import { useQuery } from '@tanstack/react-query'
import { methodsOf } from '../nouns/methods.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { EndedCall } from './store.ts'

export type CalledPerson = { recordId: string; name: string | null; leadId: number | null }

/** @returns null for somebody whom nobody knows yet, undefined while that is looked up */
export function useCalledPerson({ mode, other, name, leadId, recordId }: EndedCall): CalledPerson | null | undefined {
  const { permissions } = useSession()
  const found = useQuery<CalledPerson | null>({
    queryKey: [mode, 'who has the number', other],
    queryFn: async ({ signal }) => {
      const api = apiOf(mode)
      if (permissions.has('leads:read')) {
        const { leads } = await methodsOf(api, 'leads').list({ phone: other, limit: 1 }, { signal })
        const [lead] = leads as readonly { id: number; name: string }[]
        if (lead !== undefined) return { recordId: `lead:${lead.id}`, name: lead.name, leadId: lead.id }
      }
      if (permissions.has('contacts:read')) {
        const { contacts } = await methodsOf(api, 'contacts').list({ phones: other, limit: 1 }, { signal })
        const [contact] = contacts as readonly { id: string; name: string }[]
        if (contact !== undefined) return { recordId: contact.id, name: contact.name, leadId: null }
      }
      return null
    },
    enabled: recordId === null,
    staleTime: 0,
    retry: false,
  })
  if (recordId !== null) return { recordId, name, leadId }
  // What cannot be looked up is nobody's.
  return found.isError ? null : found.data
}
