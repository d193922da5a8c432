// What an invoice is about: its lines with what they come to, and its payments, which can be reversed.
import type { Invoice } from '@tandem/sdk'
import { useState } from 'react'
import { OrganizationDay } from '../data/organization_day.tsx'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Button, Card, Moment, Money } from '../ui/index.ts'
import { moneyText, numberText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { isOwed, mayReverse, methodName, type Payment } from './invoice_noun.ts'
import { linePlaces } from './invoice_totals.ts'
import styles from './invoices.module.css'
import { ReversePayment } from './later.ts'
import { Sums } from './sums.tsx'
import { t } from './texts.ts'

/** With all decimals that it may have. */
const figureText = (value: number, of: keyof typeof linePlaces) =>
  numberText(value, { maximumFractionDigits: linePlaces[of] })

type Line = Invoice['lines'][number] & { position: number }

export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { currency, basis } = invoice
  const money = (amount: number) => <Money amount={amount} currency={currency} />
  const columns: Column<Line>[] = [
    { key: 'description', header: t('line'), render: line => line.description },
    { key: 'quantity', header: t('quantity'), align: 'end', render: line => figureText(line.quantity, 'quantity') },
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
      render: line => `${figureText(line.tax_rate, 'tax_rate')} %`,
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
  { key: 'at', header: t('paidSum'), render: payment => <OrganizationDay iso={payment.paid_at} /> },
  { key: 'method', header: t('paymentMethod'), nowrap: true, render: payment => methodName(payment.method) },
  { key: 'reference', header: t('payReference'), hideOnNarrow: true, render: referenceOf },
  { key: 'amount', header: t('amount'), align: 'end', render: amountOf },
])

/** What it can be found by; of a reversed one, why it counts no more. */
function referenceOf({ reference, reversed_at: at, reversal_reason: reason }: Payment) {
  if (at === null) return reference ?? '–'
  return (
    <>
      {reference !== null && <p>{reference}</p>}
      <p>{t.rich('paymentReversed', { reason: reason ?? '', moment: () => <Moment iso={at} /> })}</p>
    </>
  )
}

function amountOf({ amount, currency, reversed_at: at }: Payment) {
  const money = <Money amount={amount} currency={currency} />
  return at === null ? money : <s>{money}</s>
}

export function InvoicePayments({ invoice }: { invoice: Invoice }) {
  const { payments, status } = invoice
  const { permissions } = useSession()
  const [reversed, setReversed] = useState<Payment>()
  if (payments.length === 0 && status !== 'Sent' && status !== 'Overdue') return null
  const actions: Column<Payment> = {
    key: 'actions',
    header: '',
    align: 'end',
    render: payment =>
      mayReverse(payment, permissions) && (
        <Button
          size="sm"
          aria-label={t('reverseNamed', { amount: moneyText(payment.amount, payment.currency) })}
          onClick={() => setReversed(payment)}
        >
          {t('reverse')}
        </Button>
      ),
  }
  const isReversible = payments.some(payment => mayReverse(payment, permissions))
  return (
    <Card title={t('payments')} flush>
      {payments.length === 0 ? (
        <p className={styles['note']}>{t('paymentsNone')}</p>
      ) : (
        <DataTable
          caption={t('paymentsOf')}
          columns={isReversible ? [...columns(), actions] : columns()}
          rows={payments}
          rowKey={payment => String(payment.id)}
          subline={payment => payment.reversed_at !== null && referenceOf(payment)}
        />
      )}
      {reversed !== undefined && (
        <ReversePayment invoice={invoice} payment={reversed} onClose={() => setReversed(undefined)} />
      )}
    </Card>
  )
}
