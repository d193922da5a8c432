// Takes a payment back: one that bounced, was given back, or was recorded by mistake. It stays with the reason, and counts no more.
import { moneyText } from '../words/format.ts'
import type { ListedInvoice, Payment } from './invoice_noun.ts'
import { ReasonDialog } from './reason_dialog.tsx'
import { t } from './texts.ts'

type ReversePaymentProps = { invoice: ListedInvoice; payment: Payment; onClose(): void }

export function ReversePayment({ invoice, payment, onClose }: ReversePaymentProps) {
  const { id, version } = invoice
  return (
    <ReasonDialog
      invoice={invoice}
      run={(api, reason) => api.payments.reverse({ id, paymentId: payment.id, reason }, { ifMatch: version })}
      done={t('reversed')}
      title={t('reverseTitle', { amount: moneyText(payment.amount, payment.currency) })}
      text={t('reverseText')}
      hint={t('reasonHintPayment')}
      action={t('reverse')}
      keep={t('reverseKeep')}
      onClose={onClose}
    />
  )
}
