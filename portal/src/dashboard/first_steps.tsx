// What a newcomer does first, in steps that tick themselves off: a key, a request, a delivery.
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLive } from '../data/live.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink, Card, TextLink } from '../ui/index.ts'
import styles from './dashboard.module.css'
import { t } from './texts.ts'

const storageKey = 'tandem.first_steps'

/** Whether the person has hidden the steps. */
export function stepsDismissed(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'done'
  } catch {
    return false
  }
}

function dismiss(): void {
  try {
    localStorage.setItem(storageKey, 'done')
  } catch {
    // Without storage the steps come back at the next visit.
  }
}

/** The simulator delivers within a second or two. */
const deliveryMs = 3_000

/** The message that was delivered last; `onDelivery` is also called where it can only be guessed, without events. */
function useDelivery(onDelivery: () => void): string | undefined {
  const { permissions } = useSession()
  const [delivered, setDelivered] = useState<string>()
  const mayHear = permissions.has('events:read')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive(
    mayHear ? [{ events: ['message.delivered'] }] : ['requests'],
    message => {
      if (message.event === 'event') {
        setDelivered(message.data.resourceId)
        if (delivered === undefined) onDelivery()
      }
      if (mayHear || message.event !== 'request') return
      const { endpointId, status } = message.data
      if (endpointId !== 'messages.sms.send' || status >= 300) return
      clearTimeout(timer.current)
      timer.current = setTimeout(onDelivery, deliveryMs)
    },
    permissions.has('requests:read'),
  )
  return delivered
}

export type FirstStepsProps = {
  /** Whether a program or the Playground has sent a request lately. */
  hasSent: boolean
  /** Whether a message was delivered lately. */
  hasDelivered: boolean
  /** A message was delivered, or should be by now: its figures are to be read again. */
  onDelivery(): void
  onHide(): void
}
export function FirstSteps({ hasSent, hasDelivered, onDelivery, onHide }: FirstStepsProps) {
  const api = useApi()
  const { mode, permissions, user } = useSession()
  const delivered = useDelivery(onDelivery)
  const keys = useQuery({
    queryKey: [mode, 'keys', 'first of mine'],
    queryFn: ({ signal }) => api.apiKeys.list({ active: true, mode, userId: user.id, limit: 1 }, { signal }),
  })
  const maySend = permissions.has('messages:send')
  const hasKey = (keys.data?.items.length ?? 0) > 0
  const seen = hasDelivered || delivered !== undefined
  const allDone = hasKey && hasSent && (seen || !maySend)
  // Who has done it all has no use for it at the next visit.
  useEffect(() => (allDone ? dismiss : undefined), [allDone])
  const hide = () => {
    dismiss()
    onHide()
  }
  return (
    <Card
      title={t(allDone ? 'steps.done' : 'steps')}
      flush
      actions={
        <Button size="sm" variant={allDone ? 'primary' : 'ghost'} onClick={hide}>
          {t('steps.hide')}
        </Button>
      }
    >
      <ol className={styles['steps']} aria-label={t('steps')}>
        <Step
          number={1}
          done={hasKey}
          title={t('key')}
          text={t('key.text')}
          action={
            <ButtonLink to="/keys" search={{ create: '1' }} variant={hasKey ? 'secondary' : 'primary'}>
              {t('key.action')}
            </ButtonLink>
          }
        />
        <Step
          number={2}
          done={hasSent}
          title={t('request')}
          text={t(maySend ? 'request.sms' : 'request.any')}
          action={
            <ButtonLink
              to="/playground"
              search={maySend ? { endpoint: 'messages.sms.send' } : {}}
              variant={hasKey && !hasSent ? 'primary' : 'secondary'}
            >
              {t('request.action')}
            </ButtonLink>
          }
        />
        {maySend && (
          <Step
            number={3}
            done={seen}
            title={t('delivery')}
            text={<DeliveryText delivered={delivered} />}
            action={
              <ButtonLink to="/messages" variant={hasSent && !seen ? 'primary' : 'secondary'}>
                {t('delivery.action')}
              </ButtonLink>
            }
          />
        )}
      </ol>
    </Card>
  )
}

function DeliveryText({ delivered }: { delivered: string | undefined }) {
  if (delivered === undefined)
    return t.rich('delivery.text', { link: text => <TextLink to="/handset">{text}</TextLink> })
  const link = (text: ReactNode) => (
    <TextLink to="/messages/$id" params={{ id: delivered }}>
      {text}
    </TextLink>
  )
  return t.rich('delivery.done', { link })
}

type StepProps = { number: number; done: boolean; title: string; text: ReactNode; action: ReactNode }
function Step({ number, done, title, text, action }: StepProps) {
  return (
    <li className={styles['step']} data-done={done}>
      <span className={styles['mark']}>
        {done ? <Check size={14} aria-hidden="true" /> : <span aria-hidden="true">{number}</span>}
        <span className="visually-hidden">{done ? t('step.done') : t('step.number', { number })}</span>
      </span>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {action}
    </li>
  )
}
