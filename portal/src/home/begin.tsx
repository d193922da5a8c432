// How an organization begins: people to sell to, colleagues, a way to reach phones, an invoice. Shown in full while there is nothing else
// to show, and as a short list while something is left for somebody who may do it.
import { Check, FileText, RadioTower, UserPlus, Users, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, IconButton } from '../ui/index.ts'
import styles from './home.module.css'
import { linkOf, type Target } from './rows.tsx'
import type { Home } from './use_home.ts'

type Step = {
  key: keyof Home['begun']
  icon: ReactNode
  title: string
  text: string
  action: { label: string; target: Target }
  other?: { label: string; target: Target; needs: string }
}

const steps: readonly Step[] = [
  {
    key: 'leads',
    icon: <UserPlus size={18} />,
    title: 'Add your first leads',
    text: 'Bring the people you sell to from a spreadsheet, or add one by hand.',
    action: { label: 'Add a lead', target: { to: '/leads', search: { create: '1' } } },
    other: { label: 'Import a file', target: { to: '/imports' }, needs: 'imports:run' },
  },
  {
    key: 'people',
    icon: <Users size={18} />,
    title: 'Invite your team',
    text: 'Everyone gets their own login, and sees what their role is about.',
    action: { label: 'Invite people', target: { to: '/users', search: { invite: '1' } } },
  },
  {
    key: 'carriers',
    icon: <RadioTower size={18} />,
    title: 'Connect a carrier',
    text: 'So that texts reach real phones. Until then the simulator stands in.',
    action: { label: 'Connect a carrier', target: { to: '/carriers', search: { create: '1' } } },
  },
  {
    key: 'invoices',
    icon: <FileText size={18} />,
    title: 'Write your first invoice',
    text: 'Numbers, totals and what is still due take care of themselves.',
    action: { label: 'Create an invoice', target: { to: '/invoices', search: { create: '1' } } },
  },
]

/** What the person may do, done or not. */
function stepsOf(begun: Home['begun'], mode: string): Step[] {
  // People and carriers belong to live mode.
  return steps.filter(({ key }) => begun[key] !== null && (mode === 'live' || key === 'leads' || key === 'invoices'))
}

/** Whether there is nothing yet of what the person works with. */
export function isFirstDay(begun: Home['begun']): boolean {
  return [begun.leads, begun.invoices].every(is => is !== true) && stepsOf(begun, 'test').length > 0
}

export function FirstDay({ begun }: { begun: Home['begun'] }) {
  const { mode, permissions } = useSession()
  return (
    <section className={styles['first']} aria-labelledby="first-day">
      <h2 id="first-day">Let’s get you set up</h2>
      <p>A few minutes now, and every morning this page shows you what’s waiting.</p>
      <ol>
        {stepsOf(begun, mode).map(({ key, icon, title, text, action, other }) => (
          <li key={key} data-done={begun[key] === true}>
            <span className={styles['stepIcon']} aria-hidden="true">
              {begun[key] === true ? <Check size={18} /> : icon}
            </span>
            <h3>{title}</h3>
            <p>{begun[key] === true ? 'Done.' : text}</p>
            {begun[key] !== true && (
              <div className={styles['buttons']}>
                <ButtonLink {...linkOf(action.target)} variant="primary">
                  {action.label}
                </ButtonLink>
                {other !== undefined && permissions.has(other.needs) && (
                  <ButtonLink {...linkOf(other.target)}>{other.label}</ButtonLink>
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const storageKey = 'tandem.set_up_later'

function isPutOff(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'yes'
  } catch {
    return false
  }
}

/** What is left to set up, until somebody does not want to see it any more. */
export function SetUpCard({ begun }: { begun: Home['begun'] }) {
  const { mode } = useSession()
  const [hidden, setHidden] = useState(isPutOff)
  const left = stepsOf(begun, mode).filter(({ key }) => begun[key] === false)
  if (hidden || left.length === 0) return null
  const hide = () => {
    setHidden(true)
    try {
      localStorage.setItem(storageKey, 'yes')
    } catch {
      // Without storage it comes back at the next visit.
    }
  }
  return (
    <Card
      title="Left to set up"
      flush
      className={styles['card']}
      actions={<IconButton size="sm" label="Hide what is left to set up" icon={<X size={14} />} onClick={hide} />}
    >
      <ul className={styles['rows']} aria-label="Left to set up">
        {left.map(({ key, icon, title, text, action }) => (
          <li key={key} className={styles['row']}>
            <span className={styles['icon']} aria-hidden="true">
              {icon}
            </span>
            <span className={styles['what']}>
              <span className={styles['name']}>{title}</span>
              <span className={styles['detail']}>{text}</span>
            </span>
            <span className={styles['action']}>
              <ButtonLink {...linkOf(action.target)} size="sm">
                {action.label}
              </ButtonLink>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
