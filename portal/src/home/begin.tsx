// How an organization begins: people to sell to, colleagues, a way to reach phones, an invoice. Shown in full while there is nothing else
// to show, and as a short list while something is left for somebody who may do it.
import { Check, FileText, RadioTower, UserPlus, Users, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, IconButton } from '../ui/index.ts'
import styles from './home.module.css'
import { linkOf, type Target } from './rows.tsx'
import { t } from './texts.ts'
import type { Home } from './use_home.ts'

type Step = {
  key: keyof Home['begun']
  icon: ReactNode
  target: Target
  /** Another way to the same: from a file. */
  file?: { target: Target; needs: string }
}

const steps: readonly Step[] = [
  {
    key: 'leads',
    icon: <UserPlus size={18} />,
    target: { to: '/leads', search: { create: '1' } },
    file: { target: { to: '/imports' }, needs: 'imports:run' },
  },
  {
    key: 'people',
    icon: <Users size={18} />,
    target: { to: '/users', search: { invite: '1' } },
  },
  {
    key: 'carriers',
    icon: <RadioTower size={18} />,
    target: { to: '/carriers', search: { create: '1' } },
  },
  {
    key: 'invoices',
    icon: <FileText size={18} />,
    target: { to: '/invoices', search: { create: '1' } },
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
      <h2 id="first-day">{t('first')}</h2>
      <p>{t('firstText')}</p>
      <ol>
        {stepsOf(begun, mode).map(({ key, icon, target, file }) => (
          <li key={key} data-done={begun[key] === true}>
            <span className={styles['stepIcon']} aria-hidden="true">
              {begun[key] === true ? <Check size={18} /> : icon}
            </span>
            <h3>{t(`step.${key}.title`)}</h3>
            <p>{begun[key] === true ? t('firstDone') : t(`step.${key}.text`)}</p>
            {begun[key] !== true && (
              <div className={styles['buttons']}>
                <ButtonLink {...linkOf(target)} variant="primary">
                  {' '}
                  {t(`step.${key}.action`)}
                </ButtonLink>
                {file !== undefined && permissions.has(file.needs) && (
                  <ButtonLink {...linkOf(file.target)}>{t('step.leads.import')}</ButtonLink>
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
      title={t('left')}
      flush
      className={styles['card']}
      actions={<IconButton size="sm" label={t('leftHide')} icon={<X size={14} />} onClick={hide} />}
    >
      <ul className={styles['rows']} aria-label={t('left')}>
        {left.map(({ key, icon, target }) => (
          <li key={key} className={styles['row']}>
            <span className={styles['icon']} aria-hidden="true">
              {icon}
            </span>
            <span className={styles['what']}>
              <span className={styles['name']}>{t(`step.${key}.title`)}</span>
              <span className={`${styles['detail']} ${styles['whole']}`}>{t(`step.${key}.text`)}</span>
            </span>
            <span className={styles['action']}>
              <ButtonLink {...linkOf(target)} size="sm">
                {' '}
                {t(`step.${key}.action`)}
              </ButtonLink>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
