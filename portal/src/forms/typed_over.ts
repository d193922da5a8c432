// A form over what is stored: what was typed is kept apart from it, so that nothing typed is lost when the stored record is read again,
// and all other fields follow it.
import { useState } from 'react'
import { differing, typedAfter } from './differing.ts'

/** @returns the values, what of them differs from what is stored, and a way to change them: a `FormState` */
export function useTypedOver<Values extends object>(stored: Values) {
  const [typed, setTyped] = useState<Partial<Values>>({})
  const values: Values = { ...stored, ...typed }
  return {
    values,
    changed: differing(values, stored),
    change: (next: (old: Values) => Values) => setTyped(old => typedAfter(stored, old, next)),
    /** After `values` were saved: what was typed since stays. */
    saved: (sent: Values) => setTyped(old => differing(old as Values, sent)),
  }
}
