// One event of the audit log: who, what, from where, before and after, and its place in the chain.
import type { AuditEvent } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolled } from '../data/polled.ts'
import { useName } from '../nouns/names.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { DataTable } from '../ui/data_table.tsx'
import {
  Button,
  Card,
  Chip,
  CodeLink,
  DescriptionList,
  ErrorState,
  IdLink,
  LoadingRows,
  Moment,
  PageHeader,
  TextLink,
} from '../ui/index.ts'
import { Actor } from './actor.tsx'
import styles from './audit.module.css'
import { EraseDialog } from './erase_dialog.tsx'
import { useMayManageLog } from './may_manage.ts'
import { t } from './texts.ts'
import { actionText, changedNames, valueText } from './words.ts'

const sealWaitMs = 15_000

export function AuditEventPage({ id }: { id: string }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'audit event', id],
    queryFn: ({ signal }) => api.auditEvents.get({ auditEventId: id }, { signal }),
  })
  const event = query.data
  const title = event === undefined ? t('event') : actionText(event.action)
  return (
    <>
      <PageHeader
        title={title}
        description={
          <>
            <TextLink to="/audit">{t('log')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={event !== undefined && <EraseButtons event={event} />}
      />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : event === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          {event.position === null && <UntilSealed query={query} />}
          <Facts event={event} />
        </>
      )}
    </>
  )
}

/** Of each person that the event names, also those who have left since. */
function EraseButtons({ event: { actor, targets } }: { event: AuditEvent }) {
  const mayManage = useMayManageLog()
  if (!mayManage) return null
  const people = [actor, ...targets].filter(({ type }) => type === 'user').map(({ id }) => id)
  const ids = [...new Set([...people, actor.onBehalfOf])].filter(id => id !== null)
  return ids.map(id => <EraseButton key={id} id={Number(id)} />)
}

function EraseButton({ id }: { id: number }) {
  const [open, setOpen] = useState(false)
  const name = useName('user', id)
  if (name === undefined) return null
  const person = { id, name: name ?? t('userNumber', { id: String(id) }) }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('eraseOf', { name: person.name })}</Button>
      {open && <EraseDialog person={person} onClose={() => setOpen(false)} />}
    </>
  )
}

/** It changes once: when it is sealed. */
function UntilSealed({ query }: { query: { error: unknown; refetch(): unknown } }) {
  usePolled({ query }, sealWaitMs)
  return null
}

function Facts({ event }: { event: AuditEvent }) {
  const { action, actor, at, context, outcome, reason, targets } = event
  return (
    <div className={styles['facts']}>
      <Card title={t('what')}>
        <DescriptionList
          items={[
            { term: t('action'), detail: <code>{action}</code> },
            { term: t('by'), detail: <Actor actor={actor} /> },
            {
              term: t('outcome'),
              detail: (
                <>
                  <Chip tone={outcome === 'ok' ? 'ok' : 'bad'}>{t(`outcome.${outcome}`)}</Chip>{' '}
                  {reason !== null && <CodeLink code={reason} />}
                </>
              ),
            },
            { term: t('at'), detail: <Moment iso={at} /> },
            ...targets.map((target, index) => ({
              term: index === 0 ? t('target') : t('targetAt', { place: index + 1 }),
              detail: <Target target={target} />,
            })),
            ...Object.entries(context.more).map(([name, value]) => ({ term: name, detail: valueText(value) })),
          ]}
        />
      </Card>
      <Card title={t('where')}>
        <DescriptionList
          items={[
            { term: t('ip'), detail: context.ip ?? '–' },
            { term: t('program'), detail: context.userAgent ?? '–' },
            { term: t('mode'), detail: context.mode ?? '–' },
            { term: t('request'), detail: <RequestLink event={event} /> },
            { term: t('session'), detail: context.sessionId === null ? '–' : <code>{context.sessionId}</code> },
          ]}
        />
      </Card>
      <Differences event={event} />
      <Chain event={event} />
    </div>
  )
}

const inspected = /^(?:lead|invoice):/

function Target({ target: { type, id } }: { target: AuditEvent['targets'][number] }) {
  if (type === 'user')
    return (
      <TextLink to="/users/$id" params={{ id }}>
        <UserName id={Number(id)} />
      </TextLink>
    )
  if (type === 'session' || type === 'organization') return <code>{`${type} ${id}`}</code>
  if (!/^\d+$/.test(id)) return <IdLink id={id} />
  const named = `${type}:${id}`
  return inspected.test(named) ? <IdLink id={named} /> : <code>{named}</code>
}

/** Requests are kept for a week, each in its mode. */
function RequestLink({ event: { context, at } }: { event: AuditEvent }) {
  const { mode } = useSession()
  const { requestId } = context
  if (requestId === null) return '–'
  const isKept = Date.now() - Date.parse(at) < 7 * 86_400_000
  if (!isKept || (context.mode !== null && context.mode !== mode)) return <code>{requestId}</code>
  return (
    <TextLink to="/logs/$id" params={{ id: requestId }}>
      {requestId}
    </TextLink>
  )
}

function Differences({ event }: { event: AuditEvent }) {
  const names = changedNames(event)
  if (names.length === 0) return null
  const value = (side: AuditEvent['before'], name: string) => (
    <pre className={styles['value']}>{valueText(side?.[name])}</pre>
  )
  return (
    <Card title={t(event.before === null ? 'with' : 'beforeAfter')} flush className={styles['all']}>
      <DataTable
        caption={t('whatChanged')}
        rows={names}
        rowKey={name => name}
        columns={[
          { key: 'field', header: t('field'), render: name => <code>{name}</code> },
          ...(event.before === null
            ? []
            : [{ key: 'before', header: t('fieldBefore'), render: (name: string) => value(event.before, name) }]),
          ...(event.after === null
            ? []
            : [
                {
                  key: 'after',
                  header: t(event.before === null ? 'fieldValue' : 'fieldAfter'),
                  render: (name: string) => value(event.after, name),
                },
              ]),
        ]}
      />
    </Card>
  )
}

function Chain({ event: { position, hash } }: { event: AuditEvent }) {
  return (
    <Card title={t('proof')} className={styles['all']}>
      <div className={styles['text']}>
        {position === null || hash === null ? (
          <p>{t('sealedSoon')}</p>
        ) : (
          <DescriptionList
            items={[
              { term: t('place'), detail: t('placeText', { position }) },
              {
                term: t('hash'),
                detail: (
                  <span className={styles['hash']}>
                    <code>{hash}</code>
                    <CopyButton text={hash} label={t('hashCopy')} />
                  </span>
                ),
              },
            ]}
          />
        )}
      </div>
    </Card>
  )
}
