// The kinds of numbers that stay shut until somebody opens them.
import { t } from './texts.ts'

export const kinds = ['premium_rate', 'shared_cost', 'personal', 'satellite', 'international_network'] as const
export type ShutKind = (typeof kinds)[number]

export function kindName(kind: string): string {
  return t.of('kind', kind) ?? t('kind.ordinary')
}
