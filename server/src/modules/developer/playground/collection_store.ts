// SQL of collections of the Playground and of the requests in them.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type ListPage, type ResourceRows, resourceRows } from '../../../kernel/resource/rows.ts'
import type { Capture, Folder, Pair, Test } from './rules.ts'
import { changedByColumn, ownerColumns, seenBy, type Viewer, visibleRows } from './visible_store.ts'

export type CollectionRow = {
  id: string
  name: string
  description: string
  owner_id: number
  owner_name: string
  shared: boolean
  folders: Folder[]
  request_count: number
  version: number
  updated_by: number
  updated_by_name: string
  created_at: string
  updated_at: string
}

export type RequestRow = {
  id: string
  collection_id: string
  folder_id: string | null
  name: string
  position: number
  method: string
  path: string
  path_values: { name: string; value: string }[]
  query: Pair[]
  headers: Pair[]
  body: string
  tests: Test[]
  captures: Capture[]
  size: number
  version: number
  updated_by: number
  updated_by_name: string
  created_at: string
  updated_at: string
}

const columns = `r.id, r.name, r.description, r.owner_id, r.shared, r.folders, r.version, r.updated_by, r.created_at, r.updated_at,
  (select count(*)::integer from playground_requests q where q.organization_id = r.organization_id and q.collection_id = r.id)
  as request_count, ${ownerColumns}`

const rows: ResourceRows<CollectionRow, never> = resourceRows<CollectionRow>({
  table: 'playground_collections',
  columns,
  json: ['folders'],
  of: 'organization',
})

/** With those that the caller does not see left out. */
export const collections = { ...rows, ...visibleRows<CollectionRow>('playground_collections', columns) }

const requestColumns = `r.id, r.collection_id, r.folder_id, r.name, r.position, r.method, r.path, r.path_values, r.query, r.headers,
  r.body, r.tests, r.captures, r.size, r.version, r.updated_by, r.created_at, r.updated_at, ${changedByColumn}`
const shown = sql.raw(requestColumns)
const requestRows: ResourceRows<RequestRow, never> = resourceRows<RequestRow>({
  table: 'playground_requests',
  columns: requestColumns,
  json: ['path_values', 'query', 'headers', 'tests', 'captures'],
  of: 'organization',
})

/** Whether somebody sees the collection of a request. */
const visible = (viewer: Viewer) => sql`
  r.organization_id = ${viewer.organizationId} and exists (
    select from playground_collections c
    where c.organization_id = r.organization_id and c.id = r.collection_id and ${seenBy(viewer, 'c')})`

/** Requests of the collections that the caller sees. */
export const savedRequests = {
  ...requestRows,

  async find(tx: Tx, viewer: Viewer, id: string): Promise<RequestRow | undefined> {
    const found = await sql<RequestRow>`
      select ${shown} from playground_requests r where ${visible(viewer)} and r.id = ${id}`.execute(tx)
    return found.rows[0]
  },

  async lock(tx: Tx, viewer: Viewer, id: string): Promise<RequestRow | undefined> {
    const found = await sql<RequestRow>`
      select ${shown} from playground_requests r where ${visible(viewer)} and r.id = ${id}
      for no key update of r`.execute(tx)
    return found.rows[0]
  },

  /** Newest first, one more than `limit` when there are more. */
  async list(
    tx: Tx,
    viewer: Viewer,
    { collectionId }: { collectionId?: string | undefined },
    { limit, beforeId }: ListPage,
  ): Promise<RequestRow[]> {
    const of = collectionId === undefined ? sql`` : sql`and r.collection_id = ${collectionId}`
    const further = beforeId === undefined ? sql`` : sql`and r.id < ${beforeId}`
    const found = await sql<RequestRow>`
      select ${shown} from playground_requests r where ${visible(viewer)} ${of} ${further}
      order by r.id desc limit ${limit + 1}`.execute(tx)
    return found.rows
  },
}

/** What a collection holds, and the last position in it; its row is locked. */
export async function fillOf(
  tx: Tx,
  { organizationId }: Scope,
  collectionId: string,
): Promise<{ requests: number; characters: number; last: number }> {
  const { rows } = await sql<{ requests: number; characters: number; last: number }>`
    select count(*)::integer as requests, coalesce(sum(size), 0)::integer as characters, coalesce(max(position), 0) as last
    from playground_requests where organization_id = ${organizationId} and collection_id = ${collectionId}`.execute(tx)
  return rows[0]!
}

/** Deletes the requests of a folder. */
export async function removeRequestsOf(
  tx: Tx,
  { organizationId }: Scope,
  collectionId: string,
  folderId: string,
): Promise<void> {
  await sql`
    delete from playground_requests
    where organization_id = ${organizationId} and collection_id = ${collectionId} and folder_id = ${folderId}`.execute(
    tx,
  )
}
