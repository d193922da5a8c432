// Numbers: what the organization sends from and is reached at, with a look-up for any other.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import type { ComponentType } from 'react'
import { forgetMessagingLists, type OwnNumber, useCarrierOptions, useServiceOptions } from '../data/messaging_lists.ts'
import { useRecord } from '../data/records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { kindNames } from '../messages/sender_field.tsx'
import { useInspect } from '../navigation/inspect.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { ServiceName } from '../services/service_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { LookUp } from './look_up.tsx'
import { capabilitiesText } from './number_facts.tsx'
import { NumberForm } from './number_form.tsx'
import { canVerify, NumberText, NumberVerifyDialog } from './number_verify.tsx'
import { NumberVoiceDialog } from './number_voice.tsx'

const numbers: Resource<OwnNumber> = {
  many: 'numbers',
  about: 'Telephone numbers, short codes and sender ids that you send from and are reached at.',
  from: api => api.numbers.list,
  id: 'numberId',
  nameOf: ({ number }) => number,
  filters: [
    { name: 'number', label: 'Number', placeholder: '+49 30 12345678' },
    { name: 'kind', label: 'Kind', options: Object.entries(kindNames).map(([value, label]) => ({ value, label })) },
    { name: 'serviceId', label: 'Service', useOptions: useServiceOptions },
    { name: 'carrierId', label: 'Carrier', useOptions: useCarrierOptions, mode: 'live' },
    { name: 'country', label: 'Country', placeholder: 'DE' },
  ],
  columns: [
    { name: 'number', label: 'Number', px: 220, cell: number => <NumberText number={number} /> },
    { name: 'label', label: 'Label', atFirst: 'wide' },
    { name: 'kind', label: 'Kind', atFirst: 'wide', cell: ({ kind }) => kindNames[kind] },
    { name: 'country', label: 'Country', px: 100, atFirst: 'wide' },
    {
      name: 'serviceId',
      label: 'Service',
      hasControls: true,
      cell: ({ serviceId }) => serviceId !== null && <ServiceName id={serviceId} />,
    },
    {
      name: 'carrierId',
      label: 'Carrier',
      mode: 'live',
      atFirst: 'wide',
      cell: one => <CarrierName id={one.carrierId} />,
    },
    { name: 'does', label: 'Does', atFirst: 'wide', cell: capabilitiesText },
    { name: 'segmentsPerSecond', label: 'Segments/s', px: 110, align: 'end', atFirst: 'wide' },
    { name: 'createsLeads', label: 'Makes leads', atFirst: 'never', cell: one => (one.createsLeads ? 'Yes' : 'No') },
    { name: 'callbackUrl', label: 'Callback URL', px: 260, atFirst: 'never' },
    { name: 'createdAt', label: 'Added', kind: 'time', atFirst: 'never' },
    { name: 'numberId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  actions: { px: 90, cell: number => <NumberMenu number={number} /> },
  create: {
    label: 'Add a number',
    needs: 'numbers:manage',
    Form: NumberForm,
    saved: ({ number }) => `${number} was added.`,
  },
  edit: 'numbers:manage',
  empty: {
    text: ({ mode }) =>
      mode === 'test'
        ? 'In test mode any number may send. Add one to try services, opt-outs and leads from texts.'
        : 'Add the numbers and sender ids you hold with your carrier. Until you have a carrier, only the virtual handset gets live texts.',
  },
  below: <LookUp />,
  Dialogs,
}

export const NumbersScreen = () => <ResourceScreen of={numbers} />

function CarrierName({ id }: { id: string | null }) {
  const options = useCarrierOptions()
  return id === null ? 'By route' : `Only ${options.find(({ value }) => value === id)?.label ?? id}`
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
      trigger={<IconButton size="sm" label={`Actions for ${number.number}`} icon={<MoreHorizontal size={16} />} />}
      items={[
        { key: 'inspect', label: 'Inspect', onSelect: () => inspect(number.numberId) },
        ...(mayManage && number.voice ? [{ key: 'voice', label: 'Calls that come in', onSelect: ask('calls') }] : []),
        ...(mayManage && canVerify(number) ? [{ key: 'verify', label: 'Verify', onSelect: ask('verify') }] : []),
        {
          key: 'sent',
          label: 'Texts it sent',
          onSelect: () => void navigate({ to: '/messages', search: { from: number.number } }),
        },
        {
          key: 'got',
          label: 'Texts it got',
          onSelect: () => void navigate({ to: '/messages', search: { to: number.number, direction: 'inbound' } }),
        },
        ...(mayManage ? [{ key: 'release', label: 'Release', danger: true, onSelect: ask('release') }] : []),
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
    toast({ text: `${after.number} was changed.` })
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
      toast({ text: `${number.number} was released.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Release ${number.number}`}
      description="It cannot be sent from any more. Its messages and calls stay, and anyone who opted out of it stays opted out, should you add it again. What it holds with the carrier is not touched."
      confirmLabel="Release"
      typeToConfirm={number.number}
      danger
      busy={release.isPending}
      {...(release.error === null ? {} : { error: release.error.message })}
      onConfirm={() => release.mutate()}
    />
  )
}
