// Trunks: who takes the calls of live mode to real phones, how each is now, and how many calls go by it.
import type { Trunk } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeftRight, Cable, Plus } from 'lucide-react'
import { useApi } from '../app/api.ts'
import { Refused } from '../app/fallbacks.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import styles from '../carriers/carriers.module.css'
import {
  Button,
  ButtonLink,
  Card,
  type Column,
  countText,
  DataTable,
  EmptyState,
  ListStates,
  PageHeader,
  StatusChip,
  TextLink,
  Time,
  toast,
} from '../ui/index.ts'
import { useLiveTrunks } from './live_trunks.ts'
import { addressText } from './trunk_facts.tsx'
import { TrunkForm } from './trunk_form.tsx'
import { TrunkPage } from './trunk_page.tsx'

export function TrunksScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions, mode } = useSession()
  if (!permissions.has('trunks:read')) return <Refused title="Trunks" permission="trunks:read" />
  if (id !== undefined) return <TrunkPage key={id} id={id} />
  return mode === 'live' ? <TrunkList /> : <LiveOnly />
}

const description = 'Who takes your calls to real phones, by SIP. Each call goes by the trunk whose route fits best.'

function LiveOnly() {
  const { setMode } = useSession()
  return (
    <>
      <PageHeader title="Trunks" description={description} />
      <Card>
        <EmptyState
          icon={<ArrowLeftRight size={20} />}
          title="Trunks belong to live mode"
          text="In test mode only the simulator carries calls: no real phone can ring, whatever is set up."
          action={
            <Button variant="primary" onClick={() => setMode('live')}>
              Switch to live mode
            </Button>
          }
        />
      </Card>
    </>
  )
}

const columns: Column<Trunk>[] = [
  { key: 'name', header: 'Name', render: ({ name }) => name },
  { key: 'host', header: 'Address', hideOnNarrow: true, render: addressText },
  {
    key: 'state',
    header: 'State',
    nowrap: true,
    render: ({ state, since }) => (
      <>
        <StatusChip status={state} /> {since !== null && <Time iso={since} />}
      </>
    ),
  },
  { key: 'active', header: 'Calls now', align: 'end', render: ({ counters }) => countText(counters.active) },
  {
    key: 'error',
    header: 'Last error',
    hideOnNarrow: true,
    render: ({ error }) => (error === null ? '–' : <span className={styles['reason']}>{error}</span>),
  },
]

function Subline({ trunk }: { trunk: Trunk }) {
  return (
    <>
      {addressText(trunk)}
      {trunk.error !== null && <span className={styles['reason']}>{trunk.error}</span>}
    </>
  )
}

function TrunkList() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has('trunks:manage')
  const creating = mayManage && params['create'] !== undefined
  const query = useQuery({
    queryKey: [mode, 'trunks'],
    // There are at most fifty.
    queryFn: ({ signal }) => api.trunks.list({ limit: 200 }, { signal }),
    enabled: !creating,
  })
  useLiveTrunks(() => {
    if (!creating) void query.refetch()
  })
  const trunks = query.data?.items ?? none
  if (creating)
    return (
      <>
        <PageHeader
          title="Add a trunk"
          description={
            <>
              <TextLink to="/trunks">All trunks</TextLink> / From the first one on, live calls go to real phones, and
              their callers must be numbers of yours.
            </>
          }
        />
        <TrunkForm
          onCancel={() => change({ create: undefined })}
          onDone={({ trunkId, name }) => {
            toast({ text: `${name} was added.` })
            void navigate({ to: '/trunks/$id', params: { id: trunkId }, search: {}, replace: true })
          }}
        />
      </>
    )
  const addButton = mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Add a trunk
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader title="Trunks" description={description} actions={addButton} />
      <Card flush>
        <ListStates
          label="Loading trunks"
          query={query}
          isEmpty={trunks.length === 0}
          isFiltered={false}
          onClearFilters={() => undefined}
          empty={{
            icon: <Cable size={20} />,
            title: 'No trunk yet',
            text: 'Until there is one, the simulator carries live calls and no real phone rings. Add the SIP account that your carrier gave you.',
            action: (
              <>
                {addButton}
                <ButtonLink to="/calls">All calls</ButtonLink>
              </>
            ),
          }}
        >
          <DataTable
            caption="Trunks"
            columns={columns}
            rows={trunks}
            rowKey={({ trunkId }) => trunkId}
            rowLink={({ trunkId }) => ({ to: '/trunks/$id', params: { id: trunkId } })}
            openLabel={({ name, state }) => `Open ${name}, ${state}`}
            subline={trunk => <Subline trunk={trunk} />}
          />
        </ListStates>
      </Card>
    </>
  )
}

const none: readonly Trunk[] = []
