// What is due: own tasks, which are ticked off where they stand, and invoices with what they come to.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { Due } from '../data/due.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Chip, IconButton, Money, Time, toast } from '../ui/index.ts'
import styles from './home.module.css'
import { linkOf, Row, Rows, WaitingCard } from './rows.tsx'
import type { Home } from './use_home.ts'

type Tasks = NonNullable<Home['waiting']['tasks']>
type Invoices = NonNullable<Home['waiting']['invoices']>
export type Sum = Invoices['overdue'][number]

const plurals: Record<string, string> = { company: 'companies' }

export function TasksCard({ tasks, nowMs }: { tasks: Tasks; nowMs: number }) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode, permissions } = useSession()
  const done = useMutation({
    mutationFn: ({ taskId }: Tasks['items'][number]) => api.tasks.update({ id: taskId, status: 'done' }),
    onSuccess(_reply, { title }) {
      toast({ text: `“${title}” is done.` })
      void cache.invalidateQueries({ queryKey: [mode, 'home'] })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <WaitingCard title="Tasks due" count={tasks.count} tone={tasks.overdue > 0 ? 'bad' : 'neutral'}>
      <Rows label="Tasks due">
        {tasks.items.map(task => {
          const { taskId, title, dueOn, dueAt, record, priority } = task
          const isLate = Date.parse(dueAt) < nowMs
          return (
            <Row
              key={taskId}
              before={
                permissions.has('tasks:update') && (
                  <IconButton
                    size="sm"
                    variant="secondary"
                    className={styles['tick']}
                    label={`Mark “${title}” as done`}
                    icon={<Check size={12} />}
                    busy={done.isPending && done.variables?.taskId === taskId}
                    onClick={() => done.mutate(task)}
                  />
                )
              }
              target={
                record === null
                  ? undefined
                  : {
                      to: `/${plurals[record.kind] ?? `${record.kind}s`}/$id`,
                      params: { id: record.id },
                      search: { tab: 'notes' },
                    }
              }
              name={title}
              detail={record?.name}
              meta={
                <>
                  {(priority === 'urgent' || priority === 'high') && <Chip tone="warn">{priority}</Chip>}
                  {dueOn === null ? <Time iso={dueAt} /> : <Due date={dueOn} isOverdue={isLate} />}
                </>
              }
            />
          )
        })}
      </Rows>
    </WaitingCard>
  )
}

export function InvoicesCard({ invoices }: { invoices: Invoices }) {
  const { overdue, dueSoon, drafts, items } = invoices
  const countOf = (sums: readonly Sum[]) => sums.reduce((all, sum) => all + sum.invoices, 0)
  return (
    <WaitingCard
      title="Invoices to collect"
      count={countOf(overdue) + countOf(dueSoon)}
      tone={overdue.length > 0 ? 'bad' : 'neutral'}
      all={{ to: '/invoices', search: { status: 'Sent,Overdue', sort: 'due_date' } }}
    >
      <div className={styles['tiles']}>
        <Tile
          name="Overdue"
          tone="bad"
          sums={overdue}
          count={countOf(overdue)}
          search={{ status: 'Overdue', sort: 'due_date' }}
        />
        <Tile
          name="Due within 7 days"
          sums={dueSoon}
          count={countOf(dueSoon)}
          search={{ status: 'Sent', sort: 'due_date' }}
        />
        {drafts > 0 && (
          <Link {...linkOf({ to: '/invoices', search: { status: 'Draft' } })} className={styles['tile']}>
            <span>Drafts</span>
            <strong>{drafts}</strong>
            <small>not sent yet</small>
          </Link>
        )}
      </div>
      {items.length > 0 && (
        <Rows label="Invoices that are due">
          {items.map(({ invoiceId, number, customer, amountDue, currency, dueDate, isOverdue }) => (
            <Row
              key={invoiceId}
              target={{ to: '/invoices/$id', params: { id: String(invoiceId) } }}
              name={customer}
              detail={number}
              meta={
                <>
                  <Due date={dueDate} isOverdue={isOverdue} />
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

type TileProps = { name: string; tone?: 'bad'; sums: readonly Sum[]; count: number; search: Record<string, string> }

function Tile({ name, tone, sums, count, search }: TileProps) {
  return (
    <Link {...linkOf({ to: '/invoices', search })} className={styles['tile']} data-tone={count > 0 ? tone : undefined}>
      <span>{name}</span>
      {sums.length === 0 ? (
        <strong>–</strong>
      ) : (
        sums.map(({ currency, amount }) => (
          <strong key={currency}>
            <Money amount={amount} currency={currency} />
          </strong>
        ))
      )}
      <small>{count === 1 ? '1 invoice' : `${count} invoices`}</small>
    </Link>
  )
}
