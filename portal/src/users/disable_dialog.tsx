// The dialog that disables a user, and revokes their API keys where that is wanted.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { CheckboxField, ConfirmDialog, toast } from '../ui/index.ts'
import { keysText, useUserSaved } from './saved.ts'
import type { UserRecord } from './user_noun.ts'

export function DisableDialog({ user, onClose }: { user: UserRecord; onClose(): void }) {
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
