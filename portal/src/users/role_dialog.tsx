// The dialog that gives a user another role, and says what they gain and lose by it.
import { withArticle } from '@tandem/catalog/plural'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { endSession, type Role, useSession } from '../session/session.ts'
import { SelectField, toast } from '../ui/index.ts'
import { RightsList, rightsBetween } from './role_rights.tsx'
import { useUserSaved } from './saved.ts'
import { roles, type UserRecord } from './user_noun.ts'
import styles from './users.module.css'

export function RoleDialog({ user, onClose }: { user: UserRecord; onClose(): void }) {
  const api = useApi()
  const { user: self } = useSession()
  const saved = useUserSaved()
  const [role, setRole] = useState<Role>(user.role)
  const isSelf = user.id === self.id
  const change = useMutation({
    mutationFn: () => api.users.update({ id: user.id, role }, { ifMatch: user.version }),
    onSuccess(reply) {
      if (isSelf) return endSession(`You are ${withArticle(role)} now. Log in again.`)
      saved(reply.user)
      toast({ text: `${user.name} is ${withArticle(role)} now.` })
      return onClose()
    },
  })
  const faults = useFormFaults(change.error, ['role'])
  const { gained, lost } = rightsBetween(user.role, role)
  return (
    <FormDialog
      title={`Change the role of ${user.name}`}
      description={`${isSelf ? 'You are' : 'They are'} logged out within two seconds, and ${isSelf ? 'your' : 'their'} API keys may do no more than the new role.`}
      className={record['form']}
      faults={faults}
      action="Change the role"
      busy={change.isPending}
      disabled={role === user.role}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <SelectField
        label="Role"
        className={record['wide']}
        options={roles.map(value => ({ value, label: value === user.role ? `${value} (now)` : value }))}
        value={role}
        error={faults.fields['role']}
        onChange={event => {
          faults.mend('role')
          setRole(event.target.value as Role)
        }}
      />
      {role !== user.role && (
        <div className={styles['difference']}>
          <Difference title="They can no longer" list={lost} />
          <Difference title="They gain" list={gained} />
        </div>
      )}
    </FormDialog>
  )
}

function Difference({ title, list }: { title: string; list: ReturnType<typeof rightsBetween>['lost'] }) {
  if (list.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <RightsList label={title} list={list} />
    </section>
  )
}
