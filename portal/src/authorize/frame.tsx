// What stands around a question: the name of the product, and nothing that leads away.
import type { ReactNode } from 'react'
import styles from './authorize.module.css'

export function Frame({ children }: { children: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        <div className={styles['card']}>{children}</div>
      </div>
    </main>
  )
}
