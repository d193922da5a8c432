// Where a carrier takes messages to: one line a prefix, with its priority and what a segment costs.
import { PrefixRoutes, plainCost, plainNumber, plainPrefix } from './prefix_routes.tsx'
import { t } from './texts.ts'

export type RouteValues = { prefix: string; priority: string; cost: string }

export const firstRoute: RouteValues = { prefix: '', priority: '10', cost: '0' }

export function routesOf(values: readonly RouteValues[]) {
  return values.map(({ prefix, priority, cost }) => ({
    prefix: plainPrefix(prefix),
    priority: plainNumber(priority),
    cost: plainCost(cost),
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
      hint={t('routesHint')}
      columns={[
        { name: 'prefix', label: t('prefix'), placeholder: t('everywhere'), mono: true },
        { name: 'priority', label: t('priority'), inputMode: 'numeric' },
        { name: 'cost', label: currency === '' ? t('cost') : t('costIn', { currency }), inputMode: 'decimal' },
      ]}
    />
  )
}
