// The story of an invoice in words: what happened to it, and what was changed.
import type { Invoice, TandemEvent } from '@tandem/sdk'
import { type Describe, ResourceEvents } from '../data/resource_events.tsx'
import { fieldValue, type NounRecord } from '../nouns/noun.ts'
import { FieldValue } from '../nouns/values.tsx'
import { Money, TextLink } from '../ui/index.ts'
import { invoices, type ListedInvoice, methodNames } from './invoice_noun.ts'

type Data = ListedInvoice & { payment?: Invoice['payments'][number] }

const words: Record<string, string> = {
  'invoice.created': 'Created',
  'invoice.updated': 'Changed',
  'invoice.sent': 'Sent',
  'invoice.payment_recorded': 'Payment recorded',
  'invoice.paid': 'Paid in full',
  'invoice.overdue': 'Overdue',
  'invoice.cancelled': 'Cancelled',
}

const describe: Describe = (event, before) => ({
  title: (
    <TextLink to="/events" search={{ resourceId: event.resourceId }}>
      {words[event.type] ?? event.type}
    </TextLink>
  ),
  detail: detailOf(event, before),
})

function detailOf({ type, data }: TandemEvent, before: TandemEvent | undefined) {
  const { payment, cancel_reason: reason } = data as Data
  if (payment !== undefined)
    return (
      <>
        <Money amount={payment.amount} currency={payment.currency} />
        {` · ${methodNames[payment.method]}${payment.reference === null ? '' : ` · ${payment.reference}`}`}
      </>
    )
  if (type === 'invoice.cancelled') return reason ?? undefined
  if (type !== 'invoice.updated' || before === undefined) return undefined
  const [was, is] = [before.data, data] as [NounRecord, NounRecord]
  return invoices.fields
    .filter(({ name }) => name !== 'updated_at')
    .map(field => ({ field, from: fieldValue(field, was), to: fieldValue(field, is) }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    .map(({ field, from, to }) => (
      <p key={field.name}>
        {`${field.label}: `}
        <FieldValue field={field} value={from} compact />
        {' → '}
        <FieldValue field={field} value={to} compact />
      </p>
    ))
}

export function InvoiceHistory({ id }: { id: string }) {
  return <ResourceEvents resourceId={id} noun="invoice" describe={describe} />
}
