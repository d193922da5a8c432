// How times, amounts, durations and ids are shown.
import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { calendarDayText, durationText, momentText, moneyText, relativeTime } from '../words/format.ts'
import styles from './format.module.css'
import { t } from './texts.ts'

export { countText, durationText, relativeTime, sizeText } from '../words/format.ts'

/** One clock for all relative times on the screen; it ticks every ten seconds while anybody looks. */
const listeners = new Set<() => void>()
let clockMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  clockMs = Date.now()
  timer ??= setInterval(() => {
    clockMs = Date.now()
    for (const each of listeners) each()
  }, 10_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A moment: relative, with the exact one as a tooltip; `exact` turns it round. */
export function Time({ iso, exact = false }: { iso: string; exact?: boolean }) {
  const nowMs = useSyncExternalStore(subscribe, () => clockMs)
  const full = momentText(new Date(iso))
  // The server's clock may be a little ahead of ours: what has just happened is not yet to come.
  const aheadMs = Date.parse(iso) - nowMs
  const relative = relativeTime(iso, aheadMs > 0 && aheadMs < 15_000 ? Date.parse(iso) : nowMs)
  return (
    <time className={styles['time']} dateTime={iso} title={exact ? `${relative}, ${iso}` : `${full}, ${iso}`}>
      {exact ? full : relative}
    </time>
  )
}

/** A calendar day, YYYY-MM-DD, in the reader's own form; no time zone moves it. */
export function Day({ date }: { date: string }) {
  return (
    <time className={styles['time']} dateTime={date}>
      {calendarDayText(date)}
    </time>
  )
}

export function Duration({ ms }: { ms: number }) {
  return <span className={styles['time']}>{durationText(ms)}</span>
}

/** An amount of money with its currency (ISO 4217), in the reader's own form; `exact` leaves no decimal of a unit price out. */
export function Money({ amount, currency, exact = false }: { amount: number; currency: string; exact?: boolean }) {
  return <span className={styles['money']}>{moneyText(amount, currency, exact)}</span>
}

/** An id that opens the inspector: `msg_…`, `call_…`, `req_…`, `key_…`, `evt_…`, `lead:12`, `invoice:5`. */
export function IdLink({ id, children }: { id: string; children?: string }) {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      className={children === undefined ? styles['id'] : `${styles['id']} ${styles['short']}`}
      aria-label={t('inspectId', { id })}
      title={children === undefined ? t('inspect') : t('inspectId', { id })}
      onClick={event => {
        event.stopPropagation()
        void navigate({ to: '.', search: (search: Record<string, unknown>) => ({ ...search, inspect: id }) })
      }}
    >
      {children ?? id}
    </button>
  )
}
