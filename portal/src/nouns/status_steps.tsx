// Where a record stands on its way, drawn from the table of its states: the way from first to last, and beside it the states in which a
// record is given up, which ask for a reason. A step is pressed to come there, as far as the table and the person's rights let it;
// arrow keys go from step to step.
import { Check, ChevronDown, CircleSlash } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Button, Chip, classes, Menu } from '../ui/index.ts'
import { spoken } from './described/spoken.ts'
import { type NounDescription, type NounField, type NounRecord, upper, wordOf } from './noun.ts'
import own from './status_steps.module.css'
import { t } from './texts.ts'

export type StatusStepsProps = {
  noun: NounDescription
  record: NounRecord
  /** Where it is on its way to at this moment. */
  busy?: string | undefined
  mayMove(to: string): boolean
  onMove(to: string): void
}

/** The states of a way in their order, and those that end it without success. */
export function waysOf({ choices = [], reason }: NounField): { path: string[]; exits: string[] } {
  const isExit = (state: string) => reason?.at[state] !== undefined
  return { path: choices.filter(state => !isExit(state)), exits: choices.filter(isExit) }
}

export function StatusSteps({ noun: described, record, busy, mayMove, onMove }: StatusStepsProps) {
  const noun = spoken(described)
  const list = useRef<HTMLOListElement>(null)
  const field = noun.fields.find(({ kind }) => kind === 'state')
  if (field === undefined) return null
  const now = String(record[field.name])
  const { path, exits } = waysOf(field)
  const at = path.indexOf(now)
  const offered = exits.filter(mayMove)
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const steps = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = steps[steps.indexOf(document.activeElement as HTMLButtonElement) + step]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return (
    <nav className={own['steps']} aria-label={t('stepsOf', { field: field.label, one: noun.words.one })}>
      <ol ref={list} onKeyDown={walk} data-over={at === -1 || undefined}>
        {path.map((state, place) => (
          <li key={state} data-at={place < at ? 'before' : place === at ? 'now' : 'ahead'}>
            <Step
              state={wordOf(field, state)}
              isNow={place === at}
              isDone={place < at}
              isBusy={busy === state}
              onMove={mayMove(state) ? () => onMove(state) : undefined}
            />
          </li>
        ))}
      </ol>
      {at === -1 && (
        <span className={own['exit']} aria-current="step">
          <Chip>
            <CircleSlash size={12} aria-hidden="true" /> {upper(wordOf(field, now))}
          </Chip>
        </span>
      )}
      {offered.length > 0 && (
        <Menu
          trigger={
            <Button size="sm" variant="ghost" busy={exits.includes(busy ?? '')}>
              {t('giveUp')} <ChevronDown size={14} aria-hidden="true" />
            </Button>
          }
          items={offered.map(state => ({ key: state, label: wordOf(field, state), onSelect: () => onMove(state) }))}
        />
      )}
    </nav>
  )
}

type StepProps = {
  /** As people read it. */
  state: string
  isNow: boolean
  isDone: boolean
  isBusy: boolean
  onMove: (() => void) | undefined
}

function Step({ state, isNow, isDone, isBusy, onMove }: StepProps) {
  const mark = isDone ? <Check size={13} aria-hidden="true" /> : null
  if (onMove === undefined)
    return (
      <span className={own['step']} {...(isNow && { 'aria-current': 'step' as const })}>
        {mark}
        {state}
      </span>
    )
  return (
    <button
      type="button"
      className={classes(own['step'], own['open'])}
      aria-label={t('moveTo', { status: state })}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? undefined : onMove}
    >
      {mark}
      {state}
    </button>
  )
}
