// How a mail is spoken of: its recipients, and where it is.
import type { MailsListItem } from '@tandem/sdk'
import { t } from './texts.ts'

export const streams = ['security', 'transactional', 'conversation', 'marketing'] as const

/** What a mail is sent for, in words. */
export function streamText(stream: string): string {
  return t.of('stream', stream) ?? stream
}

export const streamOptions = () => streams.map(value => ({ value, label: streamText(value) }))

/** How a connection is encrypted. */
export function encryptionOptions(values: readonly ('tls' | 'starttls' | 'none')[]) {
  return values.map(value => ({ value, label: t.of('encryption', value) ?? value.toUpperCase() }))
}

/** Where a mail is, or what took it. */
export function stateWord({ code, transport }: Pick<MailsListItem, 'code' | 'transport'>): string | null {
  if (code === 'kept_in_outbox') return t('inOutbox')
  if (transport === 'installation') return t('mailServer')
  return transport === null || transport === 'outbox' ? null : t('ownServer')
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
