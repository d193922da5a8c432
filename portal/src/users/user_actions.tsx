// What an Admin does with a user beside editing: another role, a new password, disabling and enabling. The only active Admin keeps
// role and standing, and nobody disables themselves here.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import { readyPart } from '../navigation/lazy_screen.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, CheckboxField, ConfirmDialog, toast } from '../ui/index.ts'
import { keysText, useUserSaved } from './saved.ts'
import type { UserRecord } from './user_noun.ts'

const PasswordDialog = readyPart(() => import('./password_dialog.tsx').then(module => module.PasswordDialog))
const RoleDialog = readyPart(() => import('./role_dialog.tsx').then(module => module.RoleDialog))

/** How many active Admins there are; undefined until it is known, or where it does not matter. */
function useActiveAdmins(enabled: boolean): number | undefined {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'users', 'active Admins'],
    queryFn: async ({ signal }) =>
      (await api.users.list({ role: 'Admin', disabled: false, limit: 1 }, { signal })).pagination.totalCount,
    enabled,
  })
  useLiveRelated({ eventPrefix: 'user.', isMine: () => enabled, onChange: () => void query.refetch() })
  return enabled ? query.data : undefined
}

/** Whether the user is the only active Admin; undefined until that is known. */
export function useIsLastAdmin({ role, disabled }: UserRecord): boolean | undefined {
  const { permissions } = useSession()
  const isActiveAdmin = role === 'Admin' && !disabled
  const admins = useActiveAdmins(isActiveAdmin && permissions.has('users:manage'))
  if (!isActiveAdmin) return false
  return admins === undefined ? undefined : admins <= 1
}

export function UserActions({ user }: { user: UserRecord }) {
  const { permissions, user: self } = useSession()
  const [asked, setAsked] = useState<'role' | 'password' | 'disable'>()
  const isLastAdmin = useIsLastAdmin(user)
  if (!permissions.has('users:manage')) return null
  const onClose = () => setAsked(undefined)
  return (
    <>
      {isLastAdmin === false && <Button onClick={() => setAsked('role')}>Change the role</Button>}
      <Button onClick={() => setAsked('password')}>Set a password</Button>
      {user.disabled ? (
        <EnableButton user={user} />
      ) : (
        isLastAdmin === false && user.id !== self.id && <Button onClick={() => setAsked('disable')}>Disable</Button>
      )}
      {asked === 'role' && <RoleDialog user={user} onClose={onClose} />}
      {asked === 'password' && <PasswordDialog user={user} onClose={onClose} />}
      {asked === 'disable' && <DisableDialog user={user} onClose={onClose} />}
    </>
  )
}

function EnableButton({ user }: { user: UserRecord }) {
  const api = useApi()
  const saved = useUserSaved()
  const enable = useMutation({
    mutationFn: () => api.users.update({ id: user.id, disabled: false }, { ifMatch: user.version }),
    onSuccess(reply) {
      saved(reply.user)
      toast({ text: `${user.name} can log in again.` })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  return (
    <Button variant="primary" busy={enable.isPending} onClick={() => enable.mutate()}>
      Enable
    </Button>
  )
}

function DisableDialog({ user, onClose }: { user: UserRecord; onClose(): void }) {
  const api = useApi()
  const saved = useUserSaved()
  const [endsKeys, setEndsKeys] = useState(false)
  const disable = useMutation({
    mutationFn: () =>
      api.users.update({ id: user.id, disabled: true, ...(endsKeys && { end_keys: true }) }, { ifMatch: user.version }),
    onSuccess(reply) {
      saved(reply.user)
      toast({ text: `${user.name} was disabled.${keysText(reply.ended_keys)}` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Disable ${user.name}`}
      description="They are logged out within two seconds and cannot log in, and their API keys do not work. What they own and made stays as it is. They can be enabled again."
      confirmLabel="Disable"
      danger
      busy={disable.isPending}
      error={disable.error?.message}
      onConfirm={() => disable.mutate()}
    >
      <CheckboxField
        label="Revoke their API keys for good"
        hint="Otherwise the keys work again once the user is enabled."
        checked={endsKeys}
        onChange={event => setEndsKeys(event.target.checked)}
      />
    </ConfirmDialog>
  )
}
