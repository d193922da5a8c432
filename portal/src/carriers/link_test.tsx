// Trying out what connects to a carrier (of messages or of calls): asked beside whatever is in use, shown step by step with what
// went over the wire; and which way something to a number would take.
import { isTandemError } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { PlugZap, Route } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { SayFault } from '../forms/faults.ts'
import { faultText } from '../ui/faults.ts'
import {
  Button,
  Card,
  Chip,
  CodeLink,
  durationText,
  ErrorNote,
  StatusChip,
  TextField,
  TextLink,
  Timeline,
} from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import styles from './carriers.module.css'
import { t } from './texts.ts'

/** One thing that a test did. */
export type LinkStep = { step: string; ok: boolean; durationMs: number; message: string }

/** One of those that something to a number would go by, or would not. */
export type LinkWay = {
  id: string
  name: string
  position: number | null
  prefix: string | null
  priority: number | null
  state: string
  reason: string
  /** What counts beside the priority, `weight 1`. */
  rank: string
}

export type LinkTestReply<Step> = { ok: boolean; steps: readonly Step[]; ways: readonly LinkWay[] | null }

export type LinkTestProps<Step> = {
  /** The id of what is tried. */
  own: string
  /** What the test does. */
  hint: string
  /** Settings that are not saved are tried. */
  isChanged: boolean
  /** The sentence of a fault of these, with its field's name; left out as the server says it. */
  faultText?: SayFault | undefined
  /** What the button says. */
  action: string
  run(): Promise<LinkTestReply<Step>>
  stepNames: Readonly<Record<string, string>>
  /** What went over the wire in a step. */
  said(step: Step): ReactNode
  way: {
    label: string
    placeholder: string
    findRoutes(to: string): Promise<LinkTestReply<Step>>
    title: string
    /** What becomes of it when nobody takes it, with the error's code. */
    refused(error: () => ReactNode): ReactNode
    listLabel: string
    /** The page of one of them. */
    page: string
  }
}
export function LinkTest<Step extends LinkStep>(props: LinkTestProps<Step>) {
  const { own, hint, isChanged, action, run, stepNames, said, way } = props
  const id = useId()
  const [to, setTo] = useState('')
  // Two questions, each with an answer of its own: the way to a number does not take the trace of the test away. Both may
  // hold a password: nothing keeps them.
  const test = useMutation({ gcTime: 0, mutationFn: run })
  const routes = useMutation({ gcTime: 0, mutationFn: () => way.findRoutes(to.trim()) })
  const toFault =
    isTandemError(routes.error) && routes.error.code === 'invalid_to_number' ? faultText(routes.error) : undefined
  // It may stand inside a form that saves: Enter here is for the test alone.
  const showRoutes = () => {
    if (!routes.isPending && to.trim() !== '') routes.mutate()
  }
  return (
    <Card title={t('test')}>
      <div className={styles['test']}>
        <p className={styles['hint']} id={`${id}-what`}>
          {hint}
          {isChanged && <> {t('testChanged')}</>}
        </p>
        <div>
          <Button
            icon={<PlugZap size={14} />}
            busy={test.isPending}
            aria-describedby={`${id}-what`}
            onClick={() => test.mutate()}
          >
            {action}
          </Button>
        </div>
        <div role="status" className={styles['verdict']}>
          {test.isPending && t('testing')}
          {test.data !== undefined && !test.isPending && <Verdict reply={test.data} stepNames={stepNames} />}
        </div>
        {test.error !== null && <ErrorNote text={testFault(test.error, props.faultText)} />}
        {test.data !== undefined && !test.isPending && (
          <Steps steps={test.data.steps} stepNames={stepNames} said={said} />
        )}
        <div className={styles['testLine']}>
          <TextField
            label={way.label}
            type="tel"
            placeholder={way.placeholder}
            value={to}
            error={toFault}
            onChange={event => setTo(event.target.value)}
            onKeyDown={event => {
              if (event.key !== 'Enter' || isComposing(event)) return
              event.preventDefault()
              showRoutes()
            }}
          />
          <Button icon={<Route size={14} />} busy={routes.isPending} disabled={to.trim() === ''} onClick={showRoutes}>
            {t('showRoute')}
          </Button>
        </div>
        {routes.error !== null && toFault === undefined && (
          <ErrorNote text={testFault(routes.error, props.faultText)} />
        )}
        {routes.data?.ways != null && !routes.isPending && <Ways ways={routes.data.ways} own={own} words={way} />}
      </div>
    </Card>
  )
}

const asSaid: SayFault = ({ field, message }) => `${field.replace('settings.', '')} ${message}.`

function testFault(error: Error, say = asSaid): string {
  if (!isTandemError(error) || error.details.length === 0) return faultText(error)
  return error.details.map(say).join(' ')
}

type VerdictProps = { reply: LinkTestReply<LinkStep>; stepNames: Readonly<Record<string, string>> }
function Verdict({ reply: { ok, steps }, stepNames }: VerdictProps) {
  const last = steps.at(-1)
  if (ok) return <Chip tone="ok">{t('works')}</Chip>
  return (
    <>
      <Chip tone="bad">{t('worksNot')}</Chip>{' '}
      {last !== undefined && t('verdict', { step: stepNames[last.step] ?? last.step, message: last.message })}
    </>
  )
}

type StepsProps<Step> = Pick<LinkTestProps<Step>, 'stepNames' | 'said'> & { steps: readonly Step[] }
function Steps<Step extends LinkStep>({ steps, stepNames, said }: StepsProps<Step>) {
  return (
    <Timeline
      label={t('steps')}
      items={steps.map((step, index) => ({
        key: `${index} ${step.step}`,
        tone: step.ok ? 'ok' : 'bad',
        title: (
          <>
            <b>{stepNames[step.step] ?? step.step}</b> <small>{durationText(step.durationMs)}</small>
            {!step.ok && <Chip tone="bad">{t('failed')}</Chip>}
          </>
        ),
        detail: (
          <>
            {step.message}
            {said(step)}
          </>
        ),
      }))}
    />
  )
}

type WaysProps = { ways: readonly LinkWay[]; own: string; words: LinkTestProps<LinkStep>['way'] }
function Ways({ ways, own, words }: WaysProps) {
  return (
    <div>
      <h3>{words.title}</h3>
      {ways.every(({ position }) => position === null) && (
        <p>
          {words.refused(() => (
            <CodeLink code="no_route" />
          ))}
        </p>
      )}
      <ol className={styles['ways']} aria-label={words.listLabel}>
        {ways.map(({ id, name, position, prefix, priority, state, reason, rank }) => (
          <li key={id} data-off={position === null || undefined}>
            <span className={styles['place']}>{position ?? '–'}</span>
            <span>
              {id === own ? (
                <b>{name}</b>
              ) : (
                <TextLink to={words.page} params={{ id }}>
                  {name}
                </TextLink>
              )}{' '}
              <StatusChip status={state} />
              <small>
                {reason}
                {prefix !== null && (
                  <>
                    {' '}
                    {t('wayText', {
                      prefix: prefix === '' ? t('everyDestination') : prefix,
                      priority: priority ?? 0,
                      rank,
                    })}
                  </>
                )}
              </small>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
