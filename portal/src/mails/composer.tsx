// Writes a mail to a lead or contact: to one of their addresses, in own words or beginning with those of a template.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ErrorNote, SelectField, TextArea, TextField, toast } from '../ui/index.ts'

export type ComposerProps = {
  recordId?: string
  /** Of the person, as templates call them. */
  name: string
  /** Their addresses, the first one first. */
  to: readonly string[]
  subject?: string
  answersInboundId?: string
  onClose(): void
}

const own = ''

export function Composer({ recordId, name, to, subject = '', answersInboundId, onClose }: ComposerProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({ to: to[0] ?? '', subject, text: '' })
  const send = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.mails.create({
        to: [{ address: values.to.trim(), ...(to.includes(values.to) && name !== values.to && { name }) }],
        subject: values.subject,
        text: values.text,
        stream: 'conversation',
        ...(recordId !== undefined && { recordId }),
        ...(answersInboundId !== undefined && { answersInboundId }),
      }),
    onSuccess: () => {
      for (const key of ['timeline', 'mails']) void cache.invalidateQueries({ queryKey: [mode, key] })
      toast({ text: `The mail to ${name} is on its way.` })
      onClose()
    },
  })
  const { text, put, ...faults } = useFormFields({ values, change: setValues }, send.error, ['to', 'subject', 'text'])
  return (
    <FormDialog
      wide
      title={`Mail to ${name}`}
      description="It stands on the timeline, and so does the answer."
      className={record['form']}
      faults={faults}
      action="Send"
      busy={send.isPending}
      onSubmit={send.mutate}
      onClose={onClose}
    >
      {to.length > 1 ? (
        <SelectField
          label="To"
          options={to.map(value => ({ value, label: value }))}
          value={values.to}
          onChange={({ target }) => put('to', target.value)}
        />
      ) : (
        <TextField label="To" type="email" required {...text('to')} />
      )}
      <Beginning name={name} onWords={words => setValues(old => ({ ...old, ...words }))} />
      <TextField label="Subject" required maxLength={998} className={record['wide']} {...text('subject')} />
      <TextArea label="Text" required rows={12} className={record['wide']} {...text('text')} />
    </FormDialog>
  )
}

type Words = { subject: string; text: string }

/** The words of a template to begin with, where there are any. */
function Beginning({ name, onWords }: { name: string; onWords(words: Words): void }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [chosen, setChosen] = useState(own)
  const templates = useQuery({
    queryKey: [mode, 'templates to write with'],
    queryFn: ({ signal }) => api.mailTemplates.list({ limit: 200 }, { signal }),
    enabled: permissions.has('mail:read'),
  })
  const offered = templates.data?.items ?? []
  const begin = useMutation({
    gcTime: 0,
    mutationFn: async (templateId: string) => {
      const { subject, text } = offered.find(one => one.templateId === templateId)!
      return api.mailTemplates.preview({ subject, text, data: { name } })
    },
    onSuccess: ({ subject, text }) => onWords({ subject, text }),
  })
  if (offered.length === 0) return null
  const options = offered.map(({ templateId, key, locale }) => ({
    value: templateId,
    label: locale === null || locale === '' ? key : `${key} (${locale})`,
  }))
  return (
    <>
      <SelectField
        label="Begin with"
        options={[{ value: own, label: 'Own words' }, ...options]}
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value)
          if (target.value !== own) begin.mutate(target.value)
        }}
      />
      {begin.error !== null && (
        <div className={record['wide']}>
          <ErrorNote text={`The template needs values that are not known here: ${begin.error.message}`} />
        </div>
      )}
    </>
  )
}
