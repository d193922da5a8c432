// Notes on a record: pinned ones first, then the newest. They are written, changed, pinned and deleted by those who may change the record.
import type { Note } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { faultsOf } from '../../forms/faults.ts'
import { Form } from '../../forms/form.tsx'
import { useFormDraft } from '../../forms/form_draft.ts'
import { useApi } from '../../session/api.ts'
import { Button, Card, ErrorState, IconButton, LoadingRows, TextArea, Time, toast } from '../../ui/index.ts'
import styles from '../nouns.module.css'
import { t as tNouns } from '../texts.ts'
import { useAct } from '../use_act.ts'
import { UserName } from '../user_name.tsx'
import own from './attached.module.css'
import { t } from './texts.ts'
import { useAttached } from './use_attached.ts'

const maxShown = 100

export function Notes({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const api = useApi()
  const { query, items, changed } = useAttached('note', recordId, async signal => {
    const reply = await api.notes.list({ record_id: recordId, sort: '-created_at', limit: maxShown }, { signal })
    return reply.notes as Note[]
  })
  const notes = items.toSorted((a, b) => Number(b.is_pinned) - Number(a.is_pinned))
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
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !create.isPending) create.mutate()
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

function EditNote({ note, onClose, onSaved }: { note: Note; onClose(): void; onSaved(): void }) {
  const api = useApi()
  const [body, setBody] = useState(note.body)
  const save = useMutation({
    mutationFn: () => api.notes.update({ id: note.id, body }, { ifMatch: note.version }),
    onSuccess: onSaved,
  })
  const { fields, general } = faultsOf(save.error, ['body'])
  const fault = fields['body'] ?? general
  return (
    <Form className={styles['stack']} onSubmit={() => (body === note.body ? onClose() : save.mutate())}>
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
