// What can be done with a call under way: something is said into it, or it is hung up.
import type { Call } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MessageCircle, PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useOtherName, usePartyName } from '../people/party.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, TextArea, toast } from '../ui/index.ts'
import { t } from './texts.ts'

/** The states of a call that has not ended. */
export const underWay: readonly Call['state'][] = ['initiated', 'ringing', 'answered']

export function CallCommands({ call }: { call: Call }) {
  const { permissions } = useSession()
  if (!permissions.has('calls:control') || !underWay.includes(call.state)) return null
  return (
    <>
      {call.state === 'answered' && <SaySomething call={call} />}
      <HangUp call={call} />
    </>
  )
}

function SaySomething({ call }: { call: Call }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<MessageCircle size={14} />} onClick={() => setOpen(true)}>
        {t('say')}
      </Button>
      {open && <SayDialog call={call} onClose={() => setOpen(false)} />}
    </>
  )
}

function SayDialog({ call, onClose }: { call: Call; onClose(): void }) {
  const api = useApi()
  const party = useOtherName(call)
  const [text, setText] = useState('')
  const say = useMutation({
    mutationFn: () => api.calls.command({ callId: call.callId, verb: 'say', text: text.trim() }),
    onSuccess: () => {
      toast({ text: t('said') })
      onClose()
    },
  })
  const faults = useFormFaults(say.error, ['text'])
  return (
    <FormDialog
      title={t('say')}
      description={t('sayText', { party })}
      faults={faults}
      action={t('sayDo')}
      busy={say.isPending}
      disabled={text.trim() === ''}
      onSubmit={() => say.mutate()}
      onClose={onClose}
    >
      <TextArea
        label={t('text')}
        name="text"
        rows={3}
        value={text}
        error={faults.fields['text']}
        onChange={event => {
          faults.mend('text')
          setText(event.target.value)
        }}
      />
    </FormDialog>
  )
}

function HangUp({ call }: { call: Call }) {
  const party = usePartyName(call.to)
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [asked, setAsked] = useState(false)
  const hangUp = useMutation({
    mutationFn: () => api.calls.hangup({ callId: call.callId }),
    onSuccess: () => {
      setAsked(false)
      toast({ text: t('hungUp') })
      return cache.invalidateQueries({ queryKey: [mode, 'call', call.callId], exact: true })
    },
  })
  return (
    <>
      <Button variant="danger" icon={<PhoneOff size={14} />} onClick={() => setAsked(true)}>
        {t('hangUp')}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('hangUpTitle')}
        description={t('hangUpText', { party })}
        confirmLabel={t('hangUp')}
        danger
        busy={hangUp.isPending}
        {...(hangUp.error !== null && { error: faultText(hangUp.error) })}
        onConfirm={() => hangUp.mutate()}
      />
    </>
  )
}
