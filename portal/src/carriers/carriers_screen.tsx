// Carriers: who takes the texts of live mode to real phones, how their links are, and how much waits for them.
import type { Carrier } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { RadioTower } from 'lucide-react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, type Column, countText, StatusChip, Time } from '../ui/index.ts'
import { CarrierForm, CarrierPage } from './carrier_page.tsx'
import styles from './carriers.module.css'
import { LinkList, LinkScreen, useLinkCreating } from './link_list.tsx'
import { rateText, refreshMs, useThroughput } from './throughput.ts'

const words = {
  kind: 'carrier',
  title: 'Carriers',
  description: 'Who takes your texts to real phones, by SMPP. Each message goes by the carrier whose route fits best.',
} as const

export function CarriersScreen() {
  return (
    <LinkScreen
      {...words}
      liveOnlyText="In test mode only the simulator carries texts: nothing can reach a real phone, whatever is set up."
      page={id => <CarrierPage key={id} id={id} />}
      list={() => <CarrierList />}
    />
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
  const { mode } = useSession()
  const creating = useLinkCreating('carrier')
  const query = useQuery({
    queryKey: [mode, 'carriers', 'watched'],
    queryFn: ({ signal }) => api.carriers.list({ limit: 200 }, { signal }),
    refetchInterval: refreshMs,
    enabled: !creating.isCreating,
  })
  const carriers = query.data?.items ?? none
  const rates = useThroughput(carriers)
  return (
    <LinkList
      {...words}
      creating={creating}
      query={query}
      links={carriers}
      idOf={({ carrierId }) => carrierId}
      columns={columns(rates)}
      subline={carrier => <LinksText carrier={carrier} />}
      firstText="From the first one on, live texts go to real phones, and their senders must be numbers of yours."
      form={on => <CarrierForm {...on} />}
      empty={{
        icon: <RadioTower size={20} />,
        text: 'Until there is one, live texts to real phones are not sent: they fail with no_route. Only the virtual handset gets texts. Add the SMPP account that your carrier gave you.',
        action: <ButtonLink to="/handset">Open the handset</ButtonLink>,
      }}
    />
  )
}

const none: readonly Carrier[] = []
