// What differs between two states of a form, field by field: a change sends that and nothing else, so that it undoes no change that
// somebody else made meanwhile.

/** The fields of `now` that are not as in `begun`. */
export function differing<Fields extends object>(now: Fields, begun: Partial<Fields>): Partial<Fields> {
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(begun[name as keyof Fields])
  return Object.fromEntries(Object.entries(now).filter(isNew)) as Partial<Fields>
}

/** What was typed over what is stored, after a further change of the form. */
export function typedAfter<Values extends object>(
  stored: Values,
  typed: Partial<Values>,
  next: (old: Values) => Values,
): Partial<Values> {
  const before = { ...stored, ...typed }
  return { ...typed, ...differing(next(before), before) }
}
