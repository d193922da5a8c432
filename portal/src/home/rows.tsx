// The cards of Home and their rows: who or what on the left, what makes it urgent on the right, and one thing to do at once.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink, Card, Chip, countText } from '../ui/index.ts'
import styles from './home.module.css'
import { t } from './texts.ts'

/** Where a row leads, or a button. */
export type Target = { to: string; params?: Record<string, string>; search?: Record<string, string> }

/** For a link: the router checks addresses that are written out, and those of rows are not. */
export const linkOf = ({ to, params = {}, search = {} }: Target) => ({
  to: to as '/leads/$id',
  params: params as { id: string },
  search,
})

export type WaitingCardProps = {
  title: string
  count: number
  /** Counted no further. */
  isMore?: boolean
  tone?: 'neutral' | 'bad'
  all?: Target
  children: ReactNode
}

export function WaitingCard({ title, count, isMore = false, tone = 'neutral', all, children }: WaitingCardProps) {
  return (
    <Card
      flush
      className={styles['card']}
      title={
        <span className={styles['title']}>
          {title} <Chip tone={tone}>{countText(count, !isMore)}</Chip>
        </span>
      }
      actions={
        all !== undefined && (
          <ButtonLink {...linkOf(all)} size="sm" variant="ghost" aria-label={t('seeAllOf', { title })}>
            {t('seeAll')}
          </ButtonLink>
        )
      }
    >
      {children}
    </Card>
  )
}

export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles['rows']} aria-label={label}>
      {children}
    </ul>
  )
}

export type RowProps = {
  /** Where the work is done; left out where there is nowhere to go. */
  target?: Target | undefined
  name: ReactNode
  /** Below the name, in one line. */
  detail?: ReactNode
  /** On the right. */
  meta?: ReactNode
  action?: ReactNode
  before?: ReactNode
}

export function Row({ target, name, detail, meta, action, before }: RowProps) {
  return (
    <li className={styles['row']}>
      {before}
      <span className={styles['what']}>
        {target === undefined ? (
          <span className={styles['name']} dir="auto">
            {name}
          </span>
        ) : (
          <Link {...linkOf(target)} className={styles['name']} preload="intent" dir="auto">
            {name}
          </Link>
        )}
        {detail != null && detail !== '' && (
          <span className={styles['detail']} dir="auto">
            {detail}
          </span>
        )}
      </span>
      <span className={styles['meta']}>{meta}</span>
      {action !== undefined && <span className={styles['action']}>{action}</span>}
    </li>
  )
}
