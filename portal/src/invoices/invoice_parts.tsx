// What an invoice is about: its lines with what they come to, and its payments.
import type { Invoice } from '@tandem/sdk'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, Moment, Money } from '../ui/index.ts'
import { isOwed, methodNames } from './invoice_noun.ts'
import styles from './invoices.module.css'
import { Sums } from './sums.tsx'

type Line = Invoice['lines'][number] & { position: number }
type Payment = Invoice['payments'][number]

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { currency, basis } = invoice
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  const columns: Column<Line>[] = [
    { key: 'description', header: 'Line', render: line => line.description },
    { key: 'quantity', header: 'Quantity', align: 'end', render: line => line.quantity.toLocaleString() },
    {
      key: 'price',
      header: 'Unit price',
      align: 'end',
      hideOnNarrow: true,
      render: line => <Money amount={line.unit_price} currency={currency} exact />,
    },
    { key: 'tax', header: 'Tax', align: 'end', hideOnNarrow: true, render: line => `${line.tax_rate} %` },
    { key: 'amount', header: 'Amount', align: 'end', render: line => money(line.amount) },
  ]
  return (
    <Card title="What is billed" flush>
      {basis === 'lines' ? (
        <DataTable
          caption="Lines of the invoice"
          columns={columns}
          rows={invoice.lines.map((line, position) => ({ ...line, position }))}
          rowKey={line => String(line.position)}
        />
      ) : (
        <p className={styles['note']}>
          {basis === 'amount'
            ? 'One amount, without lines.'
            : 'Nothing yet: it can be sent once it has a line or an amount.'}
        </p>
      )}
      <Sums
        label="What it comes to"
        items={[
          { term: 'Before tax', detail: money(invoice.subtotal) },
          { term: 'Tax', detail: money(invoice.tax_total) },
          { term: 'Total', detail: money(invoice.amount) },
          ...(isOwed(invoice)
            ? [
                { term: 'Paid', detail: money(invoice.amount_paid) },
                { term: 'Still due', detail: money(invoice.amount_due) },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

const columns: Column<Payment>[] = [
  { key: 'at', header: 'Paid', render: payment => <Moment iso={payment.paid_at} /> },
  { key: 'method', header: 'Method', nowrap: true, render: payment => methodNames[payment.method] },
  { key: 'reference', header: 'Reference', hideOnNarrow: true, render: payment => payment.reference ?? '–' },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    render: payment => <Money amount={payment.amount} currency={payment.currency} />,
  },
]

export function InvoicePayments({ payments, status }: Pick<Invoice, 'payments' | 'status'>) {
  if (payments.length === 0 && status !== 'Sent' && status !== 'Overdue') return null
  return (
    <Card title="Payments" flush>
      {payments.length === 0 ? (
        <p className={styles['note']}>None yet.</p>
      ) : (
        <DataTable
          caption="Payments of the invoice"
          columns={columns}
          rows={payments}
          rowKey={payment => String(payment.id)}
        />
      )}
    </Card>
  )
}
