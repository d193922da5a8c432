// The dialog that sends one text to many: to numbers that are typed or pasted, or to the records that were selected. Who could not be sent it
// stays in the form, with the reason; everybody else got it once, however often it is sent again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useCarriers } from '../../data/messaging_lists.ts'
import { EmptyFormButton } from '../../forms/empty_form_button.tsx'
import { FieldFaults } from '../../forms/faults.ts'
import { FormDialog, useFormFields } from '../../forms/form.tsx'
import { useFormDraft } from '../../forms/form_draft.ts'
import type { NounRecord } from '../../nouns/noun.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { CheckboxField, ErrorNote, TextArea, toast } from '../../ui/index.ts'
import styles from '../compose.module.css'
import { ComposeFields, type ComposeValues, emptyCompose, shown, textOf } from '../compose.tsx'
import { simulatorSender } from '../sender_field.tsx'
import { t } from '../texts.ts'
import {
  linesOf,
  namelessOf,
  namePlaceholder,
  numberless,
  onceEach,
  type Recipient,
  recipientsIn,
  recipientsOf,
  type Selected,
  textFor,
  unknownPlaceholders,
} from './recipients.ts'
import { type Progress, type Refused, sendMany } from './send_many.ts'

const maxRecipients = 5_000
const maxShown = 20

export type ManyDialogProps = {
  /** Who gets it, where they are not typed. */
  records?: readonly NounRecord[]
  onClose(): void
  /** Everybody was sent it. */
  onDone?(): void
}

export function ManyDialog({ records, onClose, onDone }: ManyDialogProps) {
  const { mode } = useSession()
  const carriers = useCarriers()
  const [selected] = useState(() => records && recipientsOf(records))
  const form = useMany(selected, { onClose, onDone })
  const { draft, recipients, send, fields, refused, close } = form
  const first = recipients[0]
  const values = {
    ...draft.values,
    to: first?.to ?? '',
    body: first ? textFor(draft.values.body, first) : draft.values.body,
  }
  const later = draft.values.when === 'later'
  // What is wrong with the recipients stands beside them.
  const { to: _, ...others } = fields.fields
  return (
    <FormDialog
      kept
      wide
      title={t('many')}
      description={aboutOf(mode, carriers.isKnown ? carriers.items.length : undefined)}
      faults={{ form: fields.form }}
      action={t(later ? 'manyPlan' : 'manyDo', { count: recipients.length })}
      busy={send.isPending}
      aside={<EmptyFormButton draft={draft} request={send} form={fields.form} />}
      onSubmit={() => send.mutate()}
      onClose={close}
    >
      <fieldset className={styles['fields']} disabled={send.isPending}>
        {refused.length > 0 && <NotSent refused={refused} />}
        {selected === undefined ? (
          <TextArea
            rows={4}
            label={t('manyTo')}
            hint={t('manyToHint')}
            placeholder={t('manyToExample')}
            {...fields.text('to')}
          />
        ) : (
          <SelectedNote selected={selected} form={form} />
        )}
        <ComposeFields
          full
          compose={{ values, fields: { ...fields, fields: others }, send, fixed: true }}
          bodyHint={
            first === undefined || values.body === draft.values.body
              ? t('manyNameHint', { name: namePlaceholder })
              : t('manyFirst', { who: first.name ?? first.to, text: values.body })
          }
        />
      </fieldset>
    </FormDialog>
  )
}

type Many = ReturnType<typeof useMany>

