// Fields of text: names, long texts, e-mails, telephone numbers, internet domains, languages.
import { sql } from 'kysely'
import { Type } from 'typebox'
import { Email, PhoneInput, PhoneNumber } from '../endpoint/schema.ts'
import { cleanText } from '../values/clean_text.ts'
import { parsePhone, phoneFault } from '../values/phone.ts'
import type { Common, Field, NeedOf, Read, Reading } from './field.ts'
import { byText, columnOf, emptyFilter, isNeeded, make, plain, sameAs } from './field_parts.ts'

const lengthCheck = (max: number) => (column: string) => `length(${column}) between 1 and ${max}`

function readText(value: unknown): Read {
  const text = cleanText(value as string)
  return text === null ? { code: 'required', message: 'must not be empty' } : { value: text }
}

type TextOptions = Common & { max: number }
/** Long texts are left out of lists that do not name them; not those that a list is of. */
type LongTextOptions = TextOptions & { isListed?: true }

function text<const O extends TextOptions>(options: O): Field<string, string, NeedOf<O>, 'text'> {
  const { max, about } = options
  const required = isNeeded(options)
  const shown = Type.String({ minLength: 1, maxLength: max, description: about })
  const parts = plain('text', shown, {
    // What is sent empty empties the field.
    sent: required
      ? { ...shown, pattern: '\\S', errorMessage: 'must not be empty' }
      : Type.String({ maxLength: max, description: about }),
    check: lengthCheck(max),
    required,
    read: readText,
    order: byText,
    words: value => [value as string],
    identity: value => [(value as string).toLowerCase()],
    filters: name => [
      {
        parameter: name,
        schema: Type.String({ maxLength: max, description: 'Exactly this.' }),
        condition: (value: string) => sql`${columnOf(name)} = ${cleanText(value)}`,
      },
      {
        parameter: `${name}[begins]`,
        schema: Type.String({ minLength: 1, maxLength: max, description: 'Begins with this.' }),
        condition: (value: string) => sql`starts_with(${columnOf(name)}, ${value.normalize('NFC')})`,
      },
      ...(required ? [] : [emptyFilter(name)]),
    ],
  })
  return make('text', options, parts, { maxLength: max })
}

function longText<const O extends LongTextOptions>(options: O): Field<string, string, NeedOf<O>, 'long_text'> {
  const shown = Type.String({ minLength: 1, maxLength: options.max, description: options.about })
  const parts = plain('text', shown, {
    ...(!isNeeded(options) && { sent: Type.String({ maxLength: options.max, description: options.about }) }),
    check: lengthCheck(options.max),
    required: isNeeded(options),
    read: readText,
    words: value => [value as string],
    filters: name => (isNeeded(options) ? [] : [emptyFilter(name)]),
  })
  return make('long_text', options, parts, { maxLength: options.max, long: options.isListed !== true })
}

function readEmail(value: unknown): Read {
  return { value: cleanText(value as string) }
}

function email<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'email'> {
  const parts = plain('text', Type.String({ maxLength: 254, description: options.about }), {
    sent: { ...Email, description: options.about },
    check: column => `length(${column}) between 3 and 254`,
    required: isNeeded(options),
    read: readEmail,
    order: byText,
    words: value => [value as string],
    identity: value => [(value as string).toLowerCase()],
    filters: name => [
      {
        parameter: name,
        schema: { ...Email, description: 'Exactly this, in any case of letters.' },
        condition: (value: string) => sql`lower(${columnOf(name)}) = lower(${cleanText(value)})`,
      },
      emptyFilter(name),
    ],
  })
  return make('email', options, parts)
}

/** The E.164 form of a number in any usual spelling; one without + is read as a number of the organization's country. */
export function readPhone(value: unknown, { defaultCountry }: Pick<Reading, 'defaultCountry'>): Read {
  const phone = parsePhone(value as string, defaultCountry ?? undefined)
  if (phone !== undefined) return { value: phone }
  return phoneFault(defaultCountry)
}

function phone<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'phone'> {
  const parts = plain(
    'text collate "C"',
    { ...PhoneNumber, description: options.about },
    {
      sent: { ...PhoneInput, description: options.about },
      check: column => `${column} ~ '^\\+[1-9][0-9]{5,14}$'`,
      required: isNeeded(options),
      read: readPhone,
      words: value => [value as string],
      identity: value => [value as string],
      filters: name => [sameAs(name, PhoneInput, readPhone), emptyFilter(name)],
    },
  )
  return make('phone', options, parts)
}

/** `https://www.Example.com/about` is example.com: what is meant where a company's internet domain is asked for. */
function readDomain(value: unknown): Read {
  const text = String(value).trim()
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '').replace(/\.$/, '') : ''
  if (/^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/.test(host))
    return { value: host }
  return { code: 'wrong_format', message: 'must be an internet domain, such as example.com' }
}

function domain<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'domain'> {
  const schema = Type.String({ minLength: 3, maxLength: 300, description: options.about, examples: ['example.com'] })
  const parts = plain('text collate "C"', schema, {
    check: column => `length(${column}) between 3 and 253`,
    required: isNeeded(options),
    read: readDomain,
    order: byText,
    words: value => [value as string],
    identity: value => [value as string],
    filters: name => [sameAs(name, schema, readDomain), emptyFilter(name)],
  })
  return make('domain', options, parts)
}

/** A language by its tag (BCP 47), such as de or pt-BR. */
function language<const O extends Common>(options: O): Field<string, string, NeedOf<O>, 'language'> {
  const schema = Type.String({ minLength: 2, maxLength: 35, description: options.about, examples: ['de', 'pt-BR'] })
  const read = (value: unknown): Read => {
    try {
      const [tag] = Intl.getCanonicalLocales(String(value).trim())
      return { value: tag }
    } catch {
      return { code: 'wrong_format', message: 'must be the tag of a language, such as de or pt-BR' }
    }
  }
  const parts = plain('text collate "C"', schema, {
    check: column => `length(${column}) between 2 and 35`,
    required: isNeeded(options),
    read,
    filters: name => [sameAs(name, schema, read), emptyFilter(name)],
  })
  return make('language', options, parts)
}

export const textKinds = { text, longText, email, phone, domain, language }
