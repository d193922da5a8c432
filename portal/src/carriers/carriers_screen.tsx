// Carriers: who takes the texts of live mode to real phones, how their links are, and how much waits for them.
import type { Carrier } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeftRight, Plus, RadioTower } from 'lucide-react'
import { useApi } from '../app/api.ts'
import { Refused } from '../app/fallbacks.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
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
import { CarrierForm } from './carrier_form.tsx'
import { CarrierPage } from './carrier_page.tsx'
import styles from './carriers.module.css'
import { rateText, refreshMs, useThroughput } from './throughput.ts'

export function CarriersScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions, mode } = useSession()
  if (!permissions.has('carriers:read')) return <Refused title="Carriers" permission="carriers:read" />
  if (id !== undefined) return <CarrierPage key={id} id={id} />
  return mode === 'live' ? <CarrierList /> : <LiveOnly />
}

const description =
  'Who takes your texts to real phones, by SMPP. Each message goes by the carrier whose route fits best.'

function LiveOnly() {
  const { setMode } = useSession()
  return (
    <>
      <PageHeader title="Carriers" description={description} />
      <Card>
        <EmptyState
          icon={<ArrowLeftRight size={20} />}
          title="Carriers belong to live mode"
          text="In test mode only the simulator carries texts: nothing can reach a real phone, whatever is set up."
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

/** "2 of 2 up", with the reason of one that is not. */
function LinksText({ carrier }: { carrier: Carrier }) {
  const { links } = carrier
  const up = links.filter(({ state }) => state === 'up' || state === 'throttled').length
  const broken = links.find(({ state, error }) => state !== 'up' && error !== null)
  if (links.length === 0) return carrier.enabled ? 'Not opened yet' : '–'
  const since = links
    .map(link => link.since)
    .sort()
    .at(-1)
  return (
    <>
      {up} of {links.length} up{since !== undefined && <>, {<Time iso={since} />}</>}
      {broken !== undefined && <span className={styles['reason']}>{broken.error}</span>}
    </>
  )
}

function columns(rates: ReadonlyMap<string, number>): Column<Carrier>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      render: ({ name, kind }) => (
        <>
          {name} <small className={styles['kind']}>{kind.toUpperCase()}</small>
        </>
      ),
    },
    { key: 'state', header: 'State', nowrap: true, render: ({ state }) => <StatusChip status={state} /> },
    { key: 'links', header: 'Links', hideOnNarrow: true, render: carrier => <LinksText carrier={carrier} /> },
    {
      key: 'rate',
      header: 'Segments/s',
      align: 'end',
      hideOnNarrow: true,
      render: ({ carrierId }) => rateText(rates.get(carrierId)),
    },
    { key: 'waiting', header: 'Waiting', align: 'end', render: ({ waiting }) => countText(waiting.messages) },
    {
      key: 'routes',
      header: 'Routes',
      hideOnNarrow: true,
      render: ({ routes }) => routesText(routes),
    },
  ]
}

function routesText(routes: Carrier['routes']): string {
  if (routes.length === 0) return 'None'
  const names = routes.slice(0, 3).map(({ prefix }) => (prefix === '' ? 'everywhere' : prefix))
  return routes.length > 3 ? `${names.join(', ')} and ${routes.length - 3} more` : names.join(', ')
}

function CarrierList() {
  const api = useApi()
  const { mode, permissions } = useSession()
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const mayManage = permissions.has('carriers:manage')
  const creating = mayManage && params['create'] !== undefined
  const query = useQuery({
    queryKey: [mode, 'carriers', 'watched'],
    queryFn: ({ signal }) => api.carriers.list({ limit: 200 }, { signal }),
    refetchInterval: refreshMs,
    enabled: !creating,
  })
  const carriers = query.data?.items ?? none
  const rates = useThroughput(carriers)
  if (creating)
    return (
      <>
        <PageHeader
          title="Add a carrier"
          description={
            <>
              <TextLink to="/carriers">All carriers</TextLink> / From the first one on, live texts go to real phones,
              and their senders must be numbers of yours.
            </>
          }
        />
        <CarrierForm
          onCancel={() => change({ create: undefined })}
          onDone={({ carrierId, name }) => {
            toast({ text: `${name} was added.` })
            void navigate({ to: '/carriers/$id', params: { id: carrierId }, search: {}, replace: true })
          }}
        />
      </>
    )
  const addButton = mayManage ? (
    <Button variant="primary" icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
      Add a carrier
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader title="Carriers" description={description} actions={addButton} />
      <Card flush>
        <ListStates
          label="Loading carriers"
          query={query}
          isEmpty={carriers.length === 0}
          isFiltered={false}
          onClearFilters={() => undefined}
          empty={{
            icon: <RadioTower size={20} />,
            title: 'No carrier yet',
            text: 'Until there is one, live texts go to the virtual handset and reach no real phone. Add the SMPP account that your carrier gave you.',
            action: (
              <>
                {addButton}
                <ButtonLink to="/handset">Open the handset</ButtonLink>
              </>
            ),
          }}
        >
          <DataTable
            caption="Carriers"
            columns={columns(rates)}
            rows={carriers}
            rowKey={({ carrierId }) => carrierId}
            rowLink={({ carrierId }) => ({ to: '/carriers/$id', params: { id: carrierId } })}
            openLabel={({ name, state }) => `Open ${name}, ${state}`}
            subline={carrier => <LinksText carrier={carrier} />}
          />
        </ListStates>
      </Card>
    </>
  )
}

const none: readonly Carrier[] = []
