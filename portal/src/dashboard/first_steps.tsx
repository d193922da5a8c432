// What a newcomer does first, in steps that tick themselves off: a key, a request, a delivery.
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLive } from '../data/live.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink, Card, TextLink } from '../ui/index.ts'
import styles from './dashboard.module.css'

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
    mayHear ? ['requests', 'events'] : ['requests'],
    message => {
      if (message.event === 'event' && message.data.type === 'message.delivered') {
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
      title={allDone ? 'First steps: all done' : 'First steps'}
      flush
      actions={
        <Button size="sm" variant={allDone ? 'primary' : 'ghost'} onClick={hide}>
          Hide these steps
        </Button>
      }
    >
      <ol className={styles['steps']} aria-label="First steps">
        <Step
          number={1}
          done={hasKey}
          title="Create an API key"
          text="A test key reaches only the simulator: nothing can go wrong."
          action={
            <ButtonLink to="/keys" search={{ create: '1' }} variant={hasKey ? 'secondary' : 'primary'}>
              Create a key
            </ButtonLink>
          }
        />
        <Step
          number={2}
          done={hasSent}
          title="Send the first request"
          text={
            maySend
              ? 'An SMS to +1 500 555 0100, which always receives. The Playground has it filled in.'
              : 'Any endpoint your role may call, from the Playground or with your key.'
          }
          action={
            <ButtonLink
              to="/playground"
              search={maySend ? { endpoint: 'messages.sms.send' } : {}}
              variant={hasKey && !hasSent ? 'primary' : 'secondary'}
            >
              Send a request
            </ButtonLink>
          }
        />
        {maySend && (
          <Step
            number={3}
            done={seen}
            title="See it delivered"
            text={
              delivered === undefined ? (
                <>
                  Its status moves to delivered within seconds; this ticks itself. The{' '}
                  <TextLink to="/handset">handset</TextLink> shows it as on a phone.
                </>
              ) : (
                <>
                  <TextLink to="/messages/$id" params={{ id: delivered }}>
                    The message
                  </TextLink>{' '}
                  was delivered.
                </>
              )
            }
            action={
              <ButtonLink to="/messages" variant={hasSent && !seen ? 'primary' : 'secondary'}>
                Open Messages
              </ButtonLink>
            }
          />
        )}
      </ol>
    </Card>
  )
}

type StepProps = { number: number; done: boolean; title: string; text: ReactNode; action: ReactNode }
function Step({ number, done, title, text, action }: StepProps) {
  return (
    <li className={styles['step']} data-done={done}>
      <span className={styles['mark']}>
        {done ? <Check size={14} aria-hidden="true" /> : <span aria-hidden="true">{number}</span>}
        <span className="visually-hidden">{done ? 'Done' : `Step ${number}`}</span>
      </span>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {action}
    </li>
  )
}
