// How the requests of each key went in the last 24 hours: answered, over the limit, refused.
import type { ApiKey } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { countText, TextLink } from '../ui/index.ts'
import styles from './keys.module.css'
import { t } from './texts.ts'

type Counts = { requests: number; refused: number; limited: number; errors: number }

/** Of the keys of a mode, by key id: what was asked of live data is counted there. Undefined until it is known. */
function useKeyOutcomes(mode: Mode): ReadonlyMap<string, Counts> | undefined {
  const { data } = useQuery({
    queryKey: [mode, 'usage by key'],
    queryFn: ({ signal }) => apiOf(mode).analytics.usage({ groupBy: 'key' }, { signal }),
    select: usage => new Map(usage.series.map(series => [series.key, series.total])),
  })
  return data
}

/** A bar of how it went, and the number of requests as the way to them, in the mode they were made in. */
export function Outcome({ apiKey: { keyId, name, mode } }: { apiKey: ApiKey }) {
  const outcomes = useKeyOutcomes(mode)
  const { setMode } = useSession()
  if (outcomes === undefined) return <span>–</span>
  const { requests, refused, limited, errors } = outcomes.get(keyId) ?? {
    requests: 0,
    refused: 0,
    limited: 0,
    errors: 0,
  }
  if (requests === 0) return <span className={styles['faint']}>{t('noScopes')}</span>
  const share = (part: number) => `${(100 * part) / requests}%`
  const bad = refused + errors
  const summary = t('summary', { count: requests, limited, bad })
  return (
    <span className={styles['outcome']} title={summary}>
      <span className={styles['bar']} aria-hidden="true">
        <span className={styles['barOk']} style={{ width: share(requests - limited - bad) }} />
        <span className={styles['barLimited']} style={{ width: share(limited) }} />
        <span className={styles['barRefused']} style={{ width: share(bad) }} />
      </span>
      <TextLink to="/logs" search={{ keyId }} aria-label={t('logsOf', { name, summary })} onClick={() => setMode(mode)}>
        {countText(requests)}
      </TextLink>
    </span>
  )
}
