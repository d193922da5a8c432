// What was typed into a dialog and not sent yet: it outlives the dialog, whichever way that closes, until it is sent, thrown
// away, or the page is left. Kept in memory only, apart for each person and mode.
import { useState } from 'react'
import { useSession } from '../session/session.ts'

const drafts = new Map<string, unknown>()

/** @returns the values, a way to change them, whether they differ from the empty form, and a way to throw them away */
export function useFormDraft<Values>(name: string, empty: Values) {
  const { user, mode } = useSession()
  const key = `${user.id} ${mode} ${name}`
  const [values, setValues] = useState(() => (drafts.get(key) as Values | undefined) ?? empty)
  return {
    values,
    change(next: (old: Values) => Values) {
      setValues(old => {
        const changed = next(old)
        drafts.set(key, changed)
        return changed
      })
    },
    isDirty: JSON.stringify(values) !== JSON.stringify(empty),
    forget() {
      drafts.delete(key)
      setValues(empty)
    },
  }
}
