// Carriers: who takes the texts of live mode to real phones, how their links are, and how much waits for them.
import type { Carrier } from '@tandem/sdk'
import { useMemo } from 'react'
import { usePolled } from '../data/polled.ts'
import type { Resource } from '../lists/resource.ts'
import { ButtonLink, countText, Time } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { CarrierForm, CarrierPage } from './carrier_page.tsx'
import styles from './carriers.module.css'
import { LinkScreen } from './link_list.tsx'
import { t } from './texts.ts'
import { rateText, refreshMs, useThroughput } from './throughput.ts'

const carriers = byLanguage(
  (): Resource<Carrier> => ({
    many: 'carriers',
    things: t('things'),
    about: t('about'),
    from: api => api.carriers.list,
    id: 'carrierId',
    nameOf: ({ name, state }) => `${name}, ${state}`,
    columns: [
      { name: 'name', label: t('name'), px: 200 },
      { name: 'kind', label: t('kind'), px: 100, atFirst: 'wide', cell: ({ kind }) => kind.toUpperCase() },
      { name: 'state', label: t('state'), kind: 'status' },
      { name: 'links', label: t('links'), px: 280, atFirst: 'wide', cell: LinksText },
      {
        name: 'rate',
        label: t('segments'),
        kind: 'count',
        atFirst: 'wide',
        cell: carrier => <Rate carrier={carrier} />,
      },
      { name: 'waiting', label: t('waiting'), kind: 'count', cell: ({ waiting }) => countText(waiting.messages) },
      { name: 'routes', label: t('routes'), px: 220, atFirst: 'wide', cell: routesText },
      { name: 'createdAt', label: t('created'), kind: 'time', atFirst: 'never' },
      { name: 'carrierId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    create: { label: t('create'), needs: 'carriers:manage' },
    useNews: list => usePolled(list, refreshMs),
    empty: {
      title: t('empty'),
      text: t('emptyText'),
      action: <ButtonLink to="/handset">{t('openHandset')}</ButtonLink>,
    },
  }),
)

/** "2 of 2 up", with the reason of one that is not. */
function LinksText({ links, enabled }: Carrier) {
  const up = links.filter(({ state }) => state === 'up' || state === 'throttled').length
  const broken = links.find(({ state, error }) => state !== 'up' && error !== null)
  if (links.length === 0) return enabled ? t('notOpen') : '–'
  const since = links
    .map(link => link.since)
    .sort()
    .at(-1)
  const count = { up, total: links.length }
  return (
    <>
      {since === undefined
        ? t('linksUp', count)
        : t.rich('linksUpSince', { ...count, time: () => <Time iso={since} /> })}
      {broken !== undefined && <span className={styles['error']}> {broken.error}</span>}
    </>
  )
}

function Rate({ carrier }: { carrier: Carrier }) {
  const rates = useThroughput(useMemo(() => [carrier], [carrier]))
  return rateText(rates.get(carrier.carrierId))
}

function routesText({ routes }: Carrier): string {
  if (routes.length === 0) return t('none')
  const names = routes.slice(0, 3).map(({ prefix }) => (prefix === '' ? t('everywhereShort') : prefix))
  return routes.length > 3 ? t('routesMore', { routes: names.join(', '), count: routes.length - 3 }) : names.join(', ')
}

export const CarriersScreen = () => (
  <LinkScreen
    of={carriers()}
    page={CarrierPage}
    liveOnlyText={t('liveOnlyText')}
    firstText={t('firstText')}
    form={on => <CarrierForm {...on} />}
  />
)
