// The dialogs about webhooks, fetched when the first of them opens. The form and the secret it leads to come together: a
// secret that was made must never wait for a script that may not come.
import type { Webhook, WebhooksCreateReply } from '@tandem/sdk'
import { useState } from 'react'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { DeleteDialog, DisableDialog, EnableDialog, RotateWebhook } from './webhook_actions.tsx'
import { EditWebhookForm, NewWebhookForm } from './webhook_form.tsx'
import { type ShownSecret, WebhookSecret } from './webhook_secret.tsx'

/** Once it is made its secret is shown in place of the form. */
export function NewWebhook({ onClose, onSaved }: CreateFormProps<Webhook>) {
  const show = useHeldDialog()
  const created = (made: WebhooksCreateReply) => {
    onClose()
    show(onDone => (
      <WebhookSecret
        shown={made}
        onDone={() => {
          onDone()
          onSaved(made)
        }}
      />
    ))
  }
  return <NewWebhookForm onClose={onClose} onCreated={created} />
}

export type Asked = 'edit' | 'rotate' | 'enable' | 'disable' | 'delete'

/** The dialog that was asked for. It is closed when `onClose` is called, of a rotation when its secret is stored. */
export function AskedDialog({ webhook, asked, onClose }: { webhook: Webhook; asked: Asked; onClose(): void }) {
  const [secret, setSecret] = useState<ShownSecret>()
  const props = { webhook, onClose }
  if (secret !== undefined) return <WebhookSecret shown={secret} onDone={onClose} />
  switch (asked) {
    case 'edit':
      return <EditWebhookForm {...props} />
    case 'rotate':
      return <RotateWebhook {...props} onRotated={setSecret} />
    case 'enable':
      return <EnableDialog {...props} />
    case 'disable':
      return <DisableDialog {...props} />
    case 'delete':
      return <DeleteDialog {...props} />
  }
}
