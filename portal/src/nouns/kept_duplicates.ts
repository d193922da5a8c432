// Duplicates that the answer to a creation named, kept for the page of the new record where the server does not list them.
import type { QueryClient } from '@tanstack/react-query'
import type { Mode } from '../session/session.ts'
import type { Duplicate } from './api.ts'
import type { Saved } from './form.tsx'
import type { NounDescription } from './noun.ts'

export const keyOf = (mode: Mode, noun: NounDescription, id: string | number) => [
  mode,
  noun.one,
  String(id),
  'duplicates',
]
/** Whether the server lists those of a record. */
export const isListed = ({ verbs }: NounDescription) => verbs.includes('duplicates')

export function keepDuplicates(
  cache: QueryClient,
  mode: Mode,
  noun: NounDescription,
  { record, duplicates }: Saved,
): void {
  if (!isListed(noun) && duplicates.length > 0)
    cache.setQueryData<readonly Duplicate[]>(keyOf(mode, noun, record.id), duplicates)
}
