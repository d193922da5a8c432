// What is done with an invoice: sending it, recording payments, cancelling it. Only what its state and the person's role allow is
// offered.
import { Ban, Banknote, Send } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { actionsOf, type InvoiceAction, type ListedInvoice } from './invoice_noun.ts'
import { ActionDialog } from './later.ts'

export function InvoiceActions({ invoice }: { invoice: ListedInvoice }) {
  const { permissions } = useSession()
  const [action, setAction] = useState<InvoiceAction>()
  const may = actionsOf(invoice, permissions)
  return (
    <>
      {may.send && (
        <Button variant="primary" icon={<Send size={14} />} onClick={() => setAction('send')}>
          Send
        </Button>
      )}
      {may.pay && (
        <Button variant="primary" icon={<Banknote size={14} />} onClick={() => setAction('pay')}>
          Record a payment
        </Button>
      )}
      {may.cancel && (
        <Button icon={<Ban size={14} />} onClick={() => setAction('cancel')}>
          Cancel the invoice
        </Button>
      )}
      {action !== undefined && <ActionDialog action={action} invoice={invoice} onClose={() => setAction(undefined)} />}
    </>
  )
}
