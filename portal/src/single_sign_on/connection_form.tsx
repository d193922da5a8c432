// The dialogs that set an identity provider up and change it.
import type { SsoConnection } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import type { CreateFormProps } from '../lists/resource.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, SelectField, TextArea, TextField } from '../ui/index.ts'
import { EmergencyField } from './emergency_field.tsx'
import { linesOf, rulesOfText, textOfRules } from './rules_text.ts'

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
    roleClaim: roleClaim.trim() === '' ? null : roleClaim.trim(),
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
      title="Add an identity provider"
      description="Make an application for web logins at the provider (OpenID Connect, code flow), and enter what it shows. The redirect address is shown next."
      className={record['form']}
      faults={fields}
      action="Add"
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
      title={`Change ${connection.name}`}
      description="Another issuer or client id has to be tested again."
      className={record['form']}
      faults={fields}
      action="Save"
      busy={change.isPending}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <Fields fields={fields} keepsSecret={connection.hasClientSecret} />
    </FormDialog>
  )
}

const roles = ['Sales Executive', 'Sales Manager', 'Finance Manager'].map(role => ({ value: role, label: role }))

function Fields({ fields, keepsSecret = false }: { fields: FormFields<Values>; keepsSecret?: boolean }) {
  const { text, values, put, fields: faults } = fields
  return (
    <>
      <TextField label="Name" placeholder="Example Okta" {...text('name')} />
      <TextField
        label="Issuer"
        mono
        placeholder="https://example.okta.com"
        hint="Exactly as the provider writes it, a slash at the end included."
        {...text('issuer')}
      />
      <TextField label="Client id" mono {...text('clientId')} />
      <TextField
        label="Client secret"
        type="password"
        autoComplete="off"
        optional
        hint={keepsSecret ? 'Left empty, the present one stays.' : 'Kept encrypted, and never shown again.'}
        {...text('clientSecret')}
      />
      <TextField label="Scopes" mono {...text('scopes')} />
      <CheckboxField
        label="Create members"
        hint="Anyone with a verified address at one of your verified domains becomes a member at the first login."
        checked={values.createsMembers}
        onChange={event => put('createsMembers', event.target.checked)}
      />
      <SelectField
        label="Role of new members"
        options={roles}
        value={values.defaultRole}
        error={faults['defaultRole']}
        onChange={event => put('defaultRole', event.target.value as Role)}
      />
      <TextField
        label="Claim with the role"
        mono
        optional
        placeholder="groups"
        hint="The claim of the ID token that says which groups somebody is in."
        {...text('roleClaim')}
      />
      <TextArea
        label="Roles by that claim"
        className={record['wide']}
        optional
        rows={3}
        placeholder={'tandem-admins = Admin\nsales-leads = Sales Manager'}
        hint="One a line. The first that fits is given at every login. Nobody becomes Admin otherwise."
        {...text('roleMap')}
      />
      <TextField
        label="Counts as a second factor"
        mono
        optional
        placeholder="mfa"
        hint="Values of amr or acr, with commas between. Otherwise the second factor of the account is asked for, where one is needed."
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
