// What requests of persons use of legal holds: whether one keeps a person, and what released ones still say of them.
import type { Person } from '../person/index.ts'

export { forgetPerson, isHeld } from './store.ts'

/** Whether two have a record or an address in common. */
export function isSame(one: Person, other: Person): boolean {
  const of = ({ records, phones, emails }: Person) => [...records, ...phones, ...emails]
  const known = new Set(of(one))
  return of(other).some(name => known.has(name))
}
