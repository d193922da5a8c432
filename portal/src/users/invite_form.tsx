// Invites one address or many, with one role, which may be one of the organization's own; then says who was invited, with the links, and who was not, and why.
import type { InvitationsCreateManyReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { CopyButton } from '../ui/code.tsx'
import { Button, Dialog, TextArea } from '../ui/index.ts'
import { addressesOf } from './addresses.ts'
import { useMembersChanged } from './member.ts'
import { type RoleChoice, RolePicker } from './role_picker.tsx'
import { RoleRights, useHeldBy } from './role_rights.tsx'
import { t } from './texts.ts'
import styles from './users.module.css'

const empty = { addresses: '', role: { role: 'Sales Executive' } as RoleChoice }
const most = 100

export function InviteForm({ onClose }: { onClose(): void }) {
  const api = useApi()
  const show = useHeldDialog()
  const changed = useMembersChanged()
  const draft = useFormDraft('new members', empty)
  const { addresses, role } = draft.values
  const roleName = useHeldBy(role)?.name ?? ''
  const emails = addressesOf(addresses)
  const invite = useMutation({
    mutationFn: () => api.invitations.createMany({ emails, ...role }),
    gcTime: 0,
    onSuccess(reply) {
      draft.forget()
      changed()
      onClose()
      show(onDone => <InvitedDialog reply={reply} roleName={roleName} onDone={onDone} />)
    },
  })
  const faults = useFormFaults(invite.error, ['emails', 'role', 'roleId', ...emails.map((_, at) => `emails[${at}]`)])
  const wrong = emails.findIndex((_, at) => faults.fields[`emails[${at}]`] !== undefined)
  const fault =
    faults.fields['emails'] ?? (wrong < 0 ? undefined : `${emails[wrong]}: ${faults.fields[`emails[${wrong}]`]}`)
  const mend = () => {
    faults.mend('emails')
    if (wrong >= 0) invite.reset()
  }
  const tooMany = emails.length > most ? t('inviteTooMany', { most, count: emails.length }) : undefined
  const error = tooMany ?? fault
  return (
    <FormDialog
      kept
      title={t('invite')}
      description={t('inviteText')}
      className={record['form']}
      faults={faults}
      action={t('inviteAction', { count: emails.length })}
      busy={invite.isPending}
      disabled={emails.length === 0 || tooMany !== undefined}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <TextArea
        label={t('inviteEmails')}
        name="emails"
        rows={4}
        className={record['wide']}
        hint={t('inviteEmailsHint')}
        value={addresses}
        {...(error !== undefined && { error })}
        onChange={({ target }) => {
          mend()
          draft.change(old => ({ ...old, addresses: target.value }))
        }}
      />
      <RolePicker
        className={record['wide']}
        value={role}
        error={faults.fields['role'] ?? faults.fields['roleId']}
        onChange={chosen => {
          faults.mend('role')
          faults.mend('roleId')
          draft.change(old => ({ ...old, role: chosen }))
        }}
      />
      <div className={record['wide']}>
        <RoleRights choice={role} />
      </div>
    </FormDialog>
  )
}

type InvitedDialogProps = { reply: InvitationsCreateManyReply; roleName: string; onDone(): void }

function InvitedDialog({ reply: { invitations, refused }, roleName, onDone }: InvitedDialogProps) {
  const count = invitations.length
  const links = invitations.filter(({ acceptUrl }) => acceptUrl !== null)
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onDone()}
      title={t('invitedCount', { count })}
      {...(count > 0 && { description: t('invitedText') })}
      footer={
        <>
          {links.length > 1 && (
            <CopyButton
              text={links.map(({ email, acceptUrl }) => `${email} ${acceptUrl}`).join('\n')}
              label={t('linksCopy')}
              showLabel
              size="md"
            />
          )}
          <Button variant="primary" onClick={onDone}>
            {t('doneAction')}
          </Button>
        </>
      }
    >
      <ul className={styles['rows']} aria-label={t('invitations')}>
        {invitations.map(({ invitationId, email, acceptUrl }) => (
          <li key={invitationId}>
            <div>
              {email}
              <small>{roleName}</small>
            </div>
            {acceptUrl === null ? (
              <small>{t('linkNoneShort')}</small>
            ) : (
              <CopyButton text={acceptUrl} label={t('linkCopyOf', { email })} showLabel />
            )}
          </li>
        ))}
        {refused.map(({ email, code }) => (
          <li key={email}>
            <div>
              {email}
              <small>{t(`refused.${code}`)}</small>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
