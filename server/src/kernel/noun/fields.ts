// The kinds of fields that nouns are made of, by the names that declarations use: `f.text({ max: 200, about: '…' })`. Under forced
// row-level security an index serves leakproof comparisons only: of text, integers, float8, date, timestamptz, booleans.
import { addresses, emails, money, phones } from './composites.ts'
import { record, ref, refs, user } from './references.ts'
import { textKinds } from './text_kinds.ts'
import { valueKinds } from './value_kinds.ts'

export const f = { ...textKinds, ...valueKinds, money, emails, phones, addresses, user, ref, refs, record }
