// Writes a mail to a lead or contact: to one of their addresses, in own words or beginning with those of a template; in a dialog, or as part
// of a page. What was typed is kept until it is sent.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import record from '../data/record.module.css'
import { Form, FormDialog, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote, SelectField, TextArea, TextField, toast } from '../ui/index.ts'
import { attachmentsOf, namesOf } from './attached.ts'
import { MailFiles } from './mail_files.tsx'
import { t } from './texts.ts'
import { type TemplateWordsOptions, useTemplateWords } from './use_template_words.ts'

export type MailOptions = {
  recordId?: string
  /** Of the person, as templates call them. */
  name: string
  /** Their addresses, the first one first. */
  to: readonly string[]
  subject?: string
  answersInboundId?: string
  onSent(): void
}

const own = ''

function useMail({ recordId, name, to, subject = '', answersInboundId, onSent }: MailOptions) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const about = answersInboundId ?? recordId ?? to.join()
  const draft = useFormDraft(`mail about ${about}`, {
    to: to[0] ?? '',
    subject,
    text: '',
    files: [] as readonly File[],
  })
  const { values } = draft
  const send = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const { files } = values
      const mail = {
        to: [{ address: values.to.trim(), ...(to.includes(values.to) && name !== values.to && { name }) }],
        subject: values.subject,
        text: values.text,
        stream: 'conversation' as const,
        ...(recordId !== undefined && { recordId }),
        ...(answersInboundId !== undefined && { answersInboundId }),
      }
      // What is kept of an attempt is without the bytes of its files.
      const { key, request } = draft.attempts.of(mail, { mail, files: namesOf(files) })
      const attachments = await attachmentsOf(files)
      await api.mails.create(
        { ...request, ...(attachments.length > 0 && { attachments }) },
        { idempotencyKey: key, timeoutMs: fileTimeoutMs },
      )
      return values
    },
    onSuccess: sent => {
      draft.sent(sent)
      for (const key of ['timeline', 'mails']) void cache.invalidateQueries({ queryKey: [mode, key] })
      toast({ text: t('onItsWay', { name }) })
      onSent()
    },
  })
  const fields = useFormFields({ values, change: draft.change }, send.error, ['to', 'subject', 'text'])
  return { name, to, draft, send, fields }
}

type Mail = ReturnType<typeof useMail>

function MailFields({ mail: { name, to, draft, fields }, rows }: { mail: Mail; rows: number }) {
  const { text, put, values } = fields
  return (
    <>
      {to.length > 1 ? (
        <SelectField
          label={t('to')}
          options={to.map(value => ({ value, label: value }))}
          value={values.to}
          onChange={({ target }) => put('to', target.value)}
        />
      ) : (
        <TextField label={t('to')} type="email" required {...text('to')} />
      )}
      <Beginning
        name={name}
        caret={() => fields.form.current?.querySelector('textarea')?.selectionStart}
        onWords={next => draft.change(old => ({ ...old, ...next(old) }))}
      />
      <TextField
        label={t('subject')}
        dir="auto"
        required
        maxLength={998}
        className={record['wide']}
        {...text('subject')}
      />
      <TextArea label={t('text')} dir="auto" required rows={rows} className={record['wide']} {...text('text')} />
      <div className={record['wide']}>
        <MailFiles files={values.files} onChange={files => put('files', files)} />
      </div>
    </>
  )
}

export type ComposerProps = Omit<MailOptions, 'onSent'> & { onClose(): void }

export function Composer({ onClose, ...options }: ComposerProps) {
  const mail = useMail({ ...options, onSent: onClose })
  return (
    <FormDialog
      kept
      wide
      title={t('mailTo', { name: options.name })}
      description={t('composerText')}
      className={record['form']}
      faults={mail.fields}
      action={t('send')}
      busy={mail.send.isPending}
      onSubmit={mail.send.mutate}
      onClose={onClose}
    >
      <MailFields mail={mail} rows={12} />
    </FormDialog>
  )
}

/** The same as part of a page. */
export function MailForm(options: MailOptions) {
  const mail = useMail(options)
  const { form, general } = mail.fields
  return (
    <Form
      ref={form}
      className={record['form']}
      aria-label={t('mailTo', { name: options.name })}
      onSubmit={() => mail.send.mutate()}
    >
      {general !== undefined && (
        <div className={record['wide']}>
          <ErrorNote text={general} />
        </div>
      )}
      <MailFields mail={mail} rows={6} />
      <div className={`${record['wide']} ${record['end']}`}>
        <Button type="submit" variant="primary" busy={mail.send.isPending}>
          {t('sendMail')}
        </Button>
      </div>
    </Form>
  )
}

/** The words of a template to begin with, where there are any. */
function Beginning(props: TemplateWordsOptions) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [chosen, setChosen] = useState(own)
  const templates = useQuery({
    queryKey: [mode, 'templates to write with'],
    queryFn: ({ signal }) => api.mailTemplates.list({ limit: 200 }, { signal }),
    enabled: permissions.has('mail:read'),
  })
  const offered = templates.data?.items ?? []
  const begin = useTemplateWords(props)
  if (offered.length === 0) return null
  const options = offered.map(({ templateId, key, locale }) => ({
    value: templateId,
    label: locale === null || locale === '' ? key : `${key} (${locale})`,
  }))
  return (
    <>
      <SelectField
        label={t('template')}
        options={[{ value: own, label: t('noTemplate') }, ...options]}
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value)
          const template = offered.find(({ templateId }) => templateId === target.value)
          if (template === undefined) begin.chooseNone()
          else begin.choose(template)
        }}
      />
      {begin.error !== null && (
        <div className={record['wide']}>
          <ErrorNote text={t('templateFault', { fault: faultText(begin.error) })} />
        </div>
      )}
    </>
  )
}