/** What is typed, who is left to be sent it, and the sending. */
function useMany(selected: Selected | undefined, { onClose, onDone }: Pick<ManyDialogProps, 'onClose' | 'onDone'>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const draft = useFormDraft<ComposeValues>(selected === undefined ? 'many texts' : 'texts to records', {
    ...emptyCompose,
    sender: mode === 'test' ? simulatorSender : '',
  })
  const [agreedOnly, setAgreedOnly] = useState(true)
  /** Of the selected, those who were not sent it yet. */
  const [left, setLeft] = useState<readonly Recipient[]>(selected?.recipients ?? [])
  const [refused, setRefused] = useState<readonly Refused[]>([])
  /** Refused in an attempt that broke off behind them: not among the recipients until all others have it. */
  const aside = useRef<readonly Refused[]>([])
  const hasSent = useRef(false)
  const chosen = agreedOnly ? left.filter(({ to }) => selected?.unagreed.has(to) !== true) : left
  const recipients = onceEach(selected === undefined ? recipientsIn(draft.values.to) : chosen)

  const send = useMutation({
    async mutationFn() {
      const typed = draft.values
      check(typed, recipients, selected !== undefined)
      const before = aside.current
      let to = typed.to
      // Those who have it are sent it no more, whatever becomes of the others.
      const onPart = (part: Progress) => {
        const all = [...before, ...part.refused]
        setRefused(all)
        if (part.accepted > 0) hasSent.current = true
        if (part.left.length === 0) return
        aside.current = all
        setLeft(part.left)
        to = linesOf(part.left)
        if (selected === undefined) draft.change(old => ({ ...old, to }))
      }
      const { accepted, refused } = await sendMany(
        { api, attempts: draft.attempts },
        { common: textOf(typed), recipients, onPart },
      )
      aside.current = []
      const waiting = [...before, ...refused].map(({ recipient }) => recipient)
      return { accepted, waiting, typed: { ...typed, ...(selected === undefined && { to }) } }
    },
    onSettled: () => void cache.invalidateQueries({ queryKey: [mode, 'messages'] }),
    onSuccess({ accepted, waiting, typed }) {
      if (accepted > 0) toast({ text: t(typed.when === 'later' ? 'manyPlanned' : 'manySent', { count: accepted }) })
      setLeft(waiting)
      draft.sent(typed, waiting.length > 0 ? { ...typed, to: linesOf(waiting) } : undefined)
      if (waiting.length > 0) return
      onDone?.()
      onClose()
    },
  })
  const fields = useFormFields({ values: draft.values, change: draft.change }, send.error, shown)
  /** Not while it is sent: what comes of it would be shown to nobody. Records of which some have it are chosen no more. */
  const close = () => {
    if (send.isPending) return
    if (hasSent.current) onDone?.()
    onClose()
  }
  return { draft, recipients, agreedOnly, setAgreedOnly, refused, send, fields, close }
}

/** @throws FieldFaults for what need not be sent to be known */
function check(
  { sender, body, when, sendAt }: ComposeValues,
  recipients: readonly Recipient[],
  isFixed: boolean,
): void {
  const unknown = unknownPlaceholders(body)
  const nameless = namelessOf(body, recipients)
  const [bad] = numberless(recipients)
  const faults = {
    ...(recipients.length === 0 && { to: t(isFixed ? 'manyNobody' : 'manyToMissing') }),
    ...(bad !== undefined && { to: t('manyNoNumber', { what: bad.to }) }),
    ...(recipients.length > maxRecipients && { to: t('manyTooMany', { max: maxRecipients }) }),
    ...(sender.trim() === '' && { from: t('senderMissing') }),
    ...(body.trim() === '' && { body: t('manyBodyMissing') }),
    ...(nameless.length > 0 && {
      body: t('manyNameless', { count: nameless.length, who: nameless[0]!.to, name: namePlaceholder }),
    }),
    ...(unknown.length > 0 && { body: t('manyUnknown', { what: unknown[0]!, name: namePlaceholder }) }),
    ...(when === 'later' && sendAt === '' && { sendAt: t('sendAtMissing') }),
  }
  if (Object.keys(faults).length > 0) throw new FieldFaults(faults)
}

/** Which of the selected get it. */
function SelectedNote({ selected, form }: { selected: Selected; form: Many }) {
  const { recipients, agreedOnly, setAgreedOnly, fields } = form
  const names = recipients.slice(0, 3).map(({ name, to }) => name ?? to)
  return (
    <>
      {fields.fields['to'] !== undefined && <ErrorNote text={fields.fields['to']} />}
      <p>
        {recipients.length > 0 && t('manyNamed', { names: names.join(', '), more: recipients.length - names.length })}{' '}
        {selected.unreachable > 0 && t('manyUnreachable', { count: selected.unreachable })}
      </p>
      {selected.unagreed.size > 0 && (
        <CheckboxField
          label={t('manyAgreed', { count: selected.unagreed.size })}
          checked={agreedOnly}
          onChange={event => setAgreedOnly(event.target.checked)}
        />
      )}
    </>
  )
}

function NotSent({ refused }: { refused: readonly Refused[] }) {
  return (
    <div>
      <ErrorNote text={t('manyRefused', { count: refused.length })} />
      <ul>
        {refused.slice(0, maxShown).map(({ recipient: { to, name }, reason }) => (
          <li key={to}>{t('manyReason', { who: name === undefined ? to : `${name} (${to})`, reason })}</li>
        ))}
        {refused.length > maxShown && <li>{t('manyMore', { count: refused.length - maxShown })}</li>}
      </ul>
    </div>
  )
}

function aboutOf(mode: string, carriers: number | undefined): ReactNode {
  if (mode === 'test') return t('manyWho.test')
  return t(carriers === 0 ? 'manyWho.noCarrier' : 'manyWho.live')
}
