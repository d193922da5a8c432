// Puts requests into a collection whose row is locked, or of this transaction, up to what it may hold.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { fillOf, type RequestRow, savedRequests } from './collection_store.ts'
import { limits, type RequestContent, sizeOf } from './rules.ts'
import { contentOf, type RequestInput } from './schemas.ts'

/** @throws Problem `collection_full` */
export async function requireRoom(
  tx: Tx,
  principal: Principal,
  collectionId: string,
  { requests, characters }: { requests: number; characters: number },
): Promise<{ last: number }> {
  const fill = await fillOf(tx, principal, collectionId)
  const isFull = fill.requests + requests > limits.requests || fill.characters + characters > limits.characters
  if (isFull) throw new Problem('collection_full')
  return fill
}

/** The columns of what a request says. */
export function columnsOf(content: RequestContent) {
  const { pathValues, ...others } = content
  return { ...others, path_values: pathValues, size: sizeOf(content) }
}

type Added = { folderId: string | null; position?: number | undefined; request: RequestInput }

/** Adds requests, each behind the last one where it names no position. @throws Problem `collection_full` */
export async function addRequests(
  tx: Tx,
  principal: Principal,
  collectionId: string,
  now: number,
  added: readonly Added[],
): Promise<RequestRow[]> {
  if (added.length === 0) return []
  const all = added.map(({ request, ...place }) => ({ ...place, columns: columnsOf(contentOf(request)) }))
  const characters = all.reduce((sum, { columns }) => sum + columns.size, 0)
  const { last } = await requireRoom(tx, principal, collectionId, { requests: all.length, characters })
  const rows: RequestRow[] = []
  for (const [index, { columns, folderId, position = Math.floor(last) + index + 1 }] of all.entries()) {
    const row = await savedRequests.insert(tx, principal, {
      ...{ id: newId('srq', now), collection_id: collectionId, folder_id: folderId, position, ...columns },
      ...{ updated_by: principal.userId, ...stampsOf(now) },
    })
    rows.push(row!)
  }
  return rows
}
