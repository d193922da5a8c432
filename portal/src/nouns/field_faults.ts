// What the server found wrong, by the fields of a noun.
import { isTandemError } from '@tandem/sdk'
import { useFormFaults } from '../forms/faults.ts'

/** The field that a fault of the server is about: `emails.0.value` is one of `emails`. */
export const rootOf = (field: string) => field.split(/[.[]/)[0] ?? field

/** The faults of a sending by field, those within a list at the list. */
export function useFieldFaults(error: unknown, names: readonly string[]) {
  const details = isTandemError(error) ? (error.details ?? []) : []
  const within = details.map(({ field }) => field).filter(field => names.includes(rootOf(field)))
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
