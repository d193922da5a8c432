// Messaging services: what they are, and what a word, or a clear request, that comes in to one of their senders means.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { Keyword, KeywordAction, LanguageKeywords } from './keyword_table.ts'
import { stopRequest, stopWords } from './stop_rules.ts'

export const unknownOutcomes = ['hold', 'resend'] as const
export type UnknownOutcome = (typeof unknownOutcomes)[number]

export type ServiceRow = {
  id: string
  name: string
  sticky_sender: boolean
  smart_encoding: boolean
  unknown_outcome: UnknownOutcome
  validity_seconds: number | null
  callback_url: string | null
  duplicate_window_seconds: number | null
  keywords: LanguageKeywords[]
  version: number
  created_at: string
  updated_at: string
  /** Ids of its numbers, in the order they were added. */
  senders: string[]
}

export const keywordActions: readonly KeywordAction[] = ['stop', 'start', 'help']

/** Words that mean the same in every service, whatever its languages: recipients everywhere know them. */
const universal: Readonly<Record<string, KeywordAction>> = { STOP: 'stop', START: 'start', HELP: 'help' }

/** The same, but where a service has another use for one of them. */
const understood: readonly (readonly [word: string, action: KeywordAction])[] = [
  ...Object.entries(universal),
  ...stopWords.map(word => [word, 'stop'] as const),
]

/**
 * How words are compared: without regard to letter case and accents, blanks and punctuation around them (many copy the
 * quotation marks of "Reply STOP"). Empty for what is no single word.
 */
export function foldWord(text: string): string {
  const bare = withoutMarks(withoutMarks(text).toUpperCase())
  const word = bare.replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, '')
  return /\s/u.test(word) ? '' : word
}

function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Longer texts are no keyword, however they begin. */
const maxKeywordText = 40

export type KeywordMatch = { action: KeywordAction; language: string; word: string; reply: string | null }

type Meaning = Omit<KeywordMatch, 'word'>

const indexes = new WeakMap<readonly LanguageKeywords[], Map<string, Meaning>>()

/** The meaning of each word, folded; made once for a list of keywords. */
function indexOf(keywords: readonly LanguageKeywords[]): Map<string, Meaning> {
  let index = indexes.get(keywords)
  if (index !== undefined) return index
  index = new Map()
  const meaning = (entry: LanguageKeywords, action: KeywordAction): Meaning => {
    return { action, language: entry.language, reply: entry[action].reply }
  }
  for (const entry of keywords) {
    for (const action of keywordActions)
      for (const word of entry[action].words) index.set(foldWord(word), meaning(entry, action))
  }
  const [first] = keywords
  for (const [word, action] of understood)
    if (first !== undefined && !index.has(word)) index.set(word, meaning(first, action))
  indexes.set(keywords, index)
  return index
}

/** What a text means to a service with these keywords; undefined when it is an ordinary text. */
export function matchKeyword(keywords: readonly LanguageKeywords[], body: string): KeywordMatch | undefined {
  const index = indexOf(keywords)
  const word = body.length > maxKeywordText ? '' : foldWord(body)
  const meaning = word === '' ? undefined : index.get(word)
  if (meaning !== undefined) return { ...meaning, word }
  const asked = stopRequest(body, one => index.get(one)?.action === 'stop')
  const stop = index.get('STOP')
  return asked === undefined || stop === undefined ? undefined : { ...stop, word: asked }
}

export type KeywordInput = { words?: string[]; reply?: string | null }
export type LanguageInput = { language: string } & Partial<Record<KeywordAction, KeywordInput>>

/**
 * The keywords a service is to have; what is left out of a language is that of the table, where it has this language.
 * @returns faults of fields below `keywords` when they cannot be had
 */
export function readKeywords(
  input: readonly LanguageInput[],
  table: readonly LanguageKeywords[],
): { keywords: LanguageKeywords[]; faults: FieldFault[] } {
  const faults: FieldFault[] = []
  const keywords = input.map((entry, index): LanguageKeywords => {
    const at = `keywords[${index}]`
    const known = table.find(({ language }) => language === entry.language)
    const read = (action: KeywordAction): Keyword => {
      const { words = known?.[action].words, reply = known?.[action].reply } = entry[action] ?? {}
      for (const [field, value] of Object.entries({ words, reply })) {
        if (value !== undefined) continue
        const message = `is required: there is none to begin with in the language ${entry.language}`
        faults.push({ field: `${at}.${action}.${field}`, code: 'required', message })
      }
      return { words: (words ?? []).map(word => word.trim().normalize('NFC').toUpperCase()), reply: reply ?? null }
    }
    return { language: entry.language, stop: read('stop'), start: read('start'), help: read('help') }
  })
  return { keywords, faults: [...faults, ...keywordFaults(keywords)] }
}

function keywordFaults(keywords: readonly LanguageKeywords[]): FieldFault[] {
  const faults: FieldFault[] = []
  const uses = new Map<string, string>()
  for (const [index, entry] of keywords.entries()) {
    const at = `keywords[${index}]`
    if (keywords.findIndex(({ language }) => language === entry.language) < index)
      faults.push({ field: `${at}.language`, code: 'duplicate', message: `${entry.language} is listed twice` })
    for (const action of keywordActions) {
      for (const [place, word] of entry[action].words.entries()) {
        const field = `${at}.${action}.words[${place}]`
        const fault = wordFault(word, action, uses.get(foldWord(word)))
        if (fault !== undefined) faults.push({ field, ...fault })
        uses.set(foldWord(word), `${action} in ${entry.language}`)
      }
    }
  }
  return faults
}

function wordFault(
  word: string,
  action: KeywordAction,
  used: string | undefined,
): Omit<FieldFault, 'field'> | undefined {
  const folded = foldWord(word)
  if (folded === '' || !/^[\p{L}\p{N}]+$/u.test(folded))
    return { code: 'wrong_format', message: 'must be one word of letters and digits' }
  const meaning = Object.hasOwn(universal, folded) ? universal[folded] : undefined
  if (meaning !== undefined && meaning !== action)
    return { code: 'not_allowed', message: `${folded} always means ${meaning}` }
  if (used !== undefined) return { code: 'duplicate', message: `${word} is a word for ${used} already` }
  return undefined
}
