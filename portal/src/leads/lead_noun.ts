// Leads as lists and pages draw them: as the server describes them, but for what only people look at.
import { leads as described } from '../nouns/described/leads.generated.ts'
import type { NounDescription, NounField, Said } from '../nouns/noun.ts'
import { t } from './texts.ts'

/** What is read first, in this order; the other fields follow. */
const first = ['name', 'status', 'priority', 'email', 'phone', 'company', 'company_id']
const rank = ({ name }: NounField) => (first.includes(name) ? first.indexOf(name) : first.length)

/** The status is moved, with a reason where a lead is given up; no form changes either by itself. */
function shown(field: NounField): NounField {
  if (field.name === 'lost_reason') return { ...field, fixed: true }
  if (field.name !== 'status') return field
  const reason = { field: 'lost_reason', at: { Unqualified: 'required', Junk: 'optional' } } as const
  return { ...field, fixed: true, reason, keeps: 'Converted' }
}

const said: Said = {
  name: what => t.of('noun', what),
  field: name => t.of('field', name),
  hint: name => t.of('hint', name),
  choice: (field, value) => t.of('choice', `${field}.${value}`),
}

export const statusText = (status: string): string => said.choice('status', status) ?? status

export const leads: NounDescription = {
  ...described,
  said,
  fields: described.fields.map(shown).toSorted((a, b) => rank(a) - rank(b)),
  // A conversion is a move too, which asks for more.
  moves: { ...described.moves, Qualified: [...(described.moves?.['Qualified'] ?? []), 'Converted'] },
  columns: ['name', 'company', 'status', 'priority', 'email', 'phone', 'owner_id', 'created_at'],
}
