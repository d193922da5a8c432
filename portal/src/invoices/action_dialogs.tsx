// The dialogs of what is done with an invoice.
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, Day, TextArea } from '../ui/index.ts'
import type { InvoiceAction, ListedInvoice } from './invoice_noun.ts'
import { PaymentForm } from './payment_form.tsx'
import { t } from './texts.ts'
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
    done: t('sent', { invoice: title }),
    onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('sendTitle', { invoice: title, customer: customer.name })}
      description={t('sendText')}
      confirmLabel={t('send')}
      busy={act.isPending}
      {...(act.error !== null && { error: faultText(act.error) })}
      onConfirm={() => act.mutate()}
    >
      <p>
        {amount === 0
          ? t('sendZero')
          : t.rich(isPast(due) ? 'sendPast' : 'sendUntil', { day: () => <Day date={due} /> })}
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
    done: t('cancelled', { invoice: title }),
    onClose,
  })
  const form = useFormFields({ values, change: setValues }, act.error, ['reason'])
  return (
    <FormDialog
      title={t('cancelTitle', { invoice: title })}
      description={t('cancelText')}
      className={record['form']}
      faults={{ form: form.form, general: form.general }}
      action={t('cancel')}
      cancel={t('cancelKeep')}
      busy={act.isPending}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <TextArea
        label={t('reason')}
        required
        rows={3}
        maxLength={500}
        className={record['wide']}
        hint={t('reasonHint')}
        {...form.text('reason')}
      />
    </FormDialog>
  )
}
