// Chooses the role of a member: one of the four that everybody has, or one of the organization's own. What holds more than the person
// who gives it is shown and cannot be chosen.
import { useRoles } from '../roles/data.ts'
import { mayGive } from '../roles/may_give.ts'
import { type Role, useSession } from '../session/session.ts'
import { type Option, SelectField } from '../ui/index.ts'
import { t } from './texts.ts'
import { roles as builtIn } from './user_noun.ts'

/** What is sent: one of both. */
export type RoleChoice = { role: Role } | { roleId: string }

/** What somebody has, as a choice. */
export function choiceOf({ role, roleId }: { role: Role; roleId: string | null }): RoleChoice {
  return roleId === null ? { role } : { roleId }
}

const asText = (choice: RoleChoice) => ('roleId' in choice ? choice.roleId : choice.role)
export const isSameChoice = (one: RoleChoice, other: RoleChoice) => asText(one) === asText(other)

/** A role of the organization's own that is chosen, once it is known. */
export function useChosenRole(choice: RoleChoice) {
  const { permissions } = useSession()
  const known = useRoles(permissions.has('users:read') && 'roleId' in choice).data?.roles
  return known?.find(({ roleId, name }) => (roleId ?? name) === asText(choice))
}

export type RolePickerProps = {
  value: RoleChoice
  onChange(choice: RoleChoice): void
  label?: string
  hint?: string
  error?: string | undefined
  className?: string | undefined
  /** The one that somebody has, which is said. */
  now?: RoleChoice
}

export function RolePicker({ value, onChange, label = t('role'), hint, error, className, now }: RolePickerProps) {
  const { permissions } = useSession()
  const query = useRoles(permissions.has('users:read'))
  const nowValue = now === undefined ? undefined : asText(now)
  const optionOf = (of: string, name: string, isHeld: boolean): Option => ({
    value: of,
    label: of === nowValue ? t('roleNow', { name }) : isHeld ? name : t('roleTooMuch', { name }),
    disabled: !isHeld && of !== nowValue,
  })
  const known = query.data?.roles.map(role => optionOf(role.roleId ?? role.name, role.name, mayGive(role, permissions)))
  const options = known ?? builtIn.map(name => optionOf(name, name, true))
  const current = asText(value)
  const shown = options.some(one => one.value === current) ? options : [...options, { value: current, label: '…' }]
  return (
    <SelectField
      label={label}
      {...(hint !== undefined && { hint })}
      {...(error !== undefined && { error })}
      {...(className !== undefined && { className })}
      options={shown}
      value={current}
      onChange={({ target }) => {
        const role = builtIn.find(one => one === target.value)
        onChange(role === undefined ? { roleId: target.value } : { role })
      }}
    />
  )
}
