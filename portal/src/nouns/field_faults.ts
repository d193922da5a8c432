// What the server found wrong, by the fields of a noun.
import { isTandemError } from '@tandem/sdk'
import { FieldFaults, useFormFaults } from '../forms/faults.ts'

/** The field that a fault of the server is about: `emails.0.value` is one of `emails`. */
export const rootOf = (field: string) => field.split(/[.[]/)[0] ?? field

/** The faults of a sending by field, those within a list at the list. */
export function useFieldFaults(error: unknown, names: readonly string[]) {
  const said = error instanceof FieldFaults ? Object.keys(error.fields) : []
  const details = isTandemError(error) ? (error.details ?? []).map(({ field }) => field) : said
  const within = details.filter(field => names.includes(rootOf(field)))
  const faults = useFormFaults(error, within)
  const faultOf = (name: string) =>
    Object.entries(faults.fields)
      .filter(([field]) => rootOf(field) === name)
      .map(([, text]) => text)
      .join(' ') || undefined
  const mend = (name: string) => {
    for (const field of within) if (rootOf(field) === name) faults.mend(field)
  }
  return { ...faults, faultOf, mend }
}
