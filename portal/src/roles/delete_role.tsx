// The question before a role is deleted; where members have it, why it is not.
import { isTandemError } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiOf } from '../session/api.ts'
import { Button, ConfirmDialog, Dialog, toast } from '../ui/index.ts'
import { forgetRoles, type RoleRecord } from './data.ts'

type DeleteRoleProps = { role: RoleRecord; onClose(): void }

export function DeleteRole({ role, onClose }: DeleteRoleProps) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { roleId, name, members, version } = role
  const remove = useMutation({
    mutationFn: () => apiOf('live').roles.delete({ roleId: roleId ?? '' }, { ifMatch: version }),
    onSuccess: () => {
      toast({ text: `The role ${name} was deleted.` })
      void navigate({ to: '/roles' }).then(() => forgetRoles(cache))
    },
    onError: () => forgetRoles(cache),
  })
  if (members > 0)
    return (
      <Dialog
        open
        onOpenChange={open => !open && onClose()}
        title={`${name} is in use`}
        description={`${members === 1 ? 'One member has' : `${members} members have`} the role. Give them another first: the page of the role names them. Then it can be deleted.`}
        footer={<Button onClick={onClose}>Close</Button>}
      />
    )
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete ${name}`}
      description="No member has it. An open invitation that names it must be revoked first."
      confirmLabel="Delete"
      danger
      busy={remove.isPending}
      {...(remove.error !== null && { error: refusalText(remove.error) })}
      onConfirm={() => remove.mutate()}
    />
  )
}

function refusalText(error: Error): string {
  if (isTandemError(error) && error.code === 'role_in_use')
    return 'An open invitation has the role, or a member since just now. Revoke the invitation, or give the member another role.'
  return error.message
}
