// Notes on a record: pinned ones first, then the newest. They are written, changed, pinned and deleted by those who may change the record.
import type { Note } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { faultsOf, isStale } from '../../forms/faults.ts'
import { Form } from '../../forms/form.tsx'
import { useFormDraft } from '../../forms/form_draft.ts'
import { useApi } from '../../session/api.ts'
import { Button, Card, ErrorState, IconButton, LoadingRows, TextArea, Time, toast } from '../../ui/index.ts'
import { isComposing } from '../../ui/input_method.ts'
import styles from '../nouns.module.css'
import { t as tNouns } from '../texts.ts'
import { useAct } from '../use_act.ts'
import { UserName } from '../user_name.tsx'
import own from './attached.module.css'
import { t } from './texts.ts'
import { useAttached } from './use_attached.ts'

/** On a press as many as a page takes; older ones are in the timeline. */
const maxShown = 200
const shownAtFirst = 20

export function Notes({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const api = useApi()
  const [limit, setLimit] = useState(shownAtFirst)
  const { query, changed } = useAttached({ kind: 'note', recordId, limit }, async signal => {
    const of = { record_id: recordId, sort: '-created_at' }
    const [pinned, others] = await Promise.all([
      api.notes.list({ ...of, is_pinned: true, limit: maxShown }, { signal }),
      api.notes.list({ ...of, is_pinned: false, limit }, { signal }),
    ])
    return {
      notes: [...pinned.notes, ...others.notes] as Note[],
      hidden: Math.min(maxShown, others.pagination.totalCount) - others.notes.length,
    }
  })
  const { notes, hidden } = query.data ?? { notes: [], hidden: 0 }
  return (
    <Card title={t('notes')}>
      <div className={styles['stack']}>
        {mayWrite && <NewNote recordId={recordId} onCreated={changed} />}
        {query.isPending ? (
          <LoadingRows label={t('notesLoading')} rows={2} />
        ) : query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : notes.length === 0 ? (
          <p className={styles['faint']}>{t('notesNone')}</p>
        ) : (
          <ul className={styles['stack']} aria-label={t('notes')}>
            {notes.map(note => (
              <OneNote key={note.id} note={note} mayWrite={mayWrite} onChanged={changed} />
            ))}
          </ul>
        )}
        {hidden > 0 && (
          <Button size="sm" busy={query.isPlaceholderData} onClick={() => setLimit(maxShown)}>
            {t('notesMore', { count: hidden })}
          </Button>
        )}
      </div>
    </Card>
  )
}

export type NewNoteProps = { recordId: string; about?: string; className?: string | undefined; onCreated(): void }

/** @param props.about whom it is about, where it stands by itself */
export function NewNote({ recordId, about, className, onCreated }: NewNoteProps) {
  const api = useApi()
  const draft = useFormDraft(`note on ${recordId}`, { body: '' })
  const create = useMutation({
    mutationFn: async () => {
      const sent = draft.values
      const { key, request } = draft.attempts.of({ record_id: recordId, body: sent.body })
      await api.notes.create(request, { idempotencyKey: key })
      return sent
    },
    onSuccess(sent) {
      draft.sent(sent)
      onCreated()
    },
  })
  const { fields, general } = faultsOf(create.error, ['body'])
  const fault = fields['body'] ?? general
  return (
    <Form
      className={className === undefined ? styles['stack'] : `${styles['stack']} ${className}`}
      onSubmit={() => create.mutate()}
      onKeyDown={event => {
        const isAsked = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event)
        if (isAsked && !create.isPending) create.mutate()
      }}
    >
      <TextArea
        label={t('noteNew')}
        dir="auto"
        rows={about === undefined ? 3 : 2}
        {...(about !== undefined && { hideLabel: true, placeholder: t('noteExample', { name: about }) })}
        value={draft.values.body}
        {...(fault !== undefined && { error: fault })}
        onChange={event => draft.change(() => ({ body: event.target.value }))}
      />
      {(about === undefined || draft.values.body !== '' || fault !== undefined) && (
        <div className={own['end']}>
          <Button type="submit" variant={about === undefined ? 'secondary' : 'primary'} busy={create.isPending}>
            {t('noteAdd')}
          </Button>
        </div>
      )}
    </Form>
  )
}

