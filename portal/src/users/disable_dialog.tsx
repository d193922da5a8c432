// The dialog that disables a user, and revokes their API keys where that is wanted.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { CheckboxField, ConfirmDialog, toast } from '../ui/index.ts'
import { useUserSaved } from './saved.ts'
import { t } from './texts.ts'
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
      toast({ text: t('disabled', { name: user.name, keys: reply.ended_keys }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('disableTitle', { name: user.name })}
      description={t('disableText')}
      confirmLabel={t('disable')}
      danger
      busy={disable.isPending}
      error={disable.error === null ? undefined : faultText(disable.error)}
      onConfirm={() => disable.mutate()}
    >
      <CheckboxField
        label={t('disableKeys')}
        hint={t('disableKeysHint')}
        checked={endsKeys}
        onChange={event => setEndsKeys(event.target.checked)}
      />
    </ConfirmDialog>
  )
}
