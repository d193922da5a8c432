// Nouns in the language of the reader: what our texts know of them, and else what the server says.
import { currentLocale } from '../../words/language.ts'
import type { NounDescription, NounField } from '../noun.ts'
import { t } from './texts.ts'

type Made = { locale: string; noun: NounDescription }
const made = new WeakMap<NounDescription, Made>()
/** By a noun as it was said, the one that was described. */
const described = new WeakMap<NounDescription, NounDescription>()

/** The noun as people read it; the same one until the language changes. */
export function spoken(noun: NounDescription): NounDescription {
  const raw = described.get(noun) ?? noun
  const known = made.get(raw)
  if (known?.locale === currentLocale()) return known.noun
  const said = say(raw)
  described.set(said, raw)
  made.set(raw, { locale: currentLocale(), noun: said })
  return said
}

function say(noun: NounDescription): NounDescription {
  const { one, fields } = noun
  const a = nameOf(one, 'a')
  const said = fields.map(field => sayField(one, field))
  return {
    ...noun,
    words: {
      one: nameOf(one, 'one') ?? noun.words.one,
      many: nameOf(one, 'many') ?? noun.words.many,
      ...(a !== undefined && { a }),
    },
    about: nameOf(one, 'about') ?? noun.about,
    fields: said,
    ...(noun.searched !== undefined && {
      searched: noun.searched.map(label => said[fields.findIndex(field => field.label === label)]?.label ?? label),
    }),
    related: noun.related.map(one => ({ ...one, title: relatedTitle(noun.one, one.noun) ?? one.title })),
  }
}

function sayField(one: string, field: NounField): NounField {
  const { name, label, about, choices = [], groups } = field
  const texts = choices.map(value => [value, choiceText(one, name, value)] as const)
  return {
    ...field,
    label: t.of(`${one}.field` as 'lead.field', name) ?? label,
    about: t.of(`${one}.hint` as 'lead.hint', name) ?? about,
    ...(choices.length > 0 && { texts: Object.fromEntries(texts) }),
    ...(groups !== undefined && {
      groups: groups.map(group => ({ ...group, label: wordOf(one, name, group.value) ?? group.label })),
    }),
  }
}

const nameOf = (one: string, what: string) => t.of(`${one}.name` as 'lead.name', what)
const relatedTitle = (one: string, many: string) => t.of(`${one}.related` as 'company.related', many)

const wordOf = (one: string, field: string, value: string) =>
  t.of(`${one}.choice` as 'lead.choice', `${field}.${value}`)

/** A word of a choice or state of a noun: `status`, `New`. */
export function choiceText(one: string, field: string, value: string): string {
  return wordOf(one, field, value) ?? value.replaceAll('_', ' ')
}

/** What people call one record of a noun, and one that is created; the name of the noun where our texts do not know it. */
export function nounWord(one: string, what: 'one' | 'a' = 'one'): string {
  return nameOf(one, what) ?? one.replaceAll('_', ' ')
}
