// What can be done with a webhook: enable, disable, rotate its secret, delete it.
import type { Webhook } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { Button, CheckboxField, ConfirmDialog, countText, Dialog, ErrorNote, Time, toast } from '../ui/index.ts'
import { useRefreshed } from './following.ts'
import { replayRange } from './replaying.ts'
import { RotateDialog } from './rotate_dialog.tsx'
import type { ShownSecret } from './webhook_secret.tsx'
import styles from './webhooks.module.css'

type DialogProps = { webhook: Webhook; onClose(): void }

/** Enables it, and sends what happened while it was disabled unless that is not wanted. */
export function EnableDialog({ webhook: { webhookId, disabledAt }, onClose }: DialogProps) {
  const api = useApi()
  const refresh = useRefreshed()
  const [missed, setMissed] = useState(true)
  const enable = useMutation({
    mutationFn: async () => {
      await api.webhooks.update({ webhookId, enabled: true })
      if (!missed || disabledAt === null) return null
      const range = { scope: 'undelivered', from: disabledAt, to: new Date().toISOString() } as const
      return replayRange(api, webhookId, range)
    },
    onSuccess: done => {
      const missed = done === null ? '' : ` Events from meanwhile, sent now: ${countText(done.replayed)}.`
      toast({ text: `The webhook is enabled.${missed}` })
      onClose()
    },
    onSettled: () => refresh(),
  })
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title="Enable the webhook"
      description="Deliveries that were waiting are sent now, and the count of failures is reset."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={enable.isPending} onClick={() => enable.mutate()}>
            Enable
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {enable.error !== null && <ErrorNote text={enable.error.message} />}
        {disabledAt !== null && (
          <CheckboxField
            label="Send what happened meanwhile too"
            hint={
              <>
                Events since <Time iso={disabledAt} exact />, as far back as 30 days.
              </>
            }
            checked={missed}
            onChange={event => setMissed(event.target.checked)}
          />
        )}
      </div>
    </Dialog>
  )
}

export function DisableDialog({ webhook: { webhookId }, onClose }: DialogProps) {
  const api = useApi()
  const refresh = useRefreshed()
  const disable = useMutation({
    mutationFn: () => api.webhooks.update({ webhookId, enabled: false }),
    onSuccess: async () => {
      await refresh()
      toast({ text: 'The webhook is disabled. What waits is kept.' })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title="Disable the webhook"
      description="Nothing is sent until it is enabled again. What waits is kept, and what happens meanwhile can be sent then."
      confirmLabel="Disable"
      busy={disable.isPending}
      error={disable.error?.message}
      onConfirm={() => disable.mutate()}
    />
  )
}

export function RotateWebhook({ webhook, onClose, onRotated }: DialogProps & { onRotated(shown: ShownSecret): void }) {
  const api = useApi()
  const refresh = useRefreshed()
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: (overlapSeconds: number) =>
      api.webhooks.update({ webhookId: webhook.webhookId, rotateSecret: { overlapSeconds } }),
    onSuccess: ({ secret, ...changed }) => {
      void refresh()
      if (secret !== null) onRotated({ ...changed, secret })
    },
  })
  return (
    <RotateDialog
      previousSecretUntil={webhook.previousSecretUntil}
      onRotate={rotate.mutate}
      busy={rotate.isPending}
      error={rotate.error?.message}
      onClose={onClose}
    />
  )
}

export function DeleteDialog({ webhook: { webhookId, url }, onClose }: DialogProps) {
  const api = useApi()
  const navigate = useNavigate()
  const refresh = useRefreshed()
  const remove = useMutation({
    mutationFn: () => api.webhooks.delete({ webhookId }),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' })
      void refresh()
      toast({ text: 'The webhook was deleted.' })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title="Delete the webhook"
      description="Nothing is sent to it any more, and the log of its deliveries goes with it. To pause it, disable it instead."
      confirmLabel="Delete"
      typeToConfirm={URL.parse(url)?.host ?? url}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate()}
    />
  )
}
