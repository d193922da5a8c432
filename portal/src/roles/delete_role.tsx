// The question before a role is deleted; where members have it, why it is not.
import { isTandemError } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiOf } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, Dialog, toast } from '../ui/index.ts'
import { forgetRoles, type RoleRecord } from './data.ts'
import { t } from './texts.ts'

type DeleteRoleProps = { role: RoleRecord; onClose(): void }

export function DeleteRole({ role, onClose }: DeleteRoleProps) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { roleId, name, members, version } = role
  const remove = useMutation({
    mutationFn: () => apiOf('live').roles.delete({ roleId: roleId ?? '' }, { ifMatch: version }),
    onSuccess: () => {
      toast({ text: t('deleted', { name }) })
      void navigate({ to: '/roles' }).then(() => forgetRoles(cache))
    },
    onError: () => forgetRoles(cache),
  })
  if (members > 0)
    return (
      <Dialog
        open
        onOpenChange={open => !open && onClose()}
        title={t('inUse', { name })}
        description={t('inUseText', { count: members })}
        footer={<Button onClick={onClose}>{t('close')}</Button>}
      />
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('deleteTitle', { name })}
      description={t('deleteText')}
      confirmLabel={t('delete')}
      danger
      busy={remove.isPending}
      {...(remove.error !== null && { error: refusalText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}

function refusalText(error: Error): string {
  return isTandemError(error) && error.code === 'role_in_use' ? t('deleteInUse') : faultText(error)
}
