// Tasks of a record: what is to be done, by whom and until when, and below it what is over. A press completes one, another opens it again.
import type { Task } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../../forms/faults.ts'
import { Form } from '../../forms/form.tsx'
import { useFormDraft } from '../../forms/form_draft.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { Button, Card, CheckboxField, Chip, Day, ErrorState, LoadingRows, TextField } from '../../ui/index.ts'
import styles from '../nouns.module.css'
import { RecordPicker } from '../picker.tsx'
import { t as tNouns } from '../texts.ts'
import { useAct } from '../use_act.ts'
import { UserName } from '../user_name.tsx'
import own from './attached.module.css'
import { t } from './texts.ts'
import { useAttached } from './use_attached.ts'

const maxOpen = 200
/** What is over stands below: a few, and on a press as many as a page takes. */
const shownOver = 5
const maxOver = 200

/** What is to be done, by its time; what is over, the newest first; and how much more of that there is. */
function useTasks(recordId: string, limit: number) {
  const api = useApi()
  return useAttached({ kind: 'task', recordId, limit }, async signal => {
    const of = { record_id: recordId }
    const [open, over] = await Promise.all([
      api.tasks.list({ ...of, status: 'open', sort: 'due_at', limit: maxOpen }, { signal }),
      api.tasks.list({ ...of, status: 'done,canceled', sort: '-updated_at', limit }, { signal }),
    ])
    return {
      tasks: [...open.tasks, ...over.tasks] as Task[],
      hidden: Math.min(maxOver, over.pagination.totalCount) - over.tasks.length,
    }
  })
}

export function Tasks({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const { permissions } = useSession()
  const [overLimit, setOverLimit] = useState(shownOver)
  const { query, changed } = useTasks(recordId, overLimit)
  const { tasks, hidden } = query.data ?? { tasks: [], hidden: 0 }
  const mayCreate = mayWrite && permissions.has('tasks:create')
  return (
    <Card title={t('tasks')}>
      <div className={styles['stack']}>
        {query.isPending ? (
          <LoadingRows label={t('tasksLoading')} rows={2} />
        ) : query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : tasks.length === 0 ? (
          <p className={styles['faint']}>{t('tasksNone')}</p>
        ) : (
          <ul className={styles['related']} aria-label={t('tasks')}>
            {tasks.map(task => (
              <OneTask key={task.id} task={task} mayWrite={mayWrite} onChanged={changed} />
            ))}
          </ul>
        )}
        {hidden > 0 && (
          <Button size="sm" busy={query.isPlaceholderData} onClick={() => setOverLimit(maxOver)}>
            {t('tasksMore', { count: hidden })}
          </Button>
        )}
        {mayCreate && <NewTask recordId={recordId} onCreated={changed} />}
      </div>
    </Card>
  )
}

function OneTask({ task, mayWrite, onChanged }: { task: Task; mayWrite: boolean; onChanged(): void }) {
  const api = useApi()
  const { permissions } = useSession()
  const act = useAct(onChanged)
  const { id, title, status, due_on: due, due_at: dueAt, assignee_id: assignee } = task
  const isOpen = status === 'open'
  const isLate = isOpen && dueAt !== null && Date.parse(dueAt) < Date.now()
  return (
    <li>
      <CheckboxField
        label={title}
        checked={!isOpen}
        disabled={!mayWrite || !permissions.has('tasks:update')}
        hint={
          <>
            {status === 'canceled' && `${t('taskCanceled')} `}
            <Whose assignee={assignee} due={due} />
          </>
        }
        onChange={() => act.mutate(() => api.tasks.update({ id, status: isOpen ? 'done' : 'open' }))}
      />
      {isLate && <Chip tone="bad">{t('taskLate')}</Chip>}
    </li>
  )
}

function Whose({ assignee, due }: { assignee: number | null; due: string | null }) {
  const who = () => (assignee === null ? null : <UserName id={assignee} />)
  if (due === null) return assignee === null ? t('taskNobody') : who()
  const day = () => <Day date={due} />
  return assignee === null ? t.rich('taskNobodyUntil', { day }) : t.rich('taskUntil', { who, day })
}

const empty = { title: '', due_on: '', assignee_id: null as number | null }

export function NewTask({ recordId, onCreated }: { recordId: string; onCreated(): void }) {
  const api = useApi()
  const { user } = useSession()
  const draft = useFormDraft(`task on ${recordId}`, { ...empty, assignee_id: user.id as number | null })
  const { values } = draft
  const setValues = (next: typeof values) => draft.change(() => next)
  const create = useMutation({
    mutationFn: async () => {
      const { key, request } = draft.attempts.of({
        record_id: recordId,
        title: values.title,
        assignee_id: values.assignee_id,
        ...(values.due_on !== '' && { due_on: values.due_on }),
      })
      await api.tasks.create(request, { idempotencyKey: key })
      return values
    },
    onSuccess(sent) {
      draft.sent(sent, { ...empty, assignee_id: sent.assignee_id })
      onCreated()
    },
  })
  const { fields, general } = faultsOf(create.error, ['title', 'due_on', 'assignee_id'])
  const fault = fields['title'] ?? general
  return (
    <Form className={own['newTask']} onSubmit={() => create.mutate()}>
      <TextField
        label={t('taskNew')}
        value={values.title}
        {...(fault !== undefined && { error: fault })}
        onChange={event => setValues({ ...values, title: event.target.value })}
      />
      <RecordPicker
        of="user"
        label={t('taskWho')}
        none={tNouns('nobody')}
        value={values.assignee_id}
        error={fields['assignee_id']}
        onChange={id => setValues({ ...values, assignee_id: id === null ? null : Number(id) })}
      />
      <TextField
        label={t('taskDue')}
        type="date"
        value={values.due_on}
        {...(fields['due_on'] !== undefined && { error: fields['due_on'] })}
        onChange={event => setValues({ ...values, due_on: event.target.value })}
      />
      <Button type="submit" busy={create.isPending}>
        {t('taskAdd')}
      </Button>
    </Form>
  )
}
