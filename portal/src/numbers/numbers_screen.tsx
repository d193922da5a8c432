// Numbers: what the organization sends from and is reached at, with a look-up for any other.
import type { NumbersListParams } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Hash, MoreHorizontal, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { forgetMessagingLists, type OwnNumber, useCarriers, useServices } from '../data/messaging_lists.ts'
import { useRecord } from '../data/records.ts'
import { kindNames } from '../messages/sender_field.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import { useInspect } from '../navigation/inspect.ts'
import { chosenOf, without } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  Card,
  type Column,
  ConfirmDialog,
  IconButton,
  Menu,
  PageHeader,
  TextLink,
  Toolbar,
  toast,
} from '../ui/index.ts'
import { LookUp } from './look_up.tsx'
import { capabilitiesText } from './number_facts.tsx'
import { NumberForm } from './number_form.tsx'
import { canVerify, NumberText, NumberVerifyDialog } from './number_verify.tsx'
import { NumberVoiceDialog } from './number_voice.tsx'
import styles from './numbers.module.css'

export function NumbersScreen() {
  const { permissions } = useSession()
  if (!permissions.has('numbers:read')) return <Refused title="Numbers" permission="numbers:read" />
  return <NumberList />
}

const filterNames = ['number', 'kind', 'country', 'serviceId', 'carrierId'] as const

function useColumns(actions: NumberActions): Column<OwnNumber>[] {
  const services = useServices()
  const carriers = useCarriers()
  const { mode } = useSession()
  const serviceName = (id: string) => services.items.find(({ serviceId }) => serviceId === id)?.name ?? id
  const carrierName = (id: string) => carriers.items.find(({ carrierId }) => carrierId === id)?.name ?? id
  const carrier: Column<OwnNumber> = {
    key: 'carrier',
    header: 'Carrier',
    hideOnNarrow: true,
    render: ({ carrierId }) => (carrierId === null ? 'By route' : `Only ${carrierName(carrierId)}`),
  }
  return [
    { key: 'number', header: 'Number', nowrap: true, render: number => <NumberText number={number} /> },
    { key: 'label', header: 'Label', hideOnNarrow: true, render: ({ label }) => label ?? '–' },
    { key: 'kind', header: 'Kind', nowrap: true, hideOnNarrow: true, render: ({ kind }) => kindNames[kind] },
    { key: 'country', header: 'Country', hideOnNarrow: true, render: ({ country }) => country ?? '–' },
    {
      key: 'service',
      header: 'Service',
      render: ({ serviceId }) =>
        serviceId === null ? (
          '–'
        ) : (
          <TextLink to="/services/$id" params={{ id: serviceId }}>
            {serviceName(serviceId)}
          </TextLink>
        ),
    },
    ...(mode === 'live' ? [carrier] : []),
    { key: 'does', header: 'Does', nowrap: true, hideOnNarrow: true, render: capabilitiesText },
    {
      key: 'pace',
      header: 'Segments/s',
      align: 'end',
      hideOnNarrow: true,
      render: ({ segmentsPerSecond }) => segmentsPerSecond ?? '–',
    },
    {
      key: 'actions',
      header: '',
      align: 'end',
      render: number => <NumberMenu number={number} {...actions} />,
    },
  ]
}

type NumberActions = Record<'onRelease' | 'onVoice' | 'onVerify', (number: OwnNumber) => void>
type NumberMenuProps = NumberActions & { number: OwnNumber }
function NumberMenu({ number, onRelease, onVoice, onVerify }: NumberMenuProps) {
  const navigate = useNavigate()
  const { inspect } = useInspect()
  const { permissions } = useSession()
  const mayManage = permissions.has('numbers:manage')
  return (
    <Menu
      trigger={<IconButton size="sm" label={`Actions for ${number.number}`} icon={<MoreHorizontal size={16} />} />}
      items={[
        { key: 'inspect', label: 'Inspect', onSelect: () => inspect(number.numberId) },
        ...(mayManage && number.voice
          ? [{ key: 'voice', label: 'Calls that come in', onSelect: () => onVoice(number) }]
          : []),
        ...(mayManage && canVerify(number)
          ? [{ key: 'verify', label: 'Verify', onSelect: () => onVerify(number) }]
          : []),
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
        ...(mayManage ? [{ key: 'release', label: 'Release', danger: true, onSelect: () => onRelease(number) }] : []),
      ]}
    />
  )
}

