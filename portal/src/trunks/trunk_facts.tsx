// What a trunk is: how it is now, what it carried, its routes, its settings without secrets.
import type { Trunk } from '@tandem/sdk'
import styles from '../carriers/carriers.module.css'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, countText, DescriptionList, Moment, StatusChip, Time } from '../ui/index.ts'

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
    header: 'Prefix',
    nowrap: true,
    render: ({ prefix }) => (prefix === '' ? 'Every destination' : prefix),
  },
  { key: 'priority', header: 'Priority', align: 'end', render: ({ priority }) => priority },
  { key: 'weight', header: 'Weight', align: 'end', render: ({ weight }) => weight },
  { key: 'cost', header: `A minute, ${currency}`, align: 'end', render: ({ cost }) => cost },
]

export function TrunkRoutesCard({ trunk }: { trunk: Trunk }) {
  return (
    <Card title="Routes" flush>
      {trunk.routes.length === 0 ? (
        <p className={styles['quiet']}>None: no call goes this way, but what comes in is taken.</p>
      ) : (
        <DataTable
          caption="Routes"
          columns={routeColumns(trunk.currency)}
          rows={trunk.routes}
          rowKey={({ prefix }) => prefix}
        />
      )}
    </Card>
  )
}

/** What the state asks of the reader. */
const remedies: Partial<Record<Trunk['state'], string>> = {
  unknown: 'No process asks it now. Within seconds one does; when not, is a process with the role voice running?',
  disabled: 'It is switched off: no call goes this way, and none is taken.',
}

export function TrunkFacts({ trunk }: { trunk: Trunk }) {
  const { counters, state, error, since } = trunk
  const remedy = error === null ? remedies[state] : undefined
  return (
    <Card title={trunk.name}>
      <DescriptionList
        items={[
          {
            term: 'State',
            detail: (
              <>
                <StatusChip status={state} /> {since !== null && <Time iso={since} />}
                {remedy !== undefined && <span className={styles['note']}>{remedy}</span>}
              </>
            ),
          },
          ...(error === null
            ? []
            : [{ term: 'Last error', detail: <span className={styles['reason']}>{error}</span> }]),
          { term: 'Address', detail: addressText(trunk) },
          {
            term: 'Calls now',
            detail: `${countText(counters.active)} of ${countText(trunk.settings.concurrentCalls ?? 0)}`,
          },
          { term: 'Calls begun', detail: countText(counters.calls) },
          { term: 'Not carried', detail: countText(counters.failed) },
          { term: 'Added', detail: <Moment iso={trunk.createdAt} /> },
          { term: 'Updated', detail: <Moment iso={trunk.updatedAt} /> },
        ]}
      />
    </Card>
  )
}

/** What works, but not as safely as it looks. */
export function WarningsCard({ trunk }: { trunk: Trunk }) {
  if (trunk.warnings.length === 0) return null
  return (
    <Card title="Less safe than it looks">
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
