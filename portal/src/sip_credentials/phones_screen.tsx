// Phones that register by SIP: their user names, what is registered now, and a password shown once with what is typed into a phone.
import type { SipCredential } from '@tandem/sdk'
import { PhoneCall, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { useCursorList } from '../data/lists.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, Chip, type Column, CopyButton, DescriptionList, PageHeader, Time } from '../ui/index.ts'
import { type AskedOfPhone, PhoneDialog, PhoneMenu } from './phone_actions.tsx'
import { PhoneForm } from './phone_form.tsx'
import { isThisMachineOnly } from './phone_values.ts'
import styles from './phones.module.css'

/** No event reports that a phone registered: the list is polled. */
const refreshMs = 5_000

export function PhonesScreen() {
  const { permissions } = useSession()
  if (!permissions.has('sip_credentials:read')) return <Refused title="SIP phones" permission="sip_credentials:read" />
  return <PhoneList />
}

function Registered({ registrations }: SipCredential) {
  const [first] = registrations
  if (first === undefined) return <Chip>Not registered</Chip>
  return (
    <span className={styles['stack']}>
      <span>
        <Chip tone="ok">{registrations.length === 1 ? 'Registered' : `${registrations.length} registered`}</Chip>{' '}
        <Time iso={first.registeredAt} />
      </span>
      {registrations.map(({ source, userAgent }) => (
        <span key={source} className={styles['faint']}>
          {userAgent ?? 'A phone'} at {source.replace(/^sip:|;.*$/g, '')}
        </span>
      ))}
    </span>
  )
}

function columnsOf(actions?: (credential: SipCredential) => ReactNode): Column<SipCredential>[] {
  const columns: Column<SipCredential>[] = [
    {
      key: 'name',
      header: 'Name and address',
      render: ({ username, displayName, phone }) => (
        <span className={styles['stack']}>
          <strong>
            {username}
            {displayName !== null && ` · ${displayName}`}
          </strong>
          <span className={styles['faint']}>
            <code>{phone.address}</code> <CopyButton text={phone.address} label={`Copy the address of ${username}`} />
          </span>
        </span>
      ),
    },
    { key: 'registered', header: 'Registered', render: credential => <Registered {...credential} /> },
    {
      key: 'callerId',
      header: 'Caller id',
      hideOnNarrow: true,
      nowrap: true,
      render: ({ callerId }) => callerId ?? '–',
    },
    { key: 'created', header: 'Added', hideOnNarrow: true, render: ({ createdAt }) => <Time iso={createdAt} /> },
  ]
  if (actions !== undefined) columns.push({ key: 'actions', header: 'Actions', align: 'end', render: actions })
  return columns
}

/** What is typed into the phone. */
function PhoneSettings({ phone }: Pick<SipCredential, 'phone'>) {
  const line = (term: string, text: string) => ({
    term,
    detail: (
      <>
        <code>{text}</code> <CopyButton text={text} label={`Copy: ${term}`} />
      </>
    ),
  })
  return (
    <DescriptionList
      items={[
        line('Server', phone.server),
        line('User name', phone.username),
        line('Domain', phone.domain),
        {
          term: 'Transport',
          detail: `${phone.transports.join(', ').toUpperCase()}${phone.tlsPort === null ? '' : ` (TLS at port ${phone.tlsPort})`}`,
        },
      ]}
    />
  )
}

function PhoneList() {
  const api = useApi()
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  /** A password that is shown, this once. */
  const [shown, setShown] = useState<{ phone: SipCredential; password: string }>()
  const [asked, setAsked] = useState<AskedOfPhone>()
  const mayManage = permissions.has('sip_credentials:manage')
  const list = useCursorList<SipCredential>('phones', {}, (cursor, signal) =>
    api.sipCredentials.list({ limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const { query } = list
  useEffect(() => {
    const timer = setInterval(() => {
      if (query.error === null && !document.hidden) void query.refetch()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [query])
  const addButton = mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Create a phone
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="SIP phones"
        description="Desk phones and softphones that register by SIP. They call each other by name, and telephone numbers by your trunks."
        actions={addButton}
      />
      <Card flush>
        <CursorTable
          list={list}
          noun="phones"
          empty={{
            icon: <PhoneCall size={20} />,
            title: 'No phone yet',
            text: 'Add one, and type its user name and password into a desk phone or a softphone. In test mode it calls the simulator.',
            action: addButton,
          }}
          caption="SIP phones"
          columns={columnsOf(mayManage ? phone => <PhoneMenu phone={phone} onAsk={setAsked} /> : undefined)}
          rowKey={({ credentialId }) => credentialId}
        />
      </Card>
      {mayManage && params['create'] !== undefined && shown === undefined && (
        <PhoneForm
          onClose={() => change({ create: undefined })}
          onDone={(phone, password) => password !== undefined && setShown({ phone, password })}
        />
      )}
      {asked !== undefined && shown === undefined && (
        <PhoneDialog
          asked={asked}
          onClose={() => setAsked(undefined)}
          onPassword={(phone, password) => setShown({ phone, password })}
        />
      )}
      {shown !== undefined && (
        <SecretDialog
          title={`The password of ${shown.phone.username}`}
          description="Type it into the phone now: it is not stored, and cannot be shown again."
          secret={shown.password}
          hint="In the phone. When it is lost, give it a new one from the menu of its row."
          onDone={() => {
            setShown(undefined)
            setAsked(undefined)
            change({ create: undefined })
          }}
        >
          <PhoneSettings phone={shown.phone.phone} />
          {isThisMachineOnly(shown.phone.phone.domain) && (
            <p className={styles['faint']}>
              A phone of another machine does not get here: {shown.phone.phone.domain} is this server to itself alone.
              Start it with TANDEM_SIP_DOMAIN, the name or address that phones reach it at.
            </p>
          )}
        </SecretDialog>
      )}
    </>
  )
}
