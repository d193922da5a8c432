// The question itself: who asks, where the answer goes, what it may do and for how long. Each right can be unticked, and no is as near
// as yes.
import { type ReactNode, useState } from 'react'
import type { Mode } from '../session/session.ts'
import { Button, CheckboxField, Chip, ErrorNote, SelectField } from '../ui/index.ts'
import styles from './authorize.module.css'
import type { AuthorizationRequest, Decision } from './request.ts'

export type QuestionProps = {
  request: AuthorizationRequest
  busy: boolean
  fault: string | undefined
  onDecide(decision: Decision): void
}

export function Question({ request, busy, fault, onDecide }: QuestionProps) {
  const { client, organization, person, decision } = request
  const held = request.scopes.filter(scope => scope.held)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(held.map(({ name }) => name)))
  const [mode, setMode] = useState<Mode>(request.mode ?? 'test')
  const toggle = (name: string, on: boolean) =>
    setChosen(old => new Set(on ? [...old, name] : [...old].filter(one => one !== name)))
  return (
    <>
      <h1>{client.name} wants to act for you</h1>
      <Facts request={request} />
      {decision === 'allowed' ? (
        <>
          {request.mode === null && (
            <SelectField
              label="Where"
              options={[
                { value: 'test', label: 'Test: simulator and test data only' },
                { value: 'live', label: 'Live: real data, real people' },
              ]}
              value={mode}
              onChange={event => setMode(event.target.value as Mode)}
            />
          )}
          <fieldset className={styles['scopes']}>
            <legend>It may, as {person}</legend>
            {held.map(({ name, allows }) => (
              <CheckboxField
                key={name}
                label={allows}
                hint={name}
                checked={chosen.has(name)}
                onChange={event => toggle(name, event.target.checked)}
              />
            ))}
            {held.length === 0 && <p>Nothing: your role holds none of what it asks for.</p>}
          </fieldset>
          <CutAway request={request} />
          <p className={styles['note']}>
            For {request.days} days at most. You can end it at any time under Authorizations; an Admin of {organization}{' '}
            can, too.
          </p>
        </>
      ) : (
        <ErrorNote
          text={
            decision === 'blocked'
              ? `An Admin of ${organization} has blocked this program.`
              : `${organization} has not allowed this program. Ask an Admin: it is in their list now, under Clients of others.`
          }
        />
      )}
      {fault !== undefined && <ErrorNote text={fault} />}
      <div className={styles['buttons']}>
        <Button busy={busy} onClick={() => onDecide({ allow: false })}>
          Do not allow
        </Button>
        {decision === 'allowed' && (
          <Button
            busy={busy}
            disabled={chosen.size === 0}
            onClick={() => onDecide({ allow: true, mode, scopes: [...chosen] })}
          >
            Allow
          </Button>
        )}
      </div>
    </>
  )
}

/** Who it is, as far as anybody knows, and where the answer goes. */
function Facts({ request: { client, redirectTo, isLoopback, organization, mode } }: { request: AuthorizationRequest }) {
  const facts: [string, ReactNode][] = [
    ['Who', client.isRegistered ? `Registered by ${organization}` : 'Unverified: this is what it calls itself'],
    ['Organization', organization],
  ]
  if (!client.isRegistered) facts.push(['Its id', client.clientId])
  if (redirectTo !== null)
    facts.push(['Answer goes to', isLoopback ? `${redirectTo}, a program on this computer` : redirectTo])
  if (mode !== null)
    facts.push([
      'Mode',
      <Chip key="mode" tone={mode === 'live' ? 'bad' : 'warn'}>
        {mode.toUpperCase()}
      </Chip>,
    ])
  return (
    <dl className={styles['facts']}>
      {facts.map(([term, detail]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{detail}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What it asks for and does not get, because the person may not do it either. */
function CutAway({ request: { scopes } }: { request: AuthorizationRequest }) {
  const missing = scopes.filter(scope => !scope.held).map(({ name }) => name)
  if (missing.length === 0) return null
  return (
    <p className={styles['note']}>
      It also asks for what your role does not hold, and does not get it: {missing.join(', ')}.
    </p>
  )
}
