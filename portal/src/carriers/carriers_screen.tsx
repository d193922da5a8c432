// Carriers: who takes the texts of live mode to real phones, how their links are, and how much waits for them.
import type { Carrier } from '@tandem/sdk'
import { useMemo } from 'react'
import { usePolled } from '../data/polled.ts'
import type { Resource } from '../lists/resource.ts'
import { ButtonLink, countText, Time } from '../ui/index.ts'
import { CarrierForm, CarrierPage } from './carrier_page.tsx'
import styles from './carriers.module.css'
import { LinkScreen } from './link_list.tsx'
import { rateText, refreshMs, useThroughput } from './throughput.ts'

const carriers: Resource<Carrier> = {
  many: 'carriers',
  about: 'Who takes your texts to real phones, by SMPP. Each message goes by the carrier whose route fits best.',
  from: api => api.carriers.list,
  id: 'carrierId',
  nameOf: ({ name, state }) => `${name}, ${state}`,
  columns: [
    { name: 'name', label: 'Name', px: 200 },
    { name: 'kind', label: 'Kind', px: 100, atFirst: 'wide', cell: ({ kind }) => kind.toUpperCase() },
    { name: 'state', label: 'State', kind: 'status' },
    { name: 'links', label: 'Links', px: 280, atFirst: 'wide', cell: LinksText },
    { name: 'rate', label: 'Segments/s', kind: 'count', atFirst: 'wide', cell: carrier => <Rate carrier={carrier} /> },
    { name: 'waiting', label: 'Waiting', kind: 'count', cell: ({ waiting }) => countText(waiting.messages) },
    { name: 'routes', label: 'Routes', px: 220, atFirst: 'wide', cell: routesText },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'never' },
    { name: 'carrierId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  create: { label: 'Create a carrier', needs: 'carriers:manage' },
  useNews: list => usePolled(list, refreshMs),
  empty: {
    title: 'No carrier yet',
    text: 'Until there is one, live texts to real phones are not sent: they fail with no_route. Only the virtual handset gets texts. Add the SMPP account that your carrier gave you.',
    action: <ButtonLink to="/handset">Open the handset</ButtonLink>,
  },
}

/** "2 of 2 up", with the reason of one that is not. */
function LinksText({ links, enabled }: Carrier) {
  const up = links.filter(({ state }) => state === 'up' || state === 'throttled').length
  const broken = links.find(({ state, error }) => state !== 'up' && error !== null)
  if (links.length === 0) return enabled ? 'Not opened yet' : '–'
  const since = links
    .map(link => link.since)
    .sort()
    .at(-1)
  return (
    <>
      {up} of {links.length} up{since !== undefined && <>, {<Time iso={since} />}</>}
      {broken !== undefined && <span className={styles['error']}> {broken.error}</span>}
    </>
  )
}

function Rate({ carrier }: { carrier: Carrier }) {
  const rates = useThroughput(useMemo(() => [carrier], [carrier]))
  return rateText(rates.get(carrier.carrierId))
}

function routesText({ routes }: Carrier): string {
  if (routes.length === 0) return 'None'
  const names = routes.slice(0, 3).map(({ prefix }) => (prefix === '' ? 'everywhere' : prefix))
  return routes.length > 3 ? `${names.join(', ')} and ${routes.length - 3} more` : names.join(', ')
}

export const CarriersScreen = () => (
  <LinkScreen
    of={carriers}
    page={CarrierPage}
    liveOnlyText="In test mode only the simulator carries texts: nothing can reach a real phone, whatever is set up."
    firstText="From the first one on, live texts go to real phones, and their senders must be numbers of yours."
    form={on => <CarrierForm {...on} />}
  />
)
