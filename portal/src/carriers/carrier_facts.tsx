// What a carrier is: its links with their counters, its routes, its settings without secrets.
import type { Carrier } from '@tandem/sdk'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, Moment, StatusChip, Time } from '../ui/index.ts'
import styles from './carriers.module.css'
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

const linkColumns: Column<Link>[] = [
  { key: 'link', header: 'Link', nowrap: true, render: ({ link, role }) => `${link + 1} ${role}` },
  {
    key: 'state',
    header: 'State',
    render: ({ state, since, error }) => (
      <>
        <StatusChip status={state} /> <Time iso={since} />
        {error !== null && <span className={styles['reason']}>{error}</span>}
      </>
    ),
  },
  count('submitted', 'Written'),
  count('accepted', 'Taken'),
  count('throttled', 'Throttled'),
  count('refused', 'Refused'),
  count('unanswered', 'Unanswered'),
  count('receipts', 'Receipts'),
  count('inbound', 'Inbound'),
  count('binds', 'Binds'),
]

function countersText({ counters }: Link): string {
  const { submitted, accepted, refused, receipts } = counters
  return `${countText(submitted)} written, ${countText(accepted)} taken, ${countText(refused)} refused, ${countText(receipts)} receipts`
}

export function LinksCard({ carrier }: { carrier: Carrier }) {
  return (
    <Card title="Links" flush>
      {carrier.links.length === 0 ? (
        <p className={styles['quiet']}>
          {carrier.enabled
            ? 'No link was opened yet. A worker does so within seconds; when it does not, is a process with the role worker running?'
            : 'The carrier is switched off, so no link is held.'}
        </p>
      ) : (
        <DataTable
          caption="Links and what they did since they were opened"
          columns={linkColumns}
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
    header: 'Prefix',
    nowrap: true,
    render: ({ prefix }) => (prefix === '' ? 'Every destination' : prefix),
  },
  { key: 'priority', header: 'Priority', align: 'end', render: ({ priority }) => priority },
  { key: 'cost', header: `Cost of a segment, ${currency}`, align: 'end', render: ({ cost }) => cost },
]

export function RoutesCard({ carrier }: { carrier: Carrier }) {
  return (
    <Card title="Routes" flush>
      {carrier.routes.length === 0 ? (
        <p className={styles['quiet']}>None: no message goes this way, but what comes in is taken.</p>
      ) : (
        <DataTable
          caption="Routes"
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
  if (rate !== undefined) return `${rateText(rate)} segments/s`
  return links.length === 0 ? '–' : 'Measured within seconds'
}

/** @param props.rate segments a second; undefined where it is not known */
export function CarrierFacts({ carrier, rate }: { carrier: Carrier; rate?: number | undefined }) {
  const { waiting, links } = carrier
  const sum = (key: keyof Link['counters']) => links.reduce((total, { counters }) => total + counters[key], 0)
  return (
    <Card title={carrier.name}>
      <DescriptionList
        items={[
          { term: 'State', detail: <StatusChip status={carrier.state} /> },
          { term: 'Kind', detail: carrier.kind.toUpperCase() },
          {
            term: 'Throughput now',
            detail: throughputText(carrier, rate),
          },
          {
            term: 'Waiting',
            detail: (
              <>
                {waiting.messages === 1 ? '1 message' : `${countText(waiting.messages)} messages`}
                {waiting.oldestDueAt !== null && (
                  <>
                    , the first due <Time iso={waiting.oldestDueAt} />
                  </>
                )}
              </>
            ),
          },
          { term: 'Segments taken', detail: `${countText(sum('accepted'))} of ${countText(sum('submitted'))}` },
          { term: 'Added', detail: <Moment iso={carrier.createdAt} /> },
          { term: 'Updated', detail: <Moment iso={carrier.updatedAt} /> },
        ]}
      />
    </Card>
  )
}

/** Plain values in full; of small objects how many there are. */
function listText(values: readonly unknown[]): string {
  if (values.length === 0) return 'none'
  return values.every(value => typeof value === 'string') ? values.join(', ') : `${values.length}`
}

function settingText(value: unknown): string {
  if (value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return listText(value)
  const text = String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** The settings under the names of the API, so that they are found there. */
export function SettingsCard({ of }: { of: { settings: object; secretsSet: readonly string[] } }) {
  const shown = Object.entries(of.settings)
  return (
    <Card title="Settings">
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
            <dd>stored, never shown</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
