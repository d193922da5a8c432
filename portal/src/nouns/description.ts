// What describes a noun, and what its records are made of: types alone, which the generator of descriptions reads as well.

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

/** The texts of a noun in the reader's language, from the messages of its folder; undefined where they do not know something. */
export type Said = {
  name(what: 'one' | 'many' | 'a' | 'about'): string | undefined
  field(name: string): string | undefined
  hint(name: string): string | undefined
  choice(field: string, value: string): string | undefined
  /** The title of a list of related records, by their noun. */
  related?(many: string): string | undefined
}

export type NounDescription = {
  /** As in events and in the SDK: `company`, `companies`. */
  one: string
  many: string
  /** In texts: "company", "companies", and as one that is created: "a company", „Unternehmen“. */
  words: { one: string; many: string; a?: string }
  about: string
  said?: Said
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
  /** Its export has all there is of a record, and no choice of columns. */
  exportsAll?: true
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
