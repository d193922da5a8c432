// The dialog that creates a key.
import type { ApiKeysCreateParams, ApiKeysCreateReply } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultsOf } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { Button, CheckboxField, ErrorNote, SegmentedControl, SelectField, TextField } from '../ui/index.ts'
import { byNoun, isOfKeys, presets } from './key_state.ts'
import styles from './keys.module.css'
import { t } from './texts.ts'

/** In days. */
const lifetimes = ['30', '90', '365'] as const
const lifetimeOptions = () => [
  { value: '', label: t('expiresNever') },
  ...lifetimes.map(value => ({ value, label: t(`expires.${value}`) })),
]
const shownFields = ['name', 'mode', 'scopes', 'expiresAt'] as const

export type KeyFormProps = { onClose(): void; onCreated(reply: ApiKeysCreateReply): void }
export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const { mode: portalMode, permissions } = useSession()
  const cache = useQueryClient()
  const [name, setName] = useState('')
  const [mode, setMode] = useState<Mode>(portalMode)
  const [limited, setLimited] = useState<'all' | 'some'>('all')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set())
  const [days, setDays] = useState('')
  const held = [...permissions].sort()
  const create = useMutation({
    mutationFn: () =>
      // A live key is made in live mode, whatever mode the portal is in.
      apiOf(mode).apiKeys.create({
        name,
        mode,
        scopes: limited === 'all' ? null : ([...scopes] as NonNullable<ApiKeysCreateParams['scopes']>),
        ...(days !== '' && { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
      }),
    // The reply holds the secret: nothing keeps it but the dialog that shows it.
    gcTime: 0,
    onSuccess: reply => {
      void cache.invalidateQueries({ predicate: isOfKeys })
      onCreated(reply)
    },
  })
  const { fields, general } = faultsOf(create.error, shownFields)
  const toggle = (scope: string, on: boolean) =>
    setScopes(old => new Set(on ? [...old, scope] : [...old].filter(one => one !== scope)))
  return (
    <FormDialog
      wide
      title={t('create')}
      description={t('formText')}
      className={styles['form']}
      faults={{ general }}
      action={t('createShort')}
      busy={create.isPending}
      disabled={limited === 'some' && scopes.size === 0}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        placeholder={t('preset.website')}
        hint={t('nameHint')}
        value={name}
        error={fields['name']}
        maxLength={200}
        onChange={event => setName(event.target.value)}
      />
      <div className={styles['pair']}>
        <SelectField
          label={t('mode')}
          options={[
            { value: 'test', label: t('testMode') },
            { value: 'live', label: t('liveMode') },
          ]}
          value={mode}
          error={fields['mode']}
          onChange={event => setMode(event.target.value as Mode)}
        />
        <SelectField
          label={t('expiresTerm')}
          options={lifetimeOptions()}
          value={days}
          error={fields['expiresAt']}
          onChange={event => setDays(event.target.value)}
        />
      </div>
      <div className={styles['rights']}>
        <span aria-hidden="true">{t('rights')}</span>
        <SegmentedControl<'all' | 'some'>
          label={t('rights')}
          value={limited}
          onChange={next => setLimited(next)}
          options={[
            { value: 'all', label: t('allRights') },
            { value: 'some', label: t('onlyScopes') },
          ]}
        />
      </div>
      {limited === 'some' && (
        <ScopePicker held={held} chosen={scopes} onToggle={toggle} onReplace={next => setScopes(new Set(next))} />
      )}
      {fields['scopes'] !== undefined && <ErrorNote text={fields['scopes']} />}
    </FormDialog>
  )
}

type ScopePickerProps = {
  held: readonly string[]
  chosen: ReadonlySet<string>
  onToggle(scope: string, on: boolean): void
  onReplace(scopes: readonly string[]): void
}
function ScopePicker({ held, chosen, onToggle, onReplace }: ScopePickerProps) {
  const usable = presets.filter(preset => preset.scopes.every(scope => held.includes(scope)))
  return (
    <fieldset className={styles['scopes']}>
      <legend>{t('scopesChosen', { count: chosen.size })}</legend>
      <div className={styles['presets']}>
        {usable.map(preset => (
          <Button key={preset.key} size="sm" onClick={() => onReplace(preset.scopes)}>
            {t(`preset.${preset.key}`)}
          </Button>
        ))}
        <Button size="sm" variant="ghost" onClick={() => onReplace(held.filter(scope => scope.endsWith(':read')))}>
          {t('readOnly')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onReplace([])}>
          {t('noScopes')}
        </Button>
      </div>
      <div className={styles['groups']}>
        {byNoun(held).map(([noun, verbs]) => (
          <div key={noun}>
            <h3>{noun}</h3>
            {verbs.map(verb => {
              const scope = `${noun}:${verb}`
              return (
                <CheckboxField
                  key={scope}
                  label={scope}
                  checked={chosen.has(scope)}
                  onChange={event => onToggle(scope, event.target.checked)}
                />
              )
            })}
          </div>
        ))}
      </div>
    </fieldset>
  )
}
