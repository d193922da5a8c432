// Takes a cURL command from a text field, for those who do not paste it into the address.
import { useEffect, useState } from 'react'
import { Button, Dialog, TextArea } from '../../ui/index.ts'
import { t } from './texts.ts'

export type CurlDialogProps = {
  open: boolean
  onOpenChange(open: boolean): void
  /** Gives what is wrong with the command, or undefined when it was taken. */
  onCurl(text: string): string | undefined
}
export function CurlDialog({ open, onOpenChange, onCurl }: CurlDialogProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  useEffect(() => {
    if (!open) return
    setText('')
    setError(undefined)
  }, [open])
  const take = () => {
    const fault = onCurl(text)
    setError(fault)
    if (fault === undefined) onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('curlTitle')}
      description={t('curlText')}
      wide
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{t('cancel')}</Button>
          <Button variant="primary" disabled={text.trim() === ''} onClick={take}>
            {t('fillRequest')}
          </Button>
        </>
      }
    >
      <TextArea
        label={t('curlLabel')}
        mono
        rows={9}
        spellCheck={false}
        value={text}
        error={error}
        onChange={event => setText(event.target.value)}
      />
    </Dialog>
  )
}
