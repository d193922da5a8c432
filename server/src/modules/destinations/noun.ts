// What destination policies add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../kernel/values/noun.ts'

export const destination = declareNoun({
  permissions: {
    'destinations:read': {
      allows: 'Read the destination policies; ask whether a number may be called or texted.',
      roles: ['Sales Manager'],
    },
    'destinations:manage': {
      allows: 'Change the destination policies: which numbers are called and texted, and how much a day.',
      roles: [],
    },
  },
  events: {
    readWith: 'destinations:read',
    types: {
      'destination_policy.updated': 'A destination policy was changed, or put back to the defaults.',
      'destination.ceiling_reached': 'A ceiling of a destination policy is reached; emitted once a day.',
    },
  },
  problems: {
    invalid_to_number: problem(
      422,
      'Invalid recipient',
      'The recipient is not a number that can be reached.',
      'Use a number in international format with +, for example +15550100002.',
    ),
    destination_not_allowed: problem(
      403,
      'Destination not allowed',
      'A destination policy allows no calls or texts to this country or prefix.',
      'Allow it in the policy that the message names, or use another number.',
    ),
    destination_premium: problem(
      403,
      'Kind of number shut',
      'The number is a premium-rate, shared-cost, personal, satellite or international-network one, and a destination policy has that kind shut.',
      'Open the kind, or allow the prefix, in the policy that the message names; only where such calls are really meant.',
    ),
    daily_spend_exceeded: problem(
      403,
      'Spend of the day reached',
      'The text or call would cost more than a destination policy allows for the day.',
      'Raise dailySpend of the policy that the message names, or wait until midnight in the time zone of the organization.',
    ),
    concurrent_calls_exceeded: problem(
      429,
      'Too many calls at a time',
      'As many calls are under way as a destination policy allows at a time.',
      'Wait until one has ended, or raise concurrentCalls of the policy that the message names.',
      true,
    ),
    daily_calls_exceeded: problem(
      403,
      'Calls of the day used up',
      'As many calls have been made as a destination policy allows for the day.',
      'Raise dailyCalls of the policy that the message names, or wait until midnight in the time zone of the organization.',
    ),
  },
})

declare module '../../kernel/values/noun.ts' {
  interface Nouns {
    destination: typeof destination
  }
}
