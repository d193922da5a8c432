// The dialog that gives a user another role, and says what they gain and lose by it.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { endSession, useSession } from '../session/session.ts'
import { toast } from '../ui/index.ts'
import { rightsBetween } from './rights.ts'
import { choiceOf, isSameChoice, type RoleChoice, RolePicker } from './role_picker.tsx'
import { RightsList, useHeldBy } from './role_rights.tsx'
import { useUserSaved } from './saved.ts'
import { t } from './texts.ts'
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
      if (isSelf) return endSession(t('roleEnded', { role: nameOf(reply.user) }))
      saved(reply.user)
      toast({ text: t('roleChanged', { name: user.name, role: nameOf(reply.user) }) })
      return onClose()
    },
  })
  const faults = useFormFaults(change.error, ['role', 'roleId'])
  const isSame = isSameChoice(choice, now)
  return (
    <FormDialog
      title={t('roleTitle', { name: user.name })}
      description={t(isSelf ? 'roleOwnText' : 'roleText')}
      className={record['form']}
      faults={faults}
      action={t('verb.role')}
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
      <Difference title={t('roleLost')} list={lost} />
      <Difference title={t('roleGained')} list={gained} />
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
