// What requests of persons use of legal holds: whether one keeps a person, and what released ones still say of them.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Person } from '../person/index.ts'
import { forgetHolds, type HoldRow, listHolds } from './store.ts'

/** The hold that keeps this person, of the organization or of the person; undefined where there is none. */
export async function holdOn(tx: Tx, scope: Scope, person: Person): Promise<HoldRow | undefined> {
  const standing = await listHolds(tx, scope, { standing: true })
  return standing.find(
    ({ tenant_id, subject }) => tenant_id === null || (subject !== null && isSame(subject.person, person)),
  )
}

/** Takes the person out of holds that were released. */
export async function forgetPerson(tx: Tx, scope: Scope, person: Person): Promise<void> {
  const holds = await listHolds(tx, scope, { standing: false })
  const about = holds.filter(
    ({ released_at, subject }) =>
      released_at !== null && subject?.person !== undefined && isSame(subject.person, person),
  )
  await forgetHolds(
    tx,
    scope,
    about.map(({ id }) => id),
  )
}

/** Whether two have a record or an address in common. */
export function isSame(one: Person, other: Person): boolean {
  const of = ({ records, phones, emails }: Person) => [...records, ...phones, ...emails]
  const known = new Set(of(one))
  return of(other).some(name => known.has(name))
}
