// What the invoices of the list come to, as it is filtered now, by currency: still to come, late, due soon, paid. It follows the list.
import type { InvoicesTotalsParams, InvoicesTotalsReply } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useGathered } from '../data/gathered.ts'
import { useLiveRelated } from '../data/live_records.ts'
import { type Sum, type SumTile, SumTiles } from '../data/sum_tiles.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, Skeleton } from '../ui/index.ts'
import styles from './invoices.module.css'
import { t } from './texts.ts'

type Filters = Readonly<Record<string, string>>
type Total = InvoicesTotalsReply['totals'][number]
type Amount = 'amount' | 'amount_paid' | 'amount_due'

/** What happens within this time is added up at once. */
const gatherMs = 1_000

/** By currency, those with the most invoices first, without those in which it comes to nothing. */
function sumsOf(totals: readonly Pick<Total, 'currency' | 'invoices' | Amount>[], of: Amount): Sum[] {
  return [...Map.groupBy(totals, ({ currency }) => currency)]
    .map(([currency, some]) => ({
      currency,
      invoices: some.reduce((all, { invoices }) => all + invoices, 0),
      amount: some.reduce((all, one) => all + one[of], 0),
    }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => b.invoices - a.invoices)
}

function tilesOf(reply: InvoicesTotalsReply, filters: Filters): SumTile[] {
  const { totals, due_soon: dueSoon, due_soon_until: soonUntil } = reply
  const of = (...statuses: readonly Total['status'][]) => totals.filter(({ status }) => statuses.includes(status))
  const tile = (name: string, sums: Sum[], status: string, more: Pick<SumTile, 'tone'> & { until?: string } = {}) => {
    const { until, ...rest } = more
    const search = { ...filters, status, ...(until !== undefined && { 'due_date[lte]': until }) }
    return sums.length === 0 ? [] : [{ name, sums, to: '/invoices', search, ...rest }]
  }
  const until = [filters['due_date[lte]'] ?? soonUntil, soonUntil].sort()[0]!
  return [
    ...tile(t('tile.open'), sumsOf(of('Sent', 'Overdue'), 'amount_due'), 'Sent,Overdue'),
    ...tile(t('tile.overdue'), sumsOf(of('Overdue'), 'amount_due'), 'Overdue', { tone: 'bad' }),
    ...tile(t('tile.soon'), sumsOf(dueSoon, 'amount_due'), 'Sent', { until }),
    ...tile(t('tile.paid'), sumsOf(of('Paid'), 'amount_paid'), 'Paid'),
    ...tile(t('tile.drafts'), sumsOf(of('Draft'), 'amount'), 'Draft'),
    ...(totals.every(({ status }) => status === 'Cancelled')
      ? tile(t('tile.cancelled'), sumsOf(totals, 'amount'), 'Cancelled')
      : []),
  ]
}

export function InvoiceTotals({ filters }: { filters: Filters }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'invoices', 'totals', filters],
    queryFn: ({ signal }) => api.invoices.totals(filters as InvoicesTotalsParams, { signal }),
    placeholderData: keepPreviousData,
  })
  const onChange = useGathered(query.refetch, gatherMs)
  useLiveRelated({ events: ['invoice.*'], isMine: () => true, onChange })
  if (query.isPending)
    return (
      <Card className={styles['totals']}>
        <Skeleton width="60%" />
      </Card>
    )
  // The list below says what is wrong.
  const tiles = query.data === undefined ? [] : tilesOf(query.data, filters)
  if (tiles.length === 0) return null
  return (
    <Card className={styles['totals']}>
      <SumTiles label={t('totals')} tiles={tiles} />
    </Card>
  )
}
