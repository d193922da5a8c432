// What invoices add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const invoice = declareNoun({
  permissions: {
    'invoices:read': { allows: 'List and read invoices, audit their numbers.', roles: ['Finance Manager'] },
    'invoices:create': { allows: 'Create draft invoices.', roles: ['Finance Manager'] },
    'invoices:update': { allows: 'Change invoices.', roles: ['Finance Manager'] },
    'invoices:send': { allows: 'Issue and send invoices.', roles: ['Finance Manager'] },
    'invoices:cancel': { allows: 'Cancel invoices.', roles: ['Finance Manager'] },
  },
  events: {
    readWith: 'invoices:read',
    types: {
      'invoice.created': 'A draft invoice was created.',
      'invoice.updated': 'Fields of an invoice changed.',
      'invoice.sent': 'An invoice was issued and sent.',
      'invoice.payment_recorded': 'A payment on an invoice was recorded.',
      'invoice.paid': 'An invoice is paid in full.',
      'invoice.payment_reversed': 'A payment on an invoice was reversed: it counts no more.',
      'invoice.overdue': 'The due date of an open invoice has passed.',
      'invoice.cancelled': 'An invoice was cancelled.',
    },
  },
  problems: {
    lead_not_found: problem(
      422,
      'No such lead',
      'The lead the invoice should come from does not exist in this tenant and mode, was merged into another, or is in the trash.',
      'Check the id, or leave lead_id out.',
    ),
    invoice_locked: problem(
      409,
      'Invoice is issued',
      'An issued invoice keeps its lines, amounts and customer.',
      'Change only due date and notes, or cancel it and create a new one.',
    ),
    empty_invoice: problem(
      422,
      'Invoice is empty',
      'An invoice without lines or amount cannot be issued.',
      'Add at least one line or an amount.',
    ),
    invoice_has_payments: problem(
      409,
      'Invoice has payments',
      'An invoice with payments cannot be cancelled.',
      'Reverse its payments first, when the money was given back or the payment was recorded by mistake.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    invoice: typeof invoice
  }
}
