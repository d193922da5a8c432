// What stands around the rows of a list: how more of them is fetched, and that there are new ones.
import { pluralOf, singularOf } from '@tandem/catalog/plural'
import { Button } from './button.tsx'
import { countText } from './format.tsx'
import styles from './table.module.css'

/** Route and parameters of the page a row opens. */
export type RowLink = { to: string; params: Record<string, string> }

export type LoadMoreProps = {
  shown: number
  noun: string
  hasMore: boolean
  busy: boolean
  /** False where nothing is older than the rest: of a list by name, or of what is set up once. */
  byTime?: boolean
  onMore(): void
}

/** The foot of a list by cursor: how many are shown, and more. */
export function LoadMore({ shown, noun, hasMore, busy, byTime = true, onMore }: LoadMoreProps) {
  return (
    <div className={styles['foot']}>
      <span>
        {countText(shown)} {shown === 1 ? singularOf(noun) : noun} shown
        {hasMore ? '' : byTime ? ', no older ones' : ', no others'}
      </span>
      {hasMore && (
        <Button size="sm" busy={busy} onClick={onMore}>
          {byTime ? 'Show older' : 'Show more'}
        </Button>
      )}
    </div>
  )
}

/** Says that a live list has more at its top than it shows, and shows them when asked: nothing moves by itself. */
export function NewOnTop({ count, noun, onShow }: { count: number; noun: string; onShow(): void }) {
  return (
    <div role="status">
      {count > 0 && (
        <div className={styles['new']}>
          <Button size="sm" variant="ghost" onClick={onShow}>
            {count === 1 ? `Show 1 new ${noun}` : `Show ${countText(count)} new ${pluralOf(noun)}`}
          </Button>
        </div>
      )}
    </div>
  )
}
