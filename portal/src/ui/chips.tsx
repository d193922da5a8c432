// Small words with a colour: states, HTTP statuses, methods. The word always says it too.
import type { ReactNode } from 'react'
import { classes } from './button.tsx'
import styles from './chips.module.css'
import { t } from './texts.ts'

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'info' | 'accent'

export type ChipProps = {
  tone?: Tone
  dot?: boolean
  /** With a dot: never a ground, whatever its tone. */
  calm?: boolean
  children: ReactNode
}
/**
 * With a dot it is the state of something: where that is as it should be it is plain text, where it moves the dot is coloured, and only
 * what asks for somebody has a ground of its own.
 */
export function Chip({ tone = 'neutral', dot, calm, children }: ChipProps) {
  const isPlain = dot && (calm || isQuiet(tone))
  return (
    <span className={classes(isPlain ? styles['quiet'] : styles['chip'], styles[tone], dot && styles['dot'])}>
      {children}
    </span>
  )
}

/** What is usual on the way of a lead has a dot, and no ground: a column of them would shout. */
const calmStates = new Set(['Contacted', 'Nurturing', 'Warm'])

const isQuiet = (tone: Tone) => tone === 'ok' || tone === 'neutral' || tone === 'info'

/** The tone of every state of messages, calls, leads, invoices and keys; what is not here is neutral. */
const tones: Record<string, Tone> = {
  delivered: 'ok',
  completed: 'ok',
  answered: 'ok',
  received: 'ok',
  sent: 'info',
  sending: 'info',
  ringing: 'info',
  in_progress: 'info',
  queued: 'neutral',
  scheduled: 'neutral',
  initiated: 'neutral',
  canceled: 'neutral',
  unconfirmed: 'warn',
  busy: 'warn',
  no_answer: 'warn',
  expired: 'warn',
  lapsed: 'warn',
  undelivered: 'bad',
  failed: 'bad',
  rejected: 'bad',
  Draft: 'neutral',
  Sent: 'info',
  Paid: 'ok',
  Overdue: 'bad',
  Cancelled: 'neutral',
  New: 'info',
  Contacted: 'accent',
  Nurturing: 'accent',
  Qualified: 'ok',
  Converted: 'ok',
  Unqualified: 'neutral',
  Junk: 'neutral',
  Hot: 'bad',
  Warm: 'warn',
  Cold: 'neutral',
  active: 'ok',
  up: 'ok',
  degraded: 'warn',
  throttled: 'warn',
  connecting: 'info',
  down: 'bad',
  stopped: 'neutral',
  disabled: 'neutral',
  submitting: 'info',
  accepted: 'info',
  refused: 'bad',
  unknown: 'warn',
  ending: 'warn',
  revoked: 'bad',
  registering: 'info',
  unregistered: 'bad',
  available: 'ok',
  recording: 'info',
  paused: 'warn',
  processing: 'info',
  matched: 'ok',
  unmatched: 'warn',
  unverified: 'warn',
  verified: 'ok',
  reading: 'ok',
  failing: 'bad',
}

export function toneOfState(state: string): Tone {
  return tones[state] ?? 'neutral'
}

/** A state in the reader's words: `in_progress` → "in progress". */
export function stateText(state: string): string {
  return t.of('state', state) ?? state.replaceAll('_', ' ')
}

/** The state of a message, call, lead, invoice or key, as a word with its colour. @param label where it is called otherwise than usual */
export function StatusChip({ status, label = stateText(status) }: { status: string; label?: string | undefined }) {
  return (
    <Chip tone={toneOfState(status)} dot calm={calmStates.has(status)}>
      {label}
    </Chip>
  )
}

export function toneOfHttp(status: number): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  if (status >= 300) return 'info'
  return status >= 200 ? 'ok' : 'neutral'
}

/** An HTTP status code, with its reason where there is room; `quiet` in lists, where success needs no colour. */
export function HttpStatus({ status, reason, quiet }: { status: number; reason?: string; quiet?: boolean }) {
  const tone = toneOfHttp(status)
  return (
    <Chip tone={quiet && tone === 'ok' ? 'neutral' : tone} dot={quiet && tone === 'ok'}>
      <span className={styles['http']}>{status}</span>
      {reason !== undefined && reason !== '' && ` ${reason}`}
    </Chip>
  )
}

export function MethodBadge({ method }: { method: string }) {
  return <span className={classes(styles['method'], styles[method.toLowerCase()])}>{method}</span>
}
