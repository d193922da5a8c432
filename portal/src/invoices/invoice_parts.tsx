// What an invoice is about: its lines with what they come to, and its payments.
import type { Invoice } from '@tandem/sdk'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Card, Moment, Money } from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { isOwed, methodName } from './invoice_noun.ts'
import styles from './invoices.module.css'
import { Sums } from './sums.tsx'
import { t } from './texts.ts'

type Line = Invoice['lines'][number] & { position: number }
type Payment = Invoice['payments'][number]

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { currency, basis } = invoice
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  const columns: Column<Line>[] = [
    { key: 'description', header: t('line'), render: line => line.description },
    { key: 'quantity', header: t('quantity'), align: 'end', render: line => numberText(line.quantity) },
    {
      key: 'price',
      header: t('unitPrice'),
      align: 'end',
      hideOnNarrow: true,
      render: line => <Money amount={line.unit_price} currency={currency} exact />,
    },
    {
      key: 'tax',
      header: t('tax'),
      align: 'end',
      hideOnNarrow: true,
      render: line => `${numberText(line.tax_rate)} %`,
    },
    { key: 'amount', header: t('amount'), align: 'end', render: line => money(line.amount) },
  ]
  return (
    <Card title={t('billed')} flush>
      {basis === 'lines' ? (
        <DataTable
          caption={t('linesOf')}
          columns={columns}
          rows={invoice.lines.map((line, position) => ({ ...line, position }))}
          rowKey={line => String(line.position)}
        />
      ) : (
        <p className={styles['note']}>{t(basis === 'amount' ? 'oneAmount' : 'nothingBilled')}</p>
      )}
      <Sums
        label={t('sums')}
        items={[
          { term: t('beforeTax'), detail: money(invoice.subtotal) },
          { term: t('tax'), detail: money(invoice.tax_total) },
          { term: t('total'), detail: money(invoice.amount) },
          ...(isOwed(invoice)
            ? [
                { term: t('paidSum'), detail: money(invoice.amount_paid) },
                { term: t('stillDue'), detail: money(invoice.amount_due) },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

const columns = byLanguage((): Column<Payment>[] => [
  { key: 'at', header: t('paidSum'), render: payment => <Moment iso={payment.paid_at} /> },
  { key: 'method', header: t('paymentMethod'), nowrap: true, render: payment => methodName(payment.method) },
  { key: 'reference', header: t('payReference'), hideOnNarrow: true, render: payment => payment.reference ?? '–' },
  {
    key: 'amount',
    header: t('amount'),
    align: 'end',
    render: payment => <Money amount={payment.amount} currency={payment.currency} />,
  },
])

export function InvoicePayments({ payments, status }: Pick<Invoice, 'payments' | 'status'>) {
  if (payments.length === 0 && status !== 'Sent' && status !== 'Overdue') return null
  return (
    <Card title={t('payments')} flush>
      {payments.length === 0 ? (
        <p className={styles['note']}>{t('paymentsNone')}</p>
      ) : (
        <DataTable
          caption={t('paymentsOf')}
          columns={columns()}
          rows={payments}
          rowKey={payment => String(payment.id)}
        />
      )}
    </Card>
  )
}
