// Sets a mailbox up, and changes it: a password stays where it is left empty, unless the server or user becomes another.

import type { Mailbox } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { examples } from '../forms/examples.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { encryptionOptions } from '../mails/words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { SelectField, TextField } from '../ui/index.ts'
import { t } from './texts.ts'

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
  authservId: textOrNull(authservId),
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
      title={t('add')}
      description={t('addText')}
      className={record['form']}
      faults={faults}
      action={t('addAction')}
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
      title={t('editName', { name })}
      description={t('editText')}
      className={record['form']}
      faults={faults}
      action={t('save')}
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
      <TextField label={t('name')} placeholder={t('exampleName')} {...text('name')} />
      <TextField label={t('server')} placeholder={examples.imapServer} {...setting('host')} />
      <TextField label={t('port')} inputMode="numeric" {...setting('port')} />
      <SelectField
        label={t('encryption')}
        options={encryptionOptions(['tls', 'starttls', 'none'])}
        value={values.security}
        onChange={({ target }) => put('security', target.value)}
      />
      <TextField label={t('user')} placeholder={examples.shared} autoComplete="off" {...setting('user')} />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        optional={isKept}
        {...(isKept && { hint: t('passwordHint') })}
        {...setting('password')}
      />
      <TextField label={t('folder')} {...setting('folder')} />
      <TextField label={t('checker')} optional hint={t('checkerHint')} {...setting('authservId')} />
    </>
  )
}
