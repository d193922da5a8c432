// What the status of an organization and that of the installation share: how it is as a whole, what needs attention, rows, queues.
import type { StatusGetReply } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { Card, Chip, ErrorNote, Time } from '../ui/index.ts'
import styles from './status.module.css'
import { t } from './texts.ts'

export type Finding = StatusGetReply['findings'][number]
type Queue = StatusGetReply['queues'][number]
type Standing = Pick<StatusGetReply, 'state' | 'checkedAt'> & { findings: readonly Finding[] }

/** How often the pages ask again. */
export const refreshMs = 10_000

const tones = { ok: 'ok', warning: 'warn', failing: 'bad' } as const

/** Rows with a name on the left and a value at the end. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={styles['rows']}>{children}</ul>
}

export function Row({ name, detail, value }: { name: ReactNode; detail?: ReactNode; value: ReactNode }) {
  return (
    <li>
      <span className={styles['name']} dir="auto">
        {name}
        {detail != null && <small>{detail}</small>}
      </span>
      <span className={styles['value']}>{value}</span>
    </li>
  )
}

export function Quiet({ children }: { children: ReactNode }) {
  return <p className={styles['quiet']}>{children}</p>
}

export function Page({ children }: { children: ReactNode }) {
  return <div className={styles['page']}>{children}</div>
}

/** Two columns of cards where there is room: a card that grows moves those below it, and none beside it. */
export function Columns({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>{left}</div>
      <div className={styles['column']}>{right}</div>
    </div>
  )
}

/** A queue's name for people; one that is newer than this page has its own. */
export function queueName(queue: string): string {
  return t.of('queue', queue) ?? queue
}

/**
 * How it is as a whole, and what needs attention.
 * @param isStale the last time the server was asked it did not answer
 * @param linked puts a link to what a finding is about around its text
 */
export function StandingCard({
  of: { state, checkedAt, findings },
  isStale,
  linked = (_finding, text) => text,
}: {
  of: Standing
  isStale: boolean
  linked?(finding: Finding, text: string): ReactNode
}) {
  return (
    <Card
      title={
        <Chip tone={tones[state]} dot={state === 'ok'}>
          {t(`state.${state}`)}
        </Chip>
      }
      actions={<Quiet>{t.rich('checked', { time: () => <Time iso={checkedAt} /> })}</Quiet>}
    >
      {isStale && <ErrorNote text={t('notFresh')} />}
      {findings.length === 0 ? (
        <Quiet>{t('nothing')}</Quiet>
      ) : (
        <Rows>
          {findings.map(finding => (
            <Row
              key={`${finding.code} ${finding.id}`}
              name={linked(finding, findingText(finding))}
              value={<Chip tone={tones[finding.severity]}>{t(`severity.${finding.severity}`)}</Chip>}
            />
          ))}
        </Rows>
      )}
    </Card>
  )
}

/** Those that are about the installation, and name nothing. */
const general = [
  'versions_differ',
  'connections_high',
  'transactions_old',
  'backup_old',
  'wal_not_archived',
  'base_backup_old',
  'sending_held',
] as const
type General = (typeof general)[number]

const isGeneral = (code: Finding['code']): code is General => (general as readonly string[]).includes(code)

function findingText({ code, subject }: Finding): string {
  if (isGeneral(code)) return t(`finding.${code}`)
  return t(`finding.${code}`, { subject: code === 'queue_late' ? queueName(subject ?? '') : (subject ?? '') })
}

export function QueuesCard({ queues }: { queues: readonly Queue[] }) {
  return (
    <Card title={t('queues')}>
      <Rows>
        {queues.map(queue => (
          <Row
            key={queue.queue}
            name={queueName(queue.queue)}
            detail={dueText(queue)}
            value={<QueueState of={queue} />}
          />
        ))}
      </Rows>
    </Card>
  )
}

function dueText({ due, oldestDueAt }: Queue): ReactNode {
  if (oldestDueAt === null) return undefined
  return t.rich('dueSince', { due, time: () => <Time iso={oldestDueAt} /> })
}

function QueueState({ of: { waiting, isLate, isEstimate } }: { of: Queue }) {
  if (waiting === 0) return <Chip dot>{t('empty')}</Chip>
  return (
    <>
      {isLate && <Chip tone="bad">{t('late')}</Chip>} {t(isEstimate ? 'waitingAbout' : 'waiting', { count: waiting })}
    </>
  )
}
