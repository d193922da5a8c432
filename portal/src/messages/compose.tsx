// Writing a text: who sends it, to whom, what it says and when, with what becomes of it shown while it is typed. The dialog
// of the messages and the handset are made of this.
import type { MessagesSmsSendReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useCarriers } from '../data/messaging_lists.ts'
import { useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { CheckboxField, ErrorNote, SegmentedControl, TextArea, TextField } from '../ui/index.ts'
import styles from './compose.module.css'
import { PreviewNote, senderFields } from './preview.tsx'
import { SenderField } from './sender_field.tsx'

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

const shown = ['from', 'serviceId', 'to', 'body', 'sendAt', 'tags'] as const

function requestOf(values: ComposeValues) {
  const { sender, to, body, smart, when, sendAt, tags } = values
  const words = tags.split(',').map(tag => tag.trim())
  const at = new Date(sendAt)
  return {
    ...senderFields(sender),
    to,
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
  onSent(reply: MessagesSmsSendReply, values: ComposeValues): void
}

export function useCompose({ draft: name, sender, to = '', onSent }: ComposeOptions) {
  const api = useApi()
  const empty: ComposeValues = { sender, to: '', body: '', smart: false, when: 'now', sendAt: '', tags: '' }
  const draft = useFormDraft(name, empty)
  const values = to === '' ? draft.values : { ...draft.values, to }
  const send = useMutation({
    mutationFn: () => api.messages.sms.send(requestOf(values)),
    onSuccess: reply => onSent(reply, values),
  })
  const fields = useFormFields({ values, change: draft.change }, send.error, shown)
  return { draft, values, send, fields, fixed: to !== '' }
}

export type Compose = ReturnType<typeof useCompose>

/** The fields; `full` adds the time and the tags. */
export function ComposeFields({ compose, full = false }: { compose: Compose; full?: boolean }) {
  const { values, fixed } = compose
  const { fields, general, put, text } = compose.fields
  const carriers = useCarriers()
  const [typedSmart, setTypedSmart] = useState(false)
  // A recipient that is not typed here has no field to stand beside: what is wrong with it is shown in the server's words.
  const asksSmart = full || values.smart || typedSmart
  const refusal = general ?? (fixed && fields['to'] !== undefined ? compose.send.error?.message : undefined)
  return (
    <div className={styles['fields']}>
      {refusal !== undefined && <ErrorNote text={refusal} />}
      <div className={fixed ? undefined : styles['pair']}>
        <SenderField
          value={values.sender}
          error={faultOf(
            fields['from'] ?? fields['serviceId'],
            values.sender,
            'Choose a service, a number or a sender id.',
          )}
          onChange={sender => put('sender', sender, 'from')}
        />
        {!fixed && (
          <TextField
            label="To"
            type="tel"
            placeholder="+1 500 555 0100"
            {...text('to')}
            error={faultOf(fields['to'], values.to, 'Type a telephone number.')}
          />
        )}
      </div>
      <TextArea label="Text" rows={3} maxLength={1_600} {...text('body')} />
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
          label="Replace look-alikes"
          hint="Curly quotes and long dashes become plain ones where that saves segments. Off, the service decides."
          checked={values.smart}
          onChange={event => put('smart', event.target.checked)}
        />
      )}
      {full && (
        <div className={styles['pair']}>
          <div className={styles['when']}>
            <SegmentedControl
              label="When"
              options={[
                { value: 'now', label: 'Send now' },
                { value: 'later', label: 'Schedule' },
              ]}
              value={values.when}
              onChange={when => put('when', when)}
            />
            {values.when === 'later' && (
              <TextField
                label="Send at"
                type="datetime-local"
                hint="5 minutes to 35 days from now, by your clock."
                {...text('sendAt')}
                error={faultOf(fields['sendAt'], values.sendAt, 'Choose a date and a time.')}
              />
            )}
          </div>
          <TextField label="Tags" optional hint="Words of your own, with commas between them." {...text('tags')} />
        </div>
      )}
    </div>
  )
}
