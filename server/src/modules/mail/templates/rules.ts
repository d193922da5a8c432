// What a template is, and what its words may be named.

/** Of what sort a mail is: caps, suppressions and unsubscribing differ by it. */
export const streams = ['security', 'transactional', 'conversation', 'marketing'] as const
export type Stream = (typeof streams)[number]

/** Like `invitation` or `invoice.sent`. */
export const templateKeyPattern = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$'

/** The words of a mail, in Liquid. */
export type Words = {
  subject: string
  text: string
  /** Made of the text where there is none. */
  html: string | null
}

export type TemplateRow = Words & {
  id: string
  key: string
  /** Empty: for all locales without words of their own. */
  locale: string
  version: number
  created_at: string
  updated_at: string
}

/** From the most special to the least: `de-AT`, `de`, and the words for all. */
export function localesFor(locale: string | undefined): string[] {
  if (locale === undefined || locale === '') return ['']
  const [language = ''] = locale.split('-')
  return [...new Set([locale, language, ''])]
}
