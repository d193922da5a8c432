// The dialog that creates a user. Where no password is typed the server makes one, which is shown this once.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import type { Saved } from '../nouns/form.tsx'
import { useApi } from '../session/api.ts'
import { TextField } from '../ui/index.ts'
import { type RoleChoice, RolePicker } from './role_picker.tsx'
import { RoleRights } from './role_rights.tsx'
import { useUserSaved } from './saved.ts'
import { t } from './texts.ts'
import type { UserRecord } from './user_noun.ts'

const empty = { name: '', email: '', role: { role: 'Sales Executive' } as RoleChoice }

export function UserForm({ onClose, onSaved }: { onClose(): void; onSaved(saved: Saved): void }) {
  const api = useApi()
  const saved = useUserSaved()
  const draft = useFormDraft('new user', empty)
  // Kept nowhere but in this dialog.
  const [password, setPassword] = useState('')
  const [made, setMade] = useState<{ user: UserRecord; password: string }>()
  const create = useMutation({
    mutationFn: () => {
      const { role, ...person } = draft.values
      return api.users.create({ ...person, ...role, ...(password !== '' && { password }) })
    },
    gcTime: 0,
    onSuccess({ user, generatedPassword }) {
      draft.forget()
      saved(user)
      if (generatedPassword === undefined) onSaved({ record: user, duplicates: [] })
      else setMade({ user, password: generatedPassword })
    },
  })
  const { values, put, text, ...faults } = useFormFields(draft, create.error, [
    'name',
    'email',
    'role',
    'roleId',
    'password',
  ])
  if (made !== undefined)
    return (
      <SecretDialog
        title={t('userPassword', { name: made.user.name })}
        description={t('userPasswordText', { name: made.user.name, email: made.user.email })}
        secret={made.password}
        hint={t('passwordHint')}
        onDone={() => onSaved({ record: made.user, duplicates: [] })}
      />
    )
  return (
    <FormDialog
      kept
      title={t('create')}
      description={t('createText')}
      className={record['form']}
      faults={faults}
      action={t('createAction')}
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={faults.form} />}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label={t('name')} maxLength={200} {...text('name')} />
      <TextField label={t('email')} type="email" {...text('email')} />
      <RolePicker
        value={values.role}
        error={faults.fields['role'] ?? faults.fields['roleId']}
        onChange={role => {
          faults.mend('roleId')
          put('role', role)
        }}
      />
      <PasswordField
        value={password}
        error={faults.fields['password']}
        onChange={value => {
          faults.mend('password')
          setPassword(value)
        }}
      />
      <div className={record['wide']}>
        <RoleRights choice={values.role} />
      </div>
    </FormDialog>
  )
}

export type PasswordFieldProps = {
  value: string
  error: string | undefined
  /** It has to be typed. */
  required?: boolean
  onChange(value: string): void
}

export function PasswordField({ value, error, required = false, onChange }: PasswordFieldProps) {
  return (
    <TextField
      label={t('password')}
      name="password"
      type="password"
      autoComplete="new-password"
      optional={!required}
      hint={t(required ? 'passwordRule' : 'passwordRuleOptional')}
      value={value}
      error={error}
      onChange={event => onChange(event.target.value)}
    />
  )
}
