// What other modules may use of invoices.
export { AmountInput, Invoice, presentInvoice, sampleInvoice, type Told, tellOf } from './present.ts'
export { moneyFault, moved, statusOn } from './rules.ts'
export { changeInvoice, type InvoiceRow, lockInvoice } from './store.ts'
