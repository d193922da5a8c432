// What other modules may use of invoices.
export { AmountInput, type EventDraft, Invoice, invoiceEvents, presentInvoice, sampleInvoice } from './present.ts'
export { moneyFault, moved, statusOn } from './rules.ts'
export { changeInvoice, type InvoiceRow, lockInvoice } from './store.ts'
