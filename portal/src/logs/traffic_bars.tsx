// The last 24 hours as bars, an hour each; pressing one narrows the list to it. One stop for the keyboard: arrows go from
// hour to hour.

import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Params } from '../navigation/params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { dayText } from '../words/format.ts'
import styles from './logs.module.css'
import { t } from './texts.ts'

const hourText = (iso: string) => dayText(new Date(iso), { hour: '2-digit', minute: '2-digit' })
const hourMs = 3_600_000

type Hour = { from: string; until: string; answered: number; refused: number; errors: number }

export type TrafficBarsProps = { params: Params; onChange(patch: Params): void; source: string | undefined }
export function TrafficBars({ params, onChange, source }: TrafficBarsProps) {
  const api = useApi()
  const { mode } = useSession()
  const asked = {
    source: source ?? 'api,playground,portal',
    ...(params['keyId'] === undefined ? {} : { keyId: params['keyId'] }),
    ...(params['endpointId'] === undefined ? {} : { endpointId: params['endpointId'] }),
  }
  const { data } = useQuery({
    queryKey: [mode, 'traffic', asked],
    queryFn: ({ signal }) => api.analytics.usage({ interval: 'hour', ...asked }, { signal }),
  })
  const series = data?.series[0]
  if (data === undefined || series === undefined) return null
  const hours = data.buckets.map((from, index): Hour => {
    const refused = (series.refused[index] ?? 0) + (series.limited[index] ?? 0)
    const errors = series.errors[index] ?? 0
    const until = new Date(Date.parse(from) + hourMs).toISOString()
    return { from, until, refused, errors, answered: (series.requests[index] ?? 0) - refused - errors }
  })
  const choose = ({ from, until }: Hour) => {
    const chosen = params['createdAfter'] === from && params['createdBefore'] === until
    onChange(
      chosen
        ? { createdAfter: undefined, createdBefore: undefined }
        : { createdAfter: from, createdBefore: until, since: undefined },
    )
  }
  return (
    <>
      <Bars hours={hours} chosen={params['createdAfter']} onChoose={choose} />
      <div className={styles['axis']} aria-hidden="true">
        <span>{hourText(data.buckets[0] ?? data.after)}</span>
        <span className={styles['keys']}>
          <span data-kind="answered">{t('legend.answered')}</span>
          <span data-kind="refused">{t('legend.refused')}</span>
          <span data-kind="errors">{t('legend.errors')}</span>
        </span>
        <span>{t('now')}</span>
      </div>
    </>
  )
}

function Bars({ hours, chosen, onChoose }: { hours: Hour[]; chosen: string | undefined; onChoose(hour: Hour): void }) {
  const place = useRef<HTMLFieldSetElement>(null)
  const [stop, setStop] = useState(hours.length - 1)
  const most = Math.max(1, ...hours.map(hour => hour.answered + hour.refused + hour.errors))
  const height = (part: number) => ({ height: `${(100 * part) / most}%` })
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: hours.length - 1 }
    const next = steps[event.key]
    if (next === undefined || next < 0 || next >= hours.length) return
    event.preventDefault()
    setStop(next)
    place.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <fieldset ref={place} className={styles['bars']} onKeyDown={move}>
      <legend className="visually-hidden">{t('hours')}</legend>
      {hours.map((hour, index) => {
        const { from, answered, refused, errors } = hour
        const label = t('hour', { hour: hourText(from), count: answered + refused + errors, refused, errors })
        return (
          <button
            key={from}
            type="button"
            className={styles['bar']}
            aria-label={label}
            title={label}
            aria-pressed={chosen === from}
            tabIndex={index === Math.min(stop, hours.length - 1) ? 0 : -1}
            onFocus={() => setStop(index)}
            onClick={() => onChoose(hour)}
          >
            <span data-kind="answered" style={height(answered)} />
            <span data-kind="refused" style={height(refused)} />
            <span data-kind="errors" style={height(errors)} />
          </button>
        )
      })}
    </fieldset>
  )
}
