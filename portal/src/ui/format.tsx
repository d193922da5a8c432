// How times, amounts, durations and ids are shown.
import { useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import styles from './format.module.css'

const exactFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [7 * 86_400, 'day'],
]
const unitSeconds: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
}

/** "12 sec. ago", "yesterday"; beyond a week the day itself. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  for (const [limit, unit] of steps) {
    if (Math.abs(seconds) < limit) return relativeFormat.format(Math.round(seconds / (unitSeconds[unit] ?? 1)), unit)
  }
  return dayFormat.format(new Date(iso))
}

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
  const full = exactFormat.format(new Date(iso))
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
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return (
    <time className={styles['time']} dateTime={date}>
      {dayFormat.format(new Date(year, month - 1, day))}
    </time>
  )
}

/** "0.4 ms", "61 ms", "1.24 s", "3 min 5 s". */
export function durationText(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
export function Duration({ ms }: { ms: number }) {
  return <span className={styles['time']}>{durationText(ms)}</span>
}

/** "412 B", "1.2 kB", "6.0 MB" (powers of 1,000). */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** An amount of money with its currency (ISO 4217), in the reader's own form; `exact` leaves no decimal of a unit price out. */
export function Money({ amount, currency, exact = false }: { amount: number; currency: string; exact?: boolean }) {
  const text = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(exact && { maximumFractionDigits: 6 }),
  }).format(amount)
  return <span className={styles['money']}>{text}</span>
}

const counts = new Intl.NumberFormat()
/** @param isExact false where there are more: `1,000+` */
export function countText(count: number, isExact = true): string {
  return `${counts.format(count)}${isExact ? '' : '+'}`
}

/** An id that opens the inspector: `msg_…`, `call_…`, `req_…`, `key_…`, `evt_…`, `lead:12`, `invoice:5`. */
export function IdLink({ id, children }: { id: string; children?: string }) {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      className={children === undefined ? styles['id'] : `${styles['id']} ${styles['short']}`}
      aria-label={`Inspect ${id}`}
      title={children === undefined ? 'Inspect' : `Inspect ${id}`}
      onClick={event => {
        event.stopPropagation()
        void navigate({ to: '.', search: (search: Record<string, unknown>) => ({ ...search, inspect: id }) })
      }}
    >
      {children ?? id}
    </button>
  )
}
