// The dialogs of what is done with an invoice.
import { useOrganizationDay } from '../data/organization_day.tsx'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, Day } from '../ui/index.ts'
import type { InvoiceAction, ListedInvoice } from './invoice_noun.ts'
import { PaymentForm } from './payment_form.tsx'
import { ReasonDialog } from './reason_dialog.tsx'
import { t } from './texts.ts'
import { titleOfInvoice, useAct } from './use_act.ts'

type DialogProps = { invoice: ListedInvoice; onClose(): void }

export function ActionDialog({ action, ...rest }: DialogProps & { action: InvoiceAction }) {
  const dialogs = { send: SendDialog, pay: PaymentForm, cancel: CancelDialog }
  const Shown = dialogs[action]
  return <Shown {...rest} />
}

function SendDialog({ invoice, onClose }: DialogProps) {
  const { id, version, customer, due_date: due, amount } = invoice
  const title = titleOfInvoice(invoice)
  const today = useOrganizationDay()
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
          : t.rich(today !== undefined && due < today ? 'sendPast' : 'sendUntil', { day: () => <Day date={due} /> })}
      </p>
    </ConfirmDialog>
  )
}

function CancelDialog({ invoice, onClose }: DialogProps) {
  const { id, version } = invoice
  const title = titleOfInvoice(invoice)
  return (
    <ReasonDialog
      invoice={invoice}
      run={(api, reason) => api.invoices.cancel({ id, reason }, { ifMatch: version })}
      done={t('cancelled', { invoice: title })}
      title={t('cancelTitle', { invoice: title })}
      text={t('cancelText')}
      hint={t('reasonHint')}
      action={t('cancel')}
      keep={t('cancelKeep')}
      onClose={onClose}
    />
  )
}
