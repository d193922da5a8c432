// Sets a mail server up, and changes it: a password or secret that is left empty stays, but must be entered again where it would go to
// another server. Of a change only what differs is sent.

import type { MailTransport } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { differing } from '../forms/differing.ts'
import { examples } from '../forms/examples.ts'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { encryptionOptions } from '../mails/words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, SelectField, TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

const kinds = ['smtp', 'smtp_oauth', 'outbox'] as const

const first = {
  kind: 'smtp',
  name: '',
  host: '',
  port: '587',
  security: 'starttls',
  user: '',
  password: '',
  tokenUrl: '',
  clientId: '',
  clientSecret: '',
  scope: '',
  isDefault: false,
  enabled: true,
}
type Values = typeof first

const shown = ['name', ...Object.keys(first).map(name => `settings.${name}`)]
const ownOf = (kind: string) =>
  kind === 'smtp'
    ? (['user', 'password'] as const)
    : (['user', 'tokenUrl', 'clientId', 'clientSecret', 'scope'] as const)

function valuesOf({ kind, name, settings, isDefault, enabled }: MailTransport): Values {
  const { host, port, security, user, tokenUrl, clientId, scope } = settings
  const texts = { host, user, tokenUrl, clientId, scope }
  const typed = Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, value ?? ''] as const))
  return { ...first, ...typed, kind, name, port: String(port), security, isDefault, enabled }
}

/** What the server shows of the settings. */
function openSettings({ kind, host, port, security, user, tokenUrl, clientId, scope }: Values) {
  const server = {
    host: textOrNull(host),
    port: Number(port),
    security: security as MailTransport['settings']['security'],
    user: textOrNull(user),
  }
  if (kind === 'smtp') return server
  return { ...server, tokenUrl: textOrNull(tokenUrl), clientId: textOrNull(clientId), scope: textOrNull(scope) }
}

/** What was entered of what is never shown. A password goes with its user. */
function secretSettings({ kind, user, password, clientSecret }: Values, { hasSecret }: MailTransport) {
  if (kind === 'smtp_oauth') return clientSecret === '' ? {} : { clientSecret }
  if (password !== '') return { password }
  return hasSecret && textOrNull(user) === null ? { password: null } : {}
}

/** What differs from what is stored, and whether a secret has to be entered again because it would go to another place. */
function changesOf(values: Values, stored: MailTransport) {
  const { name, isDefault, enabled } = values
  const facts = differing({ name: name.trim(), isDefault, enabled }, stored)
  if (values.kind === 'outbox') return { changes: facts, asksSecret: false, isMoved: false }
  const open = differing(openSettings(values), stored.settings)
  const secrets = secretSettings(values, stored)
  const settings = { ...open, ...secrets }
  const isMoved = stored.hasSecret && ['host', 'port', 'tokenUrl'].some(place => Object.hasOwn(open, place))
  return {
    changes: { ...facts, ...(Object.keys(settings).length > 0 && { settings }) },
    isMoved,
    asksSecret: isMoved && Object.keys(secrets).length === 0,
  }
}

export function NewTransportForm({ onClose, onSaved }: CreateFormProps<MailTransport>) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState(first)
  const given = (names: readonly (keyof Values)[]) =>
    Object.fromEntries(names.filter(name => values[name] !== '').map(name => [name, values[name]]))
  const add = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.mailTransports.create({
        kind: values.kind as 'smtp',
        name: values.name,
        ...(values.kind !== 'outbox' && {
          settings: { ...given(['host', 'security', ...ownOf(values.kind)]), port: Number(values.port) },
        }),
      }),
    onSuccess: added => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail servers'] })
      onSaved(added)
    },
  })
  const fields = useFormFields({ values, change: setValues }, add.error, shown)
  return (
    <FormDialog
      title={t('add')}
      className={record['form']}
      faults={fields}
      action={t('addAction')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField label={t('name')} placeholder={t('exampleName')} {...fields.text('name')} />
      <SelectField
        label={t('kind')}
        options={kinds.map(value => ({ value, label: t(`kind.${value}`) }))}
        value={values.kind}
        onChange={({ target }) => fields.put('kind', target.value)}
      />
      {values.kind !== 'outbox' && <ServerFields fields={fields} />}
    </FormDialog>
  )
}

export function EditTransportForm({ transport, onClose }: { transport: MailTransport; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [stored] = useState(transport)
  const [values, setValues] = useState(() => valuesOf(transport))
  const { changes, isMoved, asksSecret } = changesOf(values, stored)
  const save = useMutation({
    gcTime: 0,
    mutationFn: () => api.mailTransports.update({ transportId: stored.transportId, ...changes }),
    onSuccess: ({ name }) => {
      void cache.invalidateQueries({ queryKey: [mode, 'mail servers'] })
      toast({ text: t('saved', { name }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, save.error, shown)
  const check = (name: 'isDefault' | 'enabled') => ({
    checked: values[name],
    onChange: ({ target }: { target: { checked: boolean } }) => fields.put(name, target.checked),
  })
  return (
    <FormDialog
      title={t('editName', { name: stored.name })}
      description={stored.hasSecret ? t(stored.kind === 'smtp' ? 'editText' : 'editTextOauth') : undefined}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={save.isPending}
      disabled={asksSecret || Object.keys(changes).length === 0}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField label={t('name')} className={record['wide']} {...fields.text('name')} />
      {stored.kind !== 'outbox' && (
        <ServerFields fields={fields} secret={stored.hasSecret ? (isMoved ? 'again' : 'kept') : undefined} />
      )}
      <div className={record['checks']}>
        <CheckboxField label={t('isDefault')} hint={t('isDefaultHint')} {...check('isDefault')} />
        <CheckboxField label={t('enabled')} hint={t('enabledHint')} {...check('enabled')} />
      </div>
    </FormDialog>
  )
}

type ServerFieldsProps = {
  fields: FormFields<Values>
  /** What becomes of the secret that is stored. */
  secret?: 'kept' | 'again' | undefined
}

function ServerFields({ fields: { values, put, text }, secret }: ServerFieldsProps) {
  const setting = (name: Exclude<keyof Values, 'isDefault' | 'enabled'>) => text(name, `settings.${name}`)
  const hidden = {
    type: 'password',
    autoComplete: 'new-password',
    hint: secret === undefined ? undefined : t(`secret.${secret}`),
  } as const
  return (
    <>
      <TextField label={t('host')} placeholder={examples.mailServer} {...setting('host')} />
      <TextField label={t('port')} inputMode="numeric" {...setting('port')} />
      <SelectField
        label={t('encryption')}
        options={encryptionOptions(['starttls', 'tls', 'none'])}
        value={values.security}
        onChange={({ target }) => put('security', target.value)}
      />
      <TextField label={t('user')} optional={values.kind === 'smtp'} autoComplete="off" {...setting('user')} />
      {values.kind === 'smtp' ? (
        <TextField
          label={t('password')}
          optional={secret !== 'again' || textOrNull(values.user) === null}
          {...hidden}
          {...setting('password')}
        />
      ) : (
        <>
          <TextField label={t('tokenUrl')} type="url" {...setting('tokenUrl')} />
          <TextField label={t('clientId')} {...setting('clientId')} />
          <TextField label={t('clientSecret')} optional={secret === 'kept'} {...hidden} {...setting('clientSecret')} />
          <TextField label={t('scope')} optional {...setting('scope')} />
        </>
      )}
    </>
  )
}
