// Offers the ownership of the organization to another Admin, who has seven days to accept.
import type { Member } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { ConfirmDialog, toast } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'

export type OfferDialogProps = { member: Pick<Member, 'userId' | 'name'>; onClose(): void }

export function OfferDialog({ member: { userId, name }, onClose }: OfferDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const offer = useMutation({
    mutationFn: () => api.ownership.offer({ toUserId: userId ?? 0 }),
    onSuccess() {
      changed()
      toast({ text: `The ownership was offered to ${name}, who has seven days to accept.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Offer the ownership to ${name}`}
      description={`Until ${name} accepts, within seven days, nothing changes and you can take the offer back. For 72 hours after that you can undo it. Both of you get a mail of every step.`}
      confirmLabel="Offer"
      busy={offer.isPending}
      {...(offer.error !== null && { error: offer.error.message })}
      onConfirm={() => offer.mutate()}
    />
  )
}
