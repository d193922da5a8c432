// Texts as a phone shows them: by the one they are exchanged with, the newest conversation first.
import type { MessagesListItem } from '@tandem/sdk'
import { t } from './texts.ts'

export type Text = MessagesListItem
export type Thread = {
  /** The number or sender id the handset exchanges texts with. */
  partner: string
  /** First to last. */
  texts: readonly Text[]
}

export function partnerOf({ direction, from, to }: Text): string {
  return direction === 'outbound' ? from : to
}

/** Whether a text is to or from the handset. */
export function isOf(handset: string, { direction, from, to }: Text): boolean {
  return (direction === 'outbound' ? to : from) === handset
}

/** @param texts in any order, each once */
export function threadsOf(texts: readonly Text[]): Thread[] {
  const byPartner = Map.groupBy(
    texts.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1)),
    partnerOf,
  )
  const newest = ({ texts: of }: Thread) => of.at(-1)?.messageId ?? ''
  return [...byPartner]
    .map(([partner, of]) => ({ partner, texts: of }))
    .sort((a, b) => (newest(a) < newest(b) ? 1 : -1))
}

/** How a text is on the phone: written on it, arrived, on its way, or a note that it did not come. */
export type Standing = 'mine' | 'arrived' | 'coming' | 'lost'

const coming: readonly Text['status'][] = ['scheduled', 'queued', 'sending', 'sent']

export function standingOf({ direction, status }: Text): Standing {
  if (direction === 'inbound') return 'mine'
  if (status === 'delivered') return 'arrived'
  return coming.includes(status) ? 'coming' : 'lost'
}

/** The status of a text in words. */
export function statusText(status: Text['status']): string {
  return t.of('status', status) ?? status
}
