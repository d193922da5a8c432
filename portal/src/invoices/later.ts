// What is opened by a press, fetched then.
import { readyPart } from '../ui/lazy_part.tsx'

export const ActionDialog = readyPart(() => import('./action_dialogs.tsx').then(module => module.ActionDialog))
export const CreateInvoice = readyPart(() => import('./invoice_form.tsx').then(module => module.CreateInvoice))
export const CustomerInvoices = readyPart(() =>
  import('./customer_invoices.tsx').then(module => module.CustomerInvoices),
)
export const EditInvoice = readyPart(() => import('./invoice_form.tsx').then(module => module.EditInvoice))
export const NumberCheck = readyPart(() => import('./number_check.tsx').then(module => module.NumberCheck))
export const ReversePayment = readyPart(() => import('./reverse_payment.tsx').then(module => module.ReversePayment))
