// Sums of money side by side, the one that matters first in the largest type: what is owed, what is late. Amounts of different currencies are
// never added up: the one with the most records is large, others stand below it.
import { Link } from '@tanstack/react-router'
import { Money } from '../ui/index.ts'
import styles from './sum_tiles.module.css'
import { t } from './texts.ts'

export type Sum = { currency: string; invoices: number; amount: number }

export type SumTile = {
  name: string
  sums: readonly Sum[]
  /** The list that it sums up. */
  to: string
  search: Readonly<Record<string, string>>
  tone?: 'bad'
}

export const countOf = (sums: readonly Sum[]) => sums.reduce((all, { invoices }) => all + invoices, 0)

export function SumTiles({ label, tiles }: { label: string; tiles: readonly SumTile[] }) {
  return (
    <section className={styles['tiles']} aria-label={label}>
      {tiles.map(tile => (
        <Tile key={tile.name} {...tile} />
      ))}
    </section>
  )
}

function Tile({ name, sums, to, search, tone }: SumTile) {
  const [first, ...others] = sums
  const count = countOf(sums)
  return (
    <Link to={to as '/'} search={search} className={styles['tile']} data-tone={count > 0 ? tone : undefined}>
      <span>{name}</span>
      <strong>{first === undefined ? '–' : <Money amount={first.amount} currency={first.currency} />}</strong>
      {others.length > 0 && (
        <span className={styles['others']}>
          {others.map(({ currency, amount }) => (
            <Money key={currency} amount={amount} currency={currency} />
          ))}
        </span>
      )}
      <small>{t('invoices', { count })}</small>
    </Link>
  )
}
