// The link of an invitation, to copy and hand over.
import { CopyButton } from '../ui/code.tsx'
import { Button, Dialog } from '../ui/index.ts'
import { t } from './texts.ts'
import styles from './users.module.css'

type LinkDialogProps = { email: string; url: string | null; onDone(): void }

export function LinkDialog({ email, url, onDone }: LinkDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={open => !open && onDone()}
      title={t('linkTitle', { email })}
      description={t('linkText')}
      footer={
        <Button variant="primary" onClick={onDone}>
          {t('doneAction')}
        </Button>
      }
    >
      {url === null ? (
        <p>{t('linkNone')}</p>
      ) : (
        <div className={styles['link']}>
          <code>{url}</code>
          <CopyButton text={url} label={t('linkCopy')} showLabel />
        </div>
      )}
    </Dialog>
  )
}
