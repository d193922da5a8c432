// Phones that register by SIP: their user names, what is registered now, and a password shown once with what is typed into a phone.
import type { SipCredential } from '@tandem/sdk'
import { usePolled } from '../data/polled.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Chip, Time, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { PhoneMenu } from './phone_actions.tsx'
import { PhoneForm } from './phone_form.tsx'
import styles from './phones.module.css'
import { t } from './texts.ts'

const phones = byLanguage(
  (): Resource<SipCredential> => ({
    many: 'phones',
    things: t('things'),
    about: t('about'),
    from: api => api.sipCredentials.list,
    id: 'credentialId',
    nameOf: ({ username }) => username,
    columns: [
      { name: 'username', label: t('name'), px: 130 },
      { name: 'displayName', label: t('displayName'), px: 130, atFirst: 'wide' },
      { name: 'registered', label: t('registered'), px: 190, cell: Registered },
      { name: 'registrations', label: t('phones'), px: 230, cell: Registrations },
      { name: 'address', label: t('address'), px: 280, hasControls: true, atFirst: 'wide', cell: Address },
      { name: 'callerId', label: t('callerId'), px: 130, atFirst: 'wide' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time', atFirst: 'wide' },
      { name: 'credentialId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    actions: { px: 80, needs: 'sip_credentials:manage', cell: phone => <PhoneMenu phone={phone} /> },
    create: { label: t('create'), needs: 'sip_credentials:manage', Form: PhoneForm },
    edit: 'sip_credentials:manage',
    // No event reports that a phone registered.
    useNews: list => usePolled(list, 5_000),
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
    Dialogs,
  }),
)

export const PhonesScreen = () => <ResourceScreen of={phones} />

function Registered({ registrations }: SipCredential) {
  const [first] = registrations
  if (first === undefined) return <Chip>{t('notRegistered')}</Chip>
  return (
    <>
      <Chip tone="ok">
        {registrations.length === 1 ? t('registered') : t('registeredCount', { count: registrations.length })}
      </Chip>{' '}
      <Time iso={first.registeredAt} />
    </>
  )
}

function Registrations({ registrations }: SipCredential) {
  return registrations.map(({ source, userAgent }) => (
    <span key={source} className={styles['faint']}>
      {t('phoneAt', { phone: userAgent ?? t('aPhone'), address: source.replace(/^sip:|;.*$/g, '') })}
    </span>
  ))
}

function Address({ username, phone: { address } }: SipCredential) {
  return (
    <>
      <code>{address}</code> <CopyButton text={address} label={t('copyAddress', { name: username })} />
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
    toast({ text: t('saved', { name: phone.username }) })
    close()
  }
  return <PhoneForm key={phone.credentialId} phone={phone} onClose={close} onSaved={saved} />
}
