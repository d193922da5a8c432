// What is done with one phone: it is changed, gets a new password, or is removed.
import type { SipCredential } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { newPassword } from '../forms/new_password.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { PhoneForm } from './phone_form.tsx'

export type AskedOfPhone = { phone: SipCredential; what: 'change' | 'password' | 'remove' }

export function PhoneMenu({ phone, onAsk }: { phone: SipCredential; onAsk(asked: AskedOfPhone): void }) {
  const item = (what: AskedOfPhone['what'], label: string) => ({
    key: what,
    label,
    danger: what === 'remove',
    onSelect: () => onAsk({ phone, what }),
  })
  return (
    <Menu
      trigger={<IconButton size="sm" label={`Actions for ${phone.username}`} icon={<MoreHorizontal size={16} />} />}
      items={[item('change', 'Update'), item('password', 'New password'), item('remove', 'Delete')]}
    />
  )
}

export type PhoneDialogProps = {
  asked: AskedOfPhone
  onClose(): void
  /** It has a new password, which nothing else keeps. */
  onPassword(phone: SipCredential, password: string): void
}
export function PhoneDialog({ asked: { phone, what }, onClose, onPassword }: PhoneDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const { credentialId, username } = phone
  if (what === 'remove')
    return (
      <Confirm
        title={`Delete ${username}`}
        description="Its password stops working, and phones registered with it no longer ring. Calls in progress continue."
        label="Delete"
        onClose={onClose}
        work={async () => {
          await api.sipCredentials.delete({ credentialId })
          toast({ text: `${username} was deleted.` })
          void cache.invalidateQueries({ queryKey: [mode, 'phones'] })
          onClose()
        }}
      />
    )
  if (what === 'password')
    return (
      <Confirm
        title={`A new password for ${username}`}
        description="Phones with the old one can neither call nor register until the new one is typed into them."
        label="Make a new password"
        onClose={onClose}
        work={async () => {
          const password = newPassword()
          await api.sipCredentials.update({ credentialId, password })
          onPassword(phone, password)
        }}
      />
    )
  return (
    <PhoneForm
      phone={phone}
      onClose={onClose}
      onDone={() => {
        toast({ text: `${username} was saved.` })
        onClose()
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
      {...(done.error === null ? {} : { error: done.error.message })}
      onConfirm={() => done.mutate()}
    />
  )
}
