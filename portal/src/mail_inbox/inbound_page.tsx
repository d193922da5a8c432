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
import { answerSubject, checkWords, doorWords, matchWords } from './words.ts'

export function InboundMailScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('mail:read')) return <Refused title="Received mail" />
  return <InboundPage key={id} id={id} />
}

function InboundPage({ id }: { id: string }) {
  const query = useRecord('inbound_mail', id)
  useLiveRelated({
    eventPrefix: 'mail.',
    isMine: data => data['inboundId'] === id,
    onChange: () => void query.refetch(),
  })
  const mail = query.data
  const heading = mail === undefined ? 'Mail' : mail.subject || '(without a subject)'
  return (
    <>
      <PageHeader
        title={mail === undefined ? `Mail ${id}` : heading}
        heading={heading}
        description={
          <>
            <TextLink to="/mail-inbox">Received mail</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
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
              <Card title="Facts">
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
    onSuccess: () => saved('The mail was set aside.'),
    onError: error => toast({ text: error.message }),
  })
  const { from, direction, recordId } = mail
  return (
    <>
      {from !== null && direction === 'inbound' && permissions.has('mail:send') && (
        <Button icon={<Reply size={14} />} onClick={() => setOpen(true)}>
          Answer
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
          Ignore
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
      {mail.text === '' ? <p>The mail has no words.</p> : <p className={styles['words']}>{mail.text}</p>}
      <Quoted text={mail.quotedText} />
    </>
  )
  return (
    <Card title="Words">
      {mail.html === null ? (
        text
      ) : (
        <Tabs<View>
          label="How the mail is shown"
          value={view}
          onChange={setView}
          tabs={[
            { value: 'text', label: 'Text', content: text },
            { value: 'html', label: 'Mail', content: <MailFrame html={mail.html} title={mail.subject} /> },
          ]}
        />
      )}
      <Files mail={mail} />
    </Card>
  )
}

function Files({ mail: { inboundId, attachments } }: { mail: InboundMail }) {
  const api = useApi()
  const failed = (error: Error) => toast({ text: error.message })
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
        Download the source
      </Button>
    </div>
  )
}

const nouns = [
  { value: 'lead', label: 'Lead' },
  { value: 'contact', label: 'Contact' },
] as const
type PersonNoun = (typeof nouns)[number]['value']

/** Where it stands, and where else it could. */
function Placing({ mail }: { mail: InboundMail }) {
  const api = useApi()
  const { permissions } = useSession()
  const [noun, setNoun] = useState<PersonNoun>(permissions.has('leads:update') ? 'lead' : 'contact')
  const saved = useSaved(mail.inboundId)
  const assign = useMutation({
    mutationFn: (recordId: string) => api.inboundMails.assign({ inboundId: mail.inboundId, recordId }),
    onSuccess: () => saved('The mail stands on the timeline now.'),
    onError: error => toast({ text: error.message }),
  })
  const standing = mail.records.find(({ recordId }) => recordId === mail.recordId)
  const others = mail.records.filter(({ isCandidate }) => isCandidate)
  const offered = nouns.filter(({ value }) => permissions.has(`${value}s:update`))
  return (
    <Card title="Stands on">
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
            {mail.matchedBy !== null && matchWords[mail.matchedBy]}
          </>
        )}
        {mail.state === 'unmatched' && others.length > 1 && 'Several have this address; choose one.'}
        {mail.state === 'unmatched' && others.length === 0 && 'No lead or contact was found for it.'}
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
                  Put on {kind} {title}
                </Button>
              ))}
          </div>
          <div className={styles['choice']}>
            {offered.length > 1 && (
              <SegmentedControl<PersonNoun> label="Kind" value={noun} onChange={setNoun} options={nouns} />
            )}
            <RecordPicker
              key={noun}
              of={noun}
              label={mail.recordId === null ? `Put it on a ${noun}` : `Move it to a ${noun}`}
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
        { term: 'From', detail: from === null ? 'nobody' : listed([from]) },
        {
          term: 'Sender',
          detail: (
            <>
              <Chip tone={sender === 'verified' ? 'ok' : sender === 'unverified' ? 'warn' : 'neutral'}>{sender}</Chip>{' '}
              {checkWords[sender]}
              {found.length > 0 && ` ${found.join(', ')}, says ${authentication.by}.`}
            </>
          ),
        },
        { term: 'To', detail: to.length === 0 ? 'nobody' : listed(to) },
        ...(cc.length === 0 ? [] : [{ term: 'Copies', detail: listed(cc) }]),
        { term: 'Came', detail: doorWords[door] },
        ...(userId === null ? [] : [{ term: 'Copy sent by', detail: <UserName id={userId} /> }]),
        ...(isAutomatic ? [{ term: 'Written by', detail: 'a machine; nothing is answered to it by itself' }] : []),
        ...(answersMailId === null
          ? []
          : [
              {
                term: 'Answers',
                detail: (
                  <TextLink to="/mails/$id" params={{ id: answersMailId }}>
                    the mail that was sent
                  </TextLink>
                ),
              },
            ]),
        { term: 'Received', detail: <Moment iso={receivedAt} /> },
        ...(writtenAt === null ? [] : [{ term: 'Written', detail: <Moment iso={writtenAt} /> }]),
        ...(messageId === null ? [] : [{ term: 'Message-ID', detail: <code>{messageId}</code> }]),
      ]}
    />
  )
}
