// What is done with one phone: it is changed, gets a new password, or is removed.
import type { SipCredential } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { newPassword } from '../forms/new_password.ts'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { PhonePassword } from './phone_password.tsx'
import { t } from './texts.ts'

export function PhoneMenu({ phone }: { phone: SipCredential }) {
  const [, change] = useParamsOfAddress()
  const show = useHeldDialog()
  const { credentialId, username } = phone
  return (
    <Menu
      trigger={<IconButton size="sm" label={t('actions', { name: username })} icon={<MoreHorizontal size={16} />} />}
      items={[
        { key: 'change', label: t('edit'), onSelect: () => change({ edit: credentialId }, { push: true }) },
        {
          key: 'password',
          label: t('renew'),
          onSelect: () => show(onDone => <NewPassword phone={phone} onClose={onDone} />),
        },
        {
          key: 'remove',
          label: t('delete'),
          danger: true,
          onSelect: () => show(onDone => <Removal phone={phone} onClose={onDone} />),
        },
      ]}
    />
  )
}

type PhoneDialogProps = { phone: SipCredential; onClose(): void }

function Removal({ phone: { credentialId, username }, onClose }: PhoneDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  return (
    <Confirm
      title={t('deleteTitle', { name: username })}
      description={t('deleteText')}
      label={t('delete')}
      onClose={onClose}
      work={async () => {
        await api.sipCredentials.delete({ credentialId })
        toast({ text: t('deleted', { name: username }) })
        void cache.invalidateQueries({ queryKey: [mode, 'phones'] })
        onClose()
      }}
    />
  )
}

function NewPassword({ phone, onClose }: PhoneDialogProps) {
  const api = useApi()
  const show = useHeldDialog()
  return (
    <Confirm
      title={t('renewTitle', { name: phone.username })}
      description={t('renewText')}
      label={t('renewAction')}
      onClose={onClose}
      work={async () => {
        const password = newPassword()
        await api.sipCredentials.update({ credentialId: phone.credentialId, password })
        show(onDone => <PhonePassword of={phone} password={password} onDone={onDone} />)
      }}
    />
  )
}

type ConfirmProps = { title: string; description: string; label: string; work(): Promise<unknown>; onClose(): void }
function Confirm({ title, description, label, work, onClose }: ConfirmProps) {
  const done = useMutation({ mutationFn: work, gcTime: 0 })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={description}
      confirmLabel={label}
      danger
      busy={done.isPending}
      {...(done.error === null ? {} : { error: faultText(done.error) })}
      onConfirm={() => done.mutate()}
    />
  )
}
