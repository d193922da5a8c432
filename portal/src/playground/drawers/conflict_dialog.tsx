// Two people wrote on one request: who was quicker, what differs, and which of both stays.
import { Button, Dialog, Time } from '../../ui/index.ts'
import { listText } from '../../words/format.ts'
import type { Saved } from '../state/use_saved.ts'
import { t } from './texts.ts'

export function ConflictDialog({ saved }: { saved: Saved }) {
  const { conflict, settle } = saved
  if (conflict === undefined) return null
  const { theirs, differing } = conflict
  return (
    <Dialog
      open
      onOpenChange={open => !open && void settle('later')}
      title={t('conflictTitle', { name: theirs.updatedBy.name })}
      description={t('conflictText')}
      footer={
        <>
          <Button onClick={() => void settle('later')}>{t('decideLater')}</Button>
          <Button onClick={() => void settle('theirs')}>{t('showTheirs')}</Button>
          <Button variant="danger" onClick={() => void settle('mine')}>
            {t('overwrite')}
          </Button>
        </>
      }
    >
      <p>
        {t.rich('conflictSaved', { name: theirs.name, time: () => <Time iso={theirs.updatedAt} /> })}{' '}
        {differing.length === 0 ? t('conflictSame') : t('conflictDiffers', { fields: listText(differing) })}
      </p>
    </Dialog>
  )
}
