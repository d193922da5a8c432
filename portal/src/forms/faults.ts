// What the server found wrong, brought to the fields it is about.
import { type FieldFault, isTandemError } from '@tandem/sdk'
import { useEffect, useRef, useState } from 'react'
import { faultText, fieldFaultText, namedFaultText } from '../ui/faults.ts'

export type Faults = {
  /** By field, as the server names it: `email`, `customer.name`. */
  fields: Readonly<Record<string, string>>
  /** What belongs to no field that is shown. */
  general: string | undefined
}

/** What the form finds wrong by itself before it sends anything: a sentence by field, each one that the form shows. */
export class FieldFaults extends Error {
  readonly fields: Faults['fields']
  constructor(fields: Faults['fields']) {
    super(Object.values(fields).join(' '))
    this.fields = fields
  }
}

export type SayFault = (fault: FieldFault) => string

/** Whether somebody else was quicker: the record is no longer as it was when it was read. */
export const isStale = (error: unknown) => isTandemError(error) && error.code === 'version_mismatch'

/**
 * @param shown names of the fields that can show an error of their own
 * @param say the sentence of a fault that is shown beside its field
 */
export function faultsOf(error: unknown, shown: readonly string[], say: SayFault = fieldFaultText): Faults {
  if (error === null || error === undefined) return { fields: {}, general: undefined }
  if (error instanceof FieldFaults) return { fields: error.fields, general: undefined }
  if (!isTandemError(error)) {
    return { fields: {}, general: faultText(error) }
  }
  const fields: Record<string, string> = {}
  const others: string[] = []
  for (const fault of error.details ?? []) {
    const { field } = fault
    if (shown.includes(field)) fields[field] ??= say(fault)
    else others.push(namedFaultText(fault))
  }
  const anywhere = Object.keys(fields).length > 0 || others.length > 0
  return { fields, general: others.length > 0 ? others.join(' ') : anywhere ? undefined : faultText(error) }
}

const none: ReadonlySet<string> = new Set()

/**
 * The faults of a form's last sending. The first field with one gets the focus; a field that is changed since is given the
 * benefit of the doubt until the next sending.
 * @param error what the sending failed with; @param shown names of the fields that can show an error of their own
 * @param say the sentence of a fault that is shown beside its field
 */
export function useFormFaults(error: unknown, shown: readonly string[], say?: SayFault) {
  const form = useRef<HTMLFormElement>(null)
  const [mended, setMended] = useState({ error, names: none })
  useEffect(() => {
    if (error != null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  const { fields, general } = faultsOf(error, shown, say)
  const names = mended.error === error ? mended.names : none
  return {
    /** To be given to the form. */
    form,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))) as Faults['fields'],
    general,
    mend: (name: string) => setMended({ error, names: new Set([...names, name]) }),
  }
}
