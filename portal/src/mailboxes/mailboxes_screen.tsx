// Where mail comes in: mailboxes that are read over IMAP, with a test that shows what both sides said; and the addresses of this server.
import type { Mailbox } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { DnsRow } from '../mail_domains/dns.tsx'
import { TestButton, TestDialog } from '../mails/connection_test.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { t as tMails } from '../mails/texts.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, DescriptionList, ErrorNote, StatusChip, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { ChangeForm, MailboxForm } from './mailbox_form.tsx'
import styles from './mailboxes.module.css'
import { t } from './texts.ts'

const mailboxes = byLanguage(
  (): Resource<Mailbox> => ({
    many: 'mailboxes',
    things: t('things'),
    about: t('about'),
    from: api => api.mailboxes.list,
    id: 'mailboxId',
    nameOf: ({ name }) => name,
    columns: [
      { name: 'name', label: t('name') },
      { name: 'user', label: t('user'), px: 220, cell: ({ settings: { user, host } }) => t('userAt', { user, host }) },
      {
        name: 'status',
        label: t('state'),
        px: 210,
        cell: ({ enabled, status, fault }) => (
          <>
            <StatusChip status={enabled ? status : 'stopped'} /> {enabled && fault}
          </>
        ),
      },
      { name: 'readAt', label: t('readAt'), kind: 'time' },
      { name: 'test', label: t('test'), px: 90, hasControls: true, cell: mailbox => <Test mailbox={mailbox} /> },
    ],
    actions: {
      px: 260,
      needs: 'mail:manage',
      cell: mailbox => <RowActions mailbox={mailbox} />,
    },
    create: {
      label: t('add'),
      needs: 'mail:manage',
      Form: MailboxForm,
      saved: ({ name }) => t('added', { name }),
    },
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

export function MailboxesScreen() {
  const { mode } = useSession()
  return <ResourceScreen of={{ ...mailboxes(), below: <Below key={mode} />, ...(mode === 'test' && testMode()) }} />
}

/** No server is spoken to in the test mode. */
const testMode = byLanguage(
  (): Partial<Resource<Mailbox>> => ({
    create: undefined as never,
    empty: {
      title: t('emptyTest'),
      text: t('emptyTestText'),
    },
  }),
)

function RowActions({ mailbox: { mailboxId, name, enabled, settings } }: { mailbox: Mailbox }) {
  const api = useApi()
  const show = useHeldDialog()
  const { mode } = useSession()
  const cache = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => api.mailboxes.update({ mailboxId, enabled: !enabled }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: [mode, 'mailboxes'] }),
    onError: error => toast({ text: faultText(error) }),
  })
  return (
    <>
      <Button
        size="sm"
        aria-label={t('editName', { name })}
        onClick={() => show(onDone => <ChangeForm id={mailboxId} name={name} settings={settings} onClose={onDone} />)}
      >
        {t('edit')}
      </Button>{' '}
      <Button
        size="sm"
        aria-label={t(enabled ? 'stopName' : 'startName', { name })}
        busy={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {t(enabled ? 'stop' : 'start')}
      </Button>{' '}
      <RemoveButton
        many="mailboxes"
        name={name}
        text={t('removeText')}
        remove={client => client.mailboxes.delete({ mailboxId })}
      />
    </>
  )
}

/** Apart from the list above. */
const Below = () => (
  <div className={styles['below']}>
    <Addresses />
  </div>
)

function Addresses() {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'addresses that mail comes to'],
    queryFn: ({ signal }) => api.inboundMails.addresses({}, { signal }),
  })
  const found = query.data
  if (found === undefined) return query.error === null ? null : <ErrorNote text={faultText(query.error)} />
  const { domain, isListening, hasTls, inboxAddress, copyAddress, records } = found
  if (domain === null)
    return (
      <Card title={t('addresses')}>
        <p>{t.rich('noDomain')}</p>
      </Card>
    )
  const smtp = isListening ? (hasTls ? 'encrypted' : 'plain') : 'none'
  const address = (text: string | null) =>
    text === null ? null : (
      <>
        <code>{text}</code> <CopyButton text={text} label={tMails('copyNamed', { text })} />
      </>
    )
  return (
    <Card title={t('addresses')}>
      <DescriptionList
        items={[
          { term: t('forwardTo'), detail: address(inboxAddress) },
          {
            term: t('copyAddress'),
            detail: t.rich('copyText', { address: () => address(copyAddress) }),
          },
          {
            term: 'SMTP',
            detail: t(`smtp.${smtp}`, { domain }),
          },
        ]}
      />
      {records.map(({ type, name, value }) => (
        <section key={name} aria-label={t('dnsRecord')}>
          <h3>
            {t('dnsRecord')} <Chip>{type}</Chip>
          </h3>
          <DnsRow of={type} name={name} value={value} />
        </section>
      ))}
    </Card>
  )
}

function Test({ mailbox: { mailboxId, name } }: { mailbox: Mailbox }) {
  return (
    <TestButton name={name}>
      {onClose => (
        <TestDialog
          name={name}
          description={t('testText')}
          test={api => api.mailboxes.test({ mailboxId })}
          said={({ reason, mails }) => reason ?? (mails === null ? '' : t('mails', { count: mails }))}
          onClose={onClose}
        />
      )}
    </TestButton>
  )
}
