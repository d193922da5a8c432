// An OAuth token of one's own for the Playground: which rights it is to have, the window in which one lets it in, and its end.

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FormDialog } from '../../forms/form.tsx'
import type { Endpoint } from '../../session/catalog.ts'
import { useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { Button, CheckboxField, TextField } from '../../ui/index.ts'
import type { Credential } from '../state/use_credential.ts'
import styles from './credential.module.css'
import { t } from './texts.ts'

type OAuthTokenProps = { credential: Credential; endpoint: Endpoint | undefined }

export function OAuthToken({ credential, endpoint }: OAuthTokenProps) {
  const [isOpen, setOpen] = useState(false)
  const { scopes } = credential
  return (
    <span className={styles['held']}>
      {scopes !== undefined && (
        <>
          <span className={styles['scopes']} title={scopes.join(' ')}>
            {scopes.length === 1 ? scopes[0] : t('scopeCount', { count: scopes.length })}
          </span>
          <button type="button" className={styles['forget']} onClick={credential.forget}>
            {t('forget')}
          </button>
        </>
      )}
      <Button size="sm" onClick={() => setOpen(true)}>
        {t(scopes === undefined ? 'getToken' : 'getAnother')}
      </Button>
      {isOpen && <ScopeDialog credential={credential} endpoint={endpoint} onClose={() => setOpen(false)} />}
    </span>
  )
}

function ScopeDialog({ credential, endpoint, onClose }: OAuthTokenProps & { onClose(): void }) {
  const { permissions } = useSession()
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState(() => firstChoice(credential, endpoint, permissions))
  const waiting = useRef<AbortController>(undefined)
  useEffect(() => () => waiting.current?.abort(), [])
  const get = useMutation({
    mutationFn() {
      waiting.current = new AbortController()
      return credential.authorize([...chosen].sort(), waiting.current.signal)
    },
    gcTime: 0,
    onSuccess: onClose,
  })
  const toggle = (scope: string, on: boolean) =>
    setChosen(old => new Set(on ? [...old, scope] : [...old].filter(one => one !== scope)))
  const shown = [...permissions].filter(scope => scope.includes(filter.trim().toLowerCase())).sort()
  return (
    <FormDialog
      wide
      title={t('tokenTitle')}
      description={t('tokenText')}
      faults={{ general: get.error === null ? undefined : faultText(get.error) }}
      action={t('getTheToken')}
      busy={get.isPending}
      disabled={chosen.size === 0}
      onSubmit={get.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('findScope')}
        placeholder={t('scopeHint')}
        value={filter}
        maxLength={100}
        onChange={event => setFilter(event.target.value)}
      />
      <fieldset className={styles['choices']}>
        <legend>{t('scopesChosen', { count: chosen.size })}</legend>
        <div className={styles['groups']}>
          {shown.map(scope => (
            <CheckboxField
              key={scope}
              label={scope}
              checked={chosen.has(scope)}
              onChange={event => toggle(scope, event.target.checked)}
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  )
}

/** What the endpoint needs, beside what it was before, and the right to say who it is and where it acts. */
function firstChoice(
  { scopes = [] }: Credential,
  endpoint: Endpoint | undefined,
  held: ReadonlySet<string>,
): ReadonlySet<string> {
  const wanted = ['profile:read', ...scopes, ...(endpoint === undefined ? [] : [endpoint.permission.level])]
  return new Set(wanted.filter(scope => held.has(scope)))
}
