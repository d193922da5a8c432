// The week in figures, each beside what it was in the week before by the same moment.
import type { ReactNode } from 'react'
import { Card, countText, Money } from '../ui/index.ts'
import styles from './home.module.css'
import { t } from './texts.ts'
import type { Home } from './use_home.ts'

type Figure = { now: number; before: number }
type Payments = NonNullable<Home['numbers']['payments']>

const counted = ['leadsCreated', 'leadsWon', 'calls', 'textsSent', 'textsReceived'] as const

function countsOf(numbers: Home['numbers']) {
  return counted.flatMap(id => {
    const figure: Figure | null = numbers[id]
    return figure === null ? [] : [{ name: t(`week.${id}`), figure }]
  })
}

/** @param isOwn where the person sees own leads only */
export function WeekCard({ numbers, isOwn }: { numbers: Home['numbers']; isOwn: boolean }) {
  const counts = countsOf(numbers)
  const { payments } = numbers
  if (counts.length === 0 && payments === null) return null
  return (
    <Card title={t(isOwn ? 'week.own' : 'week')} flush className={styles['card']}>
      <dl className={styles['figures']}>
        {counts.map(({ name, figure }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{countText(figure.now)}</strong>
              <Change {...figure} text={countText} less="week.fewer" />
            </dd>
          </div>
        ))}
        {payments !== null && <PaymentFigures payments={payments} />}
      </dl>
      <p className={styles['foot']}>{t('week.note')}</p>
    </Card>
  )
}

/** A line for each currency: they are never added up. */
function PaymentFigures({ payments }: { payments: Payments }) {
  return (
    <div className={styles['payments']}>
      <dt>{t('week.payments')}</dt>
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
            less="week.less"
          />
        </dd>
      ))}
    </div>
  )
}

type ChangeProps = Figure & { text(value: number): ReactNode; less: 'week.fewer' | 'week.less' }

function Change({ now, before, text, less }: ChangeProps) {
  if (now === before) return <small>{t('week.same')}</small>
  const value = () => text(Math.abs(now - before))
  return (
    <small data-up={now > before}>
      <span aria-hidden="true">{now > before ? '↑' : '↓'} </span>
      {now > before ? t.rich('week.more', { value }) : t.rich(less, { value })}
    </small>
  )
}
