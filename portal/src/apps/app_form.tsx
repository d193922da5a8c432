// The dialog that registers an app, and the fields that it has in common with that which changes one.
import type { App, AppsCreateParams } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, ErrorNote, SelectField, TextArea, TextField } from '../ui/index.ts'
import styles from './apps.module.css'
import { authorizationLists } from './authorization.tsx'
import { kinds } from './kinds.ts'
import { t } from './texts.ts'

/** Whether a cached answer is about apps, or one. */
export function isOfApps({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[1] === 'apps' || queryKey[1] === 'app' || authorizationLists.includes(queryKey[1])
}

/** Redirect addresses as they are typed: one a line. */
export const addressesOf = (text: string) => text.split(/\s+/).filter(Boolean)

export function AppForm({ onClose, onSaved }: { onClose(): void; onSaved(made: App): void }) {
  const { permissions } = useSession()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<AppsCreateParams['kind']>('confidential')
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(['profile:read']))
  const isMachine = kind === 'machine'
  const redirectUris = isMachine ? [] : addressesOf(addresses)
  const create = useMutation({
    mutationFn: () =>
      apiOf('live').apps.create({ name, kind, redirectUris, scopes: [...scopes] as AppsCreateParams['scopes'] }),
    onSuccess: made => {
      void cache.invalidateQueries({ predicate: isOfApps })
      onSaved(made)
    },
  })
  const { fields, general } = faultsOf(create.error, ['name', 'kind', 'redirectUris', 'scopes'])
  return (
    <FormDialog
      wide
      title={t('register')}
      description={t('registerText')}
      className={styles['stack']}
      faults={{ general }}
      action={t('registerShort')}
      busy={create.isPending}
      disabled={scopes.size === 0}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        value={name}
        error={fields['name']}
        maxLength={100}
        onChange={event => setName(event.target.value)}
      />
      <SelectField
        label={t('kindTerm')}
        options={kinds()}
        value={kind}
        onChange={event => setKind(event.target.value as AppsCreateParams['kind'])}
      />
      {!isMachine && <RedirectsField value={addresses} error={fields['redirectUris']} onChange={setAddresses} />}
      <ScopesField offered={permissions} chosen={scopes} error={fields['scopes']} onChange={setScopes} />
    </FormDialog>
  )
}

type RedirectsProps = { value: string; error: string | undefined; onChange(addresses: string): void }

export function RedirectsField({ value, error, onChange }: RedirectsProps) {
  return (
    <TextArea
      label={t('redirects')}
      hint={t('redirectsHint')}
      rows={3}
      value={value}
      error={error}
      onChange={event => onChange(event.target.value)}
    />
  )
}

type ScopesProps = {
  offered: ReadonlySet<string>
  chosen: ReadonlySet<string>
  error: string | undefined
  onChange(scopes: ReadonlySet<string>): void
}

export function ScopesField({ offered, chosen, error, onChange }: ScopesProps) {
  const toggle = (scope: string, on: boolean) =>
    onChange(new Set(on ? [...chosen, scope] : [...chosen].filter(one => one !== scope)))
  return (
    <>
      <fieldset className={styles['scopes']}>
        <legend>{t('scopesChosen', { count: chosen.size })}</legend>
        <div className={styles['groups']}>
          {[...offered].sort().map(scope => (
            <CheckboxField
              key={scope}
              label={scope}
              checked={chosen.has(scope)}
              onChange={event => toggle(scope, event.target.checked)}
            />
          ))}
        </div>
      </fieldset>
      {error !== undefined && <ErrorNote text={error} />}
    </>
  )
}
