// The delivery health of a webhook: a word for lists, and for its page a sentence with the remedy.
import type { Webhook } from '@tandem/sdk'
import { CircleAlert, CirclePause, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip, Time, type Tone } from '../ui/index.ts'
import { explainLast } from './outcome.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

/** After so long without a success it is disabled. */
const disableAfterMs = 120 * 3_600_000

const tones: Record<Webhook['health'], Tone> = { ok: 'ok', failing: 'warn', probing: 'bad', disabled: 'neutral' }

export function WebhookChip({ webhook }: { webhook: Webhook }) {
  const byServer = webhook.disabledReason === 'gone' || webhook.disabledReason === 'failing'
  return (
    <Chip tone={byServer ? 'bad' : tones[webhook.health]} dot>
      {t(`health.${webhook.health}`)}
    </Chip>
  )
}

/** Beside the word in lists: since when, and why. */
export function StateLine({ webhook }: { webhook: Webhook }) {
  const { health, failingSince, lastError, disabledReason, disabledAt } = webhook
  if (health === 'disabled')
    return (
      <span className={styles['faint']}>
        {disabledReason !== null && t(`reason.${disabledReason}`)}
        {disabledAt !== null && (
          <>
            {disabledReason !== null && ', '}
            <Time iso={disabledAt} />
          </>
        )}
      </span>
    )
  if (health === 'ok' || failingSince === null) return null
  const since = <Time iso={failingSince} />
  return (
    <span className={styles['faint']}>
      {lastError === null
        ? t.rich('began', { since: () => since })
        : t.rich('beganWith', { name: explainLast(lastError).name, since: () => since })}
    </span>
  )
}

/** What is wrong with a webhook and what helps; nothing while all is well. `action` is the way to do it. */
export function StateNotice({ webhook, action }: { webhook: Webhook; action?: ReactNode }) {
  const notice = noticeOf(webhook)
  if (notice === undefined) return null
  return (
    <section className={styles['notice']} data-tone={notice.tone} aria-label={t('state')}>
      <span className={styles['noticeIcon']} aria-hidden="true">
        {notice.icon}
      </span>
      <div>
        <h2>{notice.title}</h2>
        <p>{notice.text}</p>
      </div>
      {action !== undefined && <div className={styles['noticeAction']}>{action}</div>}
    </section>
  )
}

type Notice = { tone: 'neutral' | 'warn' | 'bad'; icon: ReactNode; title: string; text: ReactNode }

function noticeOf(webhook: Webhook): Notice | undefined {
  const { health, failingSince, failuresInRow, lastError, waiting } = webhook
  if (health === 'ok') return undefined
  if (health === 'disabled') return disabledNotice(webhook)
  const why = lastError === null ? undefined : explainLast(lastError)
  const title =
    why === undefined
      ? t('failures', { count: failuresInRow })
      : t('failuresWith', { count: failuresInRow, name: why.name })
  const since = failingSince !== null && (
    <> {t.rich('nothingArrived', { since: () => <Time iso={failingSince} exact /> })}</>
  )
  if (health === 'failing')
    return {
      tone: 'warn',
      icon: <TriangleAlert size={18} />,
      title,
      text: (
        <>
          {why?.text}
          {since} {t('triedAgain')}
        </>
      ),
    }
  return {
    tone: 'bad',
    icon: <CircleAlert size={18} />,
    title,
    text: (
      <>
        {why?.text}
        {since} {t('probing', { count: waiting })}
        {failingSince !== null && (
          <>
            {' '}
            {t.rich('disabledOn', {
              at: () => <Time iso={new Date(Date.parse(failingSince) + disableAfterMs).toISOString()} exact />,
            })}
          </>
        )}
      </>
    ),
  }
}

function disabledNotice({ disabledReason, disabledAt }: Webhook): Notice {
  const reason = disabledReason ?? 'request'

  return {
    tone: reason === 'request' ? 'neutral' : 'bad',
    icon: <CirclePause size={18} />,
    title: t(`disabled.${reason}`),
    text: (
      <>
        {t(`disabledText.${reason}`)}
        {disabledAt !== null && <> {t.rich('nothingSent', { since: () => <Time iso={disabledAt} exact /> })}</>}
      </>
    ),
  }
}
