// What a role may do, in plain words, and what a change of role gives and takes.
import { withArticle } from '@tandem/catalog/plural'
import type { Role } from '../session/session.ts'
import { rights } from './rights.generated.ts'
import styles from './users.module.css'

const textsOf = (list: typeof rights) => list.map(({ permission, allows }) => ({ permission, allows }))

export function rightsOf(role: Role) {
  return textsOf(rights.filter(({ roles }) => roles.includes(role)))
}

/** What somebody of the one role gets, and no longer has, who becomes one of the other. */
export function rightsBetween(from: Role, to: Role) {
  const only = (one: Role, other: Role) =>
    textsOf(rights.filter(({ roles }) => roles.includes(one) && !roles.includes(other)))
  return { gained: only(to, from), lost: only(from, to) }
}

type RightsListProps = { label: string; list: readonly { permission: string; allows: string }[] }

export function RightsList({ label, list }: RightsListProps) {
  return (
    <ul className={styles['rights']} aria-label={label}>
      {list.map(({ permission, allows }) => (
        <li key={permission} title={permission}>
          {allows}
        </li>
      ))}
    </ul>
  )
}

/** Closed at first: the list is long. */
export function RoleRights({ role }: { role: Role }) {
  return (
    <details className={styles['details']}>
      <summary>{`What ${withArticle(role)} may do`}</summary>
      <RightsList label={`What ${withArticle(role)} may do`} list={rightsOf(role)} />
    </details>
  )
}
