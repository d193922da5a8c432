// One invitation with what can be done with it.
import { useState } from 'react'
import { UserLink } from '../nouns/user_name.tsx'
import { Button, DescriptionList, Dialog, Moment, StatusChip } from '../ui/index.ts'
import { RevokeDialog, useInvitation } from './invitation_actions.tsx'
import type { Listed } from './member.ts'

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
      title={`Invitation of ${name}`}
      footer={
        <>
          <Button variant="danger" onClick={() => setRevokes(true)}>
            Revoke
          </Button>
          {link.may && <Button onClick={over(link.run)}>Show the link</Button>}
          {resend.may && <Button onClick={over(resend.run)}>Send again</Button>}
        </>
      }
    >
      <DescriptionList
        items={[
          { term: 'State', detail: <StatusChip status={state} /> },
          { term: 'Role', detail: role },
          { term: 'Invited by', detail: invitedBy === null ? '–' : <UserLink id={invitedBy} /> },
          { term: 'Invited', detail: <Moment iso={createdAt} /> },
          {
            term: state === 'expired' ? 'Could be accepted until' : 'Can be accepted until',
            detail: <Moment iso={expiresAt} />,
          },
          { term: 'Sent again', detail: resentText(resentCount ?? 0) },
        ]}
      />
    </Dialog>
  )
}

function resentText(count: number): string {
  if (count === 0) return 'never'
  return count === 1 ? 'once' : `${count} times${count >= 5 ? ', which is as often as that is done' : ''}`
}
