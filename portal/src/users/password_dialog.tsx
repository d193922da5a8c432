// The dialog that sets a user's password: typed, or made here and shown once. One's own is always typed: it ends one's session, and
// nobody would be there to see it.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { newPassword } from '../forms/new_password.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { endSession, useSession } from '../session/session.ts'
import { CheckboxField, toast } from '../ui/index.ts'
import { useUserSaved } from './saved.ts'
import { t } from './texts.ts'
import { PasswordField } from './user_form.tsx'
import type { UserRecord } from './user_noun.ts'

export function PasswordDialog({ user, onClose }: { user: UserRecord; onClose(): void }) {
  const api = useApi()
  const { user: self } = useSession()
  const saved = useUserSaved()
  const isSelf = user.id === self.id
  const [typed, setTyped] = useState('')
  const [endsKeys, setEndsKeys] = useState(!isSelf)
  const [made, setMade] = useState<{ password: string; keys: number }>()
  const set = useMutation({
    async mutationFn() {
      const password = typed === '' ? newPassword() : typed
      const reply = await api.users.update({ id: user.id, password, end_keys: endsKeys }, { ifMatch: user.version })
      return { ...reply, made: typed === '' ? password : undefined }
    },
    gcTime: 0,
    onSuccess(reply) {
      if (isSelf) return endSession(t('passwordEnded'))
      saved(reply.user)
      if (reply.made !== undefined) return setMade({ password: reply.made, keys: reply.ended_keys })
      toast({ text: t('passwordSet', { name: user.name, keys: reply.ended_keys }) })
      return onClose()
    },
  })
  const faults = useFormFaults(set.error, ['password'])
  if (made !== undefined)
    return (
      <SecretDialog
        title={t('passwordMade', { name: user.name })}
        description={t('passwordMadeText', { keys: made.keys })}
        secret={made.password}
        hint={t('passwordHint')}
        onDone={onClose}
      />
    )
  return (
    <FormDialog
      title={isSelf ? t('passwordOwn') : t('passwordFor', { name: user.name })}
      description={t(isSelf ? 'passwordOwnText' : 'passwordText')}
      className={record['form']}
      faults={faults}
      action={t('verb.password')}
      busy={set.isPending}
      disabled={isSelf && typed === ''}
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <div className={record['wide']}>
        <PasswordField
          value={typed}
          error={faults.fields['password']}
          required={isSelf}
          onChange={value => {
            faults.mend('password')
            setTyped(value)
          }}
        />
      </div>
      <CheckboxField
        className={record['wide']}
        label={t(isSelf ? 'passwordKeysOwn' : 'passwordKeys')}
        hint={t('passwordKeysHint')}
        checked={endsKeys}
        onChange={event => setEndsKeys(event.target.checked)}
      />
    </FormDialog>
  )
}
