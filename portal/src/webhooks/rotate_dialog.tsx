// The dialog that asks how long an old secret goes on signing beside the new one.
import { useState } from 'react'
import { Button, Dialog, ErrorNote, SelectField, Time } from '../ui/index.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

/** In seconds. */
const overlaps = ['0', '3600', '86400', '172800', '604800'] as const

export type RotateDialogProps = {
  previousSecretUntil: string | null
  onRotate(overlapSeconds: number): void
  busy: boolean
  error: string | undefined
  onClose(): void
}
/** Asks how long the old secret goes on signing beside the new one. */
export function RotateDialog({ previousSecretUntil, onRotate, busy, error, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState('86400')
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('rotateTitle')}
      description={t('rotateText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            {t('rotate')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {error !== undefined && <ErrorNote text={error} />}
        <SelectField
          label={t('oldSecret')}
          options={overlaps.map(value => ({ value, label: t(`overlap.${value}`) }))}
          value={overlap}
          hint={t(overlap === '0' ? 'overlapNone' : 'overlapHint')}
          onChange={event => setOverlap(event.target.value)}
        />
        {previousSecretUntil !== null && (
          <p>{t.rich('olderSecret', { until: () => <Time iso={previousSecretUntil} exact /> })}</p>
        )}
      </div>
    </Dialog>
  )
}
