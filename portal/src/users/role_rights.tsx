// What a role may do, in plain words, and what a change of role gives and takes.

import type { Role } from '../session/session.ts'
import { rights } from './rights.generated.ts'
import { type RoleChoice, useChosenRole } from './role_picker.tsx'
import { t } from './texts.ts'
import styles from './users.module.css'

type Right = { permission: string; allows: string }

/** What somebody may do who holds these. */
export function rightsIn(permissions: ReadonlySet<string>): Right[] {
  return rights
    .filter(({ permission }) => permissions.has(permission))
    .map(({ permission, allows }) => ({ permission, allows }))
}

/** What one of the four roles may do that everybody has. */
export function rightsOf(role: Role): Right[] {
  return rightsIn(new Set(rights.filter(({ roles }) => roles.includes(role)).map(({ permission }) => permission)))
}

/** The permissions of a role and its name; of one of the organization's own undefined until it is known. */
export function useHeldBy(choice: RoleChoice): { name: string; permissions: ReadonlySet<string> } | undefined {
  const known = useChosenRole(choice)
  if (!('roleId' in choice)) {
    const held = rights.filter(({ roles }) => roles.includes(choice.role)).map(({ permission }) => permission)
    return { name: choice.role, permissions: new Set(held) }
  }
  return known && { name: known.name, permissions: new Set<string>(known.permissions) }
}

/** What somebody of the one role gets, and no longer has, who becomes one of the other. */
export function rightsBetween(from: ReadonlySet<string>, to: ReadonlySet<string>) {
  return { gained: rightsIn(to.difference(from)), lost: rightsIn(from.difference(to)) }
}

type RightsListProps = { label: string; list: readonly Right[] }

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
export function RoleRights({ choice }: { choice: RoleChoice }) {
  const held = useHeldBy(choice)
  if (held === undefined) return null
  const title = t('roleRights', { role: held.name })
  return (
    <details className={styles['details']}>
      <summary>{title}</summary>
      <RightsList label={title} list={rightsIn(held.permissions)} />
    </details>
  )
}
