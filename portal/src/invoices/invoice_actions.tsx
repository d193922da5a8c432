// What is done with an invoice: sending it, recording payments, cancelling it. Only what its state and the person's role allow is
// offered.
import { Ban, Banknote, Send } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { actionsOf, type InvoiceAction, type ListedInvoice } from './invoice_noun.ts'
import { ActionDialog } from './later.ts'
import { t } from './texts.ts'

export function InvoiceActions({ invoice }: { invoice: ListedInvoice }) {
  const { permissions } = useSession()
  const [action, setAction] = useState<InvoiceAction>()
  const may = actionsOf(invoice, permissions)
  return (
    <>
      {may.send && (
        <Button variant="primary" icon={<Send size={14} />} onClick={() => setAction('send')}>
          {t('send')}
        </Button>
      )}
      {may.pay && (
        <Button variant="primary" icon={<Banknote size={14} />} onClick={() => setAction('pay')}>
          {t('pay')}
        </Button>
      )}
      {may.cancel && (
        <Button icon={<Ban size={14} />} onClick={() => setAction('cancel')}>
          {t('cancel')}
        </Button>
      )}
      {action !== undefined && <ActionDialog action={action} invoice={invoice} onClose={() => setAction(undefined)} />}
    </>
  )
}
