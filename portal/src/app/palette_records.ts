// The records that the palette finds: people, companies and invoices, by name, address, telephone number or invoice number.
import type { Tandem } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t as tInvoices } from '../invoices/texts.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { t } from './texts.ts'

export type FoundRecord = {
  key: string
  /** What kind of record it is, as people call it. */
  kind: string
  name: string
  /** What distinguishes it from others of the same name. */
  hint: string
  /** Its page in the portal. */
  address: string
}

/** Of each kind. */
const most = 4
/** What is typed within this time is asked for together. */
const pauseMs = 120

type Finder = (api: Tandem, text: string, signal: AbortSignal) => Promise<FoundRecord[]>
type Party = { id?: number | string; name?: string }

const found = (
  kind: string,
  folder: string,
  { id, name }: Party,
  hints: (string | null | undefined)[],
): FoundRecord => ({
  key: `${folder} ${id}`,
  kind,
  name: name ?? '',
  hint: hints.find(one => one != null && one !== '') ?? '',
  address: `/${folder}/${id}`,
})

const finders: readonly { needs: string; find: Finder }[] = [
  {
    needs: 'contacts:read',
    find: async (api, q, signal) => {
      const { contacts } = await api.contacts.list({ q, limit: most }, { signal })
      return contacts.map(row =>
        found(t('record.contact'), 'contacts', row, [row.job_title, row.emails?.[0]?.value, row.phones?.[0]?.value]),
      )
    },
  },
  {
    needs: 'leads:read',
    find: async (api, q, signal) => {
      const { leads } = await api.leads.list({ q, limit: most }, { signal })
      return leads.map(row => found(t('record.lead'), 'leads', row, [row.company, row.email, row.phone]))
    },
  },
  {
    needs: 'companies:read',
    find: async (api, q, signal) => {
      const { companies } = await api.companies.list({ q, limit: most }, { signal })
      return companies.map(row => found(t('record.company'), 'companies', row, [row.domain, row.industry, row.phone]))
    },
  },
  {
    needs: 'invoices:read',
    find: async (api, text, signal) => {
      const by = /\d/.test(text) ? { number: text } : { customer: text }
      const { invoices } = await api.invoices.list({ ...by, limit: most }, { signal })
      return invoices.map(({ id, number, customer, status }) => ({
        key: `invoices ${id}`,
        kind: t('record.invoice'),
        name:
          number == null
            ? t('draftOf', { id, customer: customer.name })
            : t('invoiceOf', { number, customer: customer.name }),
        hint: tInvoices.of('choice', `status.${status}`) ?? status,
        address: `/invoices/${id}`,
      }))
    },
  },
]

const none: readonly FoundRecord[] = []

/** What is found for a text of two characters and more; of kinds that cannot be asked for now, nothing. */
export function useFoundRecords(text: string): readonly FoundRecord[] {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery({
    queryKey: [mode, 'palette', settled],
    enabled: settled.length >= 2,
    queryFn: async ({ signal }) => {
      const asked = finders.filter(({ needs }) => permissions.has(needs)).map(({ find }) => find(api, settled, signal))
      const answers = await Promise.allSettled(asked)
      return byRelevance(
        answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : [])),
        settled,
      )
    },
  })
  return settled === text && data !== undefined ? data : none
}

/** Those first whose name begins with what was typed, then those with a word that does; else as they came. */
function byRelevance(records: FoundRecord[], text: string): FoundRecord[] {
  const wanted = text.toLowerCase()
  const rank = ({ name }: FoundRecord) => {
    const lower = name.toLowerCase()
    return lower.startsWith(wanted) ? 0 : lower.includes(` ${wanted}`) ? 1 : 2
  }
  return records.toSorted((a, b) => rank(a) - rank(b))
}
