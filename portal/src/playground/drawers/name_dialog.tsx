// Asks for a name, and where it is offered whether everybody is to see what has it.
import { useEffect, useState } from 'react'
import { faultText } from '../../ui/faults.ts'
import { Button, CheckboxField, Dialog, TextField } from '../../ui/index.ts'
import { t } from './texts.ts'

export type NameDialogProps = {
  open: boolean
  title: string
  label: string
  confirmLabel: string
  initial?: string
  maxLength?: number
  shareLabel?: string
  onClose(): void
  /** @throws what is shown beside the field; it stays open then */
  onName(name: string, shared: boolean): Promise<void>
}

export function NameDialog(props: NameDialogProps) {
  const { open, title, label, confirmLabel, initial = '', maxLength = 100, shareLabel, onClose, onName } = props
  const [name, setName] = useState(initial)
  const [shared, setShared] = useState(true)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (!open) return
    setName(initial)
    setError(undefined)
  }, [open, initial])
  const submit = async () => {
    if (name.trim() === '' || busy) return
    setBusy(true)
    try {
      await onName(name.trim(), shareLabel !== undefined && shared)
      onClose()
    } catch (reason) {
      setError(reason instanceof Error ? faultText(reason) : t('notDone'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={next => !next && onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={busy} disabled={name.trim() === ''} onClick={() => void submit()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={label}
          value={name}
          maxLength={maxLength}
          error={error}
          onChange={event => setName(event.target.value)}
        />
        {shareLabel !== undefined && (
          <CheckboxField label={shareLabel} checked={shared} onChange={event => setShared(event.target.checked)} />
        )}
      </form>
    </Dialog>
  )
}
