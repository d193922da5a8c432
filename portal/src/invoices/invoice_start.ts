// What a new invoice begins with where it is made from the page of a lead, contact or company: `?create=1&with=lead:12`. The customer is
// filled in as that record has them.
import { useQuery } from '@tanstack/react-query'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { methodsOf } from '../nouns/methods.ts'
import type { Entry } from '../nouns/noun.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Values } from './invoice_values.ts'

type Start = Partial<Pick<Values, 'name' | 'email' | 'lead_id'>>
type Source = { name: string; email?: string | null; emails?: readonly Entry[] }

/** @returns undefined while the record is read; nothing to begin with where there is none, or it is not to be seen */
export function useInvoiceStart(): Start | undefined {
  const { mode } = useSession()
  const [params] = useParamsOfAddress()
  const from = params['with'] ?? ''
  const [, leadId] = /^lead:(\d+)$/.exec(from) ?? []
  const [, prefix] = /^(con|cmp)_\w+$/.exec(from) ?? []
  const kind = leadId !== undefined ? 'lead' : prefix === 'con' ? 'contact' : prefix === 'cmp' ? 'company' : undefined
  const query = useQuery<Start>({
    queryKey: [mode, 'an invoice for', from],
    async queryFn({ signal }) {
      const many = { lead: 'leads', contact: 'contacts', company: 'companies' }[kind ?? 'lead']
      const reply = await methodsOf(apiOf(mode), many).get(
        { id: leadId === undefined ? from : Number(leadId) },
        { signal },
      )
      const { name, email, emails = [] } = reply[kind ?? 'lead'] as Source
      const first = emails.find(entry => entry.is_primary) ?? emails[0]
      const address = email ?? (first === undefined ? undefined : String(first.value))
      return {
        name,
        ...(address !== undefined && { email: address }),
        ...(leadId !== undefined && { lead_id: Number(leadId) }),
      }
    },
    enabled: kind !== undefined,
    retry: false,
  })
  return kind === undefined || query.isError ? {} : query.data
}
