// The dialog in which words of a mail are written, with the mail as it would be beside them: filled in by the server, with its sample values
// or those that are typed; what does not work is named by line.
import type { MailTemplate } from '@tandem/sdk'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { differing } from '../forms/differing.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { MailFrame } from '../mails/mail_frame.tsx'
import styles from '../mails/mails.module.css'
import { t as tMails } from '../mails/texts.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { ErrorNote, TextArea, TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Values = { key: string; locale: string; subject: string; text: string; html: string; data: string }
const shown = ['key', 'locale', 'subject', 'text', 'html'] as const

const wordsOf = ({ subject, text, html }: Values) => ({ subject, text, html: html.trim() === '' ? null : html })

export function NewTemplateForm(props: CreateFormProps<MailTemplate>) {
  const api = useApi()
  const { mode } = useSession()
  const [params] = useParamsOfAddress()
  const query = useQuery({
    queryKey: [mode, 'built-in mail templates'],
    queryFn: ({ signal }) => api.mailTemplates.builtIn({}, { signal }),
  })
  if (query.isPending) return null
  const from = query.data?.templates.find(({ key }) => key === params['create'])
  const values: Values = {
    key: from?.key ?? '',
    locale: '',
    subject: from?.subject ?? t('firstSubject', { name: '{{ name }}' }),
    text: from?.text ?? [t('firstText', { name: '{{ name }}' }), '…', '{{ organization.name }}'].join('\n\n'),
    html: from?.html ?? '',
    data: JSON.stringify(from?.sample ?? { name: 'Ada' }, null, 2),
  }
  return <TemplateDialog {...props} values={values} />
}

export function EditTemplateForm({ template, onClose }: { template: MailTemplate; onClose(): void }) {
  const { key, locale, subject, text, html } = template
  return (
    <TemplateDialog
      template={template}
      values={{ key, locale, subject, text, html: html ?? '', data: '{}' }}
      onClose={onClose}
      onSaved={onClose}
    />
  )
}

type TemplateDialogProps = {
  values: Values
  template?: MailTemplate
  onClose(): void
  onSaved(made: MailTemplate): void
}

function TemplateDialog({ values: first, template, onClose, onSaved }: TemplateDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [begun] = useState(first)
  const [values, setValues] = useState(begun)
  const save = useMutation({
    mutationFn: async () => {
      if (template === undefined)
        return api.mailTemplates.create({ key: values.key.trim(), locale: values.locale.trim(), ...wordsOf(values) })
      const changes = differing(wordsOf(values), wordsOf(begun))
      if (Object.keys(changes).length === 0) return template
      return api.mailTemplates.update({ templateId: template.templateId, ...changes })
    },
    onSuccess: saved => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail templates'] })
      if (template !== undefined) toast({ text: t('saved') })
      onSaved(saved)
    },
  })
  const { text, ...faults } = useFormFields({ values, change: setValues }, save.error, shown)
  return (
    <FormDialog
      wide
      title={template === undefined ? t('createTitle') : t('editTitle', { key: template.key })}
      description={t('formText', { field: '{{ name }}', condition: '{% if … %}' })}
      className={styles['editor']}
      faults={faults}
      action={t(template === undefined ? 'create' : 'save')}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <div className={styles['parts']}>
        {template === undefined && (
          <>
            <TextField label={t('key')} mono placeholder={t('exampleKey')} hint={t('keyHint')} {...text('key')} />
            <TextField
              label={t('language')}
              optional
              placeholder={t('exampleLanguage')}
              hint={t('languageHint')}
              {...text('locale')}
            />
          </>
        )}
        <TextField label={t('subject')} {...text('subject')} />
        <TextArea label={t('text')} rows={10} mono {...text('text')} />
        <TextArea label={tMails('html')} optional rows={6} mono hint={t('htmlHint')} {...text('html')} />
        <TextArea label={t('sample')} optional rows={5} mono hint={t('sampleHint')} {...text('data')} />
      </div>
      <Preview values={values} />
    </FormDialog>
  )
}

function Preview({ values }: { values: Values }) {
  const api = useApi()
  const { mode } = useSession()
  const asked = useDeferredValue(values)
  const data = parsed(asked.data)
  const key = /^[a-z][a-z0-9_.]*[a-z0-9_]$/.test(asked.key) ? { key: asked.key } : {}
  const query = useQuery({
    queryKey: [mode, 'mail template preview', asked],
    queryFn: ({ signal }) => api.mailTemplates.preview({ ...key, ...wordsOf(asked), data: data ?? {} }, { signal }),
    enabled: data !== undefined && asked.subject.trim() !== '' && asked.text !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  })
  return (
    <div className={styles['parts']} aria-live="polite">
      {data === undefined && <ErrorNote text={t('notJson', { example: '{"name": "Ada"}' })} />}
      {query.error !== null && <ErrorNote text={faultText(query.error)} />}
      {query.data !== undefined && (
        <>
          <strong>{query.data.subject}</strong>
          <MailFrame html={query.data.html} title={query.data.subject} />
        </>
      )}
    </div>
  )
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
