// Offers the ownership of the organization to another Admin, who has seven days to accept.
import type { Member } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, toast } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
import { t } from './texts.ts'

export type OfferDialogProps = { member: Pick<Member, 'userId' | 'name'>; onClose(): void }

export function OfferDialog({ member: { userId, name }, onClose }: OfferDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const offer = useMutation({
    mutationFn: () => api.ownership.offer({ toUserId: userId ?? 0 }),
    onSuccess() {
      changed()
      toast({ text: t('offered', { name }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('offerTitle', { name })}
      description={t('offerText', { name })}
      confirmLabel={t('offerAction')}
      busy={offer.isPending}
      {...(offer.error !== null && { error: faultText(offer.error) })}
      onConfirm={() => offer.mutate()}
    />
  )
}
