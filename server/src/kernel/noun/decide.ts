// What a creation or a change makes of a record: the noun's own rules decide, with the facts of what its values name (named.ts).
import type { Principal } from '../access/principal.ts'
import { isoMs } from '../values/clock.ts'
import { Problem } from '../values/problem.ts'
import type { NounRecord } from './field.ts'
import { hostFieldOf } from './hosts.ts'
import { moveEvents } from './moves.ts'
import { type NewIds, newIds } from './new_ids.ts'
import { differences, draftRecord } from './records.ts'
import type { NounTable } from './registry.ts'
import type { Actor, AnySpec, Facts } from './spec.ts'
import type { Write } from './write.ts'

type Values = Record<string, unknown>

function actorOf({ userId, role, settings }: Principal, nowMs: number, isImport = false): Actor {
  return { userId, role, settings, nowMs, isImport }
}

export type Creating = {
  /** Where ids are numbers, those that were taken from the database. */
  ids?: NewIds
  /** Whether a file says what the record is like. */
  isImport?: boolean
}

/** A new record. @throws Problem of the noun's rules */
export function decideCreation(
  { spec }: NounTable,
  principal: Principal,
  values: Values,
  facts: Facts,
  nowMs: number,
  { ids = newIds(spec), isImport = false }: Creating = {},
): Write {
  const now = isoMs(nowMs)
  const stamps = {
    id: ids.next(nowMs),
    tenant_id: principal.tenantId,
    version: 1,
    created_at: now,
    updated_at: now,
  }
  const draft = draftRecord(spec, values, stamps)
  ownFirst(spec, principal, draft, values)
  const change = spec.create?.(draft, facts, actorOf(principal, nowMs, isImport)) ?? { set: {} }
  return {
    before: undefined,
    after: { ...draft, ...change.set } as NounRecord,
    events: change.instead ?? ['created', ...(change.also ?? [])],
  }
}

/** Who sees own records only creates own ones; what is put on a record is seen with it, and may be of anybody. */
function ownFirst(spec: AnySpec, { role, userId }: Principal, draft: NounRecord, values: Values): void {
  const { rows } = spec
  if (rows === undefined || !(rows.own as readonly string[]).includes(role)) return
  const field = hostFieldOf(spec)
  if (field !== undefined && draft[field] !== null) return
  if (values[rows.owner] !== undefined && values[rows.owner] !== userId)
    throw new Problem('insufficient_role', {
      message: `What a ${role} creates is their own. Leave ${rows.owner} out, or send your own id ${userId}.`,
    })
  ;(draft as Values)[rows.owner] = userId
}

/** A changed record; undefined where nothing changes. @throws Problem of the noun's rules, `invalid_transition` */
export function decideChange(
  { spec }: NounTable,
  principal: Principal,
  record: NounRecord,
  values: Values,
  facts: Facts,
  nowMs: number,
): Write | undefined {
  refuseForeign(spec, principal, record, values)
  const patch = differences(record, values)
  if (Object.keys(patch).length === 0) return undefined
  const moved = moveEvents(spec, record, patch)
  const change = spec.change?.(record, patch, facts, actorOf(principal, nowMs)) ?? { set: patch }
  const set = differences(record, change.set)
  if (Object.keys(set).length === 0) return undefined
  const after = { ...record, ...set, version: record.version + 1, updated_at: isoMs(nowMs) } as NounRecord
  return { before: record, after, events: change.instead ?? ['updated', ...moved, ...(change.also ?? [])] }
}

/** Who sees own records only changes own ones, and gives none away; one that nobody owns is taken first. */
export function refuseForeign(spec: AnySpec, { role, userId }: Principal, record: NounRecord, values: Values): void {
  const { rows } = spec
  if (hostFieldOf(spec) !== undefined) return
  if (rows === undefined || !(rows.own as readonly string[]).includes(role)) return
  const owner = values[rows.owner]
  if (owner !== undefined && owner !== userId && owner !== record[rows.owner])
    throw new Problem('insufficient_role', {
      message: `A ${role} cannot give records away. Ask a Sales Manager or an Admin to assign it.`,
    })
  if (record[rows.owner] === userId || owner === userId) return
  throw new Problem('insufficient_role', {
    message: `A ${role} changes own records only, and this one is unassigned. Take it first: send ${rows.owner} ${userId}, alone or with the change.`,
  })
}

/** A record in the trash, or out of it. */
export function decideTrash(record: NounRecord, deletedAt: string | null, nowMs: number): Write {
  const after = {
    ...record,
    deleted_at: deletedAt,
    // What is restored stands for itself again.
    ...(deletedAt === null && { merged_into: null }),
    version: record.version + 1,
    updated_at: isoMs(nowMs),
  } as NounRecord
  return { before: record, after, events: [deletedAt === null ? 'restored' : 'deleted'] }
}
