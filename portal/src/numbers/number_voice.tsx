// The dialog that says what calls to a number begin with, with examples to start from.
import type { NumbersVoiceSetParams, Voice } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnNumber } from '../data/messaging_lists.ts'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Dialog, ErrorState, SelectField, TextArea, TextField, toast } from '../ui/index.ts'
import { useNumberVoice } from './number_voice_summary.tsx'
import { exampleNames, instructionsOf, type VoiceExample, voiceExample } from './number_voice_values.ts'
import { t } from './texts.ts'

const shown = ['instructions', 'callbackUrl', 'fallbackUrl'] as const

export function NumberVoiceDialog({ number, onClose }: { number: OwnNumber; onClose(): void }) {
  const query = useNumberVoice(number.numberId)
  if (query.data !== undefined && !query.isFetching) return <VoiceForm voice={query.data} onClose={onClose} />
  if (query.error === null) return null
  return (
    <Dialog open title={t('callsTo', { number: number.number })} onOpenChange={open => !open && onClose()}>
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
      toast({ text: t('voiceSaved', { number: voice.number }) })
      onClose()
    },
  })
  const { put, text, ...faults } = useFormFields({ values, change: setValues }, save.error, shown)
  const instructions = text('instructions')
  return (
    <FormDialog
      wide
      title={t('callsTo', { number: voice.number })}
      description={t('voiceText')}
      className={record['form']}
      faults={faults}
      action={t('save')}
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
        label={t('example')}
        className={record['wide']}
        options={[{ value: '', label: t('takeExample') }, ...exampleNames()]}
        hint={t('exampleHint')}
        value=""
        onChange={({ target: { value } }) => {
          setFault(undefined)
          if (value !== '') put('instructions', voiceExample(value as VoiceExample, user.email))
        }}
      />
      <TextArea
        label={t('instructions')}
        optional
        mono
        rows={10}
        spellCheck={false}
        className={record['wide']}
        hint={t('instructionsHint')}
        {...instructions}
        error={fault ?? instructions.error}
      />
      <TextField
        label={t('callbackUrl')}
        optional
        type="url"
        placeholder={examples.callsUrl}
        hint={t('voiceUrlHint')}
        {...text('callbackUrl')}
      />
      <TextField
        label={t('fallbackUrl')}
        optional
        type="url"
        placeholder={examples.fallbackUrl}
        hint={t('fallbackHint')}
        {...text('fallbackUrl')}
      />
    </FormDialog>
  )
}
