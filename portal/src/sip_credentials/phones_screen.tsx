// Phones that register by SIP: their user names, what is registered now, and a password shown once with what is typed into a phone.
import type { SipCredential } from '@tandem/sdk'
import { usePolled } from '../data/polled.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Chip, Time, toast } from '../ui/index.ts'
import { PhoneMenu } from './phone_actions.tsx'
import { PhoneForm } from './phone_form.tsx'
import styles from './phones.module.css'

const phones: Resource<SipCredential> = {
  many: 'phones',
  about:
    'Desk phones and softphones that register by SIP. They call each other by name, and telephone numbers by your trunks.',
  from: api => api.sipCredentials.list,
  id: 'credentialId',
  nameOf: ({ username }) => username,
  columns: [
    { name: 'username', label: 'Name', px: 130 },
    { name: 'displayName', label: 'Shown name', px: 130, atFirst: 'wide' },
    { name: 'registered', label: 'Registered', px: 190, cell: Registered },
    { name: 'registrations', label: 'Phones', px: 230, cell: Registrations },
    { name: 'address', label: 'Address', px: 280, hasControls: true, atFirst: 'wide', cell: Address },
    { name: 'callerId', label: 'Caller id', px: 130, atFirst: 'wide' },
    { name: 'createdAt', label: 'Added', kind: 'time', atFirst: 'wide' },
    { name: 'credentialId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  actions: { px: 80, needs: 'sip_credentials:manage', cell: phone => <PhoneMenu phone={phone} /> },
  create: { label: 'Create a phone', needs: 'sip_credentials:manage', Form: PhoneForm },
  edit: 'sip_credentials:manage',
  // No event reports that a phone registered.
  useNews: list => usePolled(list, 5_000),
  empty: {
    title: 'No phone yet',
    text: 'Add one, and type its user name and password into a desk phone or a softphone. In test mode it calls the simulator.',
  },
  Dialogs,
}

export const PhonesScreen = () => <ResourceScreen of={phones} />

function Registered({ registrations }: SipCredential) {
  const [first] = registrations
  if (first === undefined) return <Chip>Not registered</Chip>
  return (
    <>
      <Chip tone="ok">{registrations.length === 1 ? 'Registered' : `${registrations.length} registered`}</Chip>{' '}
      <Time iso={first.registeredAt} />
    </>
  )
}

function Registrations({ registrations }: SipCredential) {
  return registrations.map(({ source, userAgent }) => (
    <span key={source} className={styles['faint']}>
      {userAgent ?? 'A phone'} at {source.replace(/^sip:|;.*$/g, '')}
    </span>
  ))
}

function Address({ username, phone: { address } }: SipCredential) {
  return (
    <>
      <code>{address}</code> <CopyButton text={address} label={`Copy the address of ${username}`} />
    </>
  )
}

function Dialogs({ items }: { items: readonly SipCredential[] }) {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const phone = items.find(({ credentialId }) => credentialId === params['edit'])
  if (phone === undefined || !permissions.has('sip_credentials:manage')) return null
  const close = () => change({ edit: undefined })
  const saved = () => {
    toast({ text: `${phone.username} was saved.` })
    close()
  }
  return <PhoneForm key={phone.credentialId} phone={phone} onClose={close} onSaved={saved} />
}
