// Records money that arrived for an invoice: all that is still due, or a part of it.
import type { PaymentsCreateParams } from '@tandem/sdk'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { clearText, decimalText, refuseUnclear } from '../forms/number_text.ts'
import { Money, SelectField, TextField } from '../ui/index.ts'
import { decimalsOf } from '../words/currency_decimals.ts'
import { type ListedInvoice, type Method, methodName, methods } from './invoice_noun.ts'
import { amountText, minorOf } from './invoice_totals.ts'
import { t } from './texts.ts'
import { titleOfInvoice, useAct } from './use_act.ts'

type Values = { amount: string; method: Method; paid_at: string; reference: string }

function bodyOf({ amount, method, paid_at, reference }: Values, currency: string): Omit<PaymentsCreateParams, 'id'> {
  const places = decimalsOf(currency)
  refuseUnclear([{ field: 'amount', text: amount, places }])
  return {
    amount: decimalText(amount, places),
    method,
    ...(paid_at !== '' && { paid_at }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  }
}

export function PaymentForm({ invoice, onClose }: { invoice: ListedInvoice; onClose(): void }) {
  const { id, version, currency } = invoice
  const dueMinor = minorOf(String(invoice.amount_due), currency) ?? 0n
  const [values, setValues] = useState<Values>({
    amount: clearText(amountText(dueMinor, currency), decimalsOf(currency)),
    method: 'bank_transfer',
    paid_at: '',
    reference: '',
  })
  const act = useAct({
    invoice,
    run: async api => api.payments.create({ id, ...bodyOf(values, currency) }, { ifMatch: version }),
    done: t('paid'),
    onClose,
  })
  const form = useFormFields({ values, change: setValues }, act.error, ['amount', 'method', 'paid_at', 'reference'])
  return (
    <FormDialog
      title={t('payTitle', { invoice: titleOfInvoice(invoice) })}
      description={t.rich('payText', { amount: () => <Money amount={invoice.amount_due} currency={currency} /> })}
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action={t('payDo')}
      busy={act.isPending}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t('payAmount', { currency })}
        required
        inputMode="decimal"
        hint={<Rest leftMinor={dueMinor - (minorOf(values.amount, currency) ?? 0n)} currency={currency} />}
        {...form.text('amount')}
      />
      <SelectField
        label={t('payMethod')}
        options={methods.map(value => ({ value, label: methodName(value) }))}
        value={values.method}
        error={form.fields['method']}
        onChange={({ target }) => form.put('method', target.value as Method)}
      />
      <TextField label={t('payDay')} type="date" optional hint={t('payDayHint')} {...form.text('paid_at')} />
      <TextField label={t('payReference')} optional hint={t('payReferenceHint')} {...form.text('reference')} />
    </FormDialog>
  )
}

function Rest({ leftMinor, currency }: { leftMinor: bigint; currency: string }) {
  if (leftMinor < 0n) return t('restTooMuch')
  if (leftMinor === 0n) return t('restNone')
  return t.rich('rest', {
    amount: () => <Money amount={Number(amountText(leftMinor, currency))} currency={currency} />,
  })
}
