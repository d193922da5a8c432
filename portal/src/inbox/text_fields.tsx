// The fields of a text: its words, how they travel, and the sender where none is known.
import { useMutation } from '@tanstack/react-query'
import { useCarriers, useNumbers } from '../data/messaging_lists.ts'
import { simulatorSender } from '../messages/sender_field.tsx'
import { useApi } from '../session/api.ts'
import { spokenNumber } from '../sms_simulator/numbers.ts'
import { SelectField, TextArea } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import styles from './composer.module.css'
import type { Draft } from './draft.ts'
import { t } from './texts.ts'
import type { One } from './views.ts'

const PreviewNote = readyPart(() => import('../messages/preview.tsx').then(module => module.PreviewNote))

export type TextFieldsProps = {
  reply: NonNullable<One['reply']['text']>
  values: Draft
  onChange(patch: Partial<Draft>): void
}

export function TextFields({ reply, values: { text, sender }, onChange }: TextFieldsProps) {
  const api = useApi()
  const carriers = useCarriers(text !== '')
  const plain = useMutation({
    gcTime: 0,
    mutationFn: () => api.messages.preview({ body: text, smartEncoding: true }),
    onSuccess: ({ body }) => onChange({ text: body }),
  })
  const from = reply.from ?? sender
  return (
    <>
      {reply.from === null && <FromField value={sender} onChange={next => onChange({ sender: next })} />}
      <TextArea
        label={t('text.to', { to: spokenNumber(reply.to) })}
        hideLabel
        placeholder={t('text.to', { to: spokenNumber(reply.to) })}
        rows={2}
        maxLength={1_600}
        dir="auto"
        className={styles['area']}
        value={text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      {text !== '' && (
        <PreviewNote
          input={{ sender: from, to: reply.to, body: text, smart: false }}
          carriers={carriers.items}
          onSmart={plain.mutate}
        />
      )}
    </>
  )
}

/** The number that a first text comes from; without one of its own, an organization has that of the simulator. */
function FromField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const numbers = useNumbers()
  const own = numbers.items.filter(({ sms }) => sms)
  const known = own.length > 0 ? own : [{ number: simulatorSender, label: null }]
  const options = known.map(({ number, label }) => ({
    value: number,
    label: label === null ? spokenNumber(number) : `${spokenNumber(number)}, ${label}`,
  }))
  return (
    <SelectField
      label={t('text.from')}
      required
      options={[{ value: '', label: t('text.from.choose') }, ...options]}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
