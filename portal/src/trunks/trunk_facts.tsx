// What a trunk is: how it is now, what it carried, its routes, its settings without secrets.
import type { Trunk } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { t as tCarriers } from '../carriers/texts.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, Moment, StatusChip, Time } from '../ui/index.ts'
import { t } from './texts.ts'

type Route = Trunk['routes'][number]

/** Where it is reached, as one writes it: `sip.example.com:5060, udp`; of an Asterisk the address of its ARI. */
export function addressText({ kind, settings: { host = '', port = null, transport, url } }: Trunk): string {
  if (kind === 'asterisk') return `${url}, Asterisk`
  const name = host.includes(':') ? `[${host}]` : host
  return `${port === null ? name : `${name}:${port}`}, ${transport}`
}

const routeColumns = (currency: string): Column<Route>[] => [
  {
    key: 'prefix',
    header: tCarriers('prefix'),
    nowrap: true,
    render: ({ prefix }) => (prefix === '' ? tCarriers('everyDestination') : prefix),
  },
  { key: 'priority', header: tCarriers('priority'), align: 'end', render: ({ priority }) => priority },
  { key: 'weight', header: t('weight'), align: 'end', render: ({ weight }) => weight },
  { key: 'cost', header: t('perMinute', { currency }), align: 'end', render: ({ cost }) => cost },
]

export function TrunkRoutesCard({ trunk }: { trunk: Trunk }) {
  return (
    <Card title={tCarriers('routes')} flush>
      {trunk.routes.length === 0 ? (
        <p className={styles['quiet']}>{t('noRoutes')}</p>
      ) : (
        <DataTable
          caption={tCarriers('routes')}
          columns={routeColumns(trunk.currency)}
          rows={trunk.routes}
          rowKey={({ prefix }) => prefix}
        />
      )}
    </Card>
  )
}

/** What the state asks of the reader. */
const remedyOf = (state: Trunk['state']) => t.of('remedy', state)

export function TrunkFacts({ trunk }: { trunk: Trunk }) {
  const { counters, state, error, since } = trunk
  const remedy = error === null ? remedyOf(state) : undefined
  return (
    <Card title={trunk.name}>
      <DescriptionList
        items={[
          {
            term: tCarriers('state'),
            detail: (
              <>
                <StatusChip status={state} /> {since !== null && <Time iso={since} />}
                {remedy !== undefined && <span className={styles['note']}>{remedy}</span>}
              </>
            ),
          },
          ...(error === null
            ? []
            : [{ term: t('lastError'), detail: <span className={styles['reason']}>{error}</span> }]),
          { term: t('address'), detail: addressText(trunk) },
          {
            term: t('callsNow'),
            detail: tCarriers('outOf', { count: counters.active, all: trunk.settings.concurrentCalls ?? 0 }),
          },
          { term: t('callsBegun'), detail: countText(counters.calls) },
          { term: t('callsFailed'), detail: countText(counters.failed) },
          { term: tCarriers('createdAt'), detail: <Moment iso={trunk.createdAt} /> },
          { term: tCarriers('updatedAt'), detail: <Moment iso={trunk.updatedAt} /> },
        ]}
      />
    </Card>
  )
}

/** What works, but not as safely as it looks. */
export function WarningsCard({ trunk }: { trunk: Trunk }) {
  if (trunk.warnings.length === 0) return null
  return (
    <Card title={t('warnings')}>
      <ul className={styles['warnings']}>
        {trunk.warnings.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code>{field}</code> {message}
          </li>
        ))}
      </ul>
    </Card>
  )
}
