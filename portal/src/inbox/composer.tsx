// Answering in place: by text or mail, or a note for colleagues. What was typed is kept for each conversation until it is sent.

import { isTandemError } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote, SegmentedControl } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { Answered, useAnswered } from './answered.tsx'
import styles from './composer.module.css'
import { type Draft, isEmpty, mentionsIn, useDraft, withTemplate } from './draft.ts'
import { MailFields } from './mail_fields.tsx'
import { TextFields } from './text_fields.tsx'
import { t } from './texts.ts'
import { useFreshCounts, useTakeIn } from './use_inbox.ts'
import { readEnd, useAdd } from './use_thread.ts'
import type { Item, One } from './views.ts'

const NoteField = readyPart(() => import('./note_field.tsx').then(module => module.NoteField))
const TemplatesMenu = readyPart(() => import('./templates_menu.tsx').then(module => module.TemplatesMenu))

export type Tab = Draft['tab']

/** By what the person may answer here. */
function useTabs({ reply }: One): Tab[] {
  const { permissions } = useSession()
  if (!permissions.has('conversations:write')) return []
  return [
    ...(reply.text !== null && permissions.has('messages:send') ? (['text'] as const) : []),
    ...(reply.mail !== null && permissions.has('mail:send') ? (['mail'] as const) : []),
    'note',
  ]
}

export type ComposerProps = {
  one: One
  items: readonly Item[]
  /** That became part of this one: what was typed in it stands here. */
  former?: string | undefined
  /** Asks for the focus, in the tab for an answer or a note, so far from the end of the words; another object asks again. */
  wanted: { what: 'answer' | 'note'; fromEnd?: number } | undefined
  onTyping(): void
}

export function Composer({ one, items, former, wanted, onTyping }: ComposerProps) {
  const tabs = useTabs(one)
  const draft = useDraft(one, former)
  const tab = tabs.includes(draft.values.tab) ? draft.values.tab : (tabs[0] ?? 'note')
  const box = useRef<HTMLFormElement>(null)
  const [isUsed, setUsed] = useState(false)
  const answered = useAnswered(items, !isEmpty(draft.values, tab))
  const send = useSend(one, items, tab, draft)
  const change = (patch: Partial<Draft>) => {
    draft.change(old => ({ ...old, ...patch }))
    onTyping()
  }
  const focusWanted = useWanted(box, wanted, { tab, tabs, onTab: next => draft.change(old => ({ ...old, tab: next })) })
  if (tabs.length === 0) return <p className={styles['mute']}>{t('answer.none')}</p>
  const submit = () => {
    if (send.isPending || isEmpty(draft.values, tab)) return
    answered.dismiss()
    send.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event)) return
    event.preventDefault()
    submit()
  }
  const isConflict = isTandemError(send.error) && send.error.code === 'conversation_answered'
  return (
    <form
      ref={box}
      className={styles['composer']}
      data-note={tab === 'note' || undefined}
      aria-label={t('answer')}
      onKeyDown={onKeyDown}
      onFocusCapture={() => setUsed(true)}
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      {(isConflict || answered.item !== undefined) && (
        <Answered
          item={answered.item}
          isConflict={isConflict}
          onSend={submit}
          onDismiss={() => {
            answered.dismiss()
            send.reset()
          }}
        />
      )}
      {send.error !== null && !isConflict && <ErrorNote text={faultText(send.error)} />}
      <div className={styles['bar']}>
        <SegmentedControl
          label={t('answer.by')}
          options={tabs.map(value => ({ value, label: t(`kind.${value}`) }))}
          value={tab}
          onChange={value => {
            send.reset()
            draft.change(old => ({ ...old, tab: value }))
          }}
        />
        {tab !== 'note' && isUsed && (
          <TemplatesMenu
            name={one.party.name}
            caret={() => box.current?.querySelector('textarea')?.selectionStart}
            onWords={next => {
              draft.change(old => withTemplate(old, tab, next))
              onTyping()
            }}
          />
        )}
      </div>
      <Fields one={one} tab={tab} values={draft.values} onChange={change} onNote={focusWanted} />
      <Foot tab={tab} isBusy={send.isPending} isEmpty={isEmpty(draft.values, tab)} />
    </form>
  )
}

type FootProps = { tab: Tab; isBusy: boolean; isEmpty: boolean }

function Foot({ tab, isBusy, isEmpty }: FootProps) {
  return (
    <div className={styles['foot']}>
      <span className={styles['hint']}>{t.rich('send.hint', { key: text => <kbd>{text}</kbd> })}</span>
      <Button type="submit" variant="primary" icon={<SendHorizontal size={14} />} busy={isBusy} disabled={isEmpty}>
        {t(`send.${tab}`)}
      </Button>
    </div>
  )
}

type FieldsProps = {
  one: One
  tab: Tab
  values: Draft
  onChange(patch: Partial<Draft>): void
  /** The field of the note is there: it may come a moment after its tab. */
  onNote(): void
}

function Fields({ one: { reply, party }, tab, values, onChange, onNote }: FieldsProps) {
  const { permissions } = useSession()
  const mayAttach = party.recordId !== null && permissions.has('attachments:create')
  return (
    <>
      {tab === 'text' && reply.text !== null && <TextFields reply={reply.text} values={values} onChange={onChange} />}
      {tab === 'mail' && reply.mail !== null && <MailFields reply={reply.mail} values={values} onChange={onChange} />}
      {tab === 'note' && <NoteField values={values} mayAttach={mayAttach} onChange={onChange} onReady={onNote} />}
    </>
  )
}

