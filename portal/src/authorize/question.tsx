// The question itself: who asks, where the answer goes, what it may do and for how long. Each right can be unticked, and no is as near
// as yes.
import { type ReactNode, useState } from 'react'
import { allowsText } from '../rights/texts.ts'
import type { Mode } from '../session/session.ts'
import { Button, CheckboxField, Chip, ErrorNote, SelectField } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import styles from './authorize.module.css'
import type { AuthorizationRequest, Decision } from './request.ts'
import { t } from './texts.ts'

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
      <h1>{t('wants', { name: client.name })}</h1>
      <Facts request={request} />
      {decision === 'allowed' ? (
        <>
          {request.mode === null && (
            <SelectField
              label={t('where')}
              options={(['test', 'live'] as const).map(value => ({ value, label: t(`where.${value}`) }))}
              value={mode}
              onChange={event => setMode(event.target.value as Mode)}
            />
          )}
          <fieldset className={styles['scopes']}>
            <legend>{t('may', { person })}</legend>
            {held.map(({ name, allows }) => (
              <CheckboxField
                key={name}
                label={allowsText(name, allows)}
                hint={name}
                checked={chosen.has(name)}
                onChange={event => toggle(name, event.target.checked)}
              />
            ))}
            {held.length === 0 && <p>{t('mayNothing')}</p>}
          </fieldset>
          <CutAway request={request} />
          <p className={styles['note']}>{t('duration', { days: request.days, organization })}</p>
        </>
      ) : (
        <ErrorNote text={t(decision === 'blocked' ? 'blocked' : 'undecided', { organization })} />
      )}
      {fault !== undefined && <ErrorNote text={fault} />}
      <div className={styles['buttons']}>
        <Button busy={busy} onClick={() => onDecide({ allow: false })}>
          {t('deny')}
        </Button>
        {decision === 'allowed' && (
          <Button
            busy={busy}
            disabled={chosen.size === 0}
            onClick={() => onDecide({ allow: true, mode, scopes: [...chosen] })}
          >
            {t('allow')}
          </Button>
        )}
      </div>
    </>
  )
}

/** Who it is, as far as anybody knows, and where the answer goes. */
function Facts({ request: { client, redirectTo, isLoopback, organization, mode } }: { request: AuthorizationRequest }) {
  const facts: [string, ReactNode][] = [
    [t('who'), client.isRegistered ? t('whoRegistered', { organization }) : t('whoUnverified')],
    [t('organization'), organization],
  ]
  if (!client.isRegistered) facts.push([t('clientId'), client.clientId])
  if (redirectTo !== null) facts.push([t('answer'), isLoopback ? t('answerHere', { address: redirectTo }) : redirectTo])
  if (mode !== null)
    facts.push([
      t('mode'),
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
  return <p className={styles['note']}>{t('missing', { list: listText(missing) })}</p>
}
