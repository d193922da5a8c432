// The page of one mail that came in: its words with what is quoted folded away, its files, who it is from, and where it stands. Assigned in one
// press where the server has a guess, and by name where it has none.
import type { InboundMail } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Archive, Reply } from 'lucide-react'
import { useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { saveFile } from '../data/save_file.ts'
import { Composer } from '../mails/later.ts'
import { MailFrame } from '../mails/mail_frame.tsx'
import { Quoted } from '../mails/quoted.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import { RecordPicker } from '../nouns/pickers.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import {
  Button,
  Card,
  Chip,
  DescriptionList,
  Moment,
  PageHeader,
  SegmentedControl,
  StatusChip,
  sizeText,
  TextLink,
  toast,
} from '../ui/index.ts'
import { Tabs } from '../ui/tabs.tsx'
import styles from './inbox.module.css'
import { t } from './texts.ts'
import { answerSubject } from './words.ts'

export function InboundMailScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('mail:read')) return <Refused title={t('title')} />
  return <InboundPage key={id} id={id} />
}

function InboundPage({ id }: { id: string }) {
  const query = useRecord('inbound_mail', id)
  useLiveRelated({
    events: ['mail.*'],
    isMine: data => data['inboundId'] === id,
    onChange: () => void query.refetch(),
  })
  const mail = query.data
  const heading = mail === undefined ? t('mail') : mail.subject || t('noSubject')
  return (
    <>
      <PageHeader
        title={heading}
        heading={heading}
        description={
          <>
            <TextLink to="/mail-inbox">{t('title')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={mail !== undefined && <Actions mail={mail} />}
      />
      <RecordStates kind="inbound_mail" id={id} query={query}>
        {shown => (
          <div className={record['columns']}>
            <Words mail={shown} />
            <div className={styles['side']}>
              <Placing mail={shown} />
              <Card title={t('details')}>
                <Facts mail={shown} />
              </Card>
            </div>
          </div>
        )}
      </RecordStates>
    </>
  )
}

function useSaved(inboundId: string) {
  const { mode } = useSession()
  const cache = useQueryClient()
  return (said: string) => {
    void cache.invalidateQueries({ queryKey: [mode, 'inbound_mail', inboundId] })
    void cache.invalidateQueries({ queryKey: [mode, 'mails that came in'] })
    toast({ text: said })
  }
}

function Actions({ mail }: { mail: InboundMail }) {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const { permissions } = useSession()
  const saved = useSaved(mail.inboundId)
  const ignore = useMutation({
    mutationFn: () => api.inboundMails.ignore({ inboundId: mail.inboundId }),
    onSuccess: () => saved(t('ignored')),
    onError: error => toast({ text: faultText(error) }),
  })
  const { from, direction, recordId } = mail
  return (
    <>
      {from !== null && direction === 'inbound' && permissions.has('mail:send') && (
        <Button icon={<Reply size={14} />} onClick={() => setOpen(true)}>
          {t('answer')}
        </Button>
      )}
      {isOpen && from !== null && (
        <Composer
          to={[from.address]}
          subject={answerSubject(mail.subject)}
          name={from.name ?? from.address}
          answersInboundId={mail.inboundId}
          {...(recordId !== null && { recordId })}
          onClose={() => setOpen(false)}
        />
      )}
      {mail.state !== 'ignored' && mayPlace(mail, permissions) && (
        <Button icon={<Archive size={14} />} busy={ignore.isPending} onClick={() => ignore.mutate()}>
          {t('ignore')}
        </Button>
      )}
    </>
  )
}

/** What stands on a record is moved by those who may change it. */
function mayPlace({ recordId }: InboundMail, permissions: ReadonlySet<string>): boolean {
  if (!permissions.has('mail:assign')) return false
  if (recordId === null) return permissions.has('leads:update') || permissions.has('contacts:update')
  return permissions.has(recordId.startsWith('lead:') ? 'leads:update' : 'contacts:update')
}

type View = 'text' | 'html'

function Words({ mail }: { mail: InboundMail }) {
  const [view, setView] = useState<View>('text')
  const text = (
    <>
      {mail.text === '' ? <p>{t('noText')}</p> : <p className={styles['words']}>{mail.text}</p>}
      <Quoted text={mail.quotedText} />
    </>
  )
  return (
    <Card title={t('content')}>
      {mail.html === null ? (
        text
      ) : (
        <Tabs<View>
          label={t('view')}
          value={view}
          onChange={setView}
          tabs={[
            { value: 'text', label: t('text'), content: text },
            { value: 'html', label: t('mailTab'), content: <MailFrame html={mail.html} title={mail.subject} /> },
          ]}
        />
      )}
      <Files mail={mail} />
    </Card>
  )
}

function Files({ mail: { inboundId, attachments } }: { mail: InboundMail }) {
  const api = useApi()
  const failed = (error: Error) => toast({ text: faultText(error) })
  const download = useMutation({
    mutationFn: async ({ number, fileName }: { number: number; fileName: string }) =>
      saveFile(await api.inboundMails.attachment({ inboundId, number }), fileName),
    onError: failed,
  })
  const source = useMutation({
    mutationFn: async () => saveFile(await api.inboundMails.source({ inboundId }), `${inboundId}.eml`),
    onError: failed,
  })
  return (
    <div className={styles['files']}>
      {attachments.map(({ number, fileName, sizeBytes }) => (
        <Button key={number} size="sm" onClick={() => download.mutate({ number, fileName })}>
          {fileName} ({sizeText(sizeBytes)})
        </Button>
      ))}
      <Button size="sm" variant="ghost" busy={source.isPending} onClick={() => source.mutate()}>
        {t('source')}
      </Button>
    </div>
  )
}

const nouns = ['lead', 'contact'] as const
type PersonNoun = (typeof nouns)[number]
const isPersonNoun = (noun: string): noun is PersonNoun => noun === 'lead' || noun === 'contact'

/** Where it stands, and where else it could. */
function Placing({ mail }: { mail: InboundMail }) {
  const api = useApi()
  const { permissions } = useSession()
  const [noun, setNoun] = useState<PersonNoun>(permissions.has('leads:update') ? 'lead' : 'contact')
  const saved = useSaved(mail.inboundId)
  const assign = useMutation({
    mutationFn: (recordId: string) => api.inboundMails.assign({ inboundId: mail.inboundId, recordId }),
    onSuccess: () => saved(t('assigned')),
    onError: error => toast({ text: faultText(error) }),
  })
  const standing = mail.records.find(({ recordId }) => recordId === mail.recordId)
  const others = mail.records.filter(({ isCandidate }) => isCandidate)
  const offered = nouns.filter(value => permissions.has(`${value}s:update`))
  return (
    <Card title={t('linkedTo')}>
      <p>
        <StatusChip status={mail.state} />{' '}
        {standing !== undefined && (
          <>
            <TextLink
              to={standing.noun === 'lead' ? '/leads/$id' : '/contacts/$id'}
              params={{ id: ownId(standing.recordId) }}
            >
              {standing.title}
            </TextLink>{' '}
            {mail.matchedBy !== null && t.of('match', mail.matchedBy)}
          </>
        )}
        {mail.state === 'unmatched' && others.length > 1 && t('several')}
        {mail.state === 'unmatched' && others.length === 0 && t('noMatch')}
      </p>
      {mayPlace(mail, permissions) && (
        <>
          <div className={styles['files']}>
            {others
              .filter(one => permissions.has(`${one.noun}s:update`))
              .map(({ recordId, title, noun: kind }) => (
                <Button
                  key={recordId}
                  variant="primary"
                  size="sm"
                  busy={assign.isPending}
                  onClick={() => assign.mutate(recordId)}
                >
                  {isPersonNoun(kind) ? t(`link.${kind}`, { title }) : title}
                </Button>
              ))}
          </div>
          <div className={styles['choice']}>
            {offered.length > 1 && (
              <SegmentedControl<PersonNoun>
                label={t('kind')}
                value={noun}
                onChange={setNoun}
                options={nouns.map(value => ({ value, label: t(`noun.${value}`) }))}
              />
            )}
            <RecordPicker
              key={noun}
              of={noun}
              label={mail.recordId === null ? t(`pick.${noun}`) : t(`move.${noun}`)}
              value={null}
              onChange={id => id !== null && assign.mutate(noun === 'lead' ? `lead:${id}` : String(id))}
            />
          </div>
        </>
      )}
    </Card>
  )
}

const ownId = (recordId: string) => recordId.replace(/^lead:/, '')

const listed = (list: InboundMail['to']) =>
  list.map(({ address, name }) => (name === null ? address : `${name} <${address}>`)).join(', ')

function Facts({ mail }: { mail: InboundMail }) {
  const {
    from,
    to,
    cc,
    sender,
    authentication,
    isAutomatic,
    door,
    userId,
    answersMailId,
    receivedAt,
    writtenAt,
    messageId,
  } = mail
  const found = [
    ...(authentication.dmarc === null ? [] : [`DMARC ${authentication.dmarc}`]),
    ...(authentication.spf === null ? [] : [`SPF ${authentication.spf}`]),
    ...authentication.dkim.map(one => `DKIM ${one}`),
  ]
  return (
    <DescriptionList
      items={[
        { term: t('from'), detail: from === null ? t('noSender') : listed([from]) },
        {
          term: t('sender'),
          detail: (
            <>
              <Chip tone={sender === 'verified' ? 'ok' : sender === 'unverified' ? 'warn' : 'neutral'}>
                {t(`sender.${sender}`)}
              </Chip>{' '}
              {t(`check.${sender}`)}
              {found.length > 0 && <> {t('found', { results: found.join(', '), by: authentication.by ?? '' })}</>}
            </>
          ),
        },
        { term: t('to'), detail: to.length === 0 ? t('noRecipients') : listed(to) },
        ...(cc.length === 0 ? [] : [{ term: t('cc'), detail: listed(cc) }]),
        { term: t('via'), detail: t(`door.${door}`) },
        ...(userId === null ? [] : [{ term: t('copyBy'), detail: <UserName id={userId} /> }]),
        ...(isAutomatic ? [{ term: t('automatic'), detail: t('automaticText') }] : []),
        ...(answersMailId === null
          ? []
          : [
              {
                term: t('answers'),
                detail: (
                  <TextLink to="/mails/$id" params={{ id: answersMailId }}>
                    {t('answersMail')}
                  </TextLink>
                ),
              },
            ]),
        { term: t('received'), detail: <Moment iso={receivedAt} /> },
        ...(writtenAt === null ? [] : [{ term: t('written'), detail: <Moment iso={writtenAt} /> }]),
        ...(messageId === null ? [] : [{ term: t('messageId'), detail: <code>{messageId}</code> }]),
      ]}
    />
  )
}
