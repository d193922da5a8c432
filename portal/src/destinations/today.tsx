// What was used today, against the ceilings there are.
import type { DestinationPolicy } from '@tandem/sdk'
import { Card } from '../ui/index.ts'

const of = (most: number | null) => (most === null ? 'no ceiling' : `of ${most.toLocaleString('en')}`)

function parts({ today, concurrentCalls, dailyCalls, dailySpend }: DestinationPolicy) {
  const spent = (dailySpend ?? []).map(({ currency, amount }) => {
    const used = today.spend.find(one => one.currency === currency)?.amount ?? '0'
    return `${used} of ${amount} ${currency}`
  })
  return { today, concurrent: of(concurrentCalls), daily: of(dailyCalls), spent: spent.join(', ') || 'no ceiling' }
}

export function todayText(policy: DestinationPolicy): string {
  const { today, concurrent, daily, spent } = parts(policy)
  return `Calls under way: ${today.activeCalls} (${concurrent}). Calls today: ${today.calls} (${daily}). Spend: ${spent}.`
}

export function Today({ policy }: { policy: DestinationPolicy }) {
  const { today, concurrent, daily, spent } = parts(policy)
  return (
    <Card title={`Used on ${today.day}`}>
      <p>
        Calls under way: <strong>{today.activeCalls}</strong> ({concurrent}). Calls today:{' '}
        <strong>{today.calls}</strong> ({daily}). Spend on texts and calls: <strong>{spent}</strong>.
      </p>
    </Card>
  )
}
