// What values name: records of other nouns, and the record that one is put on. They are looked up and held: a merge of them, or
// a move to the trash, waits for the end of the transaction, and what was merged or moved before is named no more.
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { type FieldFault, invalid, Problem } from '../values/problem.ts'
import { findHosts, hostFieldOf, requireUpdate } from './hosts.ts'
import { lockRecords } from './locks.ts'
import { fieldsOf, idsNamed } from './records.ts'
import { type NounTable, targetNamed } from './registry.ts'
import type { AnySpec, Facts } from './spec.ts'

type Values = Readonly<Record<string, unknown>>
type ById = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** Records that values name, held: by noun and id; and those that records are put on, by id. */
export type Held = { named: ReadonlyMap<string, ById>; hosts: ById }

/** Ids of all records that values name, by noun. */
function idsByNoun(spec: AnySpec, all: readonly Values[]): Map<string, Set<string | number>> {
  const wanted = new Map<string, Set<string | number>>()
  for (const [name, field] of fieldsOf(spec)) {
    const { of } = field
    if (of === undefined) continue
    for (const values of all)
      for (const id of idsNamed(field, values[name])) wanted.set(of, (wanted.get(of) ?? new Set()).add(id))
  }
  return wanted
}

/** Whether values name records beside users, which nothing merges. */
export function namesRecords(spec: AnySpec, values: Values): boolean {
  return fieldsOf(spec).some(
    ([name, field]) => field.of !== undefined && field.of !== 'user' && idsNamed(field, values[name]).length > 0,
  )
}

/**
 * Looks up what values name and holds it, with one statement a noun that is named. It goes before the locks of records that are changed.
 * @param own records of the noun that are changed after: where values name others of it, all these are locked here, in the order of ids
 */
export async function holdNamed(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  all: readonly Values[],
  own: readonly string[] = [],
): Promise<Held> {
  const { spec } = noun
  const [one] = spec.names
  const field = hostFieldOf(spec)
  const hostIds = field === undefined ? [] : all.flatMap(values => (values[field] as string | null | undefined) ?? [])
  const wanted = [...idsByNoun(spec, all)].sort(([a], [b]) => (a < b ? -1 : 1))
  const found = async ([of, ids]: (typeof wanted)[number]) =>
    [of, await targetNamed(of).facts(tx, principal, [...ids])] as const
  // They leave together, and are done in this order.
  const [hosts, ...others] = await Promise.all([
    hostIds.length === 0 ? new Map() : findHosts(tx, principal, [...new Set(hostIds)], { locked: true }),
    ...wanted.filter(([of]) => of !== one).map(found),
  ])
  const named = new Map<string, ById>(others)
  const same = wanted.find(([of]) => of === one)
  if (same !== undefined) {
    if (own.length > 0) await lockRecords(tx, principal, noun, [...own, ...[...same[1]].map(String)])
    named.set(...(await found(same)))
  }
  return { named, hosts }
}

/**
 * The facts of the records that values name, by field.
 * @throws Problem `validation_failed` for ids that name nothing the caller may see, and `record_not_found` for the record that it is put on
 */
export function factsFrom({ named, hosts }: Held, principal: Principal, spec: AnySpec, values: Values): Facts {
  const facts: Record<string, Readonly<Record<string, unknown>>> = {}
  const hostField = hostFieldOf(spec)
  const hostId = hostField === undefined ? undefined : values[hostField]
  if (typeof hostId === 'string') {
    requireUpdate(principal, hostId)
    const host = hosts.get(hostId)
    if (host === undefined)
      throw new Problem('record_not_found', {
        message: `There is no record ${hostId} that you may see. Check ${hostField}.`,
      })
    facts[hostField!] = host
  }
  const faults: FieldFault[] = []
  for (const [name, field] of fieldsOf(spec)) {
    const { of } = field
    if (of === undefined) continue
    for (const id of idsNamed(field, values[name])) {
      const fact = named.get(of)?.get(String(id))
      if (fact !== undefined) facts[name] ??= fact
      else
        faults.push({
          field: name,
          code: 'not_found',
          message: `names no ${of.replaceAll('_', ' ')} that you may see: ${id}`,
        })
    }
  }
  if (faults.length > 0) throw invalid(...faults)
  return facts
}

/** The facts of what values of a new record name, which are held. @throws Problem as `factsFrom` does */
export async function factsOf(tx: Tx, principal: Principal, noun: NounTable, values: Values): Promise<Facts> {
  return factsFrom(await holdNamed(tx, principal, noun, [values]), principal, noun.spec, values)
}
