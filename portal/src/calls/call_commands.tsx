// What can be done with a call under way: something is said into it, or it is hung up.
import type { Call } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MessageCircle, PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { usePartyName } from '../people/party.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, TextArea, toast } from '../ui/index.ts'

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
        Say something
      </Button>
      {open && <SayDialog call={call} onClose={() => setOpen(false)} />}
    </>
  )
}

function SayDialog({ call, onClose }: { call: Call; onClose(): void }) {
  const api = useApi()
  const party = usePartyName(call.direction === 'inbound' ? call.from : call.to)
  const [text, setText] = useState('')
  const say = useMutation({
    mutationFn: () => api.calls.command({ callId: call.callId, verb: 'say', text: text.trim() }),
    onSuccess: () => {
      toast({ text: 'It is being said.' })
      onClose()
    },
  })
  const faults = useFormFaults(say.error, ['text'])
  return (
    <FormDialog
      title="Say something"
      description={`A voice reads it to ${party}, beside whatever runs in the call.`}
      faults={faults}
      action="Say it"
      busy={say.isPending}
      disabled={text.trim() === ''}
      onSubmit={() => say.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Text"
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
      toast({ text: 'The call is being hung up.' })
      return cache.invalidateQueries({ queryKey: [mode, 'call', call.callId], exact: true })
    },
  })
  return (
    <>
      <Button variant="danger" icon={<PhoneOff size={14} />} onClick={() => setAsked(true)}>
        Hang up
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Hang up this call"
        description={`The call to ${party} ends for both sides at once.`}
        confirmLabel="Hang up"
        danger
        busy={hangUp.isPending}
        error={hangUp.error?.message}
        onConfirm={() => hangUp.mutate()}
      />
    </>
  )
}
