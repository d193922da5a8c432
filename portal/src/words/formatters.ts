// The formatters of `Intl`, one for each locale and set of options: to make one takes longer than to use it.
import { currentLocale } from './language.ts'

const kept = new Map<string, unknown>()

function once<Formatter>(kind: string, locale: string, options: object | undefined, make: () => Formatter): Formatter {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const known = kept.get(key) as Formatter | undefined
  if (known !== undefined) return known
  const made = make()
  kept.set(key, made)
  return made
}

type Locales = Intl.LocalesArgument
const tagOf = (locales: Locales) => String(locales ?? currentLocale())

/** As `icu-minify` asks for them. */
export const formatters = {
  getDateTimeFormat: (locales?: Locales, options?: Intl.DateTimeFormatOptions) =>
    once('date', tagOf(locales), options, () => new Intl.DateTimeFormat(tagOf(locales), options)),
  getNumberFormat: (locales?: Locales, options?: Intl.NumberFormatOptions) =>
    once('number', tagOf(locales), options, () => new Intl.NumberFormat(tagOf(locales), options)),
  getPluralRules: (locales?: Locales, options?: Intl.PluralRulesOptions) =>
    once('plural', tagOf(locales), options, () => new Intl.PluralRules(tagOf(locales), options)),
}

/** The named formats of messages: `{at, date, medium}`, `{share, number, percent}`. */
export const formats = {
  date: { short: { dateStyle: 'short' }, medium: { dateStyle: 'medium' }, long: { dateStyle: 'long' } },
  time: { short: { timeStyle: 'short' }, medium: { timeStyle: 'medium' } },
  number: { percent: { style: 'percent' } },
} as const

export const relativeFormat = (options: Intl.RelativeTimeFormatOptions) =>
  once('relative', currentLocale(), options, () => new Intl.RelativeTimeFormat(currentLocale(), options))

export const listFormat = (options: Intl.ListFormatOptions) =>
  once('list', currentLocale(), options, () => new Intl.ListFormat(currentLocale(), options))

export const displayNames = (options: Intl.DisplayNamesOptions) =>
  once('names', currentLocale(), options, () => new Intl.DisplayNames(currentLocale(), options))
