// How values stand in the cells of a spreadsheet, and how they are read from there: as people and programs write them.
import { isDate } from '../values/clock.ts'
import { withoutApostrophe } from '../values/csv.ts'

/** What the organization decides about how values are read. */
export type Reading = { defaultCountry: string | null; currency: string; timeZone: string; userId: number }

/** How dates and numbers of a file are to be understood where they can be read in two ways. */
export type CellReading = Reading & { dates: 'day_first' | 'month_first'; decimal: '.' | ',' }

/** What a cell says, as a request would send it; undefined where it says nothing. */
export type Said = { value: unknown } | { code: string; message: string }

/** What stands in the parts of a field, each text without blanks around it. One part may have several columns: E-mail, E-mail 2. */
export type Texts = Readonly<Record<string, readonly string[]>>

export type Cells = {
  /** One column each; the one that is called as the field itself has no name of its own. */
  parts: readonly string[]
  /** Parts that are read, and never written. */
  onlyRead?: readonly string[]
  /** Parts that may stand in several columns. */
  several?: true
  /** Whether a spreadsheet could take it for a formula. */
  isText: boolean
  /** More than this no cell of it holds; nothing longer is read. */
  maxLength: number
  /** The text of each part, of a value that is there. */
  write(value: unknown): readonly string[]
  read(texts: Texts, reading: CellReading): Said | undefined
}

/** What spreadsheets hold in a cell, and more than any field takes. */
const longestCell = 32_767
/** Of a number, a date, a word. */
const shortCell = { maxLength: 100 }

/** One cell, read by itself. */
export function cell(
  read: (text: string, reading: CellReading) => Said,
  { isText = true, maxLength = longestCell }: Partial<Pick<Cells, 'isText' | 'maxLength'>> = {},
): Cells {
  return {
    parts: [''],
    isText,
    maxLength,
    write: value => [String(value)],
    read(texts, reading) {
      const [text] = texts[''] ?? []
      return text === undefined ? undefined : read(text, reading)
    },
  }
}

export const textCells = cell(text => ({ value: text }))

const yes = new Set(['true', 'yes', 'y', '1', 'x', 'on', 'ja', 'wahr', 'oui', 'vrai', 'si', 'sí', 'verdadero'])
const no = new Set(['false', 'no', 'n', '0', 'off', 'nein', 'falsch', 'non', 'faux', 'falso'])

export const booleanCells = cell(
  text => {
    const word = text.toLowerCase()
    if (yes.has(word)) return { value: true }
    if (no.has(word)) return { value: false }
    return { code: 'wrong_type', message: 'must be yes or no (also true and false, 1 and 0)' }
  },
  { isText: false, ...shortCell },
)

