// What a role may do, in plain words, and what a change of role gives and takes.
import { allowsText } from '../rights/texts.ts'
import { rights } from './rights.generated.ts'
import { rightsIn } from './rights.ts'
import { type RoleChoice, useChosenRole } from './role_picker.tsx'
import { t } from './texts.ts'
import styles from './users.module.css'

/** The permissions of a role and its name; of one of the organization's own undefined until it is known. */
export function useHeldBy(choice: RoleChoice): { name: string; permissions: ReadonlySet<string> } | undefined {
  const known = useChosenRole(choice)
  if (!('roleId' in choice)) {
    const held = rights.filter(({ roles }) => roles.includes(choice.role)).map(({ permission }) => permission)
    return { name: choice.role, permissions: new Set(held) }
  }
  return known && { name: known.name, permissions: new Set<string>(known.permissions) }
}

type RightsListProps = { label: string; list: readonly string[] }

export function RightsList({ label, list }: RightsListProps) {
  return (
    <ul className={styles['rights']} aria-label={label}>
      {list.map(permission => (
        <li key={permission} title={permission}>
          {allowsText(permission)}
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
