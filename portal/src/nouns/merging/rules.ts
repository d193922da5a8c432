// What a merge makes of several records, before it is made: which fields differ, whose value is kept, what lists have then. As the server
// does it: what is empty in the one that stays is filled from the others, the first that has it. Pure.
import { isList } from '../drafts.ts'
import { type Entry, fieldValue, type NounDescription, type NounField, type NounRecord } from '../noun.ts'

/** By field, the record whose value the person has chosen. */
export type Choices = Readonly<Record<string, string>>

/** So many entries a list has at most. */
const maxEntries = 20

const idOf = ({ id }: NounRecord) => String(id)

/** The one that is there longest. */
export function oldestOf(records: readonly NounRecord[]): string {
  const [oldest] = [...records].sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
  return oldest === undefined ? '' : idOf(oldest)
}

/** The one that stays, and the others in their order. */
export function survivorFirst(records: readonly NounRecord[], survivor: string): readonly NounRecord[] {
  return [...records].sort((a, b) => Number(idOf(b) === survivor) - Number(idOf(a) === survivor))
}

/** What a record brings into the merge: one of the records that become one is nobody's parent then, and no value. */
export function broughtBy(
  noun: NounDescription,
  field: NounField,
  record: NounRecord,
  ids: readonly string[],
): unknown {
  const value = fieldValue(field, record)
  if (field.of !== noun.one) return value
  if (Array.isArray(value)) return (value as Entry[]).filter(entry => !ids.includes(String(entry.value)))
  return ids.includes(String(value)) ? null : value
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)
const spelled = (value: unknown) => (isNothing(value) ? '' : JSON.stringify(value))

/** What is chosen: fields that a form sets, and a state with the reason that goes with it. */
const isCompared = ({ fixed, reason }: NounField) => fixed !== true || reason !== undefined

/** Those of which the records have different values, and the others. */
export function comparedFields(noun: NounDescription, records: readonly NounRecord[]) {
  const ids = records.map(idOf)
  const fields = noun.fields.filter(isCompared)
  const differs = (field: NounField) =>
    new Set(records.map(record => spelled(broughtBy(noun, field, record, ids)))).size > 1
  return { different: fields.filter(differs), same: fields.filter(field => !differs(field)) }
}

/** Those of the records whose value can be kept. */
export function choosable(field: NounField, records: readonly NounRecord[]): readonly NounRecord[] {
  const kept = records.filter(record => field.keeps !== undefined && fieldValue(field, record) === field.keeps)
  return kept.length === 0 ? records : kept
}

/** The record whose value is kept: the chosen one, or the first that has one. */
export function keptFrom(
  noun: NounDescription,
  field: NounField,
  records: readonly NounRecord[],
  survivor: string,
  choices: Choices,
): string {
  const ids = records.map(idOf)
  const among = choosable(field, records)
  const chosen = choices[field.name]
  if (chosen !== undefined && among.map(idOf).includes(chosen)) return chosen
  const first = survivorFirst(among, survivor).find(record => !isNothing(broughtBy(noun, field, record, ids)))
  return first === undefined ? survivor : idOf(first)
}

/** The choices that a merge does not make by itself, as it is sent them. */
export function takeOf(
  noun: NounDescription,
  records: readonly NounRecord[],
  survivor: string,
  choices: Choices,
): Record<string, string> {
  return Object.fromEntries(
    noun.fields.flatMap(field => {
      const [kept, usual] = [choices, {}].map(made => keptFrom(noun, field, records, survivor, made))
      return choices[field.name] === undefined || kept === usual ? [] : [[field.name, kept as string]]
    }),
  )
}

/** How many entries of a list there are together, and how many of them have no room. */
export function unitedCount(field: NounField, records: readonly NounRecord[]): { count: number; left: number } {
  const all = records.flatMap(record => (fieldValue(field, record) ?? []) as Entry[])
  const count = new Set(all.map(({ value }) => JSON.stringify(value).toLowerCase())).size
  return { count: Math.min(count, maxEntries), left: Math.max(0, count - maxEntries) }
}

export { isList as isUnited }
