// What the invoices of a list come to, by currency and status, and what of it is due within days. Filtered by nothing but status that costs a
// few rows, kept by triggers (docs/adr/0003_invoice_pages_without_counting.md); whatever else is asked for is added up.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { toDecimalSum } from '../../../kernel/values/money.ts'
import { isCounted, type ListFilter, whereOf } from './list_store.ts'
import type { Status } from './rules.ts'

export type InvoiceSum = { currency: string; invoices: number; amount: number; amount_paid: number; amount_due: number }
export type StatusSum = InvoiceSum & { status: Status }

/** Sums of the whole list, and of those of it that are sent, not overdue, and due by `until`. */
export type InvoiceTotals = { totals: StatusSum[]; dueSoon: InvoiceSum[] }

type Row = { kind: 'total' | 'due'; status: Status; currency: string; invoices: number; total: string; paid: string }

/** As of `today`, or undefined when the calendar is not there: then it must be rolled first. */
export async function addUpInvoices(
  tx: Tx,
  scope: Scope,
  filter: ListFilter,
  { today, until }: { today: string; until: string },
): Promise<InvoiceTotals | undefined> {
  const { tenantId } = scope
  const where = await whereOf(tx, scope, filter)
  const rowSums = sql`count(*)::int as invoices, sum(i.total_minor)::text as total, sum(i.paid_minor)::text as paid`
  const totals = isCounted(filter)
    ? sql`select 'total' as kind, i.listed_status as status, i.currency, ${rowSums} from invoices i where ${where} group by 2, 3`
    : sql`select 'total' as kind, s.status, s.currency, s.invoices::int as invoices, s.total_minor::text as total, s.paid_minor::text as paid
          from invoice_sums s where s.tenant_id = ${tenantId} and s.invoices > 0
            and (${filter.statuses}::text[] is null or s.status = any (${filter.statuses}::text[]))`
  const { rows } = await sql<Row & { as_of: string | null }>`
    select (select as_of from invoice_calendar where tenant_id = ${tenantId}) as as_of, u.*
    from (values (1)) as one left join (
      ${totals}
      union all
      select 'due', i.listed_status, i.currency, ${rowSums} from invoices i
      where ${where} and i.state = 'Sent' and i.listed_status = 'Sent' and i.due_date <= ${until}::date group by 2, 3
    ) u on true`.execute(tx)
  const asOf = rows[0]!.as_of
  if (asOf !== null && asOf !== today) return undefined
  const of = (kind: Row['kind']) => rows.filter(row => row.kind === kind).sort((a, b) => b.invoices - a.invoices)
  return {
    totals: of('total').map(row => ({ status: row.status, ...presentSum(row) })),
    dueSoon: of('due').map(presentSum),
  }
}

/** Nothing is due of what was not sent, or was cancelled. */
function presentSum({ status, currency, invoices, total, paid }: Row): InvoiceSum {
  const major = (minor: bigint) => toDecimalSum(minor, currency)
  const isOpen = status === 'Sent' || status === 'Overdue'
  return {
    currency,
    invoices,
    amount: major(BigInt(total)),
    amount_paid: major(BigInt(paid)),
    amount_due: isOpen ? major(BigInt(total) - BigInt(paid)) : 0,
  }
}
