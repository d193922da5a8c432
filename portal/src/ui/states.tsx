// The four states every list is designed for: loading, empty with the next step, error with retry, filtered to nothing.
import { TandemError } from '@tandem/sdk'
import { Filter, Hourglass, Inbox, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Button, classes, TextLink } from './button.tsx'
import { useCountdown } from './countdown.ts'
import { faultText } from './faults.ts'
import styles from './states.module.css'
import { t } from './texts.ts'

export function Skeleton({ width = '100%' }: { width?: string | number }) {
  return <span className={styles['skeleton']} style={{ width }} aria-hidden="true" />
}

/** Grey rows in place of a list that is on its way. */
export function LoadingRows({ label, rows = 6 }: { label: string; rows?: number }) {
  return (
    <div className={styles['rows']} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content
        <div key={index} className={styles['row']}>
          <Skeleton width="70%" />
          <Skeleton width={`${90 - ((index * 17) % 40)}%`} />
          <Skeleton width="50%" />
        </div>
      ))}
    </div>
  )
}

/** Sheets to be filled, and in front of them what with. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <div className={styles['drawing']} aria-hidden="true">
      <svg className={styles['sheets']} viewBox="0 0 264 108" aria-hidden="true">
        <rect className={styles['under']} x="70" y="9" width="132" height="80" rx="10" transform="rotate(5 136 49)" />
        <rect className={styles['sheet']} x="60" y="14" width="144" height="82" rx="10" />
        {[31, 55, 79].map((y, place) => (
          <g key={y}>
            <circle className={styles[place === 0 ? 'face' : 'words']} cx="78" cy={y} r="7" />
            <rect className={styles['words']} x="94" y={y - 5} width={[88, 64, 42][place]} height="10" rx="5" />
          </g>
        ))}
      </svg>
      <span className={styles['badge']}>{children}</span>
    </div>
  )
}

export type EmptyStateProps = { title: string; text?: ReactNode; action?: ReactNode; icon?: ReactNode }
export function EmptyState({ title, text, action, icon }: EmptyStateProps) {
  return (
    <div className={styles['state']}>
      <Drawing>{icon ?? <Inbox size={20} />}</Drawing>
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {action !== undefined && <div className={styles['actions']}>{action}</div>}
    </div>
  )
}

/** How long the server wants to be left in peace: of a refusal that says so; undefined for anything else. */
function waitOf(error: unknown): number | undefined {
  if (!(error instanceof TandemError) || (error.status !== 429 && error.status !== 503)) return undefined
  return error.retryAfterSeconds
}

type WaitingProps = { error: TandemError; seconds: number; onRetry(): unknown; inLine?: boolean }

/** A refusal that passes: it says when it goes on, and goes on by itself. */
function Waiting({ error, seconds, onRetry, inLine = false }: WaitingProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal begins a wait of its own
  const sinceMs = useMemo(() => Date.now(), [error])
  const left = useCountdown(seconds, sinceMs)
  const latest = useRef(onRetry)
  latest.current = onRetry
  const isOver = left === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: refused once more, it is waited once more
  useEffect(() => {
    if (isOver) latest.current()
  }, [isOver, error])
  const why = t(error.status === 429 ? 'tooMuch' : 'busy')
  // Heard once, and not every second.
  const heard = `${why}. ${t('goesOnIn', { seconds })}`
  const seen = isOver ? t('goingOn') : t('goesOnIn', { seconds: left })
  if (inLine)
    return (
      <p className={styles['waiting']} role="status">
        <span className="visually-hidden">
          {heard} {t('mayBeOld')}
        </span>
        <span aria-hidden="true">
          {why}. {t('mayBeOld')} {seen}
        </span>
      </p>
    )
  return (
    <div className={styles['state']}>
      <span className={styles['icon']} aria-hidden="true">
        <Hourglass size={20} />
      </span>
      <h2>{why}</h2>
      <p role="status">
        <span className="visually-hidden">{heard}</span>
        <span aria-hidden="true">{seen}</span>
      </p>
    </div>
  )
}

/** What went wrong, its code with a link to the reference, and a way to try again. */
export function ErrorState({ error, title, onRetry }: { error: unknown; title?: string; onRetry?: () => void }) {
  const known = error instanceof TandemError ? error : undefined
  const seconds = waitOf(error)
  if (known !== undefined && seconds !== undefined && onRetry !== undefined)
    return <Waiting error={known} seconds={seconds} onRetry={onRetry} />
  return (
    <div className={styles['state']} role="alert">
      <span className={classes(styles['icon'], styles['bad'])} aria-hidden="true">
        <TriangleAlert size={20} />
      </span>
      <h2>{title ?? t(known?.status === 403 ? 'notAllowed' : 'loadFailed')}</h2>
      <p>{faultText(error)}</p>
      {known !== undefined && known.status !== 0 && (
        <p className={styles['faint']}>
          {known.status}{' '}
          <TextLink to="/errors/$code" params={{ code: known.code }}>
            {known.code}
          </TextLink>
          {known.requestId !== undefined && `, ${t('requestId', { id: known.requestId })}`}
        </p>
      )}
      {onRetry !== undefined && (
        <div className={styles['actions']}>
          <Button onClick={onRetry}>{t('retry')}</Button>
        </div>
      )}
    </div>
  )
}

export type ListStatesProps = {
  /** What is being loaded, for screen readers: "Loading messages". */
  label: string
  query: { isPending: boolean; error: unknown; refetch(): unknown }
  isEmpty: boolean
  isFiltered: boolean
  empty: EmptyStateProps
  onClearFilters(): void
  children: ReactNode
}
/** Shows the one state that holds, or `children` when there is something to show. */
export function ListStates({ label, query, isEmpty, isFiltered, empty, onClearFilters, children }: ListStatesProps) {
  if (query.isPending) return <LoadingRows label={label} />
  if (query.error != null && isEmpty) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!isEmpty) {
    const seconds = waitOf(query.error)
    return (
      <>
        {seconds !== undefined && (
          <Waiting inLine error={query.error as TandemError} seconds={seconds} onRetry={query.refetch} />
        )}
        {children}
      </>
    )
  }
  if (!isFiltered) return <EmptyState {...empty} />
  return (
    <EmptyState
      icon={<Filter size={20} />}
      title={t('filteredTitle')}
      text={t('filteredText')}
      action={<Button onClick={onClearFilters}>{t('clearFilters')}</Button>}
    />
  )
}
