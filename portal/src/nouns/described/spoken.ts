// Nouns in the language of the reader: what their own texts say of them (`said`), and else what the server says.
import { currentLocale } from '../../words/language.ts'
import type { NounDescription, NounField } from '../noun.ts'

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
  const { said: texts, words } = noun
  const fields = noun.fields.map(field => sayField(noun, field))
  const labelOf = (label: string) => fields[noun.fields.findIndex(field => field.label === label)]?.label ?? label
  const a = texts?.name('a')
  return {
    ...noun,
    words: {
      one: texts?.name('one') ?? words.one,
      many: texts?.name('many') ?? words.many,
      ...(a !== undefined && { a }),
    },
    about: texts?.name('about') ?? noun.about,
    fields,
    ...(noun.searched !== undefined && { searched: noun.searched.map(labelOf) }),
    related: noun.related.map(one => ({ ...one, title: texts?.related?.(one.noun) ?? one.title })),
  }
}

function sayField({ said: texts }: NounDescription, field: NounField): NounField {
  const { name, label, about, choices = [], groups } = field
  const words = choices.map(value => [value, texts?.choice(name, value) ?? value.replaceAll('_', ' ')] as const)
  return {
    ...field,
    label: texts?.field(name) ?? label,
    about: texts?.hint(name) ?? about,
    ...(choices.length > 0 && { texts: Object.fromEntries(words) }),
    ...(groups !== undefined && {
      groups: groups.map(group => ({ ...group, label: texts?.choice(name, group.value) ?? group.label })),
    }),
  }
}
