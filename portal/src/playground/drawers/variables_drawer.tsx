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
      title={`Variables, ${mode} mode`}
      description="Write {{name}} in a path, query parameter, header or body, and it is replaced when the request is sent. With blanks, {{ name }}, it is sent as it stands: for templates of mails."
    >
      {missing.length > 0 && (
        <ul className={styles['missing']}>
          {missing.map(name => (
            <li key={name}>
              <code>{`{{${name}}}`}</code> has no value.
              <Button
                size="sm"
                icon={<Plus size={13} />}
                onClick={() => replace(setVariable(list, { name, value: '' }))}
              >
                Add {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <OfEnvironment environment={environment} own={list} />
      {list.length === 0 ? (
        <EmptyState
          title="No variables yet"
          text="Put the cursor on a value of an answer and choose Use as variable, or add one below."
        />
      ) : (
        <ul className={styles['variables']}>
          {list.map((variable, index) => (
            <li key={variable.name}>
              <TextField
                label={variable.name}
                mono
                value={variable.value}
                hint={variable.source}
                error={
                  holdsSecret(variable.value)
                    ? 'Looks like a secret: it is not kept when you leave the page.'
                    : undefined
                }
                onChange={event => change(index, { value: event.target.value, source: undefined })}
              />
              <IconButton
                size="sm"
                label={`Remove ${variable.name}`}
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
  const noteOf = (name: string) => (overridden.has(name) ? 'The variable of your own below counts instead.' : undefined)
  return (
    <section className={styles['ofEnvironment']} aria-label={`Variables of ${chosen.name}`}>
      <h3>{`From ${chosen.name}`}</h3>
      <ul className={styles['variables']}>
        {chosen.variables.map(({ name, value, secret }) => (
          <li key={name}>
            {secret ? (
              <TextField
                label={`${name}, secret`}
                mono
                type="password"
                value={secretOf(name)}
                placeholder="not filled in"
                hint={noteOf(name) ?? 'Stays in this page until you close it. It is never sent to be kept.'}
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
        label="New name"
        mono
        value={name}
        error={fault}
        onChange={event => setName(event.target.value.trim())}
      />
      <TextField label="Value" mono value={value} onChange={event => setValue(event.target.value)} />
      <Button type="submit" disabled={name === '' || fault !== undefined}>
        Add
      </Button>
    </form>
  )
}

function nameFault(name: string, taken: readonly Variable[]): string | undefined {
  if (name === '') return undefined
  if (!isVariableName(name)) return 'Letters, digits, _ . and -, beginning with a letter.'
  return taken.some(variable => variable.name === name) ? 'There is one of this name.' : undefined
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
  const fault = name === '' || isVariableName(name) ? undefined : 'Letters, digits, _ . and -, beginning with a letter.'
  const replaces = taken.some(variable => variable.name === name)
  const bind = () => {
    if (binding === undefined || name === '' || fault !== undefined) return
    onBind({ name, value: binding.value, source: binding.source })
  }
  return (
    <Dialog
      open={binding !== undefined}
      onOpenChange={open => !open && onClose()}
      title="Use as variable"
      description={`Then {{${name || 'name'}}} stands for this value in every request.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={name === '' || fault !== undefined} onClick={bind}>
            {replaces ? 'Replace' : 'Add'}
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
          label="Name"
          mono
          value={name}
          error={fault}
          hint={replaces ? 'There is one of this name; it gets the new value.' : binding?.source}
          onChange={event => setName(event.target.value.trim())}
        />
        <pre className={styles['bound']}>{binding?.value.slice(0, 2_000)}</pre>
      </form>
    </Dialog>
  )
}
