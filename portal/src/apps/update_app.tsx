// The dialog that changes an app: what it is called, where people are sent back to, and the most that anyone can let it do.

import type { App, AppsUpdateParams } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { differing } from '../forms/differing.ts'
import { isStale } from '../forms/faults.ts'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { textOrNull } from '../forms/text_or_null.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TextArea, TextField, toast } from '../ui/index.ts'
import { addressesOf, isOfApps, RedirectsField, ScopesField } from './app_form.tsx'
import styles from './apps.module.css'
import { t } from './texts.ts'

type Values = { name: string; description: string; addresses: string; scopes: ReadonlySet<string> }

const typedOf = ({ name, description, redirectUris, scopes }: App): Values => ({
  ...{ name, description: description ?? '', addresses: redirectUris.join('\n'), scopes: new Set(scopes) },
})

const wholeOf = ({ name, description, addresses, scopes }: Values) => ({
  name: name.trim(),
  description: textOrNull(description),
  redirectUris: addressesOf(addresses),
  scopes: [...scopes].sort() as NonNullable<AppsUpdateParams['scopes']>,
})

export function UpdateApp({ app, onClose }: { app: App; onClose(): void }) {
  const { permissions } = useSession()
  const cache = useQueryClient()
  // What was read when the form opened is what is changed, and nothing else: who was quicker keeps theirs.
  const [begun] = useState(app)
  const [version, setVersion] = useState(app.version)
  const [values, change] = useState(() => typedOf(begun))
  const changes = differing(wholeOf(values), wholeOf(typedOf(begun)))
  const readVersion = async () => (await apiOf('live').apps.get({ appId: begun.appId })).version
  const update = useMutation({
    mutationFn: () => apiOf('live').apps.update({ appId: begun.appId, ...changes }, { ifMatch: version }),
    onSuccess({ name }) {
      toast({ text: t('saved', { name }) })
      onClose()
    },
    onError: error => {
      // Said once; another attempt is made upon what is there now.
      if (isStale(error)) void readVersion().then(setVersion, () => undefined)
    },
    onSettled: () => void cache.invalidateQueries({ predicate: isOfApps }),
  })
  const shown = ['name', 'description', 'redirectUris', 'scopes']
  const { text, put, fields, ...faults } = useFormFields<Values>({ values, change }, update.error, shown)
  return (
    <FormDialog
      wide
      title={t('editTitle', { name: begun.name })}
      description={t('editText')}
      className={styles['stack']}
      faults={faults}
      action={t('save')}
      busy={update.isPending}
      disabled={values.scopes.size === 0 || Object.keys(changes).length === 0}
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <TextField label={t('name')} hint={t('nameHint')} maxLength={100} {...text('name')} />
      <TextArea label={t('description')} optional rows={2} maxLength={500} {...text('description')} />
      {begun.kind !== 'machine' && (
        <RedirectsField
          value={values.addresses}
          error={fields['redirectUris']}
          onChange={addresses => put('addresses', addresses)}
        />
      )}
      <ScopesField
        offered={new Set([...permissions, ...begun.scopes])}
        chosen={values.scopes}
        error={fields['scopes']}
        onChange={scopes => put('scopes', scopes)}
      />
    </FormDialog>
  )
}
