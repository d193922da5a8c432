// The dialogs of what is done with an invoice.
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { ConfirmDialog, Day, TextArea } from '../ui/index.ts'
import type { InvoiceAction, ListedInvoice } from './invoice_noun.ts'
import { PaymentForm } from './payment_form.tsx'
import { titleOfInvoice, useAct } from './use_act.ts'

type DialogProps = { invoice: ListedInvoice; onClose(): void }

export function ActionDialog({ action, ...rest }: DialogProps & { action: InvoiceAction }) {
  const dialogs = { send: SendDialog, pay: PaymentForm, cancel: CancelDialog }
  const Shown = dialogs[action]
  return <Shown {...rest} />
}

/** Where the reader is; the server goes by the organization's time zone. */
const isPast = (day: string) => day < new Date().toLocaleDateString('sv-SE')

function SendDialog({ invoice, onClose }: DialogProps) {
  const { id, version, customer, due_date: due, amount } = invoice
  const title = titleOfInvoice(invoice)
  const act = useAct({
    invoice,
    run: api => api.invoices.send({ id }, { ifMatch: version }),
    done: `${title} is sent now.`,
    onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Send ${title} to ${customer.name}?`}
      description="From then on its lines, amounts and customer stay as they are. Tandem records that it was sent; the invoice itself goes to the customer the way you always send it."
      confirmLabel="Send"
      busy={act.isPending}
      {...(act.error !== null && { error: act.error.message })}
      onConfirm={() => act.mutate()}
    >
      <p>
        {amount === 0 ? (
          'Its total is zero, so it is paid at once.'
        ) : (
          <>
            {isPast(due) ? 'It is overdue at once: it was due on ' : 'It waits for payment until '}
            <Day date={due} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}

function CancelDialog({ invoice, onClose }: DialogProps) {
  const { id, version } = invoice
  const [values, setValues] = useState({ reason: '' })
  const title = titleOfInvoice(invoice)
  const act = useAct({
    invoice,
    run: api => api.invoices.cancel({ id, reason: values.reason }, { ifMatch: version }),
    done: `${title} is cancelled.`,
    onClose,
  })
  const form = useFormFields({ values, change: setValues }, act.error, ['reason'])
  return (
    <FormDialog
      title={`Cancel ${title}?`}
      description="It keeps its number and can never be opened again."
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action="Cancel the invoice"
      cancel="Keep it"
      busy={act.isPending}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Reason"
        required
        rows={3}
        maxLength={500}
        className={record['wide']}
        hint="Kept with the invoice"
        {...form.text('reason')}
      />
    </FormDialog>
  )
}
