// The last 24 hours as bars, an hour each; pressing one narrows the list to it.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/api.ts'
import type { Params } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import { countText } from '../ui/index.ts'
import styles from './logs.module.css'

const hourFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const hourMs = 3_600_000

export type TrafficBarsProps = { params: Params; onChange(patch: Params): void; source: string | undefined }
export function TrafficBars({ params, onChange, source }: TrafficBarsProps) {
  const api = useApi()
  const { mode } = useSession()
  const asked = {
    ...(source === undefined ? {} : { source }),
    ...(params['keyId'] === undefined ? {} : { keyId: params['keyId'] }),
    ...(params['endpointId'] === undefined ? {} : { endpointId: params['endpointId'] }),
  }
  const { data } = useQuery({
    queryKey: [mode, 'traffic', asked],
    queryFn: ({ signal }) => api.analytics.usage({ interval: 'hour', ...asked }, { signal }),
  })
  const series = data?.series[0]
  if (data === undefined || series === undefined) return null
  const most = Math.max(1, ...series.requests)
  return (
    <>
      <fieldset className={styles['bars']}>
        <legend className="visually-hidden">Requests by hour, last 24 hours</legend>
        {data.buckets.map((bucket, index) => {
          const count = series.requests[index] ?? 0
          const limited = series.limited[index] ?? 0
          const bad = (series.errors[index] ?? 0) + (series.refused[index] ?? 0)
          const until = new Date(Date.parse(bucket) + hourMs).toISOString()
          const chosen = params['after'] === bucket && params['before'] === until
          const height = (part: number) => ({ height: `${(100 * part) / most}%` })
          const label = `${hourFormat.format(new Date(bucket))}: ${countText(count)} requests, ${countText(bad)} refused or failed, ${countText(limited)} over the limit`
          return (
            <button
              key={bucket}
              type="button"
              className={styles['bar']}
              aria-label={label}
              title={label}
              aria-pressed={chosen}
              onClick={() =>
                onChange(chosen ? { after: undefined, before: undefined } : { after: bucket, before: until })
              }
            >
              <span className={styles['good']} style={height(count - bad - limited)} />
              <span className={styles['limited']} style={height(limited)} />
              <span className={styles['bad']} style={height(bad)} />
            </button>
          )
        })}
      </fieldset>
      <div className={styles['axis']} aria-hidden="true">
        <span>{hourFormat.format(new Date(data.buckets[0] ?? data.after))}</span>
        <span>{countText(data.total.requests)} requests in 24 hours</span>
        <span>now</span>
      </div>
    </>
  )
}
