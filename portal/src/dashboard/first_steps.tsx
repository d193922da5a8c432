// What a newcomer does first, in three steps that tick themselves off: a key, a request, a delivery.
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApi } from '../app/api.ts'
import { useLive } from '../app/live.ts'
import { useSession } from '../app/session.ts'
import { Button, ButtonLink, Card, TextLink } from '../ui/index.ts'
import styles from './dashboard.module.css'

const storageKey = 'tandem.first_steps'

function dismissed(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'done'
  } catch {
    return false
  }
}

/** @param requestsToday whether a program or the Playground has sent a request lately */
export function FirstSteps({ requestsToday }: { requestsToday: boolean }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const [hidden, setHidden] = useState(dismissed)
  const [sent, setSent] = useState(false)
  const [delivered, setDelivered] = useState<string>()
  const keys = useQuery({
    queryKey: [mode, 'own working key'],
    queryFn: ({ signal }) => api.apiKeys.list({ active: true, mode, limit: 1 }, { signal }),
    enabled: !hidden,
  })
  const maySend = permissions.has('messages:send')
  const mayHear = permissions.has('events:read')
  useLive(
    mayHear ? ['requests', 'events'] : ['requests'],
    message => {
      if (message.event === 'request' && message.data.source !== 'portal') setSent(true)
      if (message.event === 'event' && message.data.type === 'message.delivered') setDelivered(message.data.resourceId)
    },
    !hidden && permissions.has('requests:read'),
  )
  if (hidden) return null
  const hasKey = (keys.data?.items.length ?? 0) > 0
  const hasSent = sent || requestsToday
  const finish = () => {
    setHidden(true)
    try {
      localStorage.setItem(storageKey, 'done')
    } catch {
      // Without storage the steps come back at the next visit.
    }
  }
  return (
    <Card
      title="First steps"
      flush
      actions={
        <Button size="sm" variant="ghost" onClick={finish}>
          Hide these steps
        </Button>
      }
    >
      <ol className={styles['steps']}>
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
          text={maySend ? 'An SMS to +1 500 555 0100, which always receives.' : 'Any endpoint your role may call.'}
          action={
            <ButtonLink
              to="/playground"
              search={maySend ? { endpoint: 'messages.sms.send' } : {}}
              variant={hasKey && !hasSent ? 'primary' : 'secondary'}
            >
              Open the Playground
            </ButtonLink>
          }
        />
        <Step
          number={3}
          done={delivered !== undefined}
          title="See it delivered"
          text={
            delivered === undefined ? (
              'Its status moves to delivered within a second, and is told by an event.'
            ) : (
              <>
                <TextLink to="/messages/$id" params={{ id: delivered }}>
                  The message
                </TextLink>{' '}
                was delivered.
              </>
            )
          }
          action={<ButtonLink to="/messages">Open Messages</ButtonLink>}
        />
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
