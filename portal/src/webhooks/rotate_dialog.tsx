// The dialog that asks how long an old secret goes on signing beside the new one.
import { useState } from 'react'
import { Button, Dialog, ErrorNote, SelectField, Time } from '../ui/index.ts'
import styles from './webhooks.module.css'

const overlaps = [
  { value: '0', label: 'Leaked: ends now' },
  { value: '3600', label: 'Signs for 1 hour more' },
  { value: '86400', label: 'Signs for 24 hours more' },
  { value: '172800', label: 'Signs for 2 days more' },
  { value: '604800', label: 'Signs for 7 days more' },
]

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
      title="Rotate the secret"
      description="Deliveries are signed by a new secret, and for a while by the old one as well."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => onRotate(Number(overlap))}>
            Rotate
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {error !== undefined && <ErrorNote text={error} />}
        <SelectField
          label="The old secret"
          options={overlaps}
          value={overlap}
          hint={
            overlap === '0'
              ? 'Receivers that know only the old secret refuse deliveries until they have the new one.'
              : 'Long enough to bring the new one to every receiver.'
          }
          onChange={event => setOverlap(event.target.value)}
        />
        {previousSecretUntil !== null && (
          <p>
            A secret from before signs until <Time iso={previousSecretUntil} exact />. It ends with this rotation: one
            old secret is kept, no more.
          </p>
        )}
      </div>
    </Dialog>
  )
}
