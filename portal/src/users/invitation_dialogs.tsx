// One invitation with what can be done with it.
import { useState } from 'react'
import { UserLink } from '../nouns/user_name.tsx'
import { Button, DescriptionList, Dialog, Moment } from '../ui/index.ts'
import { RevokeDialog, useInvitation } from './invitation_actions.tsx'
import type { Listed } from './member.ts'
import { StateChip } from './state_chip.tsx'
import { t } from './texts.ts'

export function InvitationDialog({ member, onClose }: { member: Listed; onClose(): void }) {
  const { resend, link } = useInvitation(member)
  const [revokes, setRevokes] = useState(false)
  const { name, role, state, invitedBy, resentCount, expiresAt, createdAt } = member
  // Where what is done opens a dialog of its own, or is said in passing, this one is over.
  const over = (run: () => void) => () => {
    run()
    onClose()
  }
  if (revokes) return <RevokeDialog member={member} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('invitationOf', { name })}
      footer={
        <>
          <Button variant="danger" onClick={() => setRevokes(true)}>
            {t('revoke')}
          </Button>
          {link.may && <Button onClick={over(link.run)}>{t('showLink')}</Button>}
          {resend.may && <Button onClick={over(resend.run)}>{t('resend')}</Button>}
        </>
      }
    >
      <DescriptionList
        items={[
          { term: t('state'), detail: <StateChip state={state} /> },
          { term: t('role'), detail: role },
          { term: t('invitedBy'), detail: invitedBy === null ? '–' : <UserLink id={invitedBy} /> },
          { term: t('invited'), detail: <Moment iso={createdAt} /> },
          {
            term: t(state === 'expired' ? 'acceptableOnce' : 'acceptable'),
            detail: <Moment iso={expiresAt} />,
          },
          { term: t('resent'), detail: t('resentCount', { count: resentCount ?? 0 }) },
        ]}
      />
    </Dialog>
  )
}
