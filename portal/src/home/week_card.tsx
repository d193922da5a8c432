// The week in figures, each beside what it was in the week before by the same moment.
import type { ReactNode } from 'react'
import { Card, countText, Money } from '../ui/index.ts'
import styles from './home.module.css'
import type { Home } from './use_home.ts'

type Figure = { now: number; before: number }
type Shown = { name: string; figure: Figure; text(value: number): ReactNode }

function figuresOf({ leadsCreated, leadsWon, calls, textsSent, textsReceived, payments }: Home['numbers']): Shown[] {
  const counts: [string, Figure | null][] = [
    ['New leads', leadsCreated],
    ['Leads won', leadsWon],
    ['Calls', calls],
    ['Texts sent', textsSent],
    ['Texts received', textsReceived],
  ]
  return [
    ...counts.flatMap(([name, figure]) => (figure === null ? [] : [{ name, figure, text: countText }])),
    ...(payments ?? []).map(({ currency, ...figure }) => ({
      name: (payments ?? []).length > 1 ? `Payments in ${currency}` : 'Payments received',
      figure,
      text: (value: number) => <Money amount={value} currency={currency} />,
    })),
    ...(payments?.length === 0
      ? [{ name: 'Payments received', figure: { now: 0, before: 0 }, text: (): ReactNode => '0' }]
      : []),
  ]
}

/** @param isOwn where the person sees own leads only */
export function WeekCard({ numbers, isOwn }: { numbers: Home['numbers']; isOwn: boolean }) {
  const figures = figuresOf(numbers)
  if (figures.length === 0) return null
  return (
    <Card title={isOwn ? 'Your week' : 'This week'} flush className={styles['card']}>
      <dl className={styles['figures']}>
        {figures.map(({ name, figure, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{text(figure.now)}</strong>
              <Change {...figure} text={text} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles['foot']}>Since Monday, next to the same time last week</p>
    </Card>
  )
}

function Change({ now, before, text }: Figure & { text(value: number): ReactNode }) {
  if (now === before) return <small>same as last week</small>
  return (
    <small data-up={now > before}>
      <span aria-hidden="true">{now > before ? '↑' : '↓'} </span>
      {text(Math.abs(now - before))}
      {now > before ? ' more' : ' less'}
    </small>
  )
}
