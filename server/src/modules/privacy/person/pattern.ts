// By what rows about a person are known: one regular expression of their e-mail addresses, telephone numbers and names, in the part of the
// language that PostgreSQL (ARE) and JavaScript read alike. It is used without regard for case.
import { nationalDigits } from '../../../kernel/values/phone.ts'

export type Identifiers = {
  readonly names: readonly string[]
  readonly emails: readonly string[]
  readonly phones: readonly string[]
}

/** What stands between the digits of a number as people write it. */
const gap = '[ ()./-]{0,3}'
/** Not behind a digit, but behind an encoded blank or plus sign of an address (%20, %2B). */
const digitBefore = '(?:(?<![0-9])|(?<=%20)|(?<=%2B))'
const wordBefore = '(?:(?<![a-z0-9])|(?<=%20)|(?<=%22)|(?<=%3D))'
const wordAfter = '(?![a-z0-9])'

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** @param email in small letters */
function emailPattern(email: string): string {
  return `(?:(?<![a-z0-9._+-])|(?<=%[0-9A-F][0-9A-F]))${quoted(email).replace('@', '(?:@|%40)')}(?![a-z0-9-]|\\.[a-z0-9])`
}

/** With the country code, whatever is in front of it, and as it is dialled within its country. @param phone E.164 */
function phonePattern(phone: string): string {
  const spelled = (digits: string) => [...digits].join(gap)
  const national = nationalDigits(phone)
  const forms = [spelled(phone.replace(/^\+/, ''))]
  if (national !== undefined && national.length >= 8) forms.push(`(?:0${gap})?${spelled(national)}`)
  return `${digitBefore}(?:\\+|%2B|00)?(?:${forms.join('|')})(?![0-9])`
}

/** The whole name, in its order or with the last word first. A single word could be anybody's: undefined. */
function namePattern(name: string): string | undefined {
  const spellings = new Set(
    [name, name.normalize('NFKD').replaceAll(/\p{M}/gu, '')].map(text => text.toLowerCase().trim()),
  )
  const forms = [...spellings].flatMap(text => {
    const words = text.split(/\s+/)
    if (words.length < 2) return []
    const between = '(?:[ +_.,]|%20|%2C){1,3}'
    return [words, [words.at(-1) as string, ...words.slice(0, -1)]].map(some => some.map(quoted).join(between))
  })
  return forms.length === 0 ? undefined : `${wordBefore}(?:${[...new Set(forms)].join('|')})${wordAfter}`
}

/** @returns undefined where nothing of it names only one person */
export function personPattern({ names, emails, phones }: Identifiers): string | undefined {
  const parts = [
    ...emails.map(emailPattern),
    ...phones.map(phonePattern),
    ...names.flatMap(name => namePattern(name) ?? []),
  ]
  return parts.length === 0 ? undefined : parts.join('|')
}

/** The same for a legal hold, which also knows rows by the ids of records, and not by names. */
export function holdPattern({ emails, phones }: Identifiers, records: readonly string[]): string {
  const ids = records.map(id => `(?<![a-z0-9])${quoted(id)}(?![a-z0-9])`)
  return [...emails.map(emailPattern), ...phones.map(phonePattern), ...ids].join('|')
}
