// Addresses within a page: every field and every error has one, shown as a # beside it, and is marked when the address
// names it.
import { useNavigate } from '@tanstack/react-router'
import { Link as LinkIcon } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect } from 'react'
import styles from './endpoint.module.css'
import { t } from './texts.ts'

/** What may stand in an id: `param-body-lines-quantity`. */
export function anchorId(...parts: string[]): string {
  return parts
    .join('-')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/-$/, '')
}

type AnchorProps = { id: string; className?: string; label?: string; children: ReactNode }

/** A link to a place of this page; it keeps the filters of the address. */
export function AnchorLink({ id, className, label, children }: AnchorProps) {
  const navigate = useNavigate()
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ to: '.', search: true, hash: id })
  }
  return (
    <a href={`#${id}`} className={className} aria-label={label} onClick={go}>
      {children}
    </a>
  )
}

/** The # beside a field or an error. */
export function AnchorMark({ id, name }: { id: string; name: string }) {
  return (
    <AnchorLink id={id} className={styles['mark']} label={t('linkTo', { name })}>
      <LinkIcon size={12} aria-hidden="true" />
    </AnchorLink>
  )
}

/** Goes to the place the address names once it is there: what it belongs to was fetched first. */
export function useArrival(hash: string, isReady: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes of the hash are the router's own work
  useEffect(() => {
    if (isReady && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [isReady])
}
