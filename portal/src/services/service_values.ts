// A messaging service as its form holds it, and what of it is to be sent.

import type { MessagingService, MessagingServicesUpdateParams } from '@tandem/sdk'
import { textOrNull } from '../forms/text_or_null.ts'

export const actions = ['stop', 'start', 'help'] as const
export type Action = (typeof actions)[number]

/** Words as they are typed, with commas between them; an empty reply answers nothing. */
export type KeywordValues = { words: string; reply: string }
export type LanguageValues = { language: string } & Record<Action, KeywordValues>

export type ServiceValues = {
  name: string
  senders: readonly string[]
  stickySender: boolean
  smartEncoding: boolean
  unknownOutcome: 'hold' | 'resend'
  validityPeriod: string
  duplicateWindow: string
  callbackUrl: string
  keywords: readonly LanguageValues[]
}

export function valuesOf(service: MessagingService): ServiceValues {
  const { name, senders, stickySender, smartEncoding, unknownOutcome } = service
  return {
    name,
    senders,
    stickySender,
    smartEncoding,
    unknownOutcome,
    validityPeriod: service.validityPeriod?.toString() ?? '',
    duplicateWindow: service.duplicateWindow === 0 ? '' : String(service.duplicateWindow),
    callbackUrl: service.callbackUrl ?? '',
    keywords: service.keywords.map(entry => {
      const read = ({ words, reply }: { words: string[]; reply: string | null }): KeywordValues => ({
        words: words.join(', '),
        reply: reply ?? '',
      })
      return { language: entry.language, stop: read(entry.stop), start: read(entry.start), help: read(entry.help) }
    }),
  }
}

export function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map(word => word.trim())
    .filter(Boolean)
}

/** What is no number is sent as it is: the server says so beside the field. */
function secondsOf(text: string, empty: number | null): number | null {
  const value = text.trim() === '' ? empty : Number(text)
  return Number.isNaN(value) ? (text as unknown as number) : value
}

/** What differs, as the API takes it. */
export function changesOf(
  values: ServiceValues,
  from: ServiceValues,
): Omit<MessagingServicesUpdateParams, 'serviceId'> {
  const isSame = (name: keyof ServiceValues) => JSON.stringify(values[name]) === JSON.stringify(from[name])
  const all = {
    name: values.name,
    senders: [...values.senders],
    stickySender: values.stickySender,
    smartEncoding: values.smartEncoding,
    unknownOutcome: values.unknownOutcome,
    validityPeriod: secondsOf(values.validityPeriod, null),
    duplicateWindow: secondsOf(values.duplicateWindow, 0) as number,
    callbackUrl: textOrNull(values.callbackUrl),
    keywords: values.keywords.map(keywordsOf),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isSame(name as keyof ServiceValues)))
}

function keywordsOf({ language, ...entry }: LanguageValues) {
  const read = ({ words, reply }: KeywordValues) => {
    const known = wordsOf(words)
    // Without words those of the table are meant, where it has the language; and its answer, where none is written either.
    if (known.length === 0) return reply.trim() === '' ? {} : { reply: reply.trim() }
    return { words: known, reply: textOrNull(reply) }
  }
  return { language, stop: read(entry.stop), start: read(entry.start), help: read(entry.help) }
}

/** The names of all fields that can show an error of their own. */
export function fieldNames({ keywords, senders }: ServiceValues): string[] {
  const plain = ['name', 'senders', 'unknownOutcome', 'validityPeriod', 'duplicateWindow', 'callbackUrl']
  return [
    ...plain,
    ...senders.map((_, index) => `senders[${index}]`),
    ...keywords.flatMap((entry, index) => [
      `keywords[${index}].language`,
      ...actions.flatMap(action => [
        `keywords[${index}].${action}.words`,
        `keywords[${index}].${action}.reply`,
        ...wordsOf(entry[action].words).map((_, place) => `keywords[${index}].${action}.words[${place}]`),
      ]),
    ]),
  ]
}

/** The first fault of a field or of what is inside it. */
export function faultOf(fields: Readonly<Record<string, string>>, name: string): string | undefined {
  const inside = Object.keys(fields).find(field => field === name || field.startsWith(`${name}[`))
  return inside === undefined ? undefined : fields[inside]
}
