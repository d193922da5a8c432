// What came of a call, a note and the next step, in one card with one press. Escape leaves it be.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { dayOf } from '../data/due_days.ts'
import { Form, type FormFields, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { leads, statusText } from '../leads/lead_noun.ts'
import { asksMore, useMayMove } from '../leads/moves.ts'
import { useNounApi } from '../nouns/api.ts'
import type { NounRecord } from '../nouns/noun.ts'
import { useMayChange } from '../nouns/rights.ts'
import { useSession } from '../session/session.ts'
import { Button, ErrorNote, SelectField, TextArea, TextField, TextLink, toast } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import { isComposing } from '../ui/input_method.ts'
import { dayText } from '../words/format.ts'
import { type AfterValues, afterFields, useAfterCallSave } from './after_call_save.ts'
import { type CalledPerson, useCalledPerson } from './called_person.ts'
import { outcomes, outcomeText } from './outcomes.ts'
import styles from './phone.module.css'
import { changePhone, type EndedCall, forgetEnded, phoneState } from './store.ts'
import { t } from './texts.ts'
import { durationText } from './words.ts'

export type AfterCallProps = {
  call: EndedCall
  /** How many calls wait behind it. */
  waiting: number
  /** Whether another call rings or is on, which has the keyboard. */
  isBusy: boolean
}

export function AfterCall({ call, waiting, isBusy }: AfterCallProps) {
  const person = useCalledPerson(call)
  const lead = useLead(person)
  const draft = useFormDraft<AfterValues>(`after ${call.callId}`, {
    outcome: call.guess ?? '',
    body: '',
    title: '',
    due_on: '',
    status: '',
    lost_reason: '',
    name: '',
  })
  const save = useAfterCallSave(call, recordId => {
    draft.forget()
    forgetEnded(call.callId)
    toast({
      text: recordId === undefined ? t('outcomeSaved') : t('noted', { name: nameOf(call, person) }),
    })
  })
  const { form, ...fields } = useFormFields(draft, save.error, afterFields)
  useFirstFocus(form, isBusy)
  const skip = () => {
    const before = phoneState().ended
    forgetEnded(call.callId)
    toast({
      text: t('notNoted'),
      action: { label: t('undo'), onSelect: () => changePhone({ ended: before }) },
    })
  }
  const submit = () => {
    if (!save.isPending) save.mutate({ values: draft.values, person: person ?? null, version: lead?.version })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return
    if (event.key === 'Escape') skip()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }
  return (
    <Form
      ref={form}
      className={styles['after']}
      aria-label={t('afterCall', { name: nameOf(call, person) })}
      onSubmit={submit}
      onKeyDown={onKeyDown}
    >
      <Head call={call} person={person} />
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <Outcomes fields={fields} name={nameOf(call, person)} />
      {person === null && <Unknown call={call} fields={fields} />}
      {(person != null || draft.values.name.trim() !== '') && <Kept fields={fields} lead={lead} />}
      <div className={styles['afterFoot']}>
        {waiting > 0 && <span className={styles['waiting']}>{t('waiting', { count: waiting })}</span>}
        <Button variant="ghost" onClick={skip} title={t('escape')}>
          {t('skip')}
        </Button>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={person === undefined}>
          {t('save')}
        </Button>
      </div>
    </Form>
  )
}

const nameOf = ({ name, other }: EndedCall, person: CalledPerson | null | undefined) => person?.name ?? name ?? other

/** The lead, whose status may move. */
function useLead(person: CalledPerson | null | undefined): NounRecord | undefined {
  const own = useNounApi(leads)
  const { mode, permissions } = useSession()
  const id = String(person?.leadId ?? '')
  const query = useQuery({
    queryKey: [mode, leads.one, id],
    queryFn: ({ signal }) => own.get(id, signal),
    enabled: id !== '' && permissions.has('leads:read'),
  })
  return id === '' ? undefined : query.data
}

/** Who sits at the keyboard goes on here, unless they are writing elsewhere. */
function useFirstFocus(form: { current: HTMLFormElement | null }, isBusy: boolean): void {
  const first = useRef(!isBusy)
  useEffect(() => {
    const at = document.activeElement
    const isFree = at === null || at === document.body || at.closest('[data-softphone]') !== null
    if (first.current && isFree)
      (form.current?.querySelector<HTMLElement>('input:checked') ?? form.current?.querySelector('input'))?.focus()
    first.current = false
  }, [form])
}

/** Why nobody was reached; where this phone hung up before that, there is no more to say. */
const notTalked = ({ why }: EndedCall) => (why === t('ended.normal') ? t('notAnswered') : why)

function Head({ call, person }: { call: EndedCall; person: CalledPerson | null | undefined }) {
  const name = nameOf(call, person)
  const talked = call.talkedMs === null ? notTalked(call) : t('talkedFor', { duration: durationText(call.talkedMs) })
  const [, leadId] = /^lead:(\d+)$/.exec(person?.recordId ?? '') ?? []
  return (
    <div className={styles['afterHead']}>
      <Initials name={name} />
      <div>
        <h2>
          {t.rich('callWith', {
            name: () =>
              leadId === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <TextLink to="/leads/$id" params={{ id: leadId }}>
                  <bdi>{name}</bdi>
                </TextLink>
              ),
          })}
        </h2>
        <small>{name === call.other ? talked : `${talked} · ${call.other}`}</small>
      </div>
    </div>
  )
}

