// Mistakes in replies that must not compile. `types.test.ts` has the compiler read this file: a mistake that compiles is an
// error there, as its `@ts-expect-error` then has nothing to expect.
import { Type } from 'typebox'
import { endpoint } from '../src/kernel/endpoint/endpoint.ts'
import { Nullable, OneOf } from '../src/kernel/endpoint/schema.ts'

const Record = Type.Object({
  recordId: Type.String(),
  state: OneOf(['open', 'closed']),
  note: Type.Optional(Type.String()),
  place: Type.Object({ city: Type.String(), zip: Type.Optional(Nullable(Type.String())) }),
})

const declared = {
  id: 'records.get',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/records',
  name: 'Get a record',
  description: 'One record.',
  permission: 'public',
  reply: Record,
  envelope: 'data',
} as const
const sample = { reply: { recordId: 'rec_1', state: 'open', place: { city: 'Bonn' } } } as const

/** What is right does compile. */
export const right = endpoint({
  ...declared,
  sample,
  handle: async () => ({ recordId: 'rec_1', state: 'closed' as const, place: { city: 'Bonn', zip: null } }),
})

export const misspeltOptionalField = endpoint({
  ...declared,
  sample,
  // @ts-expect-error: `notes` is no field of the reply, `note` is
  handle: async () => ({ recordId: 'rec_1', state: 'open' as const, notes: 'x', place: { city: 'Bonn' } }),
})

export const misspeltFieldWithin = endpoint({
  ...declared,
  sample,
  // @ts-expect-error: `zipCode` is no field of `place`
  handle: async () => ({ recordId: 'rec_1', state: 'open' as const, place: { city: 'Bonn', zipCode: null } }),
})

export const missingField = endpoint({
  ...declared,
  sample,
  // @ts-expect-error: `state` is missing
  handle: async () => ({ recordId: 'rec_1', place: { city: 'Bonn' } }),
})

export const wrongValue = endpoint({
  ...declared,
  sample,
  // @ts-expect-error: `ajar` is no state
  handle: async () => ({ recordId: 'rec_1', state: 'ajar' as const, place: { city: 'Bonn' } }),
})

export const itemInsteadOfPage = endpoint({
  ...declared,
  envelope: 'page',
  sample,
  // @ts-expect-error: a page has items, limit and nextCursor
  handle: async () => ({ recordId: 'rec_1', state: 'open' as const, place: { city: 'Bonn' } }),
})

export const misspeltSample = endpoint({
  ...declared,
  // @ts-expect-error: the sample shows a field that the reply does not have
  sample: { reply: { recordId: 'rec_1', state: 'open', place: { city: 'Bonn' }, notes: 'x' } },
  handle: async () => ({ recordId: 'rec_1', state: 'open' as const, place: { city: 'Bonn' } }),
})
