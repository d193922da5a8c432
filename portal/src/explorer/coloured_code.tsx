// Samples coloured just enough to be read: comments, texts, numbers, and the words of the language. Text nodes and spans
// only. A language is recognized by its quotes and its words; what is not known stays plain.
import type { SampleLanguage } from '@tandem/catalog'
import type { ReactNode } from 'react'
import styles from './coloured_code.module.css'

const words: Record<SampleLanguage, string> = {
  curl: 'curl',
  javascript: 'import from const await async new for of true false null undefined',
  typescript: 'import from const await async new for of true false null undefined',
  python: 'import from with as for in print True False None def return',
  go: 'package import func if err nil defer panic return var true false range',
  php: 'php echo true false null new use',
  ruby: 'require puts true false nil do end',
  java: 'import public class static void new throws var true false null final',
  csharp: 'using var new await async true false null string',
  kotlin: 'import fun val var true false null',
  rust: 'use fn let mut async await true false pub struct impl match',
  powershell: '',
}

const doubleQuoted = String.raw`"(?:[^"\\]|\\.)*"`
const singleQuoted = String.raw`'(?:[^'\\]|\\.)*'`
const shellQuoted = "'[^']*'"
const backquoted = '`(?:[^`\\\\]|\\\\.)*`'

/** What begins and ends a text, by language; longer forms first. */
const texts: Record<SampleLanguage, string[]> = {
  curl: [shellQuoted, doubleQuoted],
  javascript: [backquoted, singleQuoted, doubleQuoted],
  typescript: [backquoted, singleQuoted, doubleQuoted],
  python: [String.raw`"""[\s\S]*?"""`, `f?${doubleQuoted}`, `f?${singleQuoted}`],
  go: ['`[^`]*`', doubleQuoted],
  php: [singleQuoted, doubleQuoted],
  ruby: [singleQuoted, doubleQuoted],
  java: [String.raw`"""[\s\S]*?"""`, doubleQuoted],
  csharp: [String.raw`"""[\s\S]*?"""`, String.raw`\$?${doubleQuoted}`],
  kotlin: [String.raw`"""[\s\S]*?"""`, doubleQuoted],
  rust: [String.raw`r#*"[\s\S]*?"#+`, doubleQuoted],
  powershell: [String.raw`@'[\s\S]*?'@`, "'(?:[^']|'')*'", '"(?:[^"`]|`.)*"'],
}

const hashComments = new Set<SampleLanguage>(['curl', 'python', 'ruby', 'powershell'])

const patterns = new Map<SampleLanguage, RegExp>()

function patternOf(language: SampleLanguage): RegExp {
  const known = patterns.get(language)
  if (known !== undefined) return known
  const comment = hashComments.has(language) ? String.raw`(?<=^|\s)#.*` : String.raw`(?<=^|\s)\/\/.*`
  const named = words[language].split(' ').filter(Boolean).join('|')
  const word = named === '' ? '(?!)' : String.raw`\b(?:${named})\b`
  const text = texts[language].join('|')
  const pattern = new RegExp(String.raw`(${text})|(${comment})|(${word})|(\b\d+(?:\.\d+)?\b)`, 'gm')
  patterns.set(language, pattern)
  return pattern
}

/** The code as text nodes and spans. */
export function colouredCode(code: string, language: SampleLanguage): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(patternOf(language))) {
    const [whole, text, comment, word] = match
    const kind =
      text !== undefined ? 'text' : comment !== undefined ? 'comment' : word !== undefined ? 'word' : 'number'
    if (match.index > end) parts.push(code.slice(end, match.index))
    parts.push(
      <span key={match.index} className={styles[kind]}>
        {whole}
      </span>,
    )
    end = match.index + whole.length
  }
  parts.push(code.slice(end))
  return parts
}
