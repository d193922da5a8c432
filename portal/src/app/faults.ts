// What the server found wrong, brought to the fields it is about.
import { isTandemError } from '@tandem/sdk'

export type Faults = {
  /** By field, as the server names it: `email`, `customer.name`. */
  fields: Readonly<Record<string, string>>
  /** What belongs to no field that is shown. */
  general: string | undefined
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?]$/.test(text) ? text : `${text}.`
}

/** @param shown names of the fields that can show an error of their own */
export function faultsOf(error: unknown, shown: readonly string[]): Faults {
  if (error === null || error === undefined) return { fields: {}, general: undefined }
  if (!isTandemError(error)) {
    return { fields: {}, general: error instanceof Error ? error.message : 'Something unexpected happened.' }
  }
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const { field, message } of error.details ?? []) {
    if (shown.includes(field)) fields[field] ??= sentence(message)
    else others.push(sentence(`${field} ${message}`))
  }
  const anywhere = Object.keys(fields).length > 0 || others.length > 0
  return { fields, general: others.length > 0 ? others.join(' ') : anywhere ? undefined : error.message }
}
