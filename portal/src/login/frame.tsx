// What stands around the screens of who is not logged in: the name of the product, and below what leads on.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './login.module.css'
import { t } from './texts.ts'

export function LoginFrame({ children, note }: { children: ReactNode; note?: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        {children}
        <p className={styles['note']}>{note ?? <Link to="/login">{t('toLogin')}</Link>}</p>
      </div>
    </main>
  )
}
