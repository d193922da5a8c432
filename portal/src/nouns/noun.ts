// What the portal knows of a noun: its names, its fields with their kinds, and what may be done with it. Nouns of the server's `noun({…})`
// are described by `npm run generate` (described/); others by hand in their folders, until they are such nouns too.
import { withArticle } from '@tandem/catalog/plural'
import { currentLanguage } from '../words/language.ts'
import { byLanguage } from '../words/words.ts'
import type { NounDescription, NounField, NounRecord } from './description.ts'
import { t } from './texts.ts'

export type * from './description.ts'

/** Times, which every record has. */
const stamps = byLanguage((): readonly NounField[] => [
  {
    name: 'created_at',
    label: t('createdAt'),
    kind: 'moment',
    about: t('createdAtHint'),
    sortable: true,
    fixed: true,
    filters: ['created_at[gte]', 'created_at[lte]'],
  },
  {
    name: 'updated_at',
    label: t('updatedAt'),
    kind: 'moment',
    about: t('updatedAtHint'),
    sortable: true,
    fixed: true,
    filters: ['updated_at[gte]', 'updated_at[lte]'],
  },
])

/** Of records that hold others; their lists are asked for it by other means. */
const tags = byLanguage(
  (): NounField => ({
    name: 'tags',
    label: t('tags'),
    kind: 'tags',
    about: t('tagsHint'),
    fixed: true,
    filters: ['tags', 'tags[all]'],
  }),
)

/** Every field that is shown, with tags, and the times where the noun does not describe them itself. */
export function fieldsOf({ fields, sort, holds }: NounDescription): readonly NounField[] {
  const times = sort === undefined ? stamps().map(({ sortable, filters, ...stamp }) => stamp) : stamps()
  return [
    ...fields,
    ...(holds === true ? [tags()] : []),
    ...times.filter(stamp => !fields.some(({ name }) => name === stamp.name)),
  ]
}

/** What a record has in a field. */
export function fieldValue(field: NounField, record: NounRecord): unknown {
  return field.read === undefined ? record[field.name] : field.read(record)
}

export function fieldNamed(noun: NounDescription, name: string): NounField | undefined {
  return fieldsOf(noun).find(field => field.name === name)
}

/** The words of a choice or state that a record may come to. */
export function movesOf(noun: NounDescription, field: NounField, record: NounRecord): readonly string[] {
  const now = String(record[field.name] ?? '')
  const all = (field.choices ?? []).filter(word => word !== now)
  return field.kind === 'state' && noun.moves !== undefined ? (noun.moves[now] ?? []) : all
}

/**
 * The state that no form changes, as it is moved of several records at once: with the words that any of them may come to.
 * @param mayMove whether the person may move a record there, where the states let them
 */
export function movedState(
  noun: NounDescription,
  records: readonly NounRecord[],
  mayMove: (record: NounRecord, to: string) => boolean = () => true,
): NounField | undefined {
  const field = noun.fields.find(({ kind, fixed }) => kind === 'state' && fixed === true)
  if (field === undefined || !isBatched(noun)) return undefined
  const mayCome = (word: string) =>
    records.some(record => movesOf(noun, field, record).includes(word) && mayMove(record, word))
  const choices = (field.choices ?? []).filter(word => word !== field.keeps && mayCome(word))
  return choices.length === 0 ? undefined : { ...field, choices, initial: choices[0] }
}

/** A field as an editor of a record offers it: of a state only what the record is, and where it may come to. */
export function offeredOf(noun: NounDescription, field: NounField, record: NounRecord): NounField {
  if (field.kind !== 'state' || noun.moves === undefined) return field
  return { ...field, choices: [String(record[field.name]), ...movesOf(noun, field, record)] }
}

export const permissionOf = (
  noun: Pick<NounDescription, 'many' | 'permissions'>,
  right: 'read' | 'create' | 'update' | 'delete',
) => noun.permissions?.[right] ?? `${noun.many}:${right}`

/** Whether there is anything to be done with several records at once. */
export const isSelectable = ({ verbs }: NounDescription) => verbs.includes('bulk') || verbs.includes('delete')

/** Whether records are changed in batches, by which its list is filtered. */
export const isBatched = ({ verbs }: NounDescription) => verbs.includes('bulk')

type Ids = Pick<NounDescription, 'one' | 'prefix'>

/** A record as notes, files and tags name it: `cmp_…`, `lead:12`. */
export const recordIdOf = ({ prefix, one }: Ids, id: string | number) =>
  prefix === undefined ? `${one}:${id}` : String(id)

/** A record as its own endpoints name it, however it is named: of `lead:12` that is 12. */
export const ownIdOf = ({ prefix, one }: Ids, id: string | number): string | number =>
  prefix === undefined ? Number(String(id).replace(`${one}:`, '')) : id

/** Where a list is, and where a record. */
export const pathOf = (noun: NounDescription) => `/${noun.many.replaceAll('_', '-')}`

export function titleOf(noun: NounDescription, record: NounRecord): string {
  const field = fieldNamed(noun, noun.title)
  return String((field && fieldValue(field, record)) ?? record.id)
}

/** "a company", "an invoice", "a user"; in German, which begins with the object, without an article. */
export function aOne({ words }: NounDescription): string {
  return words.a ?? (currentLanguage() === 'en' ? withArticle(words.one) : words.one)
}

/** A label within a sentence: only English writes it small there, but `SMS consent` stays. */
export const within = (label: string) =>
  currentLanguage() === 'en' && !/^\p{Lu}{2}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** A word of a choice or state as people read it. */
export const wordOf = ({ texts }: NounField, value: string) => texts?.[value] ?? value.replaceAll('_', ' ')

export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
