// What things lie on: page headers, cards, toolbars, lists of terms, timelines.
import { type ReactNode, useEffect, useId } from 'react'
import { classes } from './button.tsx'
import type { Tone } from './chips.tsx'
import { Time } from './format.tsx'
import styles from './surface.module.css'

export type CardProps = {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** No padding inside, for tables; without a title it is the list of its screen, which needs no frame. */
  flush?: boolean
  className?: string
}
export function Card({ title, actions, children, flush, className }: CardProps) {
  const id = useId()
  return (
    <section
      className={classes(styles['card'], flush && title === undefined && styles['bare'], className)}
      aria-labelledby={title === undefined ? undefined : id}
      data-titled={title !== undefined || undefined}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className={classes(styles['cardHead'], flush && styles['lined'])}>
          {title !== undefined && <h2 id={id}>{title}</h2>}
          {actions !== undefined && <div className={styles['cardActions']}>{actions}</div>}
        </div>
      )}
      <div className={classes(styles['cardBody'], flush && styles['flush'])}>{children}</div>
    </section>
  )
}

/** The document's title while the screen stands; `PageHeader` sets it from its own. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tandem`
  }, [title])
}

/** The heading of a page, which is the title of the document too; in the direction of its own script. */
export function PageTitle({ title, className }: { title: string; className?: string }) {
  useDocumentTitle(title)
  return (
    <h1 dir="auto" className={className}>
      {title}
    </h1>
  )
}

export type PageHeaderProps = {
  title: string
  /** Shown instead of the plain title where it needs more than words. */
  heading?: ReactNode
  description?: ReactNode
  actions?: ReactNode
}
export function PageHeader({ title, heading, description, actions }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <div className={styles['pageHeader']}>
      <div>
        <h1 dir="auto">{heading ?? title}</h1>
        {description !== undefined && <p>{description}</p>}
      </div>
      {actions !== undefined && <div className={styles['cardActions']}>{actions}</div>}
    </div>
  )
}

/** @param tools what is done with the list: together at the end, and where they do not fit beside the filters in a line of their own */
export function Toolbar({ label, children, tools }: { label: string; children: ReactNode; tools?: ReactNode }) {
  return (
    <search className={styles['toolbar']} data-toolbar aria-label={label}>
      {children}
      {tools !== undefined && <div className={styles['tools']}>{tools}</div>}
    </search>
  )
}

export function DescriptionList({ items }: { items: readonly { term: string; detail: ReactNode }[] }) {
  return (
    <dl className={styles['terms']}>
      {items.map(item => (
        <DescriptionItem key={item.term} {...item} />
      ))}
    </dl>
  )
}
function DescriptionItem({ term, detail }: { term: string; detail: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{typeof detail === 'string' ? <span dir="auto">{detail}</span> : detail}</dd>
    </>
  )
}

export type TimelineItem = { key: string; title: ReactNode; at?: string | null; detail?: ReactNode; tone?: Tone }
/** What happened, in order; the caller decides oldest or newest first. */
export function Timeline({ label, items }: { label: string; items: readonly TimelineItem[] }) {
  return (
    <ol className={styles['timeline']} aria-label={label}>
      {items.map(item => (
        <li key={item.key} data-tone={item.tone}>
          <span>{item.title}</span>
          {item.at != null && (
            <span className={styles['when']}>
              <Time iso={item.at} exact />
            </span>
          )}
          {item.detail !== undefined && <div className={styles['detail']}>{item.detail}</div>}
        </li>
      ))}
    </ol>
  )
}
