// The kinds of numbers as people call them.
export const kinds = [
  {
    kind: 'premium_rate',
    label: 'Premium-rate numbers',
    hint: 'Such as +1 900, +44 9 and +49 900: a share goes to anyone who is called.',
  },
  { kind: 'shared_cost', label: 'Shared-cost numbers', hint: 'Such as +49 180.' },
  {
    kind: 'personal',
    label: 'Personal numbers',
    hint: 'Such as +44 70: they look like mobile numbers and cost far more.',
  },
  { kind: 'satellite', label: 'Satellite numbers', hint: '+870, +881 and parts of +882.' },
  { kind: 'international_network', label: 'International networks', hint: 'The rest of +882, and +883.' },
] as const
export type ShutKind = (typeof kinds)[number]['kind']

export function kindName(kind: string): string {
  return (
    kinds
      .find(one => one.kind === kind)
      ?.label.replace(/s$/, '')
      .toLowerCase() ?? 'ordinary number'
  )
}