/** The number that a spreadsheet shows: 1.234,5 and 1,234.5, also with a currency sign. Undefined for what is none. */
export function numberOf(text: string, decimal: '.' | ','): number | undefined {
  const bare = text
    .replace(/^(\()?(-)?\s*(?:[A-Z]{3}|\p{Sc})?\s*/u, '$1$2')
    .trimEnd()
    // Without the blanks in front, which go with all others below: looking for them here would begin at each of them.
    .replace(/(?:[A-Z]{3}|\p{Sc})?(\))?$/u, '$1')
  const isNegative = /^\(.*\)$/.test(bare) || bare.startsWith('-')
  const digits = bare
    .replace(/^\(?-?/, '')
    .replace(/\)$/, '')
    .replaceAll(/[\s'’]/g, '')
  const separator = separatorOf(digits, decimal)
  const group = separator === ',' ? '.' : ','
  const [whole = '', fraction = '', ...more] = digits.split(separator)
  const isGrouped =
    !whole.includes(group) || new RegExp(`^\\d{1,3}(?:\\${group}\\d{2,3})*\\${group}\\d{3}$`).test(whole)
  const plain = whole.replaceAll(group, '')
  if (more.length > 0 || !isGrouped || !/^\d+$/.test(plain) || !/^\d*$/.test(fraction)) return undefined
  const number = Number(`${plain}.${fraction === '' ? '0' : fraction}`)
  return isNegative ? -number : number
}

/** Where both stand in a number, the last one is the decimal separator; where one stands several times, it is not. */
function separatorOf(digits: string, decimal: '.' | ','): '.' | ',' {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (point !== -1 && comma !== -1) return point > comma ? '.' : ','
  const only = point !== -1 ? '.' : ','
  if (digits.split(only).length > 2) return only === '.' ? ',' : '.'
  return decimal
}

export const integerCells = cell(
  (text, { decimal }) => {
    const number = numberOf(text, decimal)
    return number === undefined ? { code: 'wrong_type', message: 'must be a whole number' } : { value: number }
  },
  { isText: false, ...shortCell },
)

/** A date as ISO 8601 or as spreadsheets write it: 21.11.2026, 11/21/2026, 21 Nov 2026. */
function dateOf(text: string, dates: CellReading['dates']): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]0{1,2}:00(?::00(?:\.0+)?)?Z?)?$/.exec(text)
  if (iso !== null) return dateText(iso[1], iso[2], iso[3])
  const named = /^(?:(\d{1,2})[. -]+)?([A-Za-z]{3})[a-z]*\.?[ -]+(?:(\d{1,2})(?:st|nd|rd|th)?,? +)?(\d{4})$/.exec(text)
  if (named !== null) {
    const month = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').indexOf(named[2]!.toLowerCase()) + 1
    return dateText(named[4], String(month), named[1] ?? named[3])
  }
  const short = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?: 0{1,2}:00(?::00)?)?$/.exec(text)
  if (short === null) return undefined
  const [, first, mark, second, year] = short
  const dayFirst = mark === '.' || dates === 'day_first'
  return dayFirst ? dateText(year, second, first) : dateText(year, first, second)
}

function dateText(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : undefined
}

export const dateCells = cell((text, { dates }) => {
  const date = dateOf(text, dates)
  if (date !== undefined) return { value: date }
  const shown = dates === 'day_first' ? '21.11.2026 or 21/11/2026' : '11/21/2026'
  return { code: 'wrong_format', message: `must be a date, such as 2026-11-21 or ${shown}` }
}, shortCell)

export const momentCells = cell((text, { dates, timeZone }) => {
  if (/(?:Z|[+-]\d\d:?\d\d)$/.test(text) && /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)))
    return { value: new Date(text).toISOString() }
  const [, day = '', hours = '0', minutes = '00', seconds = '00', half] =
    /^(.*?)(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*([AaPp][Mm])?)?$/.exec(text) ?? []
  const date = dateOf(day, dates)
  const isHour = half === undefined ? Number(hours) < 24 : Number(hours) >= 1 && Number(hours) <= 12
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  if (date === undefined || !isHour || Number(minutes) > 59 || Number(seconds) > 59)
    return { code: 'wrong_format', message: 'must be a date and time, such as 2026-11-21 08:30' }
  const time = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
  return { value: Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).toInstant().toString() }
}, shortCell)

/** One of fixed words, in any letter case. */
export function choiceCells(words: readonly string[]): Cells {
  return cell(text => {
    const plain = (word: string) => word.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
    const word = words.find(one => plain(one) === plain(text))
    return word === undefined
      ? { code: 'not_allowed', message: `must be one of: ${words.join(', ')}` }
      : { value: word }
  }, shortCell)
}

/** An amount, and its currency in a column of its own or beside the number. */
export const moneyCells: Cells = {
  parts: ['', 'currency'],
  isText: false,
  ...shortCell,
  write(value) {
    const { amount, currency } = value as { amount: number; currency: string }
    return [String(amount), currency]
  },
  read(texts, { decimal }) {
    const [text] = texts[''] ?? []
    if (text === undefined) return undefined
    const amount = numberOf(text, decimal)
    if (amount === undefined) return { code: 'wrong_type', message: 'must be an amount, such as 1200.50' }
    const currency = texts['currency']?.[0]?.toUpperCase() ?? /[A-Z]{3}/.exec(text)?.[0]
    return { value: currency === undefined ? { amount } : { amount, currency } }
  },
}

type Sent = { value: unknown; label?: string; is_primary?: boolean }
type Kept = { value: unknown; label: string | null; is_primary: boolean }
const primaryFirst = (value: unknown) =>
  [...(value as Kept[])].sort((a, b) => Number(b.is_primary) - Number(a.is_primary))

