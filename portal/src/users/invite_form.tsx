// Invites one address or many, with one role; then says who was invited, with the links, and who was not, and why.
import type { InvitationsCreateManyReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import type { Role } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, Dialog, SelectField, TextArea } from '../ui/index.ts'
import { addressesOf } from './addresses.ts'
import { useHolds, useMembersChanged } from './member.ts'
import { RoleRights } from './role_rights.tsx'
import { roles } from './user_noun.ts'
import styles from './users.module.css'

const empty = { addresses: '', role: 'Sales Executive' as Role }
const most = 100

export function InviteForm({ onClose }: { onClose(): void }) {
  const api = useApi()
  const show = useHeldDialog()
  const changed = useMembersChanged()
  const holds = useHolds()
  const draft = useFormDraft('invitations', empty)
  const { addresses, role } = draft.values
  const emails = addressesOf(addresses)
  const invite = useMutation({
    mutationFn: () => api.invitations.createMany({ emails, role }),
    gcTime: 0,
    onSuccess(reply) {
      draft.forget()
      changed()
      onClose()
      show(onDone => <InvitedDialog reply={reply} onDone={onDone} />)
    },
  })
  const faults = useFormFaults(invite.error, ['emails', 'role', ...emails.map((_, at) => `emails[${at}]`)])
  const wrong = emails.findIndex((_, at) => faults.fields[`emails[${at}]`] !== undefined)
  const fault =
    faults.fields['emails'] ?? (wrong < 0 ? undefined : `${emails[wrong]}: ${faults.fields[`emails[${wrong}]`]}`)
  const mend = () => {
    faults.mend('emails')
    if (wrong >= 0) invite.reset()
  }
  const tooMany = emails.length > most ? `At most ${most} at a time; these are ${emails.length}.` : undefined
  const error = tooMany ?? fault
  return (
    <FormDialog
      title="Invite people"
      description="Each gets a mail with a link that is good for seven days, for that address alone."
      className={record['form']}
      faults={faults}
      action={emails.length > 1 ? `Invite ${emails.length} people` : 'Invite'}
      busy={invite.isPending}
      disabled={emails.length === 0 || tooMany !== undefined}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="E-mail addresses"
        name="emails"
        rows={4}
        className={record['wide']}
        hint="One, or several with commas or on lines of their own."
        value={addresses}
        {...(error !== undefined && { error })}
        onChange={({ target }) => {
          mend()
          draft.change(old => ({ ...old, addresses: target.value }))
        }}
      />
      <SelectField
        label="Role"
        className={record['wide']}
        options={roles.filter(holds).map(value => ({ value, label: value }))}
        value={role}
        {...(faults.fields['role'] !== undefined && { error: faults.fields['role'] })}
        onChange={({ target }) => {
          faults.mend('role')
          draft.change(old => ({ ...old, role: target.value as Role }))
        }}
      />
      <div className={record['wide']}>
        <RoleRights choice={{ role }} />
      </div>
    </FormDialog>
  )
}

const refusedTexts = {
  already_member: 'Is a member already.',
  already_invited: 'Was invited already: that invitation can be sent again.',
}

type InvitedDialogProps = { reply: InvitationsCreateManyReply; onDone(): void }

function InvitedDialog({ reply: { invitations, refused }, onDone }: InvitedDialogProps) {
  const count = invitations.length
  const links = invitations.filter(({ acceptUrl }) => acceptUrl !== null)
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onDone()}
      title={
        count === 0 ? 'Nobody was invited' : count === 1 ? 'One person was invited' : `${count} people were invited`
      }
      {...(count > 0 && {
        description:
          'The mails are on their way. Where none arrives, hand the link over, to nobody but the person of the address.',
      })}
      footer={
        <>
          {links.length > 1 && (
            <CopyButton
              text={links.map(({ email, acceptUrl }) => `${email} ${acceptUrl}`).join('\n')}
              label="Copy all links"
              showLabel
              size="md"
            />
          )}
          <Button variant="primary" onClick={onDone}>
            Done
          </Button>
        </>
      }
    >
      <ul className={styles['rows']} aria-label="Invitations">
        {invitations.map(({ invitationId, email, role, acceptUrl }) => (
          <li key={invitationId}>
            <div>
              {email}
              <small>{role}</small>
            </div>
            {acceptUrl === null ? (
              <small>The server has no known address, so there is no link.</small>
            ) : (
              <CopyButton text={acceptUrl} label={`Copy the link of ${email}`} showLabel />
            )}
          </li>
        ))}
        {refused.map(({ email, code }) => (
          <li key={email}>
            <div>
              {email}
              <small>{refusedTexts[code]}</small>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
