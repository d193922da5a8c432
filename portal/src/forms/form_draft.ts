// What was typed into a dialog and not sent yet: it outlives the dialog, whichever way that closes, and a reload of the page, until it is
// sent, thrown away, or somebody logs out. Kept in this tab only, apart for each person and mode; passwords and secrets never belong here.
import { useMemo, useState } from 'react'
import { draftStore, fitted } from '../session/draft_store.ts'
import { useSession } from '../session/session.ts'
import { createAttempts } from './attempts.ts'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** @returns the values, a way to change them, whether they differ from the empty form, and a way to throw them away */
export function useFormDraft<Values>(name: string, empty: Values) {
  const { user, mode } = useSession()
  const key = `${user.id} ${mode} ${name}`
  const [values, setValues] = useState(() => fitted(draftStore.read(key), empty))
  const change = (next: (old: Values) => Values) =>
    setValues(old => {
      const changed = next(old)
      draftStore.keep(key, changed)
      return changed
    })
  const attempts = useMemo(() => {
    const name = `${key} attempts`
    return createAttempts({
      read: () => draftStore.read(name),
      keep: value => draftStore.keep(name, value),
      drop: () => draftStore.drop(name),
    })
  }, [key])
  return {
    values,
    /** For the idempotency keys with which it is sent. */
    attempts,
    change,
    isDirty: !isSame(values, empty),
    forget() {
      attempts.forget()
      draftStore.drop(key)
      setValues(empty)
    },
    /**
     * After a sending: throws away what was sent, and keeps what was typed meanwhile.
     * @param sent the values when it began; @param after what the form begins with next, if not empty
     */
    sent(sent: Values, after: Values = empty) {
      // By the store, for the dialog may be closed and what it held last be found there only.
      attempts.forget()
      const kept = draftStore.read(key)
      if (kept !== undefined && !isSame(fitted(kept, empty), sent)) return
      if (isSame(after, empty)) draftStore.drop(key)
      else draftStore.keep(key, after)
      setValues(after)
    },
  }
}
