// The page of one mail: rendered in a frame that may do nothing, as text, as HTML; its links, attempts and history.
import type { Mail } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock, CopyButton } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import {
  Button,
  Card,
  CodeLink,
  DescriptionList,
  Moment,
  PageHeader,
  StatusChip,
  TextLink,
  Timeline,
  toast,
} from '../ui/index.ts'
import { Tabs } from '../ui/tabs.tsx'
import { MailFrame } from './mail_frame.tsx'
import styles from './mails.module.css'
import { t } from './texts.ts'
import { linksIn, stateWord } from './words.ts'

const retriable = ['unconfirmed', 'failed', 'expired', 'suppressed', 'canceled', 'bounced']

export function MailScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('mail:read')) return <Refused title={t('title')} />
  return <MailPage key={id} id={id} />
}

function MailPage({ id }: { id: string }) {
  const query = useRecord('mail', id)
  useLiveRelated({
    events: ['mail.*'],
    isMine: data => data['mailId'] === id,
    onChange: () => void query.refetch(),
  })
  const mail = query.data
  return (
    <>
      <PageHeader
        title={mail?.subject ?? t('mail')}
        heading={mail?.subject ?? t('mail')}
        description={
          <>
            <TextLink to="/mails">{t('allMail')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={mail !== undefined && <Actions mail={mail} />}
      />
      <RecordStates kind="mail" id={id} query={query}>
        {shown => <MailFacts mail={shown} />}
      </RecordStates>
    </>
  )
}

function Actions({ mail: { mailId, state, text, html } }: { mail: Mail }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const saved = (said: string) => {
    void cache.invalidateQueries({ queryKey: [mode, 'mail', mailId] })
    toast({ text: said })
  }
  const failed = (error: Error) => toast({ text: faultText(error) })
  const cancel = useMutation({
    mutationFn: () => api.mails.cancel({ mailId }),
    onSuccess: () => saved(t('notSent')),
    onError: failed,
  })
  const retry = useMutation({
    mutationFn: () => api.mails.retry({ mailId }),
    onSuccess: () => saved(t('sentAgain')),
    onError: failed,
  })
  if (!permissions.has('mail:send')) return null
  return (
    <>
      {state === 'queued' && (
        <Button icon={<X size={14} />} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('cancel')}
        </Button>
      )}
      {retriable.includes(state) && (text !== null || html !== null) && (
        <Button icon={<RotateCw size={14} />} busy={retry.isPending} onClick={() => retry.mutate()}>
          {t('sendAgain')}
        </Button>
      )}
    </>
  )
}

function MailFacts({ mail }: { mail: Mail }) {
  return (
    <div className={record['columns']}>
      <Words mail={mail} />
      <div className={styles['side']}>
        <Card title={t('details')}>
          <Facts mail={mail} />
        </Card>
        <Card title={t('attempts')}>
          <Attempts mail={mail} />
        </Card>
      </div>
    </div>
  )
}

type View = 'shown' | 'text' | 'source'

function Words({ mail: { subject, text, html } }: { mail: Mail }) {
  const [view, setView] = useState<View>('shown')
  if (text === null && html === null)
    return (
      <Card title={t('content')}>
        <p>{t('redacted')}</p>
      </Card>
    )
  const links = linksIn(text)
  return (
    <Card title={t('content')}>
      <Tabs<View>
        label={t('view')}
        value={view}
        onChange={setView}
        tabs={[
          { value: 'shown', label: t('mail'), content: <MailFrame html={html ?? ''} title={subject} /> },
          { value: 'text', label: t('text'), content: <CodeBlock code={text ?? ''} label={t('asText')} wrap /> },
          { value: 'source', label: t('html'), content: <CodeBlock code={html ?? ''} label={t('asHtml')} wrap /> },
        ]}
      />
      {links.length > 0 && (
        <>
          <h3>{t('links')}</h3>
          <ul>
            {links.map(one => (
              <li key={one}>
                <Linked address={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

/** As text: what is in a mail is opened by those who copy it, and by nobody by mistake. */
function Linked({ address }: { address: string }) {
  return (
    <>
      <code>{address}</code>
      <CopyButton text={address} label={t('copyNamed', { text: address })} />
    </>
  )
}

type Recipient = Mail['to'][number]
function Recipients({ list }: { list: readonly Recipient[] }) {
  return (
    <>
      {list.map(({ address, name, outcome, reply }) => (
        <div key={address}>
          {name === null ? address : `${name} <${address}>`}
          {outcome !== null && outcome !== 'accepted' && (
            <>
              {' '}
              <StatusChip status={outcome} />
            </>
          )}
          {reply !== null && <div>{reply}</div>}
        </div>
      ))}
    </>
  )
}

function Facts({ mail }: { mail: Mail }) {
  const { state, code, from, to, cc, bcc, attachments, template, scheduledAt } = mail
  const listed = (term: string, list: readonly Recipient[]) =>
    list.length === 0 ? [] : [{ term, detail: <Recipients list={list} /> }]
  return (
    <DescriptionList
      items={[
        {
          term: t('state'),
          detail: (
            <>
              <StatusChip status={state} /> {code !== null && code !== 'kept_in_outbox' && <CodeLink code={code} />}
              {stateWord(mail)}
            </>
          ),
        },
        {
          term: t('from'),
          detail: from === null ? t('fromLater') : `${from.name ?? ''} <${from.address}>`.trim(),
        },
        ...listed(t('to'), to),
        ...listed(t('cc'), cc),
        ...listed(t('bcc'), bcc),
        ...(template === null ? [] : [{ term: t('template.term'), detail: <code>{template}</code> }]),
        ...(attachments.length === 0
          ? []
          : [{ term: t('attachments'), detail: attachments.map(({ fileName }) => fileName).join(', ') }]),
        ...(scheduledAt === null ? [] : [{ term: t('scheduled'), detail: <Moment iso={scheduledAt} /> }]),
        { term: t('created'), detail: <Moment iso={mail.createdAt} /> },
        ...(mail.sentAt === null ? [] : [{ term: t('sent'), detail: <Moment iso={mail.sentAt} /> }]),
        ...(mail.messageId === null ? [] : [{ term: t('messageId'), detail: <code>{mail.messageId}</code> }]),
      ]}
    />
  )
}

function Attempts({ mail: { attemptLog } }: { mail: Mail }) {
  if (attemptLog.length === 0) return <p>{t('noAttempts')}</p>
  return (
    <Timeline
      label={t('attemptsList')}
      items={attemptLog
        .map(({ number, outcome, host, startedAt, reply }) => ({
          key: String(number),
          title: outcome === null ? t('underWay') : (t.of('outcome', outcome) ?? outcome),
          at: startedAt,
          detail: [host, reply].filter(part => part !== null).join(': '),
        }))
        .reverse()}
    />
  )
}
