// One environment: its name, where it is offered, who sees it, its variables.
import type { Environment } from '@tandem/sdk'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { faultsOf, isStale } from '../../forms/faults.ts'
import { apiOf } from '../../session/api.ts'
import { Button, CheckboxField, IconButton, SelectField, TextField, useToast } from '../../ui/index.ts'
import { refreshEnvironments, useRights } from '../collections/queries.ts'
import { holdsSecret, isSecretName } from '../kept/secrets.ts'
import { isVariableName } from '../request/variables.ts'
import styles from './drawers.module.css'
import { t } from './texts.ts'

type Variable = Environment['variables'][number]

export type EnvironmentFormProps = {
  /** Undefined: a new one. */
  environment: Environment | undefined
  onDone(made: Environment | undefined): void
  /** Somebody changed it: as it is now. */
  onReload(environment: Environment): void
  onDelete: (() => void) | undefined
}

/** What is written in the form, and its saving. */
function useEnvironmentDraft({ environment, onDone }: Pick<EnvironmentFormProps, 'environment' | 'onDone'>) {
  const toast = useToast()
  const { shares } = useRights()
  const [written, setWritten] = useState({
    name: environment?.name ?? '',
    mode: environment?.mode ?? null,
    shared: environment?.shared ?? shares,
    variables: (environment?.variables ?? []) as readonly Variable[],
  })
  const [error, setError] = useState<unknown>()
  const [newer, setNewer] = useState<Environment>()
  const [busy, setBusy] = useState(false)
  const save = async (version: number | undefined) => {
    setBusy(true)
    setError(undefined)
    try {
      const body = { ...written, variables: written.variables.map(variable => ({ ...variable })) }
      const made =
        environment === undefined
          ? await apiOf('live').environments.create(body)
          : await apiOf('live').environments.update(
              { environmentId: environment.environmentId, ...body },
              version === undefined ? {} : { ifMatch: version },
            )
      await refreshEnvironments()
      toast({ text: t('saved', { name: made.name }), tone: 'ok' })
      onDone(made)
    } catch (reason) {
      if (environment !== undefined && isStale(reason)) {
        setNewer(await apiOf('live').environments.get({ environmentId: environment.environmentId }))
      } else setError(reason)
    } finally {
      setBusy(false)
    }
  }
  const shown = ['name', ...written.variables.map((_, at) => `variables[${at}].value`)]
  const isBad = written.variables.some((_, index) => faultAt(written.variables, index) !== undefined)
  return {
    ...{ written, newer, busy, save, faults: faultsOf(error, shown), isReady: written.name.trim() !== '' && !isBad },
    write: (patch: Partial<typeof written>) => setWritten(before => ({ ...before, ...patch })),
  }
}

export function EnvironmentForm(props: EnvironmentFormProps) {
  const { environment, onDone, onReload, onDelete } = props
  const { shares, writes } = useRights()
  const { written, write, newer, busy, save, faults, isReady } = useEnvironmentDraft(props)
  const { name, mode, shared, variables } = written
  const mayChange = environment?.mayChange ?? writes
  return (
    <form
      className={styles['environment']}
      onSubmit={event => {
        event.preventDefault()
        if (isReady && mayChange) void save(environment?.version)
      }}
    >
      {!mayChange && <p className={styles['notice']}>{t('environmentRefused')}</p>}
      {newer !== undefined && (
        <NewerNotice newer={newer} onReload={onReload} onOverwrite={() => void save(newer.version)} />
      )}
      <TextField
        label={t('name')}
        value={name}
        maxLength={100}
        disabled={!mayChange}
        error={faults.fields['name']}
        onChange={event => write({ name: event.target.value })}
      />
      <SelectField
        label={t('offeredIn')}
        value={mode ?? ''}
        disabled={!mayChange}
        options={[
          { value: '', label: t('bothModes') },
          { value: 'test', label: t('testMode') },
          { value: 'live', label: t('liveMode') },
        ]}
        onChange={event => write({ mode: event.target.value === '' ? null : (event.target.value as 'live' | 'test') })}
      />
      <CheckboxField
        label={t('shareWithAll')}
        hint={shares ? undefined : t('privateOnly')}
        checked={shared}
        disabled={!mayChange || !shares}
        onChange={event => write({ shared: event.target.checked })}
      />
      <VariableRows
        variables={variables}
        disabled={!mayChange}
        faults={faults.fields}
        onChange={next => write({ variables: next })}
      />
      {faults.general !== undefined && (
        <p className={styles['fault']} role="alert">
          {faults.general}
        </p>
      )}
      <div className={styles['formActions']}>
        {onDelete !== undefined && (
          <Button size="sm" variant="ghost" icon={<Trash2 size={13} />} onClick={onDelete}>
            {t('delete')}
          </Button>
        )}
        <span className={styles['spacer']} />
        <Button onClick={() => onDone(undefined)}>{t(mayChange ? 'cancel' : 'back')}</Button>
        {mayChange && (
          <Button type="submit" variant="primary" busy={busy} disabled={!isReady}>
            {t('save')}
          </Button>
        )}
      </div>
    </form>
  )
}

