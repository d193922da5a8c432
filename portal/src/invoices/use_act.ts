// Something that is done with an invoice: it is meant for the invoice as it is shown, and what comes of it is shown at once.
import type { Invoice, Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isStale } from '../forms/faults.ts'
import { type NounRecord, titleOf } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { toast } from '../ui/index.ts'
import { invoices, type ListedInvoice, type Payment } from './invoice_noun.ts'
import { t } from './texts.ts'

type Reply = { invoice: ListedInvoice; payment?: Payment }

export type ActOptions = {
  invoice: ListedInvoice
  run(api: Tandem): Promise<Reply>
  /** Said once it is done. */
  done: string
  onClose(): void
}

export const titleOfInvoice = (invoice: ListedInvoice) => titleOf(invoices, invoice as unknown as NounRecord)

/** With a payment that is new, or as it is now. */
function withPayment(payments: readonly Payment[], payment: Payment): Payment[] {
  const isKnown = payments.some(({ id }) => id === payment.id)
  return isKnown ? payments.map(each => (each.id === payment.id ? payment : each)) : [...payments, payment]
}

export function useAct({ invoice, run, done, onClose }: ActOptions) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const key = [mode, 'invoice', String(invoice.id)]
  const act = useMutation({
    mutationFn: () => run(api),
    onSuccess({ invoice: now, payment }) {
      // The stream may have been quicker.
      cache.setQueryData<Invoice>(key, old =>
        old === undefined || old.version >= now.version
          ? old
          : { ...old, ...now, payments: payment === undefined ? old.payments : withPayment(old.payments, payment) },
      )
      void cache.invalidateQueries({ queryKey: [mode, 'invoices'] })
      toast({ text: done })
      onClose()
    },
    onError: error => isStale(error) && void cache.invalidateQueries({ queryKey: key }),
  })
  const error = isStale(act.error) ? new Error(t('changedMeanwhile')) : act.error
  return { ...act, error }
}
