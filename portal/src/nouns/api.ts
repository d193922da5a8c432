// Records of any noun, over the SDK.
import { isTandemError, type Tandem } from '@tandem/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import { type Included, methodsOf, type NounMethods } from './methods.ts'
import { keepNames } from './names.ts'
import type { NounDescription, NounRecord } from './noun.ts'

export type Patch = Readonly<Record<string, unknown>>
export type NounPage = {
  records: readonly NounRecord[]
  total: number
  /** Whether there are no more than `total`. */
  isExact: boolean
  nextCursor: string | null
}
export type Duplicate = { id: string | number; title?: string; name?: string; matched_by: string }
export type BulkReply = {
  /** Takes the change back; left out where records are changed one by one. */
  batch_id?: string
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
  create(body: Patch, mode?: 'warn' | 'block'): Promise<{ record: NounRecord; duplicates: readonly Duplicate[] }>
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

/** Some endpoints have no bulk yet: so many requests are under way at once. */
const atOnce = 4

export function nounApi(api: Tandem, noun: NounDescription, onNames: (included: Included) => void): NounApi {
  const methods = methodsOf(api, noun.many)
  const include = noun.includes.length > 0 ? { include: noun.includes.join(',') } : {}
  const idOf = (id: string | number) => (noun.prefix === undefined ? Number(id) : id)
  const recordOf = (reply: Reply) => {
    if (reply.included !== undefined) onNames(reply.included)
    return reply[noun.one] as NounRecord
  }
  const own: NounApi = {
    async list(params, signal) {
      const reply = await methods.list({ ...include, ...params }, signal && { signal })
      if (reply.included !== undefined) onNames(reply.included)
      const { totalCount, totalIsExact = true, nextCursor = null } = reply['pagination'] as ListPagination
      return { records: reply[noun.many] as NounRecord[], total: totalCount, isExact: totalIsExact, nextCursor }
    },
    get: async (id, signal) => recordOf(await methods.get({ id: idOf(id), ...include }, signal && { signal })),
    async create(body, mode) {
      const options = mode === undefined ? {} : { headers: { 'X-Duplicate-Mode': mode } }
      const reply = await methods.create(body, options)
      return { record: recordOf(reply), duplicates: (reply['duplicates'] ?? []) as Duplicate[] }
    },
    update: async (id, patch, version) =>
      recordOf(await methods.update({ id: idOf(id), ...patch }, version === undefined ? {} : { ifMatch: version })),
    remove: async id => recordOf(await methods.delete({ id: idOf(id) })),
    restore: async id => recordOf(await methods.restore({ id: idOf(id) })),
    async change(ids, what) {
      if (noun.verbs.includes('bulk'))
        return (await methods.bulk({ ids: ids.map(idOf), ...what })) as unknown as BulkReply
      return oneByOne(ids, id =>
        'set' in what ? own.update(id, what.set) : what.action === 'delete' ? own.remove(id) : own.restore(id),
      )
    },
    history: async (id, signal) =>
      (await methods.history({ id: idOf(id) }, signal && { signal }))['changes'] as HistoryEntry[],
    merge: async (into, others, take) => recordOf(await methods.merge({ into, others, take })),
    duplicates: async (id, signal) =>
      (await methods.duplicates({ id: idOf(id) }, signal && { signal }))['duplicates'] as Duplicate[],
  }
  return own
}

async function oneByOne(
  ids: readonly (string | number)[],
  work: (id: string | number) => Promise<unknown>,
): Promise<BulkReply> {
  const failed: { id: string | number; code: string; message: string }[] = []
  const left = [...ids]
  const lane = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const mine = id
      await work(mine).catch((error: { code?: string; message: string }) =>
        failed.push({ id: mine, code: error.code ?? 'unknown', message: error.message }),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { changed: ids.length - failed.length, unchanged: 0, failed }
}

/** The record that the one that was asked for was merged into. */
export function mergedInto(error: unknown): string | undefined {
  return isTandemError(error) ? error.details.find(({ code }) => code === 'merged')?.record_id : undefined
}

/** The records of a noun, in the mode that the portal is in; what it learns of names is kept. */
export function useNounApi(noun: NounDescription, mode?: Mode): NounApi {
  const session = useSession()
  const cache = useQueryClient()
  const own = mode ?? session.mode
  return nounApi(apiOf(own), noun, included => keepNames(cache, own, included))
}
