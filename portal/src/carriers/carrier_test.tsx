// Trying a carrier out: one more link, opened and closed again, told step by step with what went over the wire; which
// way a message to a number would take.
import type { Carrier, CarriersTestParams, CarriersTestReply } from '@tandem/sdk'
import { isTandemError } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { PlugZap, Route } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../app/api.ts'
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
import styles from './carriers.module.css'

export type CarrierTestProps = {
  carrier: Carrier
  /** Settings that are tried in place of the stored ones. */
  settings?: CarriersTestParams['settings']
}
export function CarrierTest({ carrier, settings }: CarrierTestProps) {
  const api = useApi()
  const id = useId()
  const [to, setTo] = useState('')
  const asked = { carrierId: carrier.carrierId, ...(settings === undefined ? {} : { settings }) }
  // Two questions, each with an answer of its own: the way of a message does not take the trace of the bind away.
  const bind = useMutation({ gcTime: 0, mutationFn: () => api.carriers.test(asked) })
  const way = useMutation({
    gcTime: 0,
    mutationFn: () => api.carriers.test({ ...asked, to: to.trim(), bind: false }),
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
          Opens one link beside those in use, says hello and leaves. Nothing is sent to anybody, and nothing is stored.
          {settings !== undefined && ' The settings above are tried, saved or not.'}
        </p>
        <div>
          <Button
            icon={<PlugZap size={14} />}
            busy={bind.isPending}
            aria-describedby={`${id}-what`}
            onClick={() => bind.mutate()}
          >
            Test bind
          </Button>
        </div>
        <div role="status" className={styles['verdict']}>
          {bind.isPending && 'Testing; it takes eight seconds at most.'}
          {bind.data !== undefined && !bind.isPending && <Verdict reply={bind.data} />}
        </div>
        {bind.error !== null && <ErrorNote text={faultText(bind.error)} />}
        {bind.data !== undefined && !bind.isPending && <Trace steps={bind.data.steps} />}
        <div className={styles['testLine']}>
          <TextField
            label="Which way would a message go to"
            type="tel"
            placeholder="+49 151 23456789"
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
        {way.data?.routing != null && !way.isPending && <Routing routing={way.data.routing} own={carrier.carrierId} />}
      </div>
    </Card>
  )
}

function faultText(error: Error): string {
  if (!isTandemError(error) || error.details.length === 0) return error.message
  return error.details.map(({ field, message }) => `${field.replace('settings.', '')} ${message}.`).join(' ')
}

const stepNames: Record<CarriersTestReply['steps'][number]['step'], string> = {
  resolve: 'Name look-up',
  connect: 'Connection',
  tls: 'TLS',
  bind: 'Bind',
  enquire_link: 'Sign of life',
  unbind: 'Farewell',
}

function Verdict({ reply: { ok, steps } }: { reply: CarriersTestReply }) {
  const last = steps.at(-1)
  if (ok) return <Chip tone="ok">It works</Chip>
  return (
    <>
      <Chip tone="bad">It does not work</Chip> {last === undefined ? '' : `${stepNames[last.step]}: ${last.message}`}
    </>
  )
}

function Trace({ steps }: { steps: CarriersTestReply['steps'] }) {
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
            {step.pdus.length > 0 && (
              <dl className={styles['pdus']}>
                {step.pdus.map((pdu, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a record of what was
                  <div key={place}>
                    <dt data-direction={pdu.direction}>{pdu.direction}</dt>
                    <dd>
                      <code>{pdu.text}</code>
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </>
        ),
      }))}
    />
  )
}

type RoutingProps = { routing: NonNullable<CarriersTestReply['routing']>; own: string }
function Routing({ routing, own }: RoutingProps) {
  return (
    <div>
      <h3>The way of that message</h3>
      {routing.every(({ position }) => position === null) && (
        <p>
          No carrier takes it: such a message is refused with <CodeLink code="no_route" />.
        </p>
      )}
      <ol className={styles['ways']} aria-label="Carriers in the order they are tried">
        {routing.map(way => (
          <li key={way.carrierId} data-off={way.position === null || undefined}>
            <span className={styles['place']}>{way.position ?? '–'}</span>
            <span>
              {way.carrierId === own ? (
                <b>{way.name}</b>
              ) : (
                <TextLink to="/carriers/$id" params={{ id: way.carrierId }}>
                  {way.name}
                </TextLink>
              )}{' '}
              <StatusChip status={way.state} />
              <small>
                {way.reason}
                {way.prefix !== null &&
                  ` ${way.prefix === '' ? 'Every destination' : way.prefix}, priority ${way.priority}, cost ${way.cost}.`}
              </small>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