function NumberList() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const { inspect } = useInspect()
  const [params, change] = useParamsOfAddress()
  const [releasing, setReleasing] = useState<OwnNumber>()
  const mayManage = permissions.has('numbers:manage')
  const filters = chosenOf(params, filterNames)
  const services = useServices()
  const carriers = useCarriers()
  const list = useCursorList<OwnNumber>('numbers', filters, (cursor, signal) =>
    api.numbers.list({ ...(filters as NumbersListParams), limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const columns = useColumns({
    onRelease: setReleasing,
    onVoice: ({ numberId }) => change({ calls: numberId }, { push: true }),
    onVerify: ({ numberId }) => change({ verify: numberId }, { push: true }),
  })
  const addButton = mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Add a number
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title="Numbers"
        description="Telephone numbers, short codes and sender ids that you send from and are reached at."
        actions={addButton}
      />
      <Toolbar label="Filters of numbers">
        <TextFilter
          name="number"
          label="Number"
          params={params}
          onChange={change}
          placeholder="+49 30 12345678"
          pageSearch
        />
        <SelectFilter
          name="kind"
          label="Kind"
          all="All"
          params={params}
          onChange={change}
          options={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        />
        <SelectFilter
          name="serviceId"
          label="Service"
          all="All"
          params={params}
          onChange={change}
          options={services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name }))}
        />
        {mode === 'live' && carriers.items.length > 0 && (
          <SelectFilter
            name="carrierId"
            label="Carrier"
            all="All"
            params={params}
            onChange={change}
            options={carriers.items.map(({ carrierId, name }) => ({ value: carrierId, label: `Only ${name}` }))}
          />
        )}
        <TextFilter name="country" label="Country" params={params} onChange={change} placeholder="DE" />
      </Toolbar>
      <div className={styles['stack']}>
        <Card flush>
          <CursorTable
            list={list}
            noun="numbers"
            isFiltered={Object.keys(filters).length > 0}
            onClearFilters={() => change(without(filterNames))}
            empty={{
              icon: <Hash size={20} />,
              title: 'No numbers yet',
              text:
                mode === 'test'
                  ? 'In test mode any number may send. Add one to try services, opt-outs and leads from texts.'
                  : 'Add the numbers and sender ids you hold with your carrier. Until you have a carrier, only the virtual handset gets live texts.',
              action: addButton,
            }}
            caption="Numbers"
            columns={columns}
            rowKey={({ numberId }) => numberId}
            onOpen={({ numberId }) => (mayManage ? change({ edit: numberId }, { push: true }) : inspect(numberId))}
            openLabel={({ number }) => (mayManage ? `Update ${number}` : `Inspect ${number}`)}
            subline={({ label, kind }) => label ?? kindNames[kind]}
          />
        </Card>
        <LookUp />
      </div>
      {mayManage && params['create'] !== undefined && (
        <NumberForm
          onClose={() => change({ create: undefined })}
          onDone={({ number }) => {
            toast({ text: `${number} was added.` })
            change({ create: undefined })
          }}
        />
      )}
      {mayManage && params['edit'] !== undefined && (
        <NumberOf
          id={params['edit']}
          known={list.items.find(({ numberId }) => numberId === params['edit'])}
          show={number => (
            <NumberForm
              key={number.numberId}
              number={number}
              onClose={() => change({ edit: undefined })}
              onDone={saved => {
                toast({ text: `${saved.number} was changed.` })
                change({ edit: undefined })
              }}
            />
          )}
        />
      )}
      {mayManage && params['calls'] !== undefined && (
        <NumberOf
          id={params['calls']}
          known={list.items.find(({ numberId }) => numberId === params['calls'])}
          show={number => <NumberVoiceDialog number={number} onClose={() => change({ calls: undefined })} />}
        />
      )}
      {mayManage && params['verify'] !== undefined && (
        <NumberOf
          id={params['verify']}
          known={list.items.find(({ numberId }) => numberId === params['verify'])}
          show={number => <NumberVerifyDialog number={number} onClose={() => change({ verify: undefined })} />}
        />
      )}
      {releasing !== undefined && <ReleaseDialog number={releasing} onClose={() => setReleasing(undefined)} />}
    </>
  )
}

type NumberOfProps = { id: string; known: OwnNumber | undefined; show(number: OwnNumber): ReactNode }
/** The one of the list, else it is read: the address may name one that is not shown. */
function NumberOf({ id, known, show }: NumberOfProps) {
  return known === undefined ? <ReadNumber id={id} show={show} /> : show(known)
}
function ReadNumber({ id, show }: Omit<NumberOfProps, 'known'>) {
  const query = useRecord('number', id)
  return query.data === undefined ? null : show(query.data)
}

function ReleaseDialog({ number, onClose }: { number: OwnNumber; onClose(): void }) {
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
