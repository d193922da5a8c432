// Writing a text: who sends it, to whom, what it says and when, with what becomes of it shown while it is typed. The dialog
// of the messages and the handset are made of this.
import type { MessagesSmsSendReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useCarriers } from '../data/messaging_lists.ts'
import { useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { CheckboxField, ErrorNote, SegmentedControl, TextArea, TextField } from '../ui/index.ts'
import styles from './compose.module.css'
import { PreviewNote, senderFields } from './preview.tsx'
import { SenderField } from './sender_field.tsx'
import { t } from './texts.ts'

export type ComposeValues = {
  sender: string
  to: string
  body: string
  smart: boolean
  when: 'now' | 'later'
  /** As a field of the browser gives it: `2026-12-01T09:00`, where the reader is. */
  sendAt: string
  tags: string
}

export const emptyCompose: ComposeValues = {
  sender: '',
  to: '',
  body: '',
  smart: false,
  when: 'now',
  sendAt: '',
  tags: '',
}

export const shown = ['from', 'serviceId', 'to', 'body', 'sendAt', 'tags'] as const

/** What a request says of a text, but for whom it is to. */
export function textOf({ sender, body, smart, when, sendAt, tags }: ComposeValues) {
  const words = tags.split(',').map(tag => tag.trim())
  const at = new Date(sendAt)
  return {
    ...senderFields(sender),
    body,
    ...(smart ? { smartEncoding: true } : {}),
    // What the browser cannot read is sent as it is: the server says what is wrong with it.
    ...(when === 'later' ? { sendAt: Number.isNaN(at.getTime()) ? sendAt : at.toISOString() } : {}),
    ...(words.some(Boolean) ? { tags: words.filter(Boolean) } : {}),
  }
}

/** The server names fields of its own where one is missing; anyone who fills the form knows others. */
function faultOf(error: string | undefined, value: string, missing: string): string | undefined {
  return error !== undefined && value.trim() === '' ? missing : error
}

export type ComposeOptions = {
  /** Names the draft, which outlives the form. */
  draft: string
  sender: string
  /** The recipient, where it is not to be typed. */
  to?: string
  /** @param values that were sent; @param draft the same as the draft holds them, for `draft.sent` */
  onSent(reply: MessagesSmsSendReply, values: ComposeValues, draft: ComposeValues): void
}

export function useCompose({ draft: name, sender, to = '', onSent }: ComposeOptions) {
  const api = useApi()
  const draft = useFormDraft(name, { ...emptyCompose, sender })
  const values = to === '' ? draft.values : { ...draft.values, to }
  const send = useMutation({
    mutationFn: async () => {
      const { key, request } = draft.attempts.of({ ...textOf(values), to: values.to })
      const reply = await api.messages.sms.send(request, { idempotencyKey: key })
      return { reply, values, typed: draft.values }
    },
    onSuccess: sent => onSent(sent.reply, sent.values, sent.typed),
  })
  const fields = useFormFields({ values, change: draft.change }, send.error, shown)
  return { draft, values, send, fields, fixed: to !== '' }
}

export type Compose = ReturnType<typeof useCompose>

const refusalOf = (error: Error | null) => (error === null ? undefined : faultText(error))

export type ComposeFieldsProps = {
  compose: Pick<Compose, 'values' | 'fields' | 'fixed'> & { send: { error: Error | null } }
  /** With the time and the tags. */
  full?: boolean
  /** Below the text. */
  bodyHint?: ReactNode
}
export function ComposeFields({ compose, full = false, bodyHint }: ComposeFieldsProps) {
  const { values, fixed } = compose
  const { fields, general, put, text } = compose.fields
  const carriers = useCarriers()
  const [typedSmart, setTypedSmart] = useState(false)
  // A recipient that is not typed here has no field to stand beside: what is wrong with it is shown in the server's words.
  const asksSmart = full || values.smart || typedSmart
  const refusal = general ?? (fixed && fields['to'] !== undefined ? refusalOf(compose.send.error) : undefined)
  return (
    <div className={styles['fields']}>
      {refusal !== undefined && <ErrorNote text={refusal} />}
      <div className={fixed ? undefined : styles['pair']}>
        <SenderField
          value={values.sender}
          error={faultOf(fields['from'] ?? fields['serviceId'], values.sender, t('senderMissing'))}
          onChange={sender => put('sender', sender, 'from')}
        />
        {!fixed && (
          <TextField
            label={t('to')}
            type="tel"
            placeholder="+1 500 555 0100"
            {...text('to')}
            error={faultOf(fields['to'], values.to, t('toMissing'))}
          />
        )}
      </div>
      <TextArea label={t('text')} rows={3} maxLength={1_600} hint={bodyHint} {...text('body')} />
      <PreviewNote
        input={values}
        carriers={carriers.items}
        onSmart={
          asksSmart
            ? undefined
            : () => {
                setTypedSmart(true)
                put('smart', true)
              }
        }
      />
      {asksSmart && (
        <CheckboxField
          label={t('smart')}
          hint={t('smartHint')}
          checked={values.smart}
          onChange={event => put('smart', event.target.checked)}
        />
      )}
      {full && (
        <div className={styles['pair']}>
          <div className={styles['when']}>
            <SegmentedControl
              label={t('when')}
              options={[
                { value: 'now', label: t('when.now') },
                { value: 'later', label: t('when.later') },
              ]}
              value={values.when}
              onChange={when => put('when', when)}
            />
            {values.when === 'later' && (
              <TextField
                label={t('sendAt')}
                type="datetime-local"
                hint={t('sendAtHint')}
                {...text('sendAt')}
                error={faultOf(fields['sendAt'], values.sendAt, t('sendAtMissing'))}
              />
            )}
          </div>
          <TextField label={t('tags')} optional hint={t('tagsHint')} {...text('tags')} />
        </div>
      )}
    </div>
  )
}
