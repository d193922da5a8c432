// What invoices may use of payments.
export { Payment, presentPayment, samplePayment } from './present.ts'
export { listPayments } from './store.ts'
