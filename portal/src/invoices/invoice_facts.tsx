// One invoice in full: customer, lines, what was paid. Shown on its own page and in the inspector.
import type { Invoice } from '@tandem/sdk'
import record from '../app/record.module.css'
import { Card, type Column, DataTable, Day, DescriptionList, Moment, Money, StatusChip, TextLink } from '../ui/index.ts'

type Line = Invoice['lines'][number] & { position: number }
type Payment = Invoice['payments'][number]

export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { currency, customer } = invoice
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  return (
    <Card title="Invoice">
      <DescriptionList
        items={[
          { term: 'Status', detail: <StatusChip status={invoice.status} /> },
          { term: 'Customer', detail: customer.name },
          ...(customer.email === null ? [] : [{ term: 'E-mail', detail: customer.email }]),
          ...(customer.address === null
            ? []
            : [{ term: 'Address', detail: <span className={record['notes']}>{customer.address}</span> }]),
          ...(customer.tax_id === null ? [] : [{ term: 'Tax number', detail: customer.tax_id }]),
          { term: 'Amount', detail: money(invoice.amount) },
          { term: 'Of which tax', detail: money(invoice.tax_total) },
          { term: 'Paid', detail: money(invoice.amount_paid) },
          { term: 'Still due', detail: money(invoice.amount_due) },
          { term: 'Issued', detail: <Day date={invoice.issue_date} /> },
          { term: 'Due', detail: <Day date={invoice.due_date} /> },
          { term: 'Sent', detail: <Moment iso={invoice.sent_at} /> },
          ...(invoice.paid_at === null ? [] : [{ term: 'Paid up', detail: <Moment iso={invoice.paid_at} /> }]),
          ...(invoice.cancelled_at === null
            ? []
            : [
                { term: 'Cancelled', detail: <Moment iso={invoice.cancelled_at} /> },
                { term: 'Because', detail: invoice.cancel_reason ?? '–' },
              ]),
          ...(invoice.lead_id === null
            ? []
            : [
                {
                  term: 'Lead',
                  detail: (
                    <TextLink to="/leads/$id" params={{ id: String(invoice.lead_id) }}>
                      Lead {invoice.lead_id}
                    </TextLink>
                  ),
                },
              ]),
          ...(invoice.notes === null
            ? []
            : [{ term: 'Notes', detail: <span className={record['notes']}>{invoice.notes}</span> }]),
        ]}
      />
    </Card>
  )
}

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const money = (amount: number) => <Money amount={amount} currency={invoice.currency} />
  const columns: Column<Line>[] = [
    { key: 'description', header: 'Line', render: line => line.description },
    { key: 'quantity', header: 'Quantity', align: 'end', render: line => line.quantity },
    { key: 'price', header: 'Unit price', align: 'end', render: line => money(line.unit_price) },
    { key: 'tax', header: 'Tax', align: 'end', hideOnNarrow: true, render: line => `${line.tax_rate} %` },
    { key: 'amount', header: 'Amount', align: 'end', render: line => money(line.amount) },
  ]
  return (
    <Card title="Lines" flush>
      <DataTable
        caption="Lines of the invoice"
        columns={columns}
        rows={invoice.lines.map((line, position) => ({ ...line, position }))}
        rowKey={line => String(line.position)}
      />
    </Card>
  )
}

export function InvoicePayments({ invoice }: { invoice: Invoice }) {
  const columns: Column<Payment>[] = [
    { key: 'at', header: 'Paid', render: payment => <Moment iso={payment.paid_at} /> },
    { key: 'method', header: 'Method', render: payment => payment.method.replaceAll('_', ' ') },
    { key: 'reference', header: 'Reference', hideOnNarrow: true, render: payment => payment.reference ?? '–' },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      render: payment => <Money amount={payment.amount} currency={payment.currency} />,
    },
  ]
  if (invoice.payments.length === 0) return null
  return (
    <Card title="Payments" flush>
      <DataTable
        caption="Payments of the invoice"
        columns={columns}
        rows={invoice.payments}
        rowKey={payment => String(payment.id)}
      />
    </Card>
  )
}
