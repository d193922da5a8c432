// The dialog that says what calls to a number begin with, with examples to start from.
import type { NumbersVoiceSetParams, Voice } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnNumber } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Dialog, ErrorState, SelectField, TextArea, TextField, toast } from '../ui/index.ts'
import { useNumberVoice } from './number_voice_summary.tsx'
import { exampleNames, instructionsOf, type VoiceExample, voiceExample } from './number_voice_values.ts'

const shown = ['instructions', 'callbackUrl', 'fallbackUrl'] as const

export function NumberVoiceDialog({ number, onClose }: { number: OwnNumber; onClose(): void }) {
  const query = useNumberVoice(number.numberId)
  if (query.data !== undefined && !query.isFetching) return <VoiceForm voice={query.data} onClose={onClose} />
  if (query.error === null) return null
  return (
    <Dialog open title={`Calls to ${number.number}`} onOpenChange={open => !open && onClose()}>
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    </Dialog>
  )
}

function VoiceForm({ voice, onClose }: { voice: Voice; onClose(): void }) {
  const api = useApi()
  const { mode, user } = useSession()
  const cache = useQueryClient()
  const start = {
    instructions: voice.instructions === null ? '' : JSON.stringify(voice.instructions, null, 2),
    callbackUrl: voice.callbackUrl ?? '',
    fallbackUrl: voice.fallbackUrl ?? '',
  }
  const [values, setValues] = useState(start)
  const [fault, setFault] = useState<string>()
  const save = useMutation({
    mutationFn: (instructions: NumbersVoiceSetParams['instructions']) =>
      api.numbers.voice.set({
        numberId: voice.numberId,
        instructions,
        callbackUrl: values.callbackUrl.trim() || null,
        fallbackUrl: values.fallbackUrl.trim() || null,
      }),
    onSuccess: saved => {
      cache.setQueryData([mode, 'number voice', voice.numberId], saved)
      toast({ text: `Calls to ${voice.number} begin with this from now on.` })
      onClose()
    },
  })
  const { put, text, ...faults } = useFormFields({ values, change: setValues }, save.error, shown)
  const instructions = text('instructions')
  return (
    <FormDialog
      wide
      title={`Calls to ${voice.number}`}
      description="What happens when a call comes in: your server is asked, or a list of instructions is carried out. With neither, callers hear an apology."
      className={record['form']}
      faults={faults}
      action="Save"
      busy={save.isPending}
      disabled={JSON.stringify(values) === JSON.stringify(start)}
      onSubmit={() => {
        const read = instructionsOf(values.instructions)
        setFault('fault' in read ? read.fault : undefined)
        if ('instructions' in read) save.mutate(read.instructions)
      }}
      onClose={onClose}
    >
      <SelectField
        label="Example"
        className={record['wide']}
        options={[{ value: '', label: 'Take an example' }, ...exampleNames]}
        hint="Takes the place of the list below; change its numbers and words."
        value=""
        onChange={({ target: { value } }) => {
          setFault(undefined)
          if (value !== '') put('instructions', voiceExample(value as VoiceExample, user.email))
        }}
      />
      <TextArea
        label="Instructions"
        optional
        mono
        rows={10}
        spellCheck={false}
        className={record['wide']}
        hint="A JSON list of verbs: say, play, gather, dial, record, enqueue, conference, … Carried out where no callback URL is set, or none answers."
        {...instructions}
        error={fault ?? instructions.error}
      />
      <TextField
        label="Callback URL"
        optional
        type="url"
        placeholder="https://example.com/calls"
        hint="Asked for instructions when a call comes in."
        {...text('callbackUrl')}
      />
      <TextField
        label="Fallback URL"
        optional
        type="url"
        placeholder="https://backup.example.com/calls"
        hint="Asked where the callback URL does not answer."
        {...text('fallbackUrl')}
      />
    </FormDialog>
  )
}
