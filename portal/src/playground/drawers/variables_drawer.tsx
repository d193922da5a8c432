// The variables: names for values, written by hand or bound from an answer.
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, Dialog, Drawer, EmptyState, IconButton, TextField } from '../../ui/index.ts'
import type { Mode } from '../kept/drafts.ts'
import { holdsSecret } from '../kept/secrets.ts'
import { isVariableName, setVariable, type Variable } from '../request/variables.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import type { Variables } from '../state/use_variables.ts'
import styles from './drawers.module.css'
import { t } from './texts.ts'

export type VariablesDrawerProps = {
  open: boolean
  onOpenChange(open: boolean): void
  mode: Mode
  variables: Variables
  environment: EnvironmentState
  /** Names the request uses that have no value. */
  missing: readonly string[]
}
export function VariablesDrawer({ open, onOpenChange, mode, variables, environment, missing }: VariablesDrawerProps) {
  const { list, replace } = variables
  const change = (index: number, patch: Partial<Variable>) =>
    replace(list.map((variable, at) => (at === index ? { ...variable, ...patch } : variable)))
  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title={t('variablesTitle', { mode })}
      description={t('variablesAbout', { example: '{{name}}', spaced: '{{ name }}' })}
    >
      {missing.length > 0 && (
        <ul className={styles['missing']}>
          {missing.map(name => (
            <li key={name}>
              {t.rich('hasNoValue', { name: `{{${name}}}` })}
              <Button
                size="sm"
                icon={<Plus size={13} />}
                onClick={() => replace(setVariable(list, { name, value: '' }))}
              >
                {t('addNamed', { name })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <OfEnvironment environment={environment} own={list} />
      {list.length === 0 ? (
        <EmptyState title={t('noVariables')} text={t('noVariablesText')} />
      ) : (
        <ul className={styles['variables']}>
          {list.map((variable, index) => (
            <li key={variable.name}>
              <TextField
                label={variable.name}
                mono
                value={variable.value}
                hint={variable.source}
                error={holdsSecret(variable.value) ? t('secretNotKept') : undefined}
                onChange={event => change(index, { value: event.target.value, source: undefined })}
              />
              <IconButton
                size="sm"
                label={t('removeNamed', { name: variable.name })}
                icon={<Trash2 size={14} />}
                onClick={() => replace(list.filter((_, at) => at !== index))}
              />
            </li>
          ))}
        </ul>
      )}
      <NewVariable taken={list} onAdd={variables.set} />
    </Drawer>
  )
}

type OfEnvironmentProps = { environment: EnvironmentState; own: readonly Variable[] }

/** The variables of the chosen environment: seen here, changed there; the values of secret ones are typed here, and stay in the page. */
function OfEnvironment({ environment, own }: OfEnvironmentProps) {
  const { chosen, secretOf, setSecret } = environment
  if (chosen === undefined || chosen.variables.length === 0) return null
  const overridden = new Set(own.map(({ name }) => name))
  const noteOf = (name: string) => (overridden.has(name) ? t('overridden') : undefined)
  return (
    <section className={styles['ofEnvironment']} aria-label={t('variablesOf', { name: chosen.name })}>
      <h3>{t('fromNamed', { name: chosen.name })}</h3>
      <ul className={styles['variables']}>
        {chosen.variables.map(({ name, value, secret }) => (
          <li key={name}>
            {secret ? (
              <TextField
                label={t('secretNamed', { name })}
                mono
                type="password"
                value={secretOf(name)}
                placeholder={t('notFilled')}
                hint={noteOf(name) ?? t('secretStays')}
                onChange={event => setSecret(name, event.target.value)}
              />
            ) : (
              <TextField label={name} mono readOnly value={value ?? ''} hint={noteOf(name)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewVariable({ taken, onAdd }: { taken: readonly Variable[]; onAdd(variable: Variable): void }) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const fault = nameFault(name, taken)
  return (
    <form
      className={styles['saveForm']}
      onSubmit={event => {
        event.preventDefault()
        if (name === '' || fault !== undefined) return
        onAdd({ name, value })
        setName('')
        setValue('')
      }}
    >
      <TextField
        label={t('newName')}
        mono
        value={name}
        error={fault}
        onChange={event => setName(event.target.value.trim())}
      />
      <TextField label={t('value')} mono value={value} onChange={event => setValue(event.target.value)} />
      <Button type="submit" disabled={name === '' || fault !== undefined}>
        {t('add')}
      </Button>
    </form>
  )
}

function nameFault(name: string, taken: readonly Variable[]): string | undefined {
  if (name === '') return undefined
  if (!isVariableName(name)) return t('nameRule')
  return taken.some(variable => variable.name === name) ? t('nameTaken') : undefined
}

export type BindDialogProps = {
  /** What is to be bound; undefined: closed. */
  binding: { value: string; source: string; suggested: string } | undefined
  taken: readonly Variable[]
  onClose(): void
  onBind(variable: Variable): void
}
/** Asks for the name of a value from an answer. */
export function BindDialog({ binding, taken, onClose, onBind }: BindDialogProps) {
  const [name, setName] = useState('')
  useEffect(() => setName(binding?.suggested ?? ''), [binding])
  const fault = name === '' || isVariableName(name) ? undefined : t('nameRule')
  const replaces = taken.some(variable => variable.name === name)
  const bind = () => {
    if (binding === undefined || name === '' || fault !== undefined) return
    onBind({ name, value: binding.value, source: binding.source })
  }
  return (
    <Dialog
      open={binding !== undefined}
      onOpenChange={open => !open && onClose()}
      title={t('useAsVariable')}
      description={t('bindText', { name: `{{${name || 'name'}}}` })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" disabled={name === '' || fault !== undefined} onClick={bind}>
            {t(replaces ? 'replace' : 'add')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          bind()
        }}
      >
        <TextField
          label={t('name')}
          mono
          value={name}
          error={fault}
          hint={replaces ? t('bindReplaces') : binding?.source}
          onChange={event => setName(event.target.value.trim())}
        />
        <pre className={styles['bound']}>{binding?.value.slice(0, 2_000)}</pre>
      </form>
    </Dialog>
  )
}
