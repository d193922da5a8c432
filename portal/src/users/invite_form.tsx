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
import { t } from './texts.ts'
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
      <SelectField
        label={t('role')}
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

type InvitedDialogProps = { reply: InvitationsCreateManyReply; onDone(): void }

function InvitedDialog({ reply: { invitations, refused }, onDone }: InvitedDialogProps) {
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
        {invitations.map(({ invitationId, email, role, acceptUrl }) => (
          <li key={invitationId}>
            <div>
              {email}
              <small>{role}</small>
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