function stateOf({ is_pinned: isPinned, edited_at: at }: Note): 'pinnedEdited' | 'pinned' | 'edited' | 'plain' {
  if (isPinned) return at === null ? 'pinned' : 'pinnedEdited'
  return at === null ? 'plain' : 'edited'
}

function OneNote({ note, mayWrite, onChanged }: { note: Note; mayWrite: boolean; onChanged(): void }) {
  const api = useApi()
  const act = useAct(onChanged)
  const [edited, setEdited] = useState(false)
  const { id, is_pinned: isPinned } = note
  const remove = () =>
    act.mutate(() => api.notes.delete({ id }), {
      onSuccess() {
        const undo = () => act.mutate(() => api.notes.restore({ id }))
        toast({ text: t('noteDeleted'), action: { label: tNouns('undo'), onSelect: undo } })
      },
    })
  return (
    <li className={own['note']}>
      <div className={own['noteHead']}>
        <span className={styles['faint']}>
          {t.rich('noteHead', {
            state: stateOf(note),
            who: () => <UserName id={note.author_id} />,
            time: () => <Time iso={note.created_at} />,
          })}
        </span>
        {mayWrite && !edited && (
          <span>
            <IconButton
              size="sm"
              label={t(isPinned ? 'noteUnpin' : 'notePin')}
              icon={isPinned ? <PinOff size={14} /> : <Pin size={14} />}
              onClick={() => act.mutate(() => api.notes.update({ id, is_pinned: !isPinned }))}
            />
            <IconButton size="sm" label={t('noteEdit')} icon={<Pencil size={14} />} onClick={() => setEdited(true)} />
            <IconButton size="sm" label={t('noteDelete')} icon={<Trash2 size={14} />} onClick={remove} />
          </span>
        )}
      </div>
      {edited ? (
        <EditNote
          note={note}
          onClose={() => setEdited(false)}
          onStale={onChanged}
          onSaved={() => {
            setEdited(false)
            onChanged()
          }}
        />
      ) : (
        <p className={styles['long']} dir="auto">
          {note.body}
        </p>
      )}
    </li>
  )
}

type EditNoteProps = { note: Note; onClose(): void; onSaved(): void; onStale(): void }

function EditNote({ note, onClose, onSaved, onStale }: EditNoteProps) {
  const api = useApi()
  const [begun] = useState(note)
  const [body, setBody] = useState(begun.body)
  const save = useMutation({
    mutationFn: (version: number) => api.notes.update({ id: note.id, body }, { ifMatch: version }),
    onSuccess: onSaved,
    onError: error => (isStale(error) ? onStale() : undefined),
  })
  const isRefused = isStale(save.error)
  const { fields, general } = faultsOf(save.error, ['body'])
  const fault = isRefused ? tNouns('meanwhile.typed') : (fields['body'] ?? general)
  const commit = () => {
    if (body === begun.body) return onClose()
    // One that was only pinned meanwhile is saved. Another text is overwritten only by who has read it.
    save.mutate(isRefused || note.body === begun.body ? note.version : begun.version)
  }
  return (
    <Form className={styles['stack']} onSubmit={commit}>
      {isRefused && note.body !== begun.body && (
        <p className={styles['long']} dir="auto">
          {t('noteMeanwhile', { text: note.body })}
        </p>
      )}
      <TextArea
        label={t('noteText')}
        hideLabel
        rows={4}
        value={body}
        {...(fault !== undefined && { error: fault })}
        onChange={event => setBody(event.target.value)}
      />
      <div className={own['bar']}>
        <Button type="submit" size="sm" variant="primary" busy={save.isPending}>
          {tNouns('save')}
        </Button>
        <Button size="sm" onClick={onClose}>
          {tNouns('cancel')}
        </Button>
      </div>
    </Form>
  )
}