type Choice = { tab: Tab; tabs: readonly Tab[]; onTab(tab: Tab): void }

/** Goes to the tab that is asked for, and puts the focus into its field once that is there. @returns what looks whether it is */
function useWanted(box: RefObject<HTMLElement | null>, wanted: ComposerProps['wanted'], choice: Choice): () => void {
  const latest = useRef(choice)
  latest.current = choice
  const pending = useRef<{ tab: Tab; fromEnd: number | undefined }>(undefined)
  useEffect(() => {
    if (wanted === undefined) return
    const { tab, tabs, onTab } = latest.current
    const next = wanted.what === 'note' ? 'note' : tab === 'note' ? (tabs[0] ?? 'note') : tab
    pending.current = { tab: next, fromEnd: wanted.fromEnd }
    onTab(next)
  }, [wanted])
  const focus = () => {
    const field = box.current?.querySelector('textarea')
    const { tab: wantedTab, fromEnd } = pending.current ?? {}
    if (field == null || wantedTab !== latest.current.tab) return
    pending.current = undefined
    field.focus()
    const at = fromEnd === undefined ? undefined : Math.max(0, field.value.length - fromEnd)
    if (at !== undefined) field.setSelectionRange(at, at)
  }
  useEffect(focus)
  return focus
}

/** Puts files on the record; one that is there already, as the note failed after it, is not put there again. */
function useAttach({ party: { recordId } }: One) {
  const api = useApi()
  const attached = useRef(new Map<File, string>())
  return async (files: readonly File[]): Promise<string[]> => {
    const ids: string[] = []
    for (const file of recordId === null ? [] : files) {
      const id =
        attached.current.get(file) ??
        (
          await api.attachments.create(
            { record_id: recordId ?? '', name: file.name, file },
            { timeoutMs: fileTimeoutMs },
          )
        ).attachment.id
      attached.current.set(file, id)
      ids.push(id)
    }
    return ids
  }
}

type AnsweredMeanwhile = Pick<Item, 'itemId' | 'at'>

function useSend(one: One, items: readonly Item[], tab: Tab, draft: ReturnType<typeof useDraft>) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const freshCounts = useFreshCounts()
  const takeIn = useTakeIn()
  const { conversationId } = one
  const add = useAdd(conversationId)
  const attach = useAttach(one)
  // One may not be shown what somebody answered: then it stands in no thread that one could have read to its end.
  const heardOf = useRef<AnsweredMeanwhile>(undefined)
  const write = async (): Promise<Item> => {
    const { text, sender, subject, mail, note, mentioned, files, attached } = draft.values
    const shown = items.at(-1)
    const isBehind = heardOf.current !== undefined && (shown === undefined || shown.at < heardOf.current.at)
    const lastSeenItemId = (isBehind ? heardOf.current : shown)?.itemId ?? null
    // What was seen last belongs to the first attempt: our own words may be there by the next one.
    const attempt = <Request extends object>(request: Request, content: object = request) => {
      const { key, request: first } = draft.attempts.of({ ...request, lastSeenItemId }, { tab, request: content })
      return [first, { idempotencyKey: key }] as const
    }
    if (tab === 'note') {
      const mentions = mentionsIn(note, mentioned)
      const attachments = await attach(files)
      const [{ lastSeenItemId: _, ...request }, options] = attempt({
        conversationId,
        body: note.trim(),
        mentions,
        ...(attachments.length > 0 && { attachments }),
      })
      return api.conversations.writeNote(request, options)
    }
    if (tab === 'text') {
      const from = one.reply.text?.from === null && sender !== '' ? { from: sender } : {}
      return api.conversations.replyByText(...attempt({ conversationId, body: text.trim(), ...from }))
    }
    const own = one.reply.mail?.subject === null ? { subject } : {}
    const written = { conversationId, text: mail.trim(), ...own }
    if (attached.length === 0) return api.conversations.replyByMail(...attempt(written))
    const { attachmentsOf, namesOf } = await import('../mails/attached.ts')
    // What is kept of an attempt is without the bytes of its files.
    const [request, options] = attempt(written, { ...written, files: namesOf(attached) })
    return api.conversations.replyByMail(
      { ...request, attachments: await attachmentsOf(attached) },
      { ...options, timeoutMs: fileTimeoutMs },
    )
  }
  return useMutation({
    gcTime: 0,
    mutationFn: async () => {
      try {
        return { item: await write(), sent: draft.values, tab }
      } catch (error) {
        // What was answered meanwhile is shown before one may decide.
        if (isTandemError(error) && error.code === 'conversation_answered') {
          draft.attempts.forget()
          heardOf.current = error.more['answered'] as AnsweredMeanwhile
          await readEnd(api, cache, mode, conversationId)
        }
        throw error
      }
    },
    onSuccess: async ({ item, sent, tab: answered }) => {
      add(item)
      draft.clear(answered, sent)
      takeIn(await api.conversations.get({ conversationId }), conversationId)
      freshCounts()
    },
  })
}
