// What stands around the screens of who is not logged in: the name of the product, and below what leads on.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './login.module.css'

const toLogin = <Link to="/login">To the login</Link>

export function LoginFrame({ children, note = toLogin }: { children: ReactNode; note?: ReactNode }) {
  return (
    <main className={styles['page']}>
      <div className={styles['box']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" />
          Tandem
        </div>
        {children}
        <p className={styles['note']}>{note}</p>
      </div>
    </main>
  )
}
