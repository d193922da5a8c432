// Other leads with the same e-mail or phone, told on the page of the lead that was just created. The server tells them once,
// in its answer to the creation, so they are kept beside the lead until the page is left.
import type { LeadsCreateReply } from '@tandem/sdk'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Mode } from '../app/session.ts'
import { useSession } from '../app/session.ts'
import { TextLink } from '../ui/index.ts'
import styles from './leads.module.css'

type Duplicates = LeadsCreateReply['duplicates']

const keyOf = (mode: Mode, id: string) => [mode, 'lead', id, 'duplicates']

export function keepDuplicates(cache: QueryClient, mode: Mode, { lead, duplicates }: LeadsCreateReply): void {
  if (duplicates.length > 0) cache.setQueryData<Duplicates>(keyOf(mode, String(lead.id)), duplicates)
}

const matchedBy = { email: 'the same e-mail', phone: 'the same phone' } as const

export function DuplicatesNote({ id }: { id: string }) {
  const { mode } = useSession()
  const { data = [] } = useQuery<Duplicates>({
    queryKey: keyOf(mode, id),
    queryFn: () => [],
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  if (data.length === 0) return null
  return (
    <section className={styles['duplicates']} aria-labelledby={`duplicates-${id}`}>
      <h2 id={`duplicates-${id}`}>{data.length === 1 ? 'This may be a duplicate' : 'There may be duplicates'}</h2>
      <ul>
        {data.map(lead => (
          <li key={lead.id}>
            <TextLink to="/leads/$id" params={{ id: String(lead.id) }}>
              {lead.name}
            </TextLink>{' '}
            has {matchedBy[lead.matched_by]}.
          </li>
        ))}
      </ul>
    </section>
  )
}
