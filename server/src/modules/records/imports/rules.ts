// What is decided of imports without asking anybody: the course of their states, and what columns of a file probably stand for.
import { singularOf } from '@tandem/catalog/plural'
import type { Table } from '../../../kernel/values/states.ts'

export const importStates = ['draft', 'checking', 'checked', 'running', 'completed', 'canceled', 'failed'] as const
export type ImportState = (typeof importStates)[number]
export type ImportEvent = 'change' | 'check' | 'checked' | 'stop_check' | 'run' | 'finish' | 'cancel' | 'fail'

export const importTable: Table<ImportState, ImportEvent> = {
  change: { from: ['draft', 'checked'], to: 'draft' },
  check: { from: ['draft', 'checked'], to: 'checking' },
  checked: { from: ['checking'], to: 'checked' },
  stop_check: { from: ['checking'], to: 'draft' },
  run: { from: ['draft', 'checked'], to: 'running' },
  finish: { from: ['running'], to: 'completed' },
  cancel: { from: ['draft', 'checked', 'running'], to: 'canceled' },
  fail: { from: ['checking', 'running'], to: 'failed' },
}

export type ImportOptions = {
  duplicates: 'skip' | 'update' | 'create'
  match: string[]
  lists: 'add' | 'replace'
  dates: 'day_first' | 'month_first'
  decimal: '.' | ','
}

/** What a column can stand for, as far as a guess needs it. */
export type GuessedTarget = { name: string; label: string; kind: string; part: string; several: boolean }

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What spreadsheets of other products call such columns. */
const usual: Readonly<Record<string, readonly string[]>> = {
  title: ['name', 'full name', 'display name', 'title'],
  titleParts: ['first name', 'given name', 'forename', 'vorname', 'last name', 'family name', 'surname', 'nachname'],
  email: [
    'email',
    'e mail',
    'mail',
    'email address',
    'e mail address',
    'work email',
    'primary email',
    'email 2',
    'email 3',
  ],
  phone: [
    'phone',
    'telephone',
    'tel',
    'mobile',
    'mobile phone',
    'phone number',
    'work phone',
    'business phone',
    'telefon',
    'handy',
  ],
  domain: ['domain', 'website', 'web site', 'url', 'homepage', 'web', 'company domain', 'company domain name'],
  user: ['owner', 'owner email', 'assigned to', 'account owner', 'contact owner', 'company owner', 'owner name'],
  long_text: ['notes', 'note', 'comments', 'comment', 'remarks', 'description', 'notizen', 'bemerkung'],
  language: ['language', 'locale', 'preferred language', 'sprache'],
  street: ['street', 'address', 'street address', 'address line 1', 'address 1', 'strasse', 'billing street'],
  city: ['city', 'town', 'ort', 'stadt', 'billing city'],
  postal_code: ['postal code', 'zip', 'zip code', 'postcode', 'plz', 'postleitzahl'],
  region: ['region', 'state', 'state region', 'province', 'county', 'bundesland'],
  country: ['country', 'country code', 'country region', 'land'],
  currency: ['currency'],
}

/** By what names a target is met. @param one the noun in words, `company` */
function namesOf(target: GuessedTarget, title: string, one: string): string[] {
  const { name, label, kind, part } = target
  const own = [name, label, name.replace(/_id$/, '')]
  const of = part === '' ? singularOf(kind) : part
  if (name === title) return [...own, ...usual['title']!, `${one} name`, `${one}s name`, one]
  // The main one of a list is met in the singular too: Company, Email.
  const single = part === '' ? [singularOf(name)] : []
  const named = kind === 'ref' || kind === 'refs' ? single.flatMap(word => [`${word} name`, `associated ${word}`]) : []
  return [...own, ...single, ...named, ...(kind === 'text' ? [] : (usual[of] ?? []))]
}

/** What each column probably stands for: the name of a target, or null. Each target once, where it cannot stand for several. */
export function guessMapping(
  headers: readonly string[],
  targets: readonly GuessedTarget[],
  { title, one }: { title: string; one: string },
): (string | null)[] {
  const known = new Map<string, GuessedTarget>()
  for (const target of targets)
    for (const name of namesOf(target, title, one)) if (!known.has(plain(name))) known.set(plain(name), target)
  const texts = headers.map(plain)
  const hasTitle = texts.some(text => known.get(text)?.name === title)
  const taken = new Set<string>()
  return texts.map(text => {
    const target = known.get(text) ?? known.get(text.replace(/ (?:\d|title)$/, ''))
    if (target === undefined) return !hasTitle && usual['titleParts']!.includes(text) ? title : null
    if (taken.has(target.name) && (!target.several || target.name === title)) return null
    taken.add(target.name)
    return target.name
  })
}

/** Which of the delimiters stands in the first lines as a table would have it: as often in each, outside of quotes. */
export function guessDelimiter(text: string): ',' | ';' | '\t' {
  const lines = withoutQuoted(text)
    .split(/\r\n|\n|\r/)
    .filter(line => line.trim() !== '')
    .slice(0, 20)
  const score = (mark: string) => {
    const counts = lines.map(line => line.split(mark).length - 1)
    const [first = 0] = counts
    return first === 0 ? 0 : first * (1 + counts.filter(count => count === first).length)
  }
  const marks = [',', ';', '\t'] as const
  return marks.reduce((best, mark) => (score(mark) > score(best) ? mark : best))
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/"(?:[^"]|"")*"/g, '""')
}

/** How dates with slashes are to be read: by a first or second number above 12, else as the country does. */
export function guessDates(samples: readonly string[], country: string | null): ImportOptions['dates'] {
  for (const sample of samples) {
    const [, first, second] = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}/.exec(sample.trim()) ?? []
    if (Number(first) > 12) return 'day_first'
    if (Number(second) > 12) return 'month_first'
  }
  return country === null || country === 'US' ? 'month_first' : 'day_first'
}

/** Spreadsheets that write 1,5 put semicolons between columns. */
export function guessDecimal(samples: readonly string[], delimiter: string): ImportOptions['decimal'] {
  for (const sample of samples) {
    if (/^-?[\d.]*\d,\d{1,2}$/.test(sample.trim())) return ','
    if (/^-?[\d,]*\d\.\d{1,2}$/.test(sample.trim())) return '.'
  }
  return delimiter === ';' ? ',' : '.'
}

/** How the bytes of a file are to be read, by its first ones. */
export function guessEncoding(head: Uint8Array, isUtf8: boolean): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return isUtf8 ? 'utf-8' : 'windows-1252'
}
