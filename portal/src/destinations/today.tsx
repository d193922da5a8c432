// What was used today, against the ceilings there are.
import type { DestinationPolicy } from '@tandem/sdk'
import { Card } from '../ui/index.ts'
import { calendarDayText } from '../words/format.ts'
import { t } from './texts.ts'

const of = (most: number | null) => (most === null ? t('noLimit') : t('ofLimit', { limit: most }))

function used({ today, concurrentCalls, dailyCalls, dailySpend }: DestinationPolicy) {
  const spent = (dailySpend ?? []).map(({ currency, amount }) => {
    const sum = today.spend.find(one => one.currency === currency)?.amount ?? '0'
    return t('spentOf', { sum, amount, currency })
  })
  return {
    active: today.activeCalls,
    concurrent: of(concurrentCalls),
    calls: today.calls,
    daily: of(dailyCalls),
    spent: spent.join(', ') || t('noLimit'),
  }
}

export const todayText = (policy: DestinationPolicy): string => t('today', used(policy))

export function Today({ policy }: { policy: DestinationPolicy }) {
  return (
    <Card title={t('usedOn', { day: calendarDayText(policy.today.day) })}>
      <p>{t.rich('todayCard', used(policy))}</p>
    </Card>
  )
}
