// What was sent from this browser: pressing a row fills the editors again and shows the answer that was kept. Nothing is
// sent by it.
import { useEffect, useState } from 'react'
import {
  Button,
  ConfirmDialog,
  Drawer,
  durationText,
  EmptyState,
  HttpStatus,
  MethodBadge,
  Time,
} from '../../ui/index.ts'
import type { Mode } from '../kept/drafts.ts'
import { clearHistory, type HistoryRow, listHistory } from '../kept/history.ts'
import type { Store } from '../kept/store.ts'
import styles from './drawers.module.css'
import { t } from './texts.ts'

export type HistoryDrawerProps = {
  open: boolean
  onOpenChange(open: boolean): void
  store: Store | undefined
  mode: Mode
  onPick(row: HistoryRow): void
}
export function HistoryDrawer({ open, onOpenChange, store, mode, onPick }: HistoryDrawerProps) {
  const [rows, setRows] = useState<readonly HistoryRow[]>()
  const [filter, setFilter] = useState('')
  const [clearing, setClearing] = useState(false)
  useEffect(() => {
    if (!open || store === undefined) return
    listHistory(store).then(
      all => setRows(all.filter(row => row.mode === mode)),
      () => setRows([]),
    )
  }, [open, store, mode])
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = rows?.filter(row => {
    const text = `${row.draft.method} ${row.target} ${row.status ?? row.failure}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title={t('historyTitle', { mode })}
      description={t(store?.lasting === false ? 'historyNotKept' : 'historyAbout')}
      footer={
        rows !== undefined && rows.length > 0 ? (
          <Button size="sm" onClick={() => setClearing(true)}>
            {t('clearHistory')}
          </Button>
        ) : undefined
      }
    >
      {rows?.length === 0 && <EmptyState title={t('nothingSent')} text={t('nothingSentText')} />}
      {rows !== undefined && rows.length > 0 && (
        <>
          <input
            className={styles['filter']}
            type="search"
            aria-label={t('filterHistory')}
            placeholder={t('filterHistoryHint')}
            value={filter}
            onChange={event => setFilter(event.target.value)}
          />
          <ul className={styles['list']}>
            {shown?.map(row => (
              <li key={row.id}>
                <button type="button" className={styles['row']} onClick={() => onPick(row)}>
                  {row.status === null ? (
                    <span className={styles['failed']}>{t('failed')}</span>
                  ) : (
                    <HttpStatus status={row.status} />
                  )}
                  <MethodBadge method={row.draft.method} />
                  <span className={styles['target']}>{row.target}</span>
                  <span className={styles['faint']}>{durationText(row.totalMs)}</span>
                  <span className={styles['faint']}>
                    <Time iso={new Date(row.atMs).toISOString()} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {shown?.length === 0 && <p className={styles['quiet']}>{t('noRequest')}</p>}
        </>
      )}
      <ConfirmDialog
        open={clearing}
        onOpenChange={setClearing}
        title={t('clearHistoryTitle')}
        description={t('clearHistoryText', { mode })}
        confirmLabel={t('clearHistory')}
        danger
        onConfirm={() => {
          setClearing(false)
          if (store !== undefined) void clearHistory(store, mode).then(() => setRows([]))
        }}
      />
    </Drawer>
  )
}
