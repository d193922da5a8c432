// The week in figures, each beside what it was in the week before by the same moment.
import type { ReactNode } from 'react'
import { Card, countText, Money } from '../ui/index.ts'
import styles from './home.module.css'
import type { Home } from './use_home.ts'

type Figure = { now: number; before: number }
type Payments = NonNullable<Home['numbers']['payments']>

function countsOf({ leadsCreated, leadsWon, calls, textsSent, textsReceived }: Home['numbers']) {
  const all: [string, Figure | null][] = [
    ['New leads', leadsCreated],
    ['Leads won', leadsWon],
    ['Calls', calls],
    ['Texts sent', textsSent],
    ['Texts received', textsReceived],
  ]
  return all.flatMap(([name, figure]) => (figure === null ? [] : [{ name, figure }]))
}

/** @param isOwn where the person sees own leads only */
export function WeekCard({ numbers, isOwn }: { numbers: Home['numbers']; isOwn: boolean }) {
  const counts = countsOf(numbers)
  const { payments } = numbers
  if (counts.length === 0 && payments === null) return null
  return (
    <Card title={isOwn ? 'Your week' : 'This week'} flush className={styles['card']}>
      <dl className={styles['figures']}>
        {counts.map(({ name, figure }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{countText(figure.now)}</strong>
              <Change {...figure} text={countText} words={['more', 'fewer']} />
            </dd>
          </div>
        ))}
        {payments !== null && <PaymentFigures payments={payments} />}
      </dl>
      <p className={styles['foot']}>Since Monday, next to the same time last week</p>
    </Card>
  )
}

/** A line for each currency: they are never added up. */
function PaymentFigures({ payments }: { payments: Payments }) {
  return (
    <div className={styles['payments']}>
      <dt>Payments received</dt>
      {payments.length === 0 && (
        <dd>
          <strong>–</strong>
        </dd>
      )}
      {payments.map(({ currency, now, before }) => (
        <dd key={currency}>
          <strong>
            <Money amount={now} currency={currency} />
          </strong>
          <Change
            now={now}
            before={before}
            text={value => <Money amount={value} currency={currency} />}
            words={['more', 'less']}
          />
        </dd>
      ))}
    </div>
  )
}

type ChangeProps = Figure & { text(value: number): ReactNode; words: readonly [up: string, down: string] }

function Change({ now, before, text, words: [up, down] }: ChangeProps) {
  if (now === before) return <small>same as last week</small>
  return (
    <small data-up={now > before}>
      <span aria-hidden="true">{now > before ? '↑' : '↓'} </span>
      {text(Math.abs(now - before))} {now > before ? up : down}
    </small>
  )
}
