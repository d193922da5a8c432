// Trying a trunk out: asked beside whatever is in use, told step by step with the SIP messages that went over the wire; and
// which way a call to a number would take.
import type { Trunk, TrunksTestParams, TrunksTestReply } from '@tandem/sdk'
import { isTandemError } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { PlugZap, Route } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import styles from '../carriers/carriers.module.css'
import { Button, Card, Chip, CodeLink, durationText, ErrorNote, StatusChip, TextField, Timeline } from '../ui/index.ts'
import { TrunkLink } from './trunk_facts.tsx'

export type TrunkTestProps = {
  trunk: Trunk
  /** Settings that are tried in place of the stored ones. */
  settings?: TrunksTestParams['settings']
}
export function TrunkTest({ trunk, settings }: TrunkTestProps) {
  const api = useApi()
  const id = useId()
  const [to, setTo] = useState('')
  const asked = { trunkId: trunk.trunkId, ...(settings === undefined ? {} : { settings }) }
  // Two questions, each with an answer of its own: the way of a call does not take the messages of the test away.
  const test = useMutation({ gcTime: 0, mutationFn: () => api.trunks.test(asked) })
  const way = useMutation({
    gcTime: 0,
    mutationFn: () => api.trunks.test({ ...asked, to: to.trim(), connect: false }),
  })
  const toFault = isTandemError(way.error) && way.error.code === 'invalid_to_number' ? way.error.message : undefined
  // It may stand inside a form that saves: Enter here is for the test alone.
  const tellWay = () => {
    if (!way.isPending && to.trim() !== '') way.mutate()
  }
  return (
    <Card title="Test">
      <div className={styles['test']}>
        <p className={styles['hint']} id={`${id}-what`}>
          Asks the carrier whether it is there (OPTIONS), and registers where the settings say so. Nobody is called, and
          nothing is stored.
          {settings !== undefined && ' The settings above are tried, saved or not.'}
        </p>
        <div>
          <Button
            icon={<PlugZap size={14} />}
            busy={test.isPending}
            aria-describedby={`${id}-what`}
            onClick={() => test.mutate()}
          >
            Test the trunk
          </Button>
        </div>
        <div role="status" className={styles['verdict']}>
          {test.isPending && 'Testing; it takes eight seconds at most.'}
          {test.data !== undefined && !test.isPending && <Verdict reply={test.data} />}
        </div>
        {test.error !== null && <ErrorNote text={faultText(test.error)} />}
        {test.data !== undefined && !test.isPending && <Steps steps={test.data.steps} />}
        <div className={styles['testLine']}>
          <TextField
            label="Which way would a call go to"
            type="tel"
            placeholder="+49 30 123456"
            value={to}
            error={toFault}
            onChange={event => setTo(event.target.value)}
            onKeyDown={event => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              tellWay()
            }}
          />
          <Button icon={<Route size={14} />} busy={way.isPending} disabled={to.trim() === ''} onClick={tellWay}>
            Tell the way
          </Button>
        </div>
        {way.error !== null && toFault === undefined && <ErrorNote text={faultText(way.error)} />}
        {way.data?.routing != null && !way.isPending && <Routing routing={way.data.routing} own={trunk.trunkId} />}
      </div>
    </Card>
  )
}

function faultText(error: Error): string {
  if (!isTandemError(error) || error.details.length === 0) return error.message
  return error.details.map(({ field, message }) => `${field.replace('settings.', '')} ${message}.`).join(' ')
}

const stepNames: Record<TrunksTestReply['steps'][number]['step'], string> = {
  resolve: 'Name look-up',
  connect: 'Connection',
  tls: 'TLS',
  options: 'Sign of life',
  register: 'Registration',
}

function Verdict({ reply: { ok, steps } }: { reply: TrunksTestReply }) {
  const last = steps.at(-1)
  if (ok) return <Chip tone="ok">It works</Chip>
  return (
    <>
      <Chip tone="bad">It does not work</Chip> {last === undefined ? '' : `${stepNames[last.step]}: ${last.message}`}
    </>
  )
}

function Steps({ steps }: { steps: TrunksTestReply['steps'] }) {
  return (
    <Timeline
      label="Steps of the test"
      items={steps.map((step, index) => ({
        key: `${index} ${step.step}`,
        tone: step.ok ? 'ok' : 'bad',
        title: (
          <>
            <b>{stepNames[step.step]}</b> <small>{durationText(step.durationMs)}</small>
            {!step.ok && <Chip tone="bad">failed</Chip>}
          </>
        ),
        detail: (
          <>
            {step.message}
            {step.messages.length > 0 && (
              <div className={styles['sip']}>
                {step.messages.map((message, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a record of what was
                  <details key={place}>
                    <summary>
                      {message.direction} <code>{message.text.split('\r\n', 1)[0]}</code>
                    </summary>
                    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
                    <pre tabIndex={0}>{message.text.trimEnd()}</pre>
                  </details>
                ))}
              </div>
            )}
          </>
        ),
      }))}
    />
  )
}

type RoutingProps = { routing: NonNullable<TrunksTestReply['routing']>; own: string }
function Routing({ routing, own }: RoutingProps) {
  return (
    <div>
      <h3>The way of that call</h3>
      {routing.every(({ position }) => position === null) && (
        <p>
          No trunk takes it: such a call fails with <CodeLink code="no_route" />.
        </p>
      )}
      <ol className={styles['ways']} aria-label="Trunks in the order they are tried">
        {routing.map(way => (
          <li key={way.trunkId} data-off={way.position === null || undefined}>
            <span className={styles['place']}>{way.position ?? '–'}</span>
            <span>
              {way.trunkId === own ? <b>{way.name}</b> : <TrunkLink id={way.trunkId} name={way.name} />}{' '}
              <StatusChip status={way.state} />
              <small>
                {way.reason}
                {way.prefix !== null &&
                  ` ${way.prefix === '' ? 'Every destination' : way.prefix}, priority ${way.priority}, weight ${way.weight}.`}
              </small>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
