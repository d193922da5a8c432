// Where mail comes in: mailboxes that are read over IMAP, with a test that shows what both sides said; and the addresses of this server.
import type { Mailbox } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { DnsRow } from '../mail_domains/dns.tsx'
import { TestButton, TestDialog } from '../mails/connection_test.tsx'
import { RemoveButton } from '../mails/remove_button.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, Card, Chip, DescriptionList, ErrorNote, StatusChip, toast } from '../ui/index.ts'
import { ChangeForm, MailboxForm } from './mailbox_form.tsx'
import styles from './mailboxes.module.css'

const mailboxes: Resource<Mailbox> = {
  many: 'mailboxes',
  about:
    'Shared mailboxes that are read over IMAP, such as sales@: new mails are put on leads and contacts, or wait in the inbox. Their mails are left as they are.',
  from: api => api.mailboxes.list,
  id: 'mailboxId',
  nameOf: ({ name }) => `the mailbox ${name}`,
  columns: [
    { name: 'name', label: 'Name' },
    { name: 'user', label: 'User', px: 220, cell: ({ settings: { user, host } }) => `${user} at ${host}` },
    {
      name: 'status',
      label: 'State',
      px: 210,
      cell: ({ enabled, status, fault }) => (
        <>
          <StatusChip status={enabled ? status : 'stopped'} /> {enabled && fault}
        </>
      ),
    },
    { name: 'readAt', label: 'Last read', kind: 'time' },
    { name: 'test', label: 'Test', px: 90, hasControls: true, cell: mailbox => <Test mailbox={mailbox} /> },
  ],
  actions: {
    px: 260,
    needs: 'mail:manage',
    cell: mailbox => <RowActions mailbox={mailbox} />,
  },
  create: {
    label: 'Add a mailbox',
    needs: 'mail:manage',
    Form: MailboxForm,
    saved: ({ name }) => `${name} is read from now on. Test it to see how it goes.`,
  },
  empty: {
    title: 'No mailbox yet',
    text: 'Mail comes in over the addresses below, where the operator has set a domain for it.',
  },
}

export function MailboxesScreen() {
  const { mode } = useSession()
  return <ResourceScreen of={{ ...mailboxes, below: <Below key={mode} />, ...(mode === 'test' && testMode) }} />
}

/** No server is spoken to in the test mode. */
const testMode: Partial<Resource<Mailbox>> = {
  create: undefined as never,
  empty: {
    title: 'No mailboxes in the test mode',
    text: 'No server is spoken to here. Set mailboxes up in live mode.',
  },
}

function RowActions({ mailbox: { mailboxId, name, enabled, settings } }: { mailbox: Mailbox }) {
  const api = useApi()
  const show = useHeldDialog()
  const { mode } = useSession()
  const cache = useQueryClient()
  const toggle = useMutation({
    mutationFn: () => api.mailboxes.update({ mailboxId, enabled: !enabled }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: [mode, 'mailboxes'] }),
    onError: error => toast({ text: error.message }),
  })
  return (
    <>
      <Button
        size="sm"
        aria-label={`Change ${name}`}
        onClick={() => show(onDone => <ChangeForm id={mailboxId} name={name} settings={settings} onClose={onDone} />)}
      >
        Change
      </Button>{' '}
      <Button
        size="sm"
        aria-label={`${enabled ? 'Stop' : 'Start'} ${name}`}
        busy={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {enabled ? 'Stop' : 'Start'}
      </Button>{' '}
      <RemoveButton
        many="mailboxes"
        name={`the mailbox ${name}`}
        text="It is not read any more. Mails that it brought stay."
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
  if (found === undefined) return query.error === null ? null : <ErrorNote text={query.error.message} />
  const { domain, isListening, hasTls, inboxAddress, copyAddress, records } = found
  if (domain === null)
    return (
      <Card title="Addresses of this server">
        <p>
          The operator has set no domain for mail that comes in (<code>TANDEM_MAIL_DOMAIN</code>). Answers go to the
          sender of a mail, and are found where that mailbox is read.
        </p>
      </Card>
    )
  const address = (text: string | null) =>
    text === null ? null : (
      <>
        <code>{text}</code> <CopyButton text={text} label={`Copy ${text}`} />
      </>
    )
  return (
    <Card title="Addresses of this server">
      <DescriptionList
        items={[
          { term: 'Forward a shared mailbox to', detail: address(inboxAddress) },
          {
            term: 'Your blind copy address',
            detail: (
              <>
                {address(copyAddress)} Mails that you send from elsewhere stand on the timeline when it is among the
                blind copies. Keep it to yourself.
              </>
            ),
          },
          {
            term: 'SMTP',
            detail: isListening
              ? `Mail is taken in for ${domain}${hasTls ? ', encrypted where the sender can.' : '. There is no certificate: connections are not encrypted.'}`
              : `Nothing listens (TANDEM_MAIL_PORT): a mail server for ${domain} has to hand mail in over HTTP.`,
          },
        ]}
      />
      {records.map(({ type, name, value }) => (
        <section key={name} aria-label="DNS row">
          <h3>
            DNS row <Chip>{type}</Chip>
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
          description="Connects, logs in and opens the folder. Nothing is read."
          test={api => api.mailboxes.test({ mailboxId })}
          said={({ reason, mails }) =>
            reason ?? (mails === null ? '' : `The folder has ${mails} ${mails === 1 ? 'mail' : 'mails'}.`)
          }
          onClose={onClose}
        />
      )}
    </TestButton>
  )
}
