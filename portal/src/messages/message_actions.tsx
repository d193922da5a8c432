// What can still be done with a message: take it back before it is with the carrier, and take its text away afterwards.
import type { Message } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'

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
      toast({ text: what === 'cancel' ? 'The message was canceled. Nobody gets it.' : 'The text was taken away.' })
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
    ...(act.error === null ? {} : { error: act.error.message }),
    onOpenChange(open: boolean) {
      if (open) return
      act.reset()
      setAsked(undefined)
    },
  }
  return (
    <>
      {mayCancel && <Button onClick={() => setAsked('cancel')}>Cancel the message</Button>}
      {mayRedact && (
        <Button variant="danger" onClick={() => setAsked('redact')}>
          Redact
        </Button>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          {...dialog}
          title="Cancel this message"
          description="It is taken back before the carrier has it: nobody gets it, and nothing is charged."
          confirmLabel="Cancel it"
          onConfirm={() => act.mutate('cancel')}
        />
      )}
      {asked === 'redact' && (
        <ConfirmDialog
          {...dialog}
          title="Redact this message"
          description="Its text is taken away for good, here and in its events. That it was sent, to whom, when and at what price stays. This cannot be undone."
          confirmLabel="Redact"
          typeToConfirm="redact"
          danger
          onConfirm={() => act.mutate('redact')}
        />
      )}
    </>
  )
}
