// What a carrier is: its links with their counters, its routes, its settings without secrets.
import type { Carrier } from '@tandem/sdk'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, Moment, StatusChip, Time } from '../ui/index.ts'
import styles from './carriers.module.css'
import { t } from './texts.ts'
import { rateText } from './throughput.ts'

type Link = Carrier['links'][number]
type Route = Carrier['routes'][number]

const count = (key: keyof Link['counters'], header: string): Column<Link> => ({
  key,
  header,
  align: 'end',
  hideOnNarrow: true,
  render: ({ counters }) => countText(counters[key]),
})

const linkColumns = (): Column<Link>[] => [
  { key: 'link', header: t('link'), nowrap: true, render: ({ link, role }) => `${link + 1} ${role}` },
  {
    key: 'state',
    header: t('state'),
    render: ({ state, since, error }) => (
      <>
        <StatusChip status={state} /> <Time iso={since} />
        {error !== null && <span className={styles['reason']}>{error}</span>}
      </>
    ),
  },
  count('submitted', t('submitted')),
  count('accepted', t('accepted')),
  count('throttled', t('throttled')),
  count('refused', t('refused')),
  count('unanswered', t('unanswered')),
  count('receipts', t('receipts')),
  count('inbound', t('inbound')),
  count('binds', t('binds')),
]

function countersText({ counters }: Link): string {
  const { submitted, accepted, refused, receipts } = counters
  return t('counters', { submitted, accepted, refused, receipts })
}

export function LinksCard({ carrier }: { carrier: Carrier }) {
  return (
    <Card title={t('links')} flush>
      {carrier.links.length === 0 ? (
        <p className={styles['quiet']}>{t(carrier.enabled ? 'noLinks' : 'linksOff')}</p>
      ) : (
        <DataTable
          caption={t('linksTable')}
          columns={linkColumns()}
          rows={carrier.links}
          rowKey={({ link, role }) => `${link} ${role}`}
          subline={countersText}
        />
      )}
    </Card>
  )
}

const routeColumns = (currency: string): Column<Route>[] => [
  {
    key: 'prefix',
    header: t('prefix'),
    nowrap: true,
    render: ({ prefix }) => (prefix === '' ? t('everyDestination') : prefix),
  },
  { key: 'priority', header: t('priority'), align: 'end', render: ({ priority }) => priority },
  { key: 'cost', header: t('costPerSegment', { currency }), align: 'end', render: ({ cost }) => cost },
]

export function RoutesCard({ carrier }: { carrier: Carrier }) {
  return (
    <Card title={t('routes')} flush>
      {carrier.routes.length === 0 ? (
        <p className={styles['quiet']}>{t('noRoutes')}</p>
      ) : (
        <DataTable
          caption={t('routes')}
          columns={routeColumns(carrier.currency)}
          rows={carrier.routes}
          rowKey={({ prefix }) => prefix}
        />
      )}
    </Card>
  )
}

/** Before the second reading of the counters nothing is known. */
function throughputText({ links }: Carrier, rate: number | undefined): string {
  if (rate !== undefined) return t('rate', { rate: rateText(rate) })
  return links.length === 0 ? '–' : t('measuring')
}

function Waiting({ messages: count, oldestDueAt }: Carrier['waiting']) {
  if (oldestDueAt === null) return t('messages', { count })
  return t.rich('messagesDue', { count, time: () => <Time iso={oldestDueAt} /> })
}

/** @param props.rate segments a second; undefined where it is not known */
export function CarrierFacts({ carrier, rate }: { carrier: Carrier; rate?: number | undefined }) {
  const { waiting, links } = carrier
  const sum = (key: keyof Link['counters']) => links.reduce((total, { counters }) => total + counters[key], 0)
  return (
    <Card title={carrier.name}>
      <DescriptionList
        items={[
          { term: t('state'), detail: <StatusChip status={carrier.state} /> },
          { term: t('kind'), detail: carrier.kind.toUpperCase() },
          {
            term: t('throughput'),
            detail: throughputText(carrier, rate),
          },
          {
            term: t('waiting'),
            detail: <Waiting {...waiting} />,
          },
          { term: t('segmentsAccepted'), detail: t('outOf', { count: sum('accepted'), all: sum('submitted') }) },
          { term: t('createdAt'), detail: <Moment iso={carrier.createdAt} /> },
          { term: t('updatedAt'), detail: <Moment iso={carrier.updatedAt} /> },
        ]}
      />
    </Card>
  )
}

/** Plain values in full; of small objects how many there are. */
function listText(values: readonly unknown[]): string {
  if (values.length === 0) return t('noneShort')
  return values.every(value => typeof value === 'string') ? values.join(', ') : `${values.length}`
}

function settingText(value: unknown): string {
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (Array.isArray(value)) return listText(value)
  const text = String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** The settings under the names of the API, so that they are found there. */
export function SettingsCard({ of }: { of: { settings: object; secretsSet: readonly string[] } }) {
  const shown = Object.entries(of.settings)
  return (
    <Card title={t('settings')}>
      <dl className={styles['settings']}>
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{settingText(value)}</dd>
          </div>
        ))}
        {of.secretsSet.map(name => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{t('secretStored')}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
