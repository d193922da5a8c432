// How the requests of each key went in the last 24 hours: answered, over the limit, refused.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/api.ts'
import { useSession } from '../app/session.ts'
import { countText, TextLink } from '../ui/index.ts'
import styles from './keys.module.css'

type Counts = { requests: number; refused: number; limited: number; errors: number }
export type KeyOutcomes = ReadonlyMap<string, Counts> | undefined

/** By key id; undefined until it is known, or where it may not be. */
export function useKeyOutcomes(): KeyOutcomes {
  const api = useApi()
  const { mode } = useSession()
  const { data } = useQuery({
    queryKey: [mode, 'usage by key'],
    queryFn: ({ signal }) => api.analytics.usage({ groupBy: 'key' }, { signal }),
    select: usage => new Map(usage.series.map(series => [series.key, series.total])),
  })
  return data
}

export function Outcome({ keyId, name, outcomes }: { keyId: string; name: string; outcomes: KeyOutcomes }) {
  const counts = outcomes?.get(keyId)
  if (counts === undefined) return <span>–</span>
  const { requests, refused, limited, errors } = counts
  const share = (part: number) => `${(100 * part) / Math.max(1, requests)}%`
  const bad = refused + errors
  const told = `${countText(requests)} requests: ${countText(limited)} over the limit, ${countText(bad)} refused or failed`
  return (
    <span className={styles['outcome']} title={told}>
      <span className={styles['bar']} aria-hidden="true">
        <span className={styles['barOk']} style={{ width: share(requests - limited - bad) }} />
        <span className={styles['barLimited']} style={{ width: share(limited) }} />
        <span className={styles['barRefused']} style={{ width: share(bad) }} />
      </span>
      <TextLink to="/logs" search={{ keyId }} aria-label={`${name}, ${told}`}>
        {countText(requests)}
      </TextLink>
    </span>
  )
}
