// What other modules may use of invoices.
export { asOfToday } from './calendar_store.ts'
export {
  AmountInput,
  type EventDraft,
  Invoice,
  invoiceEvents,
  presentInvoice,
  reasonOf,
  sampleInvoice,
} from './present.ts'
export { moneyFault, moved, mustEmitOverdue, statusOn } from './rules.ts'
export { changeInvoice, holdCalendar, type InvoiceRow, lockInvoice } from './store.ts'
export { soonDays } from './totals_endpoint.ts'
export { addUpInvoices, type InvoiceSum, type InvoiceTotals } from './totals_store.ts'
