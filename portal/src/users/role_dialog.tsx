// The dialog that gives a user another role, and says what they gain and lose by it.
import { withArticle } from '@tandem/catalog/plural'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { endSession, useSession } from '../session/session.ts'
import { toast } from '../ui/index.ts'
import { choiceOf, isSameChoice, type RoleChoice, RolePicker } from './role_picker.tsx'
import { RightsList, rightsBetween, useHeldBy } from './role_rights.tsx'
import { useUserSaved } from './saved.ts'
import type { UserRecord } from './user_noun.ts'
import styles from './users.module.css'

export function RoleDialog({ user, onClose }: { user: UserRecord; onClose(): void }) {
  const api = useApi()
  const { user: self } = useSession()
  const saved = useUserSaved()
  const now = choiceOf(user)
  const [choice, setChoice] = useState<RoleChoice>(now)
  const [held, wanted] = [useHeldBy(now), useHeldBy(choice)]
  const isSelf = user.id === self.id
  const change = useMutation({
    mutationFn: () => api.users.update({ id: user.id, ...choice }, { ifMatch: user.version }),
    onSuccess(reply) {
      if (isSelf) return endSession(`You are ${withArticle(nameOf(reply.user))} now. Log in again.`)
      saved(reply.user)
      toast({ text: `${user.name} is ${withArticle(nameOf(reply.user))} now.` })
      return onClose()
    },
  })
  const faults = useFormFaults(change.error, ['role', 'roleId'])
  const isSame = isSameChoice(choice, now)
  return (
    <FormDialog
      title={`Change the role of ${user.name}`}
      description={`${isSelf ? 'You are' : 'They are'} logged out within two seconds, and ${isSelf ? 'your' : 'their'} API keys may do no more than the new role.`}
      className={record['form']}
      faults={faults}
      action="Change the role"
      busy={change.isPending}
      disabled={isSame}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RolePicker
        className={record['wide']}
        value={choice}
        now={now}
        error={faults.fields['role'] ?? faults.fields['roleId']}
        onChange={next => {
          faults.mend('role')
          faults.mend('roleId')
          setChoice(next)
        }}
      />
      {!isSame && held !== undefined && wanted !== undefined && (
        <Differences from={held.permissions} to={wanted.permissions} />
      )}
    </FormDialog>
  )
}

const nameOf = ({ role, roleName }: Pick<UserRecord, 'role' | 'roleName'>) => roleName ?? role

function Differences({ from, to }: { from: ReadonlySet<string>; to: ReadonlySet<string> }) {
  const { gained, lost } = rightsBetween(from, to)
  return (
    <div className={styles['difference']}>
      <Difference title="They can no longer" list={lost} />
      <Difference title="They gain" list={gained} />
    </div>
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
