// Which of those who have an address it is shown as.

/** Whom an address may belong to; where several have it, the first of these counts. */
export const kinds = ['user', 'contact', 'lead', 'company'] as const
export type Kind = (typeof kinds)[number]

type Found<Kind extends string> = { type: Kind; key: string; id: string }

/** Of each key the holder whose kind comes first in `order`, and of those the newest: the one with the greatest id. */
export function preferred<Kind extends string>(
  rows: readonly Found<Kind>[],
  order: readonly Kind[],
): Map<string, Found<Kind>> {
  const best = new Map<string, Found<Kind>>()
  for (const row of rows) {
    const known = best.get(row.key)
    if (known === undefined || isBefore(row, known, order)) best.set(row.key, row)
  }
  return best
}

function isBefore<Kind extends string>(one: Found<Kind>, other: Found<Kind>, order: readonly Kind[]): boolean {
  const ranks = order.indexOf(one.type) - order.indexOf(other.type)
  if (ranks !== 0) return ranks < 0
  // Ids of numbers are longer the newer they are; prefixed ids are ordered by time and of one length.
  return one.id.length === other.id.length ? one.id > other.id : one.id.length > other.id.length
}
