// How a mail is spoken of: its recipients, and where it is.
import type { MailsListItem } from '@tandem/sdk'

/** `In the outbox`, `Installation`, or the transport. */
export function stateWord({ code, transport }: Pick<MailsListItem, 'code' | 'transport'>): string | null {
  if (code === 'kept_in_outbox') return 'In the outbox'
  if (transport === 'installation') return 'Mail server'
  return transport === null || transport === 'outbox' ? null : 'Own transport'
}

const link = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

/** The addresses in a text, each once. */
export function linksIn(text: string | null): string[] {
  return [...new Set((text ?? '').match(link) ?? [])]
}

const blocked = [
  /<(script|style|iframe|object)\b[\s\S]*?<\/\1\s*>/gi,
  /\s(?:style|on\w+|background|srcset)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi,
  /\ssrc\s*=\s*(?:"(?!data:)[^"]*"|'(?!data:)[^']*'|(?!["']|data:)[^\s>]+)/gi,
]

/** Markup without what the frame would refuse all the same, so that nothing is tried: the frame and its policy are the guard, not this. */
export function withoutFetching(html: string): string {
  return blocked.reduce((markup, part) => markup.replaceAll(part, ''), html)
}
