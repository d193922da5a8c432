// What can be done with an invitation that waits for its answer.
import type { Member } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { useHolds, useMembersChanged } from './member.ts'
import { t } from './texts.ts'

const LinkDialog = lazyPart(() => import('./invitation_link.tsx').then(module => module.LinkDialog))

/** So often its mail is sent again. */
const maxResent = 5

/** What may be done, and what does it. */
export function useInvitation({ invitationId, role, state, resentCount, name }: Member) {
  const api = useApi()
  const show = useHeldDialog()
  const changed = useMembersChanged()
  const holds = useHolds()
  const id = { invitationId: invitationId ?? '' }
  const failed = (error: Error) => toast({ text: faultText(error), tone: 'bad' })
  const resend = useMutation({
    mutationFn: () => api.invitations.resend(id),
    gcTime: 0,
    onSuccess() {
      changed()
      toast({ text: t('resentTo', { name }) })
    },
    onError: failed,
  })
  const link = useMutation({
    mutationFn: () => api.invitations.link(id),
    gcTime: 0,
    onSuccess: ({ acceptUrl }) =>
      show(onDone => (
        <Suspense fallback={null}>
          <LinkDialog email={name} url={acceptUrl} onDone={onDone} />
        </Suspense>
      )),
    onError: failed,
  })
  const isTheirs = holds(role)
  return {
    resend: { may: isTheirs && (resentCount ?? 0) < maxResent, run: () => resend.mutate() },
    link: { may: isTheirs && state === 'invited', run: () => link.mutate() },
  }
}

export function InvitationActions({ member }: { member: Member }) {
  const { resend, link } = useInvitation(member)
  const [revokes, setRevokes] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t('actions', { name: member.name })} icon={<MoreHorizontal size={16} />} />
        }
        items={[
          ...(link.may ? [{ key: 'link', label: t('showLink'), onSelect: link.run }] : []),
          ...(resend.may ? [{ key: 'resend', label: t('resend'), onSelect: resend.run }] : []),
          { key: 'revoke', label: t('revoke'), danger: true, onSelect: () => setRevokes(true) },
        ]}
      />
      {revokes && <RevokeDialog member={member} onClose={() => setRevokes(false)} />}
    </>
  )
}

type RevokeDialogProps = { member: Member; onClose(): void }

export function RevokeDialog({ member: { invitationId, name }, onClose }: RevokeDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const revoke = useMutation({
    mutationFn: () => api.invitations.revoke({ invitationId: invitationId ?? '' }),
    onSuccess() {
      toast({ text: t('revoked', { name }) })
      onClose()
      changed()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('revokeTitle', { name })}
      description={t('revokeText')}
      confirmLabel={t('revoke')}
      danger
      busy={revoke.isPending}
      {...(revoke.error !== null && { error: faultText(revoke.error) })}
      onConfirm={() => revoke.mutate()}
    />
  )
}