type Fields = Omit<FormFields<AfterValues>, 'form'>

function Outcomes({ fields, name }: { fields: Fields; name: string }) {
  const { values, put } = fields
  return (
    <fieldset className={styles['outcomes']}>
      <legend className="visually-hidden">{t('outcomes')}</legend>
      {outcomes.map(outcome => (
        <label key={outcome} className={styles['outcome']}>
          <input
            type="radio"
            name="outcome"
            value={outcome}
            checked={values.outcome === outcome}
            onChange={() => {
              put('outcome', outcome)
              if (outcome !== 'call_back' || values.title !== '') return
              put('title', t('callBack', { name }))
              put('due_on', dayIn(1))
            }}
          />
          {outcomeText(outcome)}
        </label>
      ))}
    </fieldset>
  )
}

/** Somebody whom nobody knows yet becomes a lead by a name. */
function Unknown({ call, fields }: { call: EndedCall; fields: Fields }) {
  const { permissions } = useSession()
  if (!permissions.has('leads:create'))
    return <p className={styles['waiting']}>{t('unknown', { number: call.other })}</p>
  return (
    <TextField
      label={t('createLead')}
      dir="auto"
      placeholder={t('whoExample')}
      hint={t('unknownHint', { number: call.other })}
      {...fields.text('name')}
    />
  )
}

/** What is kept with the record: a note, what to do next, and of a lead where it stands. */
function Kept({ fields, lead }: { fields: Fields; lead: NounRecord | undefined }) {
  const { permissions } = useSession()
  const { values, text, put } = fields
  return (
    <>
      {permissions.has('notes:create') && (
        <TextArea label={t('note')} dir="auto" rows={2} placeholder={t('noteExample')} {...text('body')} />
      )}
      {permissions.has('tasks:create') && (
        <div className={styles['next']}>
          <TextField label={t('nextStep')} dir="auto" placeholder={t('nextExample')} {...text('title')} />
          <SelectField
            label={t('due')}
            options={dueOptions(values.due_on)}
            value={values.due_on}
            error={fields.fields['due_on']}
            onChange={({ target }) => put('due_on', target.value)}
          />
        </div>
      )}
      {lead !== undefined && <Move lead={lead} fields={fields} />}
    </>
  )
}

function Move({ lead, fields }: { lead: NounRecord; fields: Fields }) {
  const mayChange = useMayChange(leads)
  const mayMove = useMayMove()
  const { values, text, put } = fields
  const now = String(lead['status'])
  const targets = (leads.moves?.[now] ?? []).filter(to => to !== 'Converted' && mayMove(lead, to))
  if (!mayChange(lead) || targets.length === 0) return null
  return (
    <div className={styles['next']}>
      <SelectField
        label={t('status')}
        options={[
          { value: '', label: t('stays', { status: statusText(now) }) },
          ...targets.map(value => ({ value, label: t('moveTo', { status: statusText(value) }) })),
        ]}
        value={values.status}
        error={fields.fields['status']}
        onChange={({ target }) => put('status', target.value)}
      />
      {asksMore(values.status) && <TextField label={t('why')} dir="auto" {...text('lost_reason')} />}
    </div>
  )
}

/** The day in so many days, where the reader is. */
function dayIn(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  return dayOf(day.toISOString())
}

function dueOptions(chosen: string) {
  const near = [
    { value: '', label: t('noDay') },
    { value: dayIn(0), label: t('today') },
    { value: dayIn(1), label: t('tomorrow') },
    ...[2, 3, 7, 14, 30].map(days => ({
      value: dayIn(days),
      label: dayText(new Date(`${dayIn(days)}T12:00:00`), { weekday: 'short', day: 'numeric', month: 'short' }),
    })),
  ]
  // A draft of yesterday.
  return near.some(({ value }) => value === chosen) ? near : [...near, { value: chosen, label: chosen }]
}
