// Where a carrier takes messages to: one line a prefix, with its priority and what a segment costs.
import { PrefixRoutes, plainNumber, plainPrefix } from './prefix_routes.tsx'

export type RouteValues = { prefix: string; priority: string; cost: string }

export const firstRoute: RouteValues = { prefix: '', priority: '10', cost: '0' }

export function routesOf(values: readonly RouteValues[]) {
  return values.map(({ prefix, priority, cost }) => ({
    prefix: plainPrefix(prefix),
    priority: plainNumber(priority),
    cost: cost.trim().replace(',', '.'),
  }))
}

export const routeNames = ['prefix', 'priority', 'cost'] as const

export type RoutesEditorProps = {
  value: readonly RouteValues[]
  currency: string
  faults: Readonly<Record<string, string>>
  onChange(value: readonly RouteValues[], field: string): void
}
export function RoutesEditor({ currency, ...rest }: RoutesEditorProps) {
  return (
    <PrefixRoutes
      {...rest}
      first={firstRoute}
      hint="The longest prefix that fits a number counts; an empty one is every destination. Of carriers with prefixes of the same length the lower priority number goes first, then the lower cost. A carrier without routes carries nothing, but receives."
      columns={[
        { name: 'prefix', label: 'Prefix', placeholder: 'Everywhere', mono: true },
        { name: 'priority', label: 'Priority', inputMode: 'numeric' },
        { name: 'cost', label: `Cost in ${currency || 'its currency'}`, inputMode: 'decimal' },
      ]}
    />
  )
}
