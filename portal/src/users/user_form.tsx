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
import type { UserRecord } from './user_noun.ts'

const empty = { name: '', email: '', role: { role: 'Sales Executive' } as RoleChoice }

export const handOver =
  'Hand it over by a way that nobody else reads. It is good for one login, which asks for another, and cannot be shown again.'

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
        title={`The password of ${made.user.name}`}
        description={`${made.user.name} logs in with ${made.user.email} and this password. Copy it now: nobody can show it to you again.`}
        secret={made.password}
        hint={handOver}
        onDone={() => onSaved({ record: made.user, duplicates: [] })}
      />
    )
  return (
    <FormDialog
      title="Create a user"
      description="The person logs in at once, to live and test data alike."
      className={record['form']}
      faults={faults}
      action="Create"
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={faults.form} />}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={200} {...text('name')} />
      <TextField label="E-mail" type="email" {...text('email')} />
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
  const rule = 'At least 10 characters.'
  return (
    <TextField
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      optional={!required}
      hint={required ? rule : `${rule} Left empty, one is made and shown once.`}
      value={value}
      error={error}
      onChange={event => onChange(event.target.value)}
    />
  )
}
