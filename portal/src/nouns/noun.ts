// What the portal knows of a noun: its names, its fields with their kinds, and what may be done with it. Nouns of the server's `noun({…})`
// are described by `npm run generate` (described/); others by hand in their folders, until they are such nouns too.
import { withArticle } from '@tandem/catalog/plural'
import { currentLanguage } from '../words/language.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

export type FieldKind =
  | 'text'
  | 'long_text'
  | 'email'
  | 'phone'
  | 'domain'
  | 'language'
  | 'choice'
  | 'state'
  | 'boolean'
  | 'integer'
  | 'date'
  | 'moment'
  | 'money'
  | 'emails'
  | 'phones'
  | 'addresses'
  | 'user'
  | 'ref'
  | 'refs'
  | 'tags'

export type NounField = {
  /** As the API has it. */
  name: string
  /** As people read it. */
  label: string
  kind: FieldKind
  about: string
  /** What the values of a boolean are called where they are no "Yes" and "No". */
  words?: Readonly<{ true: string; false: string }>
  /** Never empty. */
  required?: true
  /** What a new record has when nothing is sent. */
  initial?: unknown
  /** The words of a choice or a state. */
  choices?: readonly string[]
  /** The same as people read them. */
  texts?: Readonly<Record<string, string>>
  maxLength?: number
  /** The noun that it names. */
  of?: string
  /** The parameters of the list that filter by it. */
  filters?: readonly string[]
  sortable?: true
  /** Shown, and changed by other means than a form: when it was created, what a rule decides. */
  fixed?: true
  /** Its value, where the record has it elsewhere than under its name. */
  read?(record: NounRecord): unknown
  /** Several words of a choice at once, which a filter offers beside the single ones: `Sent,Overdue`. */
  groups?: readonly { value: string; label: string }[]
  /** Of a state: the field that says why a record came to one of these, and whether it must; it goes with the state. */
  reason?: Readonly<{ field: string; at: Readonly<Record<string, 'required' | 'optional'>> }>
  /** The state that records come to one by one only, and that a merge keeps where one of the records has it. */
  keeps?: string
  /** How wide its column is until somebody chooses another width. */
  px?: number
}

export type NounVerb =
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'bulk'
  | 'merge'
  | 'duplicates'
  | 'history'
  | 'export'
  | 'import'

/** Records of another noun that name records of this one. */
export type Related = {
  noun: string
  title: string
  field: string
  parameter: string
  permission: string
  /** The field is set by rules alone, so that none is created from here. */
  fixed?: true
}

export type NounDescription = {
  /** As in events and in the SDK: `company`, `companies`. */
  one: string
  many: string
  /** In texts: "company", "companies", and as one that is created: "a company", „Unternehmen“. */
  words: { one: string; many: string; a?: string }
  about: string
  /** What ids begin with; where it is left out, ids are numbers. */
  prefix?: string
  fields: readonly NounField[]
  /** The field that a record is called by. */
  title: string
  /** Columns of a list when nobody has chosen others. */
  columns: readonly string[]
  /** Fields that the toolbar filters by. */
  facets: readonly string[]
  /** The order of its list when nobody has chosen another; left out where the list has one order, and no filters by times. */
  sort?: string
  /** What a search looks through; left out where there is no search. */
  searched?: readonly string[]
  /** Where states move: from each, the ones it may come to. */
  moves?: Readonly<Record<string, readonly string[]>>
  /** Roles that change only records that they own, by this field; others they may take where nobody owns them. */
  rows?: { owner: string; own: readonly string[] }
  /** Whether a field may be changed as the record is now; where it is left out, every field may at all times. */
  mayChange?(record: NounRecord, field: string): boolean
  /** Fields whose records can be asked for with the record, by their titles. */
  includes: readonly string[]
  verbs: readonly NounVerb[]
  /** How many are made one at once, where that can be done. */
  maxMerged?: number
  /** The fields by which a row of a file, or a new record, is the same as one that is there. */
  match?: readonly string[]
  /** Notes, tasks, files and tags are put on its records. */
  holds?: true
  /** Permissions that are not called by the noun and the verb. */
  permissions?: Readonly<Partial<Record<'read' | 'create' | 'update' | 'delete', string>>>
  related: readonly Related[]
}

export type NounRecord = Readonly<Record<string, unknown>> & {
  id: string | number
  version: number
  created_at: string
  updated_at: string
  deleted_at?: string | null
}

/** An entry of a list of e-mails, numbers, addresses or records. */
export type Entry = { value: unknown; label: string | null; is_primary: boolean }
export type Address = {
  street: string | null
  postal_code: string | null
  city: string | null
  region: string | null
  country: string | null
}
export type MoneyValue = { amount: number; currency: string }

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

/** A label within a sentence: only English writes it small there. */
export const within = (label: string) => (currentLanguage() === 'en' ? label.toLowerCase() : label)

/** A word of a choice or state as people read it. */
export const wordOf = ({ texts }: NounField, value: string) => texts?.[value] ?? value.replaceAll('_', ' ')

export function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
