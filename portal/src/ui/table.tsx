// What stands around the rows of a list: how more of them is fetched, and that there are new ones.
import { Button } from './button.tsx'
import styles from './table.module.css'
import { t } from './texts.ts'

/** Route and parameters of the page a row opens. */
export type RowLink = { to: string; params: Record<string, string> }

export type LoadMoreProps = {
  shown: number
  hasMore: boolean
  busy: boolean
  /** False where nothing is older than the rest: of a list by name, or of what is set up once. */
  byTime?: boolean
  onMore(): void
}

/** The foot of a list by cursor: how many are shown, and more. */
export function LoadMore({ shown, hasMore, busy, byTime = true, onMore }: LoadMoreProps) {
  return (
    <div className={styles['foot']}>
      <span>{t(hasMore ? 'showing' : 'showingAll', { count: shown })}</span>
      {hasMore && (
        <Button size="sm" busy={busy} onClick={onMore}>
          {t(byTime ? 'showOlder' : 'showMore')}
        </Button>
      )}
    </div>
  )
}

/** Says that a live list has more at its top than it shows, and shows them when asked: nothing moves by itself. */
export function NewOnTop({ count, onShow }: { count: number; onShow(): void }) {
  return (
    <div role="status">
      {count > 0 && (
        <div className={styles['new']}>
          <Button size="sm" variant="ghost" onClick={onShow}>
            {t('showNew', { count })}
          </Button>
        </div>
      )}
    </div>
  )
}
