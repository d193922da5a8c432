// What is said of a noun: one value, from which everything else about it is made when the process starts (noun.ts).

import type { Principal } from '../access/principal.ts'
import type { Category } from '../endpoint/endpoint.ts'
import type { Role } from '../values/role.ts'
import type { AnyField, Body, Fields, NamesOf, NounRecord, Patch, Row, Values } from './field.ts'

/** Who changes a record, and when. `isImport` says that it is created as a file has it. */
export type Actor = Pick<Principal, 'userId' | 'role' | 'settings'> & { nowMs: number; isImport: boolean }

/** What rules are given of the records that a record names, by field; missing where the field is not set now. */
export type Named<F extends Fields> = { [Name in NamesOf<F, 'ref' | 'user'>]?: Readonly<Record<string, unknown>> }

/** The type of an event, and what it says beside the record. */
export type Said = string | { type: string; more: Readonly<Record<string, unknown>> }

/** By field, the id of a record. */
export type Chosen = Readonly<Record<string, string>>

/** What comes of a change: the values to set, and events beside `created` or `updated`; or in their place, where they say all of it. */
export type Change<F extends Fields> = { set: Partial<Values<F>>; also?: readonly Said[]; instead?: readonly Said[] }

export const verbs = [
  'list',
  'get',
  'create',
  'update',
  'delete',
  'restore',
  'bulk',
  'merge',
  'duplicates',
  'history',
  'export',
] as const
export type Verb = (typeof verbs)[number]

type Names<F> = keyof F & string
type OtherRole = Exclude<Role, 'Admin'>

export type Spec<One extends string, Many extends string, F extends Fields> = {
  /** As in events and paths: `company`, `companies`. */
  names: readonly [one: One, many: Many]
  /** What ids begin with: `cmp`. Left out, ids are numbers. */
  prefix?: string
  category: Category
  about: string
  fields: F
  /** The field that a record is called by. */
  title: NamesOf<F, 'text' | 'long_text'>
  /** What totals are counted by beside the owner, at most three; their number of combinations is that of the counters. */
  facets: readonly NamesOf<F, 'choice' | 'state' | 'ref'>[]
  /** How lists are sorted when nobody says, and what an index has in order. */
  order: { first: string; indexed: readonly Names<F>[] }
  /** Whose records a role sees: with `own`, only those that it owns, and with `unassigned: 'seen'` those that nobody owns. */
  rows?: { owner: NamesOf<F, 'user'>; unassigned: 'seen' | 'hidden'; own: readonly OtherRole[] }
  /** By what two records are the same. */
  match?: readonly Names<F>[]
  /** Roles that hold each right, beside Admin. */
  roles: {
    read: readonly OtherRole[]
    create: readonly OtherRole[]
    update: readonly OtherRole[]
    delete: readonly OtherRole[]
  }
  /**
   * An SQL function of fields and values (two arrays) that answers rows `(field, value, record_id)`, in place of the table of keys: where
   * the rows have indexes of their own.
   */
  keyFinder?: string
  /** What else can be put on its records: notes, tasks, files and tags, where nothing is said. */
  holds?: 'nothing'
  /** Whether no two records are the same by what they are matched by, whatever the organization says about duplicates. */
  unique?: true
  /** Events beside created, updated, deleted, restored and merged. */
  events?: Readonly<Record<string, string>>
  only?: readonly Verb[]
  /** Verbs that it has, and whose endpoints are written by hand. */
  byHand?: readonly Verb[]
  /** What the documents say of a verb in place of the events that it writes. */
  says?: Partial<Record<'update', string>>
  /** What is decided of a new record. @throws Problem */
  create?(draft: Row<F>, named: Named<F>, actor: Actor): Change<F>
  /** What is decided of a change. `patch` has the values that differ. @throws Problem */
  change?(row: Row<F>, patch: Patch<F>, named: Named<F>, actor: Actor): Change<F>
  /** That a record stands elsewhere now, where a merge or an undoing brought it there; left out, the tables of its states say it. */
  moved?(before: Row<F>, after: Row<F>): Said | undefined
  /**
   * What is otherwise in a record that others are merged into. `put` has the values put together, field by field; `all` begins with the
   * one that stays; `chosen` says by field from which record the request takes its value. @throws Problem
   */
  merge?(put: Row<F>, all: readonly Row<F>[], chosen: Chosen): Partial<Values<F>>
  /** A creation and what comes of it, for the documents. */
  sample: Body<F>
  /** Of fields that are set otherwise than by these rules, what the documents show. */
  sampleShown?: Partial<Values<F>>
}

/** Of each record that a field names, what rules may ask of it. */
export type Facts = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type AnyChange = { set: Record<string, unknown>; also?: readonly Said[]; instead?: readonly Said[] }

/** A noun of any shape, as the parts of this folder know it. */
export type AnySpec = Omit<Spec<string, string, Record<string, AnyField>>, 'create' | 'change' | 'moved' | 'merge'> & {
  create?(draft: NounRecord, named: Facts, actor: Actor): AnyChange
  change?(record: NounRecord, patch: Record<string, unknown>, named: Facts, actor: Actor): AnyChange
  moved?(before: NounRecord, after: NounRecord): Said | undefined
  merge?(put: NounRecord, all: readonly NounRecord[], chosen: Chosen): Record<string, unknown>
}

/** Whether records of a noun are the same as others by something. */
export function isMatched({ match }: AnySpec): boolean {
  return match !== undefined && match.length > 0
}

/** Whether those that are the same may stand beside each other, and are listed. */
export function mayRepeat(spec: AnySpec): boolean {
  return isMatched(spec) && spec.unique !== true
}

/** What can be done with records of a noun, by endpoints of its own. */
export function verbsOf(spec: AnySpec): readonly Verb[] {
  return (spec.only ?? verbs).filter(verb => verb !== 'duplicates' || mayRepeat(spec))
}
