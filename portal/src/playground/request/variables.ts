// Variables: `{{leadId}}` in a path, query, header or body stands for a value kept beside the request, usually one that
// an earlier answer gave. With blanks, `{{ name }}`, it is text and sent as it stands: templates of mails are written so.
import { singularOf } from '@tandem/catalog/plural'

export type Variable = {
  name: string
  value: string
  /** Where the value came from, for people: `POST /v1/api/leads → /lead/id`. */
  source?: string
}

const REFERENCE = /\{\{([A-Za-z_][\w.-]*)\}\}/g
const NAME = /^[A-Za-z_][\w.-]{0,63}$/

/** Names are letters, digits, `_`, `.` and `-`, and begin with a letter or `_`; at most 64 characters. */
export function isVariableName(name: string): boolean {
  return NAME.test(name)
}

export type Lookup = (name: string) => string | undefined

/** A lookup over a list; of two with one name the last counts. */
export function lookupIn(variables: readonly Variable[]): Lookup {
  const byName = new Map(variables.map(variable => [variable.name, variable.value]))
  return name => byName.get(name)
}

/** Text with known variables filled in. Unknown ones stay as written and are reported in `missing`. */
export function fill(text: string, lookup: Lookup, missing: Set<string>): string {
  return text.replace(REFERENCE, (whole, name: string) => known(name, whole, lookup, missing))
}

/** As `fill`, for a JSON body: inside a string the value is escaped, outside it is written as it stands. */
export function fillJson(text: string, lookup: Lookup, missing: Set<string>): string {
  if (!text.includes('{{')) return text
  let result = ''
  let last = 0
  let inString = false
  let scanned = 0
  for (const match of text.matchAll(REFERENCE)) {
    for (; scanned < match.index; scanned++) {
      if (inString && text[scanned] === '\\') scanned++
      else if (text[scanned] === '"') inString = !inString
    }
    const value = known(match[1]!, match[0], lookup, missing)
    const filled = value === match[0] || !inString ? value : JSON.stringify(value).slice(1, -1)
    result += text.slice(last, match.index) + filled
    last = match.index + match[0].length
    scanned = Math.max(scanned, last)
  }
  return result + text.slice(last)
}

function known(name: string, whole: string, lookup: Lookup, missing: Set<string>): string {
  const value = lookup(name)
  if (value !== undefined) return value
  missing.add(name)
  return whole
}

/** The list with a variable set; a name that is there keeps its place. */
export function setVariable(list: readonly Variable[], variable: Variable): Variable[] {
  const index = list.findIndex(item => item.name === variable.name)
  if (index === -1) return [...list, variable]
  return list.map((item, at) => (at === index ? variable : item))
}

/**
 * A good name for a value found at a pointer: `/lead/id` → leadId, `/data/0/messageId` → messageId. Words that say
 * nothing (data, items, numbers) are passed over; a name in use gets a number.
 */
export function suggestName(pointer: string, taken: readonly string[]): string {
  const words = pointer
    .split('/')
    .slice(1)
    .map(word => word.replaceAll('~1', '/').replaceAll('~0', '~'))
    .filter(word => !/^\d+$/.test(word) && !['data', 'items', 'meta', 'result'].includes(word))
  const last = words.at(-1) ?? 'value'
  const before = words.at(-2)
  const bare = ['id', 'number', 'status', 'name', 'type', 'code'].includes(last)
  const joined = bare && before !== undefined ? `${singularOf(before)}_${last}` : last
  const name = camel(joined) || 'value'
  if (!taken.includes(name)) return name
  let count = 2
  while (taken.includes(`${name}${count}`)) count++
  return `${name}${count}`
}

function camel(text: string): string {
  const words = text.match(/[A-Za-z0-9]+/g) ?? []
  const joined = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('')
  return /^\d/.test(joined) ? `_${joined}`.slice(0, 64) : joined.slice(0, 64)
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1)
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
