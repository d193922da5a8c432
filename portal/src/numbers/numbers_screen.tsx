// Numbers: what the organization sends from and is reached at, with a look-up for any other.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import type { ComponentType } from 'react'
import { forgetMessagingLists, type OwnNumber, useCarrierOptions, useServiceOptions } from '../data/messaging_lists.ts'
import { useRecord } from '../data/records.ts'
import { examples } from '../forms/examples.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useInspect } from '../navigation/inspect.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { ServiceName } from '../services/service_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { LookUp } from './look_up.tsx'
import { capabilitiesText } from './number_facts.tsx'
import { NumberForm } from './number_form.tsx'
import { canVerify, NumberText, NumberVerifyDialog } from './number_verify.tsx'
import { NumberVoiceDialog } from './number_voice.tsx'
import { t } from './texts.ts'

const kinds = ['long_code', 'short_code', 'alphanumeric'] as const

const numbers = byLanguage(
  (): Resource<OwnNumber> => ({
    many: 'numbers',
    things: t('things'),
    about: t('about'),
    from: api => api.numbers.list,
    id: 'numberId',
    nameOf: ({ number }) => number,
    filters: [
      { name: 'number', label: t('number'), placeholder: '+49 30 12345678' },
      { name: 'kind', label: t('kind'), options: kinds.map(value => ({ value, label: t(`kind.${value}`) })) },
      { name: 'serviceId', label: t('service'), useOptions: useServiceOptions },
      { name: 'carrierId', label: t('carrier'), useOptions: useCarrierOptions, mode: 'live' },
      { name: 'country', label: t('country'), placeholder: examples.country },
    ],
    columns: [
      { name: 'number', label: t('number'), px: 220, cell: number => <NumberText number={number} /> },
      { name: 'label', label: t('label'), atFirst: 'wide' },
      { name: 'kind', label: t('kind'), atFirst: 'wide', cell: ({ kind }) => t(`kind.${kind}`) },
      { name: 'country', label: t('country'), px: 100, atFirst: 'wide' },
      {
        name: 'serviceId',
        label: t('service'),
        hasControls: true,
        cell: ({ serviceId }) => serviceId !== null && <ServiceName id={serviceId} />,
      },
      {
        name: 'carrierId',
        label: t('carrier'),
        mode: 'live',
        atFirst: 'wide',
        cell: one => <CarrierName id={one.carrierId} />,
      },
      { name: 'does', label: t('does'), atFirst: 'wide', cell: capabilitiesText },
      { name: 'segmentsPerSecond', label: t('segments'), px: 110, align: 'end', atFirst: 'wide' },
      {
        name: 'createsLeads',
        label: t('createsLeads'),
        atFirst: 'never',
        cell: one => t(one.createsLeads ? 'yes' : 'no'),
      },
      { name: 'callbackUrl', label: t('callbackUrl'), px: 260, atFirst: 'never' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time', atFirst: 'never' },
      { name: 'numberId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    actions: { px: 90, cell: number => <NumberMenu number={number} /> },
    create: {
      label: t('add'),
      needs: 'numbers:manage',
      Form: NumberForm,
      saved: ({ number }) => t('added', { number }),
    },
    edit: 'numbers:manage',
    empty: {
      text: ({ mode }) => t(mode === 'test' ? 'emptyTest' : 'emptyLive'),
    },
    below: <LookUp />,
    Dialogs,
  }),
)

export const NumbersScreen = () => <ResourceScreen of={numbers} />

function CarrierName({ id }: { id: string | null }) {
  const options = useCarrierOptions()
  return id === null ? t('byRoute') : t('only', { carrier: options.find(({ value }) => value === id)?.label ?? id })
}

function NumberMenu({ number }: { number: OwnNumber }) {
  const navigate = useNavigate()
  const [, change] = useParamsOfAddress()
  const ask = (what: string) => () => change({ [what]: number.numberId }, { push: true })
  const { inspect } = useInspect()
  const { permissions } = useSession()
  const mayManage = permissions.has('numbers:manage')
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={t('actions', { number: number.number })} icon={<MoreHorizontal size={16} />} />
      }
      items={[
        { key: 'inspect', label: t('inspect'), onSelect: () => inspect(number.numberId) },
        ...(mayManage && number.voice ? [{ key: 'voice', label: t('incoming'), onSelect: ask('calls') }] : []),
        ...(mayManage && canVerify(number) ? [{ key: 'verify', label: t('verify'), onSelect: ask('verify') }] : []),
        {
          key: 'sent',
          label: t('sentTexts'),
          onSelect: () => void navigate({ to: '/messages', search: { from: number.number } }),
        },
        {
          key: 'got',
          label: t('receivedTexts'),
          onSelect: () => void navigate({ to: '/messages', search: { to: number.number, direction: 'inbound' } }),
        },
        ...(mayManage ? [{ key: 'release', label: t('release'), danger: true, onSelect: ask('release') }] : []),
      ]}
    />
  )
}

type DialogProps = { number: OwnNumber; onClose(): void }
/** What the address may ask for of a number, by its id. */
const dialogs: Readonly<Record<string, ComponentType<DialogProps>>> = {
  edit: EditDialog,
  calls: NumberVoiceDialog,
  verify: NumberVerifyDialog,
  release: ReleaseDialog,
}

function Dialogs({ items }: { items: readonly OwnNumber[] }) {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const asked = Object.keys(dialogs).find(name => params[name] !== undefined)
  const Dialog = asked === undefined ? undefined : dialogs[asked]
  if (asked === undefined || Dialog === undefined || !permissions.has('numbers:manage')) return null
  const id = params[asked] ?? ''
  const known = items.find(({ numberId }) => numberId === id)
  const props = { Dialog, onClose: () => change({ [asked]: undefined }) }
  return known === undefined ? <OfOther key={id} id={id} {...props} /> : <Dialog key={id} {...props} number={known} />
}

/** Of a number that the list does not show. */
function OfOther({ id, Dialog, onClose }: { id: string; Dialog: ComponentType<DialogProps>; onClose(): void }) {
  const { data } = useRecord('number', id)
  return data === undefined ? null : <Dialog number={data} onClose={onClose} />
}

function EditDialog({ number, onClose }: DialogProps) {
  const saved = (after: OwnNumber) => {
    toast({ text: t('saved', { number: after.number }) })
    onClose()
  }
  return <NumberForm number={number} onClose={onClose} onSaved={saved} />
}

function ReleaseDialog({ number, onClose }: DialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const release = useMutation({
    mutationFn: () => api.numbers.delete({ numberId: number.numberId }),
    onSuccess: () => {
      forgetMessagingLists(cache, mode)
      toast({ text: t('released', { number: number.number }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('releaseTitle', { number: number.number })}
      description={t('releaseText')}
      confirmLabel={t('release')}
      typeToConfirm={number.number}
      danger
      busy={release.isPending}
      {...(release.error === null ? {} : { error: faultText(release.error) })}
      onConfirm={() => release.mutate()}
    />
  )
}
