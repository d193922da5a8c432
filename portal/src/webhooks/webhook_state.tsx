// The delivery health of a webhook: a word for lists, and for its page a sentence with the remedy.
import type { Webhook } from '@tandem/sdk'
import { CircleAlert, CirclePause, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip, countText, Time, type Tone } from '../ui/index.ts'
import { explainLast } from './outcome.ts'
import styles from './webhooks.module.css'

/** After so long without a success it is disabled. */
const disableAfterMs = 120 * 3_600_000

const chips: Record<Webhook['health'], { tone: Tone; word: string }> = {
  ok: { tone: 'ok', word: 'enabled' },
  failing: { tone: 'warn', word: 'failing' },
  probing: { tone: 'bad', word: 'failing' },
  disabled: { tone: 'neutral', word: 'disabled' },
}

export function WebhookChip({ webhook }: { webhook: Webhook }) {
  const { tone, word } = chips[webhook.health]
  const byServer = webhook.disabledReason === 'gone' || webhook.disabledReason === 'failing'
  return (
    <Chip tone={byServer ? 'bad' : tone} dot>
      {word}
    </Chip>
  )
}

const reasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  request: 'by request',
  gone: 'it answered 410',
  failing: 'five days without a success',
}

/** Beside the word in lists: since when, and why. */
export function StateLine({ webhook }: { webhook: Webhook }) {
  const { health, failingSince, lastError, disabledReason, disabledAt } = webhook
  if (health === 'disabled')
    return (
      <span className={styles['faint']}>
        {disabledReason !== null && reasons[disabledReason]}
        {disabledAt !== null && (
          <>
            , <Time iso={disabledAt} />
          </>
        )}
      </span>
    )
  if (health === 'ok' || failingSince === null) return null
  return (
    <span className={styles['faint']}>
      {lastError !== null && `${explainLast(lastError).name}, `}began <Time iso={failingSince} />
    </span>
  )
}

/** What is wrong with a webhook and what helps; nothing while all is well. `action` is the way to do it. */
export function StateNotice({ webhook, action }: { webhook: Webhook; action?: ReactNode }) {
  const notice = noticeOf(webhook)
  if (notice === undefined) return null
  return (
    <section className={styles['notice']} data-tone={notice.tone} aria-label="State">
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
  const count = failuresInRow === 1 ? 'The last attempt failed' : `${countText(failuresInRow)} attempts in a row failed`
  const title = why === undefined ? count : `${count}${failuresInRow === 1 ? '' : ', the last'}: ${why.name}`
  const since = failingSince !== null && (
    <>
      {' '}
      Nothing has arrived since <Time iso={failingSince} exact />.
    </>
  )
  if (health === 'failing')
    return {
      tone: 'warn',
      icon: <TriangleAlert size={18} />,
      title,
      text: (
        <>
          {why?.text}
          {since} What failed is tried again, up to ten times over three days.
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
        {since} One delivery is tried now and then, once a minute in the end, while {countText(waiting)} wait; as soon
        as one is taken, the rest follows.
        {failingSince !== null && (
          <>
            {' '}
            Without a success it is disabled on{' '}
            <Time iso={new Date(Date.parse(failingSince) + disableAfterMs).toISOString()} exact />.
          </>
        )}
      </>
    ),
  }
}

const disabledTexts: Record<NonNullable<Webhook['disabledReason']>, { title: string; text: string }> = {
  request: { title: 'Disabled by request', text: 'Somebody of your organization disabled it.' },
  gone: {
    title: 'Disabled: its address answered 410 Gone',
    text: 'That asks for no more requests. Correct the URL or the receiver, then enable it.',
  },
  failing: {
    title: 'Disabled: five days without a success',
    text: 'Fix the receiver or correct the URL, then enable it.',
  },
}

function disabledNotice({ disabledReason, disabledAt }: Webhook): Notice {
  const reason = disabledReason ?? 'request'
  const { title, text } = disabledTexts[reason]
  return {
    tone: reason === 'request' ? 'neutral' : 'bad',
    icon: <CirclePause size={18} />,
    title,
    text: (
      <>
        {text}
        {disabledAt !== null && (
          <>
            {' '}
            Nothing has been sent since <Time iso={disabledAt} exact />; what happens meanwhile can still be sent when
            it is enabled.
          </>
        )}
      </>
    ),
  }
}
