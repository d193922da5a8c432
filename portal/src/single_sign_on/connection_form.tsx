// The dialogs that set an identity provider up and change it.

import type { SsoConnection } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, SelectField, TextArea, TextField } from '../ui/index.ts'
import { EmergencyField } from './emergency_field.tsx'
import { linesOf, rulesOfText, textOfRules } from './rules_text.ts'
import { t } from './texts.ts'

type Role = SsoConnection['defaultRole']
type Values = {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  roleClaim: string
  roleMap: string
  createsMembers: boolean
  defaultRole: Role
  strongMethods: string
  breakGlass: readonly number[]
}
const shown = [
  'name',
  'issuer',
  'clientId',
  'clientSecret',
  'scopes',
  'roleClaim',
  'roleMap',
  'defaultRole',
  'strongMethods',
  'breakGlassUserIds',
] as const

/** As the API takes them. */
function given({ roleClaim, roleMap, scopes, strongMethods, breakGlass, clientSecret, ...rest }: Values) {
  return {
    ...rest,
    name: rest.name.trim(),
    issuer: rest.issuer.trim(),
    clientId: rest.clientId.trim(),
    ...(clientSecret !== '' && { clientSecret }),
    scopes: scopes.split(/\s+/).filter(Boolean),
    roleClaim: textOrNull(roleClaim),
    roleMap: rulesOfText(roleMap),
    strongMethods: linesOf(strongMethods),
    breakGlassUserIds: [...breakGlass],
  }
}

export function NewConnectionForm({ onClose, onSaved }: CreateFormProps<SsoConnection>) {
  const api = useApi()
  const { mode, user } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState<Values>({
    name: '',
    issuer: '',
    clientId: '',
    clientSecret: '',
    scopes: 'openid email profile',
    roleClaim: '',
    roleMap: '',
    createsMembers: false,
    defaultRole: 'Sales Executive',
    strongMethods: '',
    breakGlass: [user.id],
  })
  const add = useMutation({
    // The request holds a secret.
    gcTime: 0,
    mutationFn: () => api.ssoConnections.create(given(values)),
    onSuccess: made => {
      void cache.invalidateQueries({ queryKey: [mode, 'identity providers'] })
      onSaved(made)
    },
  })
  const fields = useFormFields({ values, change: setValues }, add.error, shown)
  return (
    <FormDialog
      wide
      title={t('provider.create')}
      description={t('createText')}
      className={record['form']}
      faults={fields}
      action={t('add')}
      busy={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <Fields fields={fields} />
    </FormDialog>
  )
}

export function UpdateConnectionForm({ connection, onClose }: { connection: SsoConnection; onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const before: Values = {
    name: connection.name,
    issuer: connection.issuer,
    clientId: connection.clientId,
    clientSecret: '',
    scopes: connection.scopes.join(' '),
    roleClaim: connection.roleClaim ?? '',
    roleMap: textOfRules(connection.roleMap),
    createsMembers: connection.createsMembers,
    defaultRole: connection.defaultRole,
    strongMethods: connection.strongMethods.join(', '),
    breakGlass: connection.breakGlassUserIds,
  }
  const [values, setValues] = useState(before)
  const change = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      // Only what differs: what somebody else changed meanwhile stays as it is.
      const old = given(before) as Record<string, unknown>
      const changes = Object.entries(given(values)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
      )
      if (changes.length > 0)
        await api.ssoConnections.update({ connectionId: connection.connectionId, ...Object.fromEntries(changes) })
    },
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, 'identity providers'] })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, shown)
  return (
    <FormDialog
      wide
      title={t('editTitle', { name: connection.name })}
      description={t('editText')}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={change.isPending}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <Fields fields={fields} keepsSecret={connection.hasClientSecret} />
    </FormDialog>
  )
}

const roles = ['Sales Executive', 'Sales Manager', 'Finance Manager'].map(role => ({ value: role, label: role }))

/** What is typed, by example. */
const examples = {
  name: 'Example Okta',
  issuer: 'https://example.okta.com',
  claim: 'groups',
  map: 'tandem-admins = Admin\nsales-leads = Sales Manager',
  method: 'mfa',
}

function Fields({ fields, keepsSecret = false }: { fields: FormFields<Values>; keepsSecret?: boolean }) {
  const { text, values, put, fields: faults } = fields
  return (
    <>
      <TextField label={t('name')} placeholder={examples.name} {...text('name')} />
      <TextField label={t('issuer')} mono placeholder={examples.issuer} hint={t('issuerHint')} {...text('issuer')} />
      <TextField label={t('clientId')} mono {...text('clientId')} />
      <TextField
        label={t('clientSecret')}
        type="password"
        autoComplete="off"
        optional
        hint={t(keepsSecret ? 'clientSecretKept' : 'clientSecretNew')}
        {...text('clientSecret')}
      />
      <TextField label={t('scopes')} mono {...text('scopes')} />
      <CheckboxField
        label={t('createsMembers')}
        hint={t('createsMembersHint')}
        checked={values.createsMembers}
        onChange={event => put('createsMembers', event.target.checked)}
      />
      <SelectField
        label={t('defaultRole')}
        options={roles}
        value={values.defaultRole}
        error={faults['defaultRole']}
        onChange={event => put('defaultRole', event.target.value as Role)}
      />
      <TextField
        label={t('roleClaim')}
        mono
        optional
        placeholder={examples.claim}
        hint={t('roleClaimHint')}
        {...text('roleClaim')}
      />
      <TextArea
        label={t('roleMap')}
        className={record['wide']}
        optional
        rows={3}
        placeholder={examples.map}
        hint={t('roleMapHint')}
        {...text('roleMap')}
      />
      <TextField
        label={t('strong')}
        mono
        optional
        placeholder={examples.method}
        hint={t('strongHint')}
        {...text('strongMethods')}
      />
      <EmergencyField
        value={values.breakGlass}
        error={faults['breakGlassUserIds']}
        onChange={ids => put('breakGlass', ids)}
      />
    </>
  )
}
