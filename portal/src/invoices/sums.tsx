// Amounts below one another, the way an invoice ends.
import type { ReactNode } from 'react'
import styles from './invoices.module.css'

export type SumsProps = { label: string; items: readonly { term: string; detail: ReactNode }[] }

export function Sums({ label, items }: SumsProps) {
  return (
    <section aria-label={label} className={styles['sums']}>
      <dl>
        {items.map(({ term, detail }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
