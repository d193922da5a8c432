// The story of an invoice in words: what happened to it, and what was changed.
import type { TandemEvent } from '@tandem/sdk'
import { type Describe, ResourceEvents } from '../data/resource_events.tsx'
import { spoken } from '../nouns/described/spoken.ts'
import { fieldValue, type NounRecord } from '../nouns/noun.ts'
import { FieldValue } from '../nouns/values.tsx'
import { Money, TextLink } from '../ui/index.ts'
import { invoices, type ListedInvoice, methodName, type Payment } from './invoice_noun.ts'
import { t } from './texts.ts'

type Data = ListedInvoice & { payment?: Payment }

const describe: Describe = (event, before) => ({
  title: (
    <TextLink to="/events" search={{ resourceId: event.resourceId }}>
      {t.of('event', event.type.replace(/^invoice\./, '')) ?? event.type}
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
        {` · ${[methodName(payment.method), payment.reference, payment.reversal_reason].filter(Boolean).join(' · ')}`}
      </>
    )
  if (type === 'invoice.cancelled') return reason ?? undefined
  if (type !== 'invoice.updated' || before === undefined) return undefined
  const [was, is] = [before.data, data] as [NounRecord, NounRecord]
  return spoken(invoices)
    .fields.filter(({ name }) => name !== 'updated_at')
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
  return <ResourceEvents resourceId={id} noun={invoices.one} describe={describe} />
}
