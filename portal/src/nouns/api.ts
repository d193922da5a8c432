// Records of any noun, over the SDK.
import { isTandemError, type Tandem } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { type Included, methodsOf, type NounMethods } from './methods.ts'
import { keepNames } from './names.ts'
import { type NounDescription, type NounRecord, ownIdOf } from './noun.ts'

export type Patch = Readonly<Record<string, unknown>>
export type NounPage = {
  records: readonly NounRecord[]
  total: number
  /** Whether there are no more than `total`. */
  isExact: boolean
  nextCursor: string | null
}
export type Duplicate = { id: string | number; title: string; matched_by: string }
export type BulkReply = {
  /** Takes the change back. */
  batch_id: string
  changed: number
  unchanged: number
  failed: readonly { id: string | number; code: string; message: string }[]
}
export type FieldChange = { field: string; from: unknown; to: unknown }
export type HistoryEntry = {
  version: number
  at: string
  /** Null where the server did it by itself. */
  user_id: number | null
  key_id: string | null
  source: string
  batch_id: string | null
  fields: readonly FieldChange[]
}

type Reply = Awaited<ReturnType<NounMethods['get']>>
export type ListPagination = { totalCount: number; totalIsExact?: boolean; nextCursor?: string | null }

/** What can be asked of the records of a noun. Everything rejects with a TandemError. */
export type NounApi = {
  list(params: Patch, signal?: AbortSignal): Promise<NounPage>
  get(id: string | number, signal?: AbortSignal): Promise<NounRecord>
  create(
    body: Patch,
    options?: { mode?: 'warn' | 'block' | undefined; idempotencyKey?: string },
  ): Promise<{ record: NounRecord; duplicates: readonly Duplicate[] }>
  /** @param version of the record that the change is meant for */
  update(id: string | number, patch: Patch, version?: number): Promise<NounRecord>
  remove(id: string | number): Promise<NounRecord>
  restore(id: string | number): Promise<NounRecord>
  change(ids: readonly (string | number)[], what: { set: Patch } | { action: 'delete' | 'restore' }): Promise<BulkReply>
  history(id: string | number, signal?: AbortSignal): Promise<readonly HistoryEntry[]>
  /** @param take by field, the record whose value is kept */
  merge(into: string, others: readonly string[], take: Readonly<Record<string, string>>): Promise<NounRecord>
  duplicates(id: string | number, signal?: AbortSignal): Promise<readonly Duplicate[]>
}

export function nounApi(api: Tandem, noun: NounDescription, onNames: (included: Included) => void): NounApi {
  const methods = methodsOf(api, noun.many)
  const include = noun.includes.length > 0 ? { include: noun.includes.join(',') } : {}
  const idOf = (id: string | number) => ownIdOf(noun, id)
  const recordOf = (reply: Reply) => {
    if (reply.included !== undefined) onNames(reply.included)
    return reply[noun.one] as NounRecord
  }
  return {
    async list(params, signal) {
      const reply = await methods.list({ ...include, ...params }, signal && { signal })
      if (reply.included !== undefined) onNames(reply.included)
      const { totalCount, totalIsExact = true, nextCursor = null } = reply['pagination'] as ListPagination
      return { records: reply[noun.many] as NounRecord[], total: totalCount, isExact: totalIsExact, nextCursor }
    },
    get: async (id, signal) => recordOf(await methods.get({ id: idOf(id), ...include }, signal && { signal })),
    async create(body, { mode, ...rest } = {}) {
      const options = { ...rest, ...(mode !== undefined && { headers: { 'X-Duplicate-Mode': mode } }) }
      const reply = await methods.create(body, options)
      return { record: recordOf(reply), duplicates: (reply['duplicates'] ?? []) as Duplicate[] }
    },
    update: async (id, patch, version) =>
      recordOf(await methods.update({ id: idOf(id), ...patch }, version === undefined ? {} : { ifMatch: version })),
    remove: async id => recordOf(await methods.delete({ id: idOf(id) })),
    restore: async id => recordOf(await methods.restore({ id: idOf(id) })),
    change: async (ids, what) => (await methods.bulk({ ids: ids.map(idOf), ...what })) as unknown as BulkReply,
    history: async (id, signal) =>
      (await methods.history({ id: idOf(id) }, signal && { signal }))['changes'] as HistoryEntry[],
    async merge(into, others, take) {
      const named = Object.fromEntries(Object.entries(take).map(([field, id]) => [field, idOf(id)]))
      return recordOf(await methods.merge({ into: idOf(into), others: others.map(idOf), take: named }))
    },
    duplicates: async (id, signal) =>
      (await methods.duplicates({ id: idOf(id) }, signal && { signal }))['duplicates'] as Duplicate[],
  }
}

/** The record that the one that was asked for was merged into, as addresses name it. */
export function mergedInto(noun: NounDescription, error: unknown): string | undefined {
  const into = isTandemError(error) ? error.details.find(({ code }) => code === 'merged')?.record_id : undefined
  return into === undefined ? undefined : String(ownIdOf(noun, into))
}

/** The records of a noun, in the mode that the portal is in; what it learns of names is kept. */
export function useNounApi(noun: NounDescription, mode?: Mode): NounApi {
  const session = useSession()
  const cache = useQueryClient()
  const own = mode ?? session.mode
  return nounApi(apiOf(own), noun, included => keepNames(cache, own, included))
}
