// What was used today, against the ceilings there are.
import type { DestinationPolicy } from '@tandem/sdk'
import { Card } from '../ui/index.ts'

const of = (most: number | null) => (most === null ? 'no ceiling' : `of ${most.toLocaleString('en')}`)

export function Today({ policy: { today, concurrentCalls, dailyCalls, dailySpend } }: { policy: DestinationPolicy }) {
  const spent = (dailySpend ?? []).map(({ currency, amount }) => {
    const used = today.spend.find(one => one.currency === currency)?.amount ?? '0'
    return `${used} of ${amount} ${currency}`
  })
  return (
    <Card title={`Used on ${today.day}`}>
      <p>
        Calls under way: <strong>{today.activeCalls}</strong> ({of(concurrentCalls)}). Calls today:{' '}
        <strong>{today.calls}</strong> ({of(dailyCalls)}). Spend on texts:{' '}
        {spent.length === 0 ? 'no ceiling' : <strong>{spent.join(', ')}</strong>}.
      </p>
    </Card>
  )
}
