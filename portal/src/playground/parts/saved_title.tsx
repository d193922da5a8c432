// Beside the title: which request of which collection is on the screen, whether it was changed, and the way to save it.
import { Save } from 'lucide-react'
import { Button } from '../../ui/index.ts'
import type { Saved } from '../state/use_saved.ts'
import { t } from '../texts.ts'
import styles from './screen.module.css'

export type SavedTitleProps = { saved: Saved; writes: boolean; onSaveAs(): void }

export function SavedTitle({ saved, writes, onSaveAs }: SavedTitleProps) {
  const { open, isChanged, saving } = saved
  if (open === undefined) {
    return writes ? (
      <Button size="sm" variant="ghost" icon={<Save size={14} />} onClick={onSaveAs}>
        {t('save')}
      </Button>
    ) : null
  }
  return (
    <div className={styles['savedTitle']}>
      <span className={styles['savedName']} title={`${open.collection.name} / ${open.saved.name}`}>
        {open.collection.name} / <b>{open.saved.name}</b>
        {isChanged && `, ${t('isChanged')}`}
      </span>
      {isChanged && open.collection.mayChange && (
        <Button
          size="sm"
          title={t('changedSince')}
          busy={saving}
          icon={<Save size={14} />}
          onClick={() => void saved.save()}
        >
          {t('save')}
        </Button>
      )}
      {writes && (
        <Button size="sm" variant="ghost" onClick={onSaveAs}>
          {t('saveAs')}
        </Button>
      )}
    </div>
  )
}
