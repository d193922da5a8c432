// What was typed into a dialog and not sent yet: it outlives the dialog, whichever way that closes, and a reload of the page, until it is
// sent, thrown away, or somebody logs out. Kept in this tab only, apart for each person and mode; passwords and secrets never belong here.
import { useMemo, useState } from 'react'
import { draftStore, fitted } from '../session/draft_store.ts'
import { type Session, useSession } from '../session/session.ts'
import { createAttempts } from './attempts.ts'

/** A file has nothing that JSON would say. */
const asText = (values: unknown) =>
  JSON.stringify(values, (_, part) => (part instanceof File ? [part.name, part.size, part.lastModified] : part))
const isSame = (one: unknown, other: unknown) => asText(one) === asText(other)

const keyOf = ({ user, mode }: Session, name: string) => `${user.id} ${mode} ${name}`

/**
 * What was typed into a form that goes by another name now is taken over; called before the draft of that name is read.
 * @param join makes one of what stands there already and of what was typed before
 */
export function useFormerDraft<Values>(
  former: string | undefined,
  name: string,
  empty: Values,
  join: (own: Values, typed: Values) => Values,
): void {
  const session = useSession()
  useState(() => {
    if (former === undefined) return
    const typed = draftStore.read(keyOf(session, former))
    if (typed === undefined) return
    const own = fitted(draftStore.read(keyOf(session, name)), empty)
    draftStore.keep(keyOf(session, name), join(own, fitted(typed, empty)))
    draftStore.drop(keyOf(session, former))
  })
}

/** @returns the values, a way to change them, whether they differ from the empty form, and a way to throw them away */
export function useFormDraft<Values>(name: string, empty: Values) {
  const key = keyOf(useSession(), name)
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
