// What can be done with a webhook: enable, disable, rotate its secret, delete it.
import type { Webhook } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, CheckboxField, ConfirmDialog, Dialog, ErrorNote, Time, toast } from '../ui/index.ts'
import { useRefreshed } from './following.ts'
import { ReplayResult } from './replay_dialog.tsx'
import { type Replayed, replayRange, untilNow } from './replaying.ts'
import { RotateDialog } from './rotate_dialog.tsx'
import { t } from './texts.ts'
import type { ShownSecret } from './webhook_secret.tsx'
import styles from './webhooks.module.css'

type DialogProps = { webhook: Webhook; onClose(): void }

const nothingYet: Replayed = { replayed: 0, continueFrom: null }

/** Enables it, and sends what happened while it was disabled unless that is not wanted. */
export function EnableDialog({ webhook: { webhookId, ...webhook }, onClose }: DialogProps) {
  const api = useApi()
  const refresh = useRefreshed()
  // Enabled, it says no more since when it was disabled; what fails after that is tried again.
  const [disabledAt] = useState(webhook.disabledAt)
  const [missed, setMissed] = useState(true)
  const enable = useMutation({
    // Those queued before are counted too when it goes on.
    mutationFn: async (before: Replayed): Promise<Replayed | null> => {
      await api.webhooks.update({ webhookId, enabled: true })
      if (!missed || disabledAt === null) return null
      const from = before.continueFrom ?? disabledAt
      const done = await replayRange(api, webhookId, { scope: 'undelivered', from, to: untilNow() })
      return { ...done, replayed: before.replayed + done.replayed }
    },
    onSuccess: done => {
      if (done !== null && done.continueFrom !== null) return
      toast({ text: done === null ? t('enabledToast') : t('enabledWithMissed', { count: done.replayed }) })
      onClose()
    },
    onSettled: () => refresh(),
  })
  if (enable.data?.continueFrom != null && !enable.isPending)
    return <ReplayResult done={enable.data} onMore={enable.mutate} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('enableTitle')}
      description={t('enableText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={enable.isPending} onClick={() => enable.mutate(nothingYet)}>
            {t('enable')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {enable.error !== null && <ErrorNote text={faultText(enable.error)} />}
        {disabledAt !== null && (
          <CheckboxField
            label={t('sendMissed')}
            hint={t.rich('sendMissedHint', { since: () => <Time iso={disabledAt} exact /> })}
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
      toast({ text: t('disabledToast') })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('disableTitle')}
      description={t('disableText')}
      confirmLabel={t('disable')}
      busy={disable.isPending}
      error={disable.error === null ? undefined : faultText(disable.error)}
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
      error={rotate.error === null ? undefined : faultText(rotate.error)}
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
      toast({ text: t('deletedToast') })
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('deleteTitle')}
      description={t('deleteText')}
      confirmLabel={t('delete')}
      typeToConfirm={URL.parse(url)?.host ?? url}
      danger
      busy={remove.isPending}
      error={remove.error === null ? undefined : faultText(remove.error)}
      onConfirm={() => remove.mutate()}
    />
  )
}
