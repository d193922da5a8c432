// One invoice: what is billed, what was paid, what happened, and what may be done with it.
import { useParams } from '@tanstack/react-router'
import { NounPage } from '../nouns/record_page.tsx'
import { InvoiceActions } from './invoice_actions.tsx'
import { InvoiceHistory } from './invoice_history.tsx'
import { invoiceOf, invoices } from './invoice_noun.ts'
import { InvoiceLines, InvoicePayments } from './invoice_parts.tsx'
import { InvoiceSummary } from './invoice_summary.tsx'
import { EditInvoice } from './later.ts'

/** Shown at the top, and below the lines. */
const apart = ['lead_id', 'amount', 'amount_due', 'amount_paid', 'subtotal', 'tax_total']

export function InvoicePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <NounPage
      noun={invoices}
      about={shown => <bdi>{invoiceOf(shown).customer.name}</bdi>}
      id={id}
      editForm={EditInvoice}
      actions={shown => <InvoiceActions invoice={invoiceOf(shown)} />}
      apart={apart}
      main={shown => (
        <>
          <InvoiceSummary invoice={invoiceOf(shown)} />
          <InvoiceLines invoice={invoiceOf(shown)} />
          <InvoicePayments invoice={invoiceOf(shown)} />
        </>
      )}
    >
      {() => <InvoiceHistory id={id} />}
    </NounPage>
  )
}