type NewerNoticeProps = { newer: Environment; onReload(environment: Environment): void; onOverwrite(): void }

/** Somebody was quicker. */
function NewerNotice({ newer, onReload, onOverwrite }: NewerNoticeProps) {
  return (
    <div className={styles['notice']} role="alert">
      <p>{t('newerText', { name: newer.updatedBy.name })}</p>
      <div className={styles['noticeActions']}>
        <Button size="sm" onClick={() => onReload(newer)}>
          {t('showTheirs')}
        </Button>
        <Button size="sm" variant="danger" onClick={onOverwrite}>
          {t('overwrite')}
        </Button>
      </div>
    </div>
  )
}

type VariableRowsProps = {
  variables: readonly Variable[]
  disabled: boolean
  /** What the server found wrong, by field. */
  faults: Readonly<Record<string, string>>
  onChange(variables: readonly Variable[]): void
}

function VariableRows({ variables, disabled, faults, onChange }: VariableRowsProps) {
  return (
    <>
      <ul className={styles['variableRows']} aria-label={t('variables')}>
        {variables.map((variable, index) => (
          <VariableRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a variable is its place while its name is written
            key={index}
            variable={variable}
            number={index + 1}
            disabled={disabled}
            fault={faultAt(variables, index) ?? faults[`variables[${index}].value`]}
            onChange={patch => onChange(variables.map((each, at) => (at === index ? { ...each, ...patch } : each)))}
            onRemove={() => onChange(variables.filter((_, at) => at !== index))}
          />
        ))}
      </ul>
      {!disabled && (
        <div>
          <Button
            size="sm"
            icon={<Plus size={13} />}
            disabled={variables.length >= 100}
            onClick={() => onChange([...variables, { name: '', value: '', secret: false }])}
          >
            {t('addVariable')}
          </Button>
        </div>
      )}
    </>
  )
}

/** What stands in the way of saving one of them. */
function faultAt(variables: readonly Variable[], index: number): string | undefined {
  const { name, value, secret } = variables[index]!
  if (!isVariableName(name)) return t('nameRule')
  if (variables.findIndex(other => other.name === name) < index) return t('nameTaken')
  if (!secret && (holdsSecret(value ?? '') || (value !== '' && isSecretName(name)))) return t('looksSecret')
  return undefined
}

type VariableRowProps = {
  variable: Variable
  number: number
  disabled: boolean
  fault: string | undefined
  onChange(patch: Partial<Variable>): void
  onRemove(): void
}

function VariableRow({ variable, number, disabled, fault, onChange, onRemove }: VariableRowProps) {
  const { name, value, secret } = variable
  return (
    <li>
      <div className={styles['variableRow']}>
        <TextField
          label={t('nameOfVariable', { number })}
          hideLabel
          mono
          placeholder={t('nameHint')}
          value={name}
          disabled={disabled}
          onChange={event => {
            const next = event.target.value.trim()
            const isNowSecret = secret || isSecretName(next)
            onChange({ name: next, secret: isNowSecret, value: isNowSecret ? null : value })
          }}
        />
        <TextField
          label={name === '' ? t('valueOfVariable', { number }) : t('valueOf', { name })}
          hideLabel
          mono
          placeholder={t(secret ? 'filledByEach' : 'valueHint')}
          value={value ?? ''}
          disabled={disabled || secret}
          onChange={event => onChange({ value: event.target.value })}
        />
        <CheckboxField
          label={t('secret')}
          aria-label={name === '' ? t('variableIsSecret', { number }) : t('isSecret', { name })}
          checked={secret}
          disabled={disabled}
          onChange={event =>
            onChange(event.target.checked ? { secret: true, value: null } : { secret: false, value: '' })
          }
        />
        {!disabled && (
          <IconButton
            size="sm"
            label={name === '' ? t('removeVariable', { number }) : t('removeNamed', { name })}
            icon={<Trash2 size={14} />}
            onClick={onRemove}
          />
        )}
      </div>
      {fault !== undefined && name !== '' && <p className={styles['fault']}>{fault}</p>}
    </li>
  )
}
