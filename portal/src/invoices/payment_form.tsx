// Records money that arrived for an invoice: all that is still due, or a part of it.
import type { PaymentsCreateParams } from '@tandem/sdk'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { Money, SelectField, TextField } from '../ui/index.ts'
import { type ListedInvoice, type Method, methodNames } from './invoice_noun.ts'
import { amountText, minorOf, withPoint } from './invoice_totals.ts'
import { titleOfInvoice, useAct } from './use_act.ts'

type Values = { amount: string; method: Method; paid_at: string; reference: string }

function bodyOf({ amount, method, paid_at, reference }: Values): Omit<PaymentsCreateParams, 'id'> {
  return {
    amount: withPoint(amount),
    method,
    ...(paid_at !== '' && { paid_at }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  }
}

export function PaymentForm({ invoice, onClose }: { invoice: ListedInvoice; onClose(): void }) {
  const { id, version, currency } = invoice
  const dueMinor = minorOf(String(invoice.amount_due), currency) ?? 0n
  const [values, setValues] = useState<Values>({
    amount: amountText(dueMinor, currency),
    method: 'bank_transfer',
    paid_at: '',
    reference: '',
  })
  const act = useAct({
    invoice,
    run: api => api.payments.create({ id, ...bodyOf(values) }, { ifMatch: version }),
    done: 'The payment was recorded.',
    onClose,
  })
  const form = useFormFields({ values, change: setValues }, act.error, ['amount', 'method', 'paid_at', 'reference'])
  return (
    <FormDialog
      title={`Record a payment for ${titleOfInvoice(invoice)}`}
      description={
        <>
          <Money amount={invoice.amount_due} currency={currency} /> is still due.
        </>
      }
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action="Record"
      busy={act.isPending}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextField
        label={`Amount in ${currency}`}
        required
        inputMode="decimal"
        hint={<Rest leftMinor={dueMinor - (minorOf(values.amount, currency) ?? 0n)} currency={currency} />}
        {...form.text('amount')}
      />
      <SelectField
        label="How it was paid"
        options={Object.entries(methodNames).map(([value, label]) => ({ value, label }))}
        value={values.method}
        error={form.fields['method']}
        onChange={({ target }) => form.put('method', target.value as Method)}
      />
      <TextField label="Day it arrived" type="date" optional hint="Today when left empty" {...form.text('paid_at')} />
      <TextField label="Reference" optional hint="What it can be found by elsewhere" {...form.text('reference')} />
    </FormDialog>
  )
}

function Rest({ leftMinor, currency }: { leftMinor: bigint; currency: string }) {
  if (leftMinor < 0n) return 'More than is due'
  if (leftMinor === 0n) return 'With it the invoice is paid in full'
  return (
    <>
      With it <Money amount={Number(amountText(leftMinor, currency))} currency={currency} /> is still due
    </>
  )
}
