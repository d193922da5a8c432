// What a search asks for: words, digits of a telephone number, and what may be spelled otherwise.

import { parsePhone } from '../values/phone.ts'
import type { FieldFault } from '../values/problem.ts'

/**
 * A search: every word, the longest first, with a blank in front where it must begin a word; for what looks like a phone, two
 * patterns of digits; and the words that something like them may stand for when nothing holds the text (the others, too short for
 * that, stay as they are). The database folds accents and normal forms.
 */
export type SearchText = { words: string[]; digits: string[]; rough: string[]; roughWords: string[] }

const shortest = 3

/** Faults of a `q` that its schema cannot say. */
export function searchFaults(q: string | undefined): FieldFault[] {
  // One letter is a whole name in some scripts.
  if (q === undefined || [...q.trim()].length >= 2 || isWordLetter(q.trim())) return []
  return [{ field: 'q', code: 'too_short', message: 'must have at least 2 characters' }]
}

/**
 * Reads `q`. Words of three letters and more are found anywhere, shorter ones where a word begins (each letter of a script without
 * blanks does); all must be there. A
 * telephone number, whole or in part and however spelled, is looked for by its digits.
 */
export function searchText(q: string, defaultCountry: string | null): SearchText {
  const text = q.trim().toWellFormed()
  const digits = phoneDigits(text, defaultCountry)
  if (digits.length > 0) return { words: [placedOf(text)], digits, rough: [], roughWords: [] }
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length)
  const rough = words.filter(isLong)
  const roughWords = words.filter(word => !isLong(word)).map(placedOf)
  return { words: words.map(placedOf), digits: [], rough, roughWords }
}

function isLong(word: string): boolean {
  return [...word].length >= shortest
}

/** Whether a letter is of a script that writes words without blanks between them: Chinese, Japanese, Korean. */
function isWordLetter(letter: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter.normalize('NFC'))
}

function placedOf(word: string): string {
  return isLong(word) || isWordLetter(word) ? word : ` ${word}`
}

/** Two patterns, or none when the text is no part of a number: leading zeros are trunk or international prefixes. */
function phoneDigits(text: string, defaultCountry: string | null): string[] {
  if (!/^[+\d][\d\s()./-]*$|^\([\d\s()./-]*$/.test(text)) return []
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 3) return []
  const whole = parsePhone(text, defaultCountry ?? undefined)
  return [digits, whole?.slice(1) ?? digits]
}
