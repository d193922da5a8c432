// What can still be done with a message: take it back before it is with the carrier, and take its text away afterwards.
import type { Message } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import { t } from './texts.ts'

const cancelable: readonly Message['status'][] = ['scheduled', 'queued']
const ended: readonly Message['status'][] = [
  'delivered',
  'undelivered',
  'expired',
  'failed',
  'canceled',
  'unconfirmed',
  'received',
]

export function MessageActions({
  message,
}: {
  message: Pick<Message, 'messageId' | 'status' | 'redactedAt' | 'direction'>
}) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState<'cancel' | 'redact'>()
  const { messageId, status, redactedAt, direction } = message
  const act = useMutation({
    mutationFn: (what: 'cancel' | 'redact') =>
      what === 'cancel' ? api.messages.cancel({ messageId }) : api.messages.redact({ messageId }),
    onSuccess: (_reply, what) => {
      toast({ text: t(what === 'cancel' ? 'canceled' : 'redacted') })
      setAsked(undefined)
    },
    onSettled: () => {
      for (const key of ['message', 'messages', 'inspected']) void cache.invalidateQueries({ queryKey: [mode, key] })
    },
  })
  const mayCancel = direction === 'outbound' && cancelable.includes(status) && permissions.has('messages:send')
  const mayRedact = redactedAt === null && ended.includes(status) && permissions.has('messages:erase')
  const dialog = {
    open: true,
    busy: act.isPending,
    ...(act.error === null ? {} : { error: faultText(act.error) }),
    onOpenChange(open: boolean) {
      if (open) return
      act.reset()
      setAsked(undefined)
    },
  }
  return (
    <>
      {mayCancel && <Button onClick={() => setAsked('cancel')}>{t('cancel')}</Button>}
      {mayRedact && (
        <Button variant="danger" onClick={() => setAsked('redact')}>
          {t('redact')}
        </Button>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          {...dialog}
          title={t('cancelTitle')}
          description={t('cancelText')}
          confirmLabel={t('cancelDo')}
          onConfirm={() => act.mutate('cancel')}
        />
      )}
      {asked === 'redact' && (
        <ConfirmDialog
          {...dialog}
          title={t('redactTitle')}
          description={t('redactText')}
          confirmLabel={t('redact')}
          typeToConfirm={t('redactWord')}
          danger
          onConfirm={() => act.mutate('redact')}
        />
      )}
    </>
  )
}
