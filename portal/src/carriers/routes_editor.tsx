// Where a carrier takes messages to: one line a prefix, with its priority and what a segment costs.
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton, TextField } from '../ui/index.ts'
import styles from './carriers.module.css'

export type RouteValues = { prefix: string; priority: string; cost: string }

export const firstRoute: RouteValues = { prefix: '', priority: '10', cost: '0' }

export function routesOf(values: readonly RouteValues[]) {
  return values.map(({ prefix, priority, cost }) => ({
    // Blanks are for people; the + that is left out is meant.
    prefix: prefix.replace(/\s/g, '').replace(/^(?=\d)/, '+'),
    priority:
      Number.isNaN(Number(priority)) || priority.trim() === '' ? (priority as unknown as number) : Number(priority),
    cost: cost.trim().replace(',', '.'),
  }))
}

export function routePaths(values: readonly RouteValues[]): string[] {
  return [
    'routes',
    ...values.flatMap((_, index) => [`prefix`, 'priority', 'cost'].map(name => `routes[${index}].${name}`)),
  ]
}

export type RoutesEditorProps = {
  value: readonly RouteValues[]
  currency: string
  faults: Readonly<Record<string, string>>
  onChange(value: readonly RouteValues[], field: string): void
}
export function RoutesEditor({ value, currency, faults, onChange }: RoutesEditorProps) {
  const field = (index: number, name: keyof RouteValues) => ({
    name: `routes[${index}].${name}`,
    value: value[index]?.[name] ?? '',
    error: faults[`routes[${index}].${name}`],
    onChange: (event: { target: { value: string } }) =>
      onChange(
        value.map((old, at) => (at === index ? { ...old, [name]: event.target.value } : old)),
        `routes[${index}].${name}`,
      ),
  })
  return (
    <div className={styles['rows']}>
      <p className={styles['hint']}>
        The longest prefix that fits a number counts; an empty one is every destination. Of carriers with prefixes of
        the same length the lower priority number goes first, then the lower cost. A carrier without routes carries
        nothing, but receives.
      </p>
      {value.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: routes have no identity but their place
        <div key={index} className={styles['row']}>
          <TextField label={`Prefix (${index + 1})`} placeholder="Everywhere" mono {...field(index, 'prefix')} />
          <TextField label={`Priority (${index + 1})`} inputMode="numeric" {...field(index, 'priority')} />
          <TextField
            label={`Cost in ${currency || 'its currency'} (${index + 1})`}
            inputMode="decimal"
            {...field(index, 'cost')}
          />
          <IconButton
            label={`Remove route ${index + 1}`}
            icon={<Trash2 size={16} />}
            onClick={() =>
              onChange(
                value.filter((_route, at) => at !== index),
                'routes',
              )
            }
          />
        </div>
      ))}
      <Button size="sm" icon={<Plus size={14} />} onClick={() => onChange([...value, firstRoute], 'routes')}>
        Add a route
      </Button>
    </div>
  )
}
