// The link of an invitation, to copy and hand over.
import { CopyButton } from '../ui/code.tsx'
import { Button, Dialog } from '../ui/index.ts'
import styles from './users.module.css'

type LinkDialogProps = { email: string; url: string | null; onDone(): void }

export function LinkDialog({ email, url, onDone }: LinkDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={open => !open && onDone()}
      title={`The link of ${email}`}
      description="Hand it to nobody but the person of the address. That you saw it is in the audit log."
      footer={
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      }
    >
      {url === null ? (
        <p>The server has no known address, so there is no link: it takes the setting TANDEM_PUBLIC_URL.</p>
      ) : (
        <div className={styles['link']}>
          <code>{url}</code>
          <CopyButton text={url} label="Copy the link" showLabel />
        </div>
      )}
    </Dialog>
  )
}
