// The dialog that registers an app.
import type { App, AppsCreateParams } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CheckboxField, ErrorNote, SelectField, TextArea, TextField } from '../ui/index.ts'
import styles from './apps.module.css'
import { kinds } from './kinds.ts'
import { t } from './texts.ts'

/** Whether a cached answer is about apps, or one. */
export function isOfApps({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[1] === 'apps' || queryKey[1] === 'app'
}

export function AppForm({ onClose, onSaved }: { onClose(): void; onSaved(made: App): void }) {
  const { permissions } = useSession()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<AppsCreateParams['kind']>('confidential')
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(['profile:read']))
  const isMachine = kind === 'machine'
  const redirectUris = isMachine ? [] : addresses.split(/\s+/).filter(Boolean)
  const create = useMutation({
    mutationFn: () =>
      apiOf('live').apps.create({ name, kind, redirectUris, scopes: [...scopes] as AppsCreateParams['scopes'] }),
    onSuccess: made => {
      void cache.invalidateQueries({ predicate: isOfApps })
      onSaved(made)
    },
  })
  const { fields, general } = faultsOf(create.error, ['name', 'kind', 'redirectUris', 'scopes'])
  const toggle = (scope: string, on: boolean) =>
    setScopes(old => new Set(on ? [...old, scope] : [...old].filter(one => one !== scope)))
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
      {!isMachine && (
        <TextArea
          label={t('redirects')}
          hint={t('redirectsHint')}
          rows={3}
          value={addresses}
          error={fields['redirectUris']}
          onChange={event => setAddresses(event.target.value)}
        />
      )}
      <fieldset className={styles['scopes']}>
        <legend>{t('scopesChosen', { count: scopes.size })}</legend>
        <div className={styles['groups']}>
          {[...permissions].sort().map(scope => (
            <CheckboxField
              key={scope}
              label={scope}
              checked={scopes.has(scope)}
              onChange={event => toggle(scope, event.target.checked)}
            />
          ))}
        </div>
      </fieldset>
      {fields['scopes'] !== undefined && <ErrorNote text={fields['scopes']} />}
    </FormDialog>
  )
}
