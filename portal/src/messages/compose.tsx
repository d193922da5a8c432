// Writing a text: who sends it, to whom, what it says and when, with what becomes of it shown while it is typed. The dialog
// of the messages and the handset are made of this.
import type { MessagesSmsSendReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { useFormFaults } from '../app/faults.ts'
import { useFormDraft } from '../app/form_draft.ts'
import { useCarriers } from '../app/messaging_lists.ts'
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
  const faults = useFormFaults(send.error, shown)
  return { draft, values, send, faults, fixed: to !== '' }
}

export type Compose = ReturnType<typeof useCompose>

/** The fields; `full` adds the time and the tags. */
export function ComposeFields({ compose, full = false }: { compose: Compose; full?: boolean }) {
  const { draft, values, faults, fixed } = compose
  const carriers = useCarriers()
  const [typedSmart, setTypedSmart] = useState(false)
  const change = <Name extends keyof ComposeValues>(field: Name, value: ComposeValues[Name]) => {
    faults.mend(field === 'sender' ? 'from' : field)
    draft.change(old => ({ ...old, [field]: value }))
  }
  const { fields, general } = faults
  return (
    <div className={styles['fields']}>
      {general !== undefined && <ErrorNote text={general} />}
      <div className={fixed ? undefined : styles['pair']}>
        <SenderField
          value={values.sender}
          error={fields['from'] ?? fields['serviceId']}
          onChange={sender => change('sender', sender)}
        />
        {!fixed && (
          <TextField
            label="To"
            type="tel"
            placeholder="+1 500 555 0100"
            value={values.to}
            error={fields['to']}
            onChange={event => change('to', event.target.value)}
          />
        )}
      </div>
      <TextArea
        label="Text"
        rows={3}
        maxLength={1_600}
        value={values.body}
        error={fields['body']}
        onChange={event => change('body', event.target.value)}
      />
      <PreviewNote
        input={values}
        carriers={carriers.items}
        onSmart={() => {
          setTypedSmart(true)
          change('smart', true)
        }}
      />
      {(full || values.smart || typedSmart) && (
        <CheckboxField
          label="Replace look-alikes"
          hint="Curly quotes and long dashes become plain ones where that saves segments. Off, the service decides."
          checked={values.smart}
          onChange={event => change('smart', event.target.checked)}
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
              onChange={when => change('when', when)}
            />
            {values.when === 'later' && (
              <TextField
                label="Send at"
                type="datetime-local"
                hint="5 minutes to 35 days from now, by your clock."
                value={values.sendAt}
                error={fields['sendAt']}
                onChange={event => change('sendAt', event.target.value)}
              />
            )}
          </div>
          <TextField
            label="Tags"
            optional
            hint="Words of your own, with commas between them."
            value={values.tags}
            error={fields['tags']}
            onChange={event => change('tags', event.target.value)}
          />
        </div>
      )}
    </div>
  )
}
