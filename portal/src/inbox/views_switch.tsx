// Which conversations are listed: the views that one works by side by side, the others in a menu.
import { ChevronDown } from 'lucide-react'
import { Button, Menu } from '../ui/index.ts'
import styles from './list.module.css'
import { t } from './texts.ts'
import type { Counts, View } from './views.ts'

const main: readonly View[] = ['waiting', 'mine', 'unassigned']
const more: readonly View[] = ['unread', 'mentioned', 'open', 'snoozed', 'closed', 'all']

function countOf(counts: Counts | undefined, view: View): string {
  const one = counts?.[view]
  if (one === undefined) return ''
  return one.isExact ? String(one.count) : '999+'
}

export type ViewsSwitchProps = { view: View; counts: Counts | undefined; onChange(view: View): void }

export function ViewsSwitch({ view, counts, onChange }: ViewsSwitchProps) {
  const isMore = more.includes(view)
  return (
    <fieldset className={styles['views']}>
      <legend className="visually-hidden">{t('views')}</legend>
      {main.map(one => (
        <button
          key={one}
          type="button"
          className={styles['view']}
          aria-pressed={one === view}
          onClick={() => onChange(one)}
        >
          {t(`view.${one}`)} <span className={styles['count']}>{countOf(counts, one)}</span>
        </button>
      ))}
      <Menu
        trigger={
          <Button
            variant="ghost"
            size="sm"
            className={styles['more']}
            data-chosen={isMore}
            aria-label={isMore ? t('more.now', { view: t(`view.${view}`) }) : t('more.views')}
          >
            {isMore ? (
              <>
                {t(`view.${view}`)} <span className={styles['count']}>{countOf(counts, view)}</span>
              </>
            ) : (
              t('more')
            )}
            <ChevronDown size={14} />
          </Button>
        }
        items={more.map(one => ({
          key: one,
          label: `${t(`view.${one}`)} ${countOf(counts, one)}`.trim(),
          onSelect: () => onChange(one),
        }))}
      />
    </fieldset>
  )
}