/** Entries with semicolons between, the primary one first, each with what it is for in front: `work: ada@example.com; ada@home.example`. */
export const entryCells: Cells = {
  parts: [''],
  several: true,
  isText: true,
  maxLength: longestCell,
  write: value => [
    primaryFirst(value)
      .map(({ value: text, label }) => (label === null ? text : `${labelText(label)}: ${text}`))
      .join('; '),
  ],
  read(texts) {
    const all = (texts[''] ?? []).flatMap(text => entriesIn(text))
    return all.length === 0 ? undefined : { value: onlyOnce(all) }
  },
}

function labelText(label: string): string {
  return /[;:"\n\r]|^['=+\-@]/.test(label) ? JSON.stringify(label) : label
}

/** What stands between semicolons and ends of lines that are in no quotes. A quote that nothing closes is a character as others are. */
function partsOf(text: string): string[] {
  const quoted = /"(?:[^"\\]|\\.)*("?)/y
  const parts: string[] = []
  let from = 0
  // Where one quote was not closed, none before the place at which that was known is: each is looked at once.
  let openUntil = 0
  for (let at = 0; at <= text.length; at++) {
    const mark = text[at]
    if (mark === undefined || mark === ';' || mark === '\n') {
      if (at > from) parts.push(text.slice(from, at))
      from = at + 1
    } else if (mark === '"' && at >= openUntil) {
      quoted.lastIndex = at
      const [all, close] = quoted.exec(text)!
      if (close === '') openUntil = at + all.length
      else at += all.length - 1
    }
  }
  return parts
}

function entriesIn(text: string): Sent[] {
  return partsOf(text).flatMap(part => {
    const [, quoted, bare, rest = part] = /^\s*(?:("(?:[^"\\]|\\.)*")|([^:"]{1,40})):\s+(.*)$/s.exec(part) ?? []
    const value = withoutApostrophe(rest.trim())
    if (value === '') return []
    const label = quoted === undefined ? bare?.trim() : labelIn(quoted)
    return [label === undefined ? { value } : { value, label }]
  })
}

function labelIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted.slice(1, -1)
  }
}

function onlyOnce(entries: readonly Sent[]): Sent[] {
  const known = new Set<string>()
  return entries.filter(({ value }) => {
    const mark = String(value).toLowerCase()
    return !known.has(mark) && known.add(mark)
  })
}

const addressParts = ['street', 'city', 'postal_code', 'region', 'country'] as const

/** The primary address in a column for each part; the others as JSON in a column of their own. */
export const addressCells: Cells = {
  parts: [...addressParts, 'label', 'others'],
  onlyRead: [''],
  isText: true,
  maxLength: longestCell,
  write(value) {
    const [first, ...others] = primaryFirst(value)
    const address = first!.value as Record<string, string | null>
    const parts = addressParts.map(part => address[part] ?? '')
    const more = others.map(({ value: other, label }) => ({ value: other, label }))
    return [...parts, first!.label ?? '', more.length === 0 ? '' : JSON.stringify(more)]
  },
  read(texts) {
    const [whole] = texts[''] ?? []
    const parts = addressParts.flatMap(part => {
      const [text] = texts[part] ?? []
      return text === undefined ? [] : [[part, part === 'country' ? text.toUpperCase() : text] as const]
    })
    // An address in one cell is a street: nobody can say where its parts end.
    const address = { ...(whole !== undefined && { street: whole }), ...Object.fromEntries(parts) }
    const [label] = texts['label'] ?? []
    const first = Object.keys(address).length === 0 ? [] : [{ value: address, ...(label && { label }) }]
    const others = othersIn(texts['others']?.[0])
    if ('code' in others) return others
    const all = [...first, ...others.value]
    return all.length === 0 ? undefined : { value: all }
  },
}

function othersIn(text: string | undefined): { value: unknown[] } | { code: string; message: string } {
  if (text === undefined) return { value: [] }
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { value }
  } catch {
    // Said below.
  }
  return { code: 'wrong_format', message: 'must be a list of addresses as JSON, as exports write it' }
}
