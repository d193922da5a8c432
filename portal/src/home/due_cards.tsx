// What is due: own tasks, which are ticked off where they stand, and invoices with what they come to.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Due } from '../data/due.tsx'
import { daysAfter } from '../data/due_days.ts'
import { countOf, type SumTile, SumTiles } from '../data/sum_tiles.tsx'
import { knownNoun } from '../nouns/known.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Chip, IconButton, Money, TextLink, Time, toast } from '../ui/index.ts'
import styles from './home.module.css'
import { Row, Rows, WaitingCard } from './rows.tsx'
import { t } from './texts.ts'
import type { Home } from './use_home.ts'

type Tasks = NonNullable<Home['waiting']['tasks']>
type Invoices = NonNullable<Home['waiting']['invoices']>

export function TasksCard({ tasks, today, nowMs }: { tasks: Tasks; today: string; nowMs: number }) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode, permissions } = useSession()
  const done = useMutation({
    mutationFn: ({ taskId }: Tasks['items'][number]) => api.tasks.update({ id: taskId, status: 'done' }),
    onSuccess(_reply, { title }) {
      toast({ text: t('taskDone', { title }) })
      void cache.invalidateQueries({ queryKey: [mode, 'home'] })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <WaitingCard title={t('tasks')} count={tasks.count} tone={tasks.overdue > 0 ? 'bad' : 'neutral'}>
      <Rows label={t('tasks')}>
        {tasks.items.map(task => {
          const { taskId, title, dueOn, dueAt, record, priority } = task
          const isLate = Date.parse(dueAt) < nowMs
          const many = record === null ? undefined : knownNoun(record.kind)?.many
          return (
            <Row
              key={taskId}
              before={
                permissions.has('tasks:update') && (
                  <IconButton
                    size="sm"
                    variant="secondary"
                    className={styles['tick']}
                    label={t('taskTick', { title })}
                    icon={<Check size={12} />}
                    busy={done.isPending && done.variables?.taskId === taskId}
                    onClick={() => done.mutate(task)}
                  />
                )
              }
              target={
                record === null || many === undefined
                  ? undefined
                  : {
                      to: `/${many}/$id`,
                      params: { id: record.id },
                      search: { tab: 'notes' },
                    }
              }
              name={title}
              detail={record?.name}
              meta={
                <>
                  {(priority === 'urgent' || priority === 'high') && (
                    <Chip tone="warn">{t(`priority.${priority}`)}</Chip>
                  )}
                  {dueOn === null ? <Time iso={dueAt} /> : <Due date={dueOn} today={today} isOverdue={isLate} />}
                </>
              }
            />
          )
        })}
      </Rows>
    </WaitingCard>
  )
}

/** What the sums of what is due soon count. */
const soonDays = 7

export function InvoicesCard({ invoices, today }: { invoices: Invoices; today: string }) {
  const { overdue, dueSoon, drafts, items } = invoices
  const tiles: SumTile[] = [
    {
      name: t('overdue'),
      tone: 'bad',
      sums: overdue,
      to: '/invoices',
      search: { status: 'Overdue', sort: 'due_date' },
    },
    {
      name: t('dueSoon'),
      sums: dueSoon,
      to: '/invoices',
      search: { status: 'Sent', 'due_date[lte]': daysAfter(today, soonDays), sort: 'due_date' },
    },
  ]
  return (
    <WaitingCard
      title={t('invoices')}
      count={countOf(overdue) + countOf(dueSoon)}
      tone={overdue.length > 0 ? 'bad' : 'neutral'}
      all={{ to: '/invoices', search: { status: 'Sent,Overdue', sort: 'due_date' } }}
    >
      <SumTiles label={t('owed')} tiles={tiles} />
      {drafts > 0 && (
        <p className={styles['drafts']}>
          {t.rich('drafts', {
            count: drafts,
            link: text => (
              <TextLink to="/invoices" search={{ status: 'Draft' }}>
                {text}
              </TextLink>
            ),
          })}
        </p>
      )}
      {items.length > 0 && (
        <Rows label={t('invoicesDue')}>
          {items.map(({ invoiceId, number, customer, amountDue, currency, dueDate, isOverdue }) => (
            <Row
              key={invoiceId}
              target={{ to: '/invoices/$id', params: { id: String(invoiceId) } }}
              name={customer}
              detail={number}
              meta={
                <>
                  <Due date={dueDate} today={today} isOverdue={isOverdue} />
                  <strong className={styles['amount']}>
                    <Money amount={amountDue} currency={currency} />
                  </strong>
                </>
              }
            />
          ))}
        </Rows>
      )}
    </WaitingCard>
  )
}
