// What payments add to the vocabulary of the product: who may do what, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const payment = declareNoun({
  permissions: {
    'payments:create': { allows: 'Record payments on invoices.', roles: ['Finance Manager'] },
    'payments:reverse': { allows: 'Reverse payments on invoices.', roles: ['Finance Manager'] },
  },
  problems: {
    overpayment: problem(
      422,
      'More than is due',
      'The payment is larger than the amount still due.',
      'Send at most the amount due given in the message.',
    ),
    currency_mismatch: problem(
      422,
      'Other currency',
      'The payment is in another currency than the invoice.',
      "Use the invoice's currency.",
    ),
    payment_reversed: problem(
      409,
      'Payment is reversed',
      'The payment was reversed before, and counts no more.',
      'Nothing is left to do. Record a new payment if the money did arrive.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    payment: typeof payment
  }
}
