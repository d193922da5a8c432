// Ids of records that are about to be created. Texts are made here; numbers come from the sequence of their table, some at once.
import { sql } from 'kysely'
import type { Tx } from '../data/db.ts'
import { newId } from '../values/ids.ts'
import { idsOf, recordIdOf } from './record_ids.ts'
import type { NounTable } from './registry.ts'
import type { AnySpec } from './spec.ts'

export type NewIds = {
  /** As others name the record. @throws Error where more are asked for than were taken: a mistake of the caller */
  next(nowMs: number): string
}

/** Of a noun whose ids are texts. */
export function newIds(spec: Pick<AnySpec, 'prefix' | 'names'>): NewIds {
  const { prefix } = spec
  return {
    next(nowMs) {
      if (prefix === undefined) throw new Error(`ids of ${spec.names[1]} are numbers, which the database gives`)
      return newId(prefix, nowMs)
    },
  }
}

/** Of any noun. @param count how many are created at most; of numbers, the ones that are not used stay unused */
export async function takeIds(tx: Tx, { spec, table }: NounTable, count: number): Promise<NewIds> {
  if (spec.prefix !== undefined || count === 0) return newIds(spec)
  const sequence = `${table}_id_seq`
  const { rows } = await sql<{ id: number }>`
    select nextval(${sequence}::regclass) as id from generate_series(1, ${count})`.execute(tx)
  return numbered(
    spec,
    rows.map(({ id }) => id),
  )
}

/** Of records that are decided and never written. */
export function idsOfTrial(spec: AnySpec): NewIds {
  let last = 0
  return spec.prefix === undefined ? { next: () => recordIdOf(idsOf(spec), --last) } : newIds(spec)
}

export function numbered(spec: Pick<AnySpec, 'prefix' | 'names'>, numbers: readonly number[]): NewIds {
  const left = [...numbers].reverse()
  return {
    next() {
      const id = left.pop()
      if (id === undefined)
        throw new Error(`${numbers.length} ids of ${spec.names[1]} were taken, and more are asked for`)
      return recordIdOf(idsOf(spec), id)
    },
  }
}
