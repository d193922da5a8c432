// Who is to get a text that goes to many: read out of what was typed or pasted, or out of the records that were selected.
import type { NounRecord } from '../../nouns/noun.ts'

/** `to` as it was typed, and the name that stood beside it. */
export type Recipient = { to: string; name?: string }

/** What a name is put in place of. */
export const namePlaceholder = '{{name}}'
const namePlace = /\{\{\s*name\s*\}\}/g

const looksLikeNumber = (text: string) => /^[+(]?[\d\s().\-/]*\d[\d\s().\-/]*$/.test(text) && /\d.*\d.*\d/.test(text)

/**
 * One recipient a line, or several separated by commas, semicolons or tabs, as lists and spreadsheets have them. What is no number is the
 * name of the number before it, or of the one behind it where it begins the line; a line without a number is `numberless`.
 */
export function recipientsIn(text: string): Recipient[] {
  return text.split(/\r?\n/).flatMap(recipientsOfLine)
}

function recipientsOfLine(line: string): Recipient[] {
  const parts = line
    .split(/[\t,;]/)
    .map(part => part.trim())
    .filter(part => part !== '')
  if (parts.length > 0 && !parts.some(looksLikeNumber)) return [{ to: line.trim() }]
  const found: Recipient[] = []
  let before: string[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (looksLikeNumber(part)) found.push({ to: part, ...(before.length > 0 && { name: before.join(' ') }) })
    else if (last === undefined) before.push(part)
    else last.name = last.name === undefined ? part : `${last.name} ${part}`
    if (found.length > 0) before = []
  }
  return found
}

/** Those whose `to` cannot be a telephone number at all. */
export const numberless = (recipients: readonly Recipient[]) =>
  recipients.filter(({ to }) => !looksLikeNumber(to) || to.length > 40)

/** As they are typed, one a line. */
export const linesOf = (recipients: readonly Recipient[]) =>
  recipients.map(({ to, name }) => (name === undefined ? to : `${to}, ${name}`)).join('\n')

const digitsOf = (to: string) => to.replace(/\D/g, '').replace(/^00/, '') || to

/** Each number once, as it stood first. */
export function onceEach(recipients: readonly Recipient[]): Recipient[] {
  const first = new Map<string, Recipient>()
  for (const one of recipients) if (!first.has(digitsOf(one.to))) first.set(digitsOf(one.to), one)
  return [...first.values()]
}

/** The text as one recipient gets it. */
export function textFor(body: string, { name }: Recipient): string {
  return name === undefined ? body : body.replaceAll(namePlace, () => name)
}

/** Placeholders that stand for nothing: `{{company}}`. */
export function unknownPlaceholders(body: string): string[] {
  const all = body.match(/\{\{[^{}]*\}\}/g) ?? []
  return [...new Set(all)].filter(one => one.search(namePlace) === -1)
}

/** Those of whom a text says the name, which is not known. */
export function namelessOf(body: string, recipients: readonly Recipient[]): Recipient[] {
  return body.search(namePlace) === -1 ? [] : recipients.filter(({ name }) => name === undefined)
}

type Entry = { value?: unknown; is_primary?: boolean }

/** The number of a record, where it has one: `phone`, or the main one of `phones`. */
function numberOf(record: NounRecord): string | undefined {
  const phones = (record['phones'] ?? []) as readonly Entry[]
  const number = record['phone'] ?? (phones.find(({ is_primary }) => is_primary) ?? phones[0])?.value
  return number == null || number === '' ? undefined : String(number)
}

export type Selected = {
  recipients: Recipient[]
  /** Have no number. */
  unreachable: number
  /** Have not agreed to be sent texts, by number. */
  unagreed: ReadonlySet<string>
}

/** The recipients among selected records of one kind. */
export function recipientsOf(records: readonly NounRecord[]): Selected {
  const unagreed = new Set<string>()
  const recipients = records.flatMap(record => {
    const to = numberOf(record)
    if (to === undefined) return []
    if (record['sms_consent'] === false) unagreed.add(to)
    const name = record['name']
    return [{ to, ...(name != null && name !== '' && { name: String(name) }) }]
  })
  return { recipients, unreachable: records.length - recipients.length, unagreed }
}
