// Sets a mailbox up, and changes it: a password stays where it is left empty, unless the server or user becomes another.
import type { Mailbox } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { SelectField, TextField } from '../ui/index.ts'

const first = {
  name: '',
  host: '',
  port: '993',
  security: 'tls',
  user: '',
  password: '',
  folder: 'INBOX',
  authservId: '',
}
type Values = typeof first
const shown = ['name', ...Object.keys(first).map(name => `settings.${name}`)]

const settingsOf = ({ host, port, security, user, password, folder, authservId }: Values) => ({
  host: host.trim(),
  port: Number(port),
  security: security as 'tls',
  user: user.trim(),
  folder: folder.trim(),
  authservId: authservId.trim() === '' ? null : authservId.trim(),
  ...(password !== '' && { password }),
})

function useSaving(
  values: Values,
  setValues: (next: (old: Values) => Values) => void,
  save: () => Promise<Mailbox>,
  done: (saved: Mailbox) => void,
) {
  const { mode } = useSession()
  const cache = useQueryClient()
  const saving = useMutation({
    gcTime: 0,
    mutationFn: save,
    onSuccess: saved => {
      void cache.invalidateQueries({ queryKey: [mode, 'mailboxes'] })
      done(saved)
    },
  })
  return { saving, fields: useFormFields({ values, change: setValues }, saving.error, shown) }
}

export function MailboxForm({ onClose, onSaved }: CreateFormProps<Mailbox>) {
  const api = useApi()
  const [values, setValues] = useState(first)
  const save = () => {
    const { password = '', ...settings } = settingsOf(values)
    return api.mailboxes.create({ name: values.name, settings: { ...settings, password } })
  }
  const { saving, fields } = useSaving(values, setValues, save, onSaved)
  const { text: _, put: __, ...faults } = fields
  return (
    <FormDialog
      title="Add a mailbox"
      description="Mails that come to it from now on are read. What comes to a mailbox of one person is seen by others: take a shared one."
      className={record['form']}
      faults={faults}
      action="Add"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <Fields fields={fields} values={values} />
    </FormDialog>
  )
}

type ChangeProps = Pick<Mailbox, 'name' | 'settings'> & { id: string; onClose(): void }

export function ChangeForm({ id, name, settings, onClose }: ChangeProps) {
  const api = useApi()
  const known = { ...settings, name, port: String(settings.port), password: '', authservId: settings.authservId ?? '' }
  const [values, setValues] = useState<Values>(known)
  const save = () => api.mailboxes.update({ mailboxId: id, name: values.name, settings: settingsOf(values) })
  const { saving, fields } = useSaving(values, setValues, save, onClose)
  const { text: _, put: __, ...faults } = fields
  return (
    <FormDialog
      title={`Change ${name}`}
      description="Another server, user or folder is read from now on."
      className={record['form']}
      faults={faults}
      action="Save"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onClose={onClose}
    >
      <Fields fields={fields} values={values} isKept />
    </FormDialog>
  )
}

type FieldsProps = { fields: ReturnType<typeof useFormFields<Values>>; values: Values; isKept?: boolean }

function Fields({ fields: { text, put }, values, isKept = false }: FieldsProps) {
  const setting = (name: keyof Values) => text(name, `settings.${name}`)
  return (
    <>
      <TextField label="Name" placeholder="Sales" {...text('name')} />
      <TextField label="IMAP server" placeholder="imap.example.com" {...setting('host')} />
      <TextField label="Port" inputMode="numeric" {...setting('port')} />
      <SelectField
        label="Encryption"
        options={[
          { value: 'tls', label: 'TLS from the first byte' },
          { value: 'starttls', label: 'STARTTLS' },
          { value: 'none', label: 'None (inside this network)' },
        ]}
        value={values.security}
        onChange={({ target }) => put('security', target.value)}
      />
      <TextField label="User" placeholder="sales@example.com" autoComplete="off" {...setting('user')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        optional={isKept}
        {...(isKept && { hint: 'Empty keeps the one that is there.' })}
        {...setting('password')}
      />
      <TextField label="Folder" {...setting('folder')} />
      <TextField
        label="Trusted checker"
        optional
        hint="Name of the server whose Authentication-Results are believed, such as mx.example.com."
        {...setting('authservId')}
      />
    </>
  )
}
