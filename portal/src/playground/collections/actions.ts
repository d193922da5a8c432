// What is done to collections and the requests in them. Each is one call or a few, and what is deleted can be brought back whole.
import type { Collection, SavedRequest } from '@tandem/sdk'
import { apiOf } from '../../session/api.ts'
import { t } from '../texts.ts'
import { againOf, branchesOf, positionAt, wholeOf } from './content.ts'
import { freshRequests, refreshCollections } from './queries.ts'

const api = () => apiOf('live')

export type Undo = () => Promise<void>

export async function changeCollection(
  { collectionId, version }: Collection,
  change: { name?: string; shared?: boolean; folders?: Collection['folders'] },
): Promise<void> {
  await api().collections.update({ collectionId, ...change }, { ifMatch: version })
  await refreshCollections()
}

/** Under a new name; private where the person may not share. */
export async function duplicateCollection(collection: Collection, shares: boolean): Promise<Collection> {
  const whole = wholeOf(collection, await freshRequests(collection.collectionId))
  const name = `${collection.name.slice(0, 92)} (copy)`
  const copy = await api().collections.create({ ...whole, name, shared: whole.shared === true && shares })
  await refreshCollections()
  return copy
}

export async function deleteCollection(collection: Collection): Promise<Undo> {
  const { collectionId, version } = collection
  const whole = wholeOf(collection, await freshRequests(collectionId))
  await api().collections.delete({ collectionId }, { ifMatch: version })
  await refreshCollections()
  return async () => {
    await api().collections.create(whole)
    await refreshCollections()
  }
}

export async function addFolder({ collectionId }: Collection, name: string): Promise<void> {
  await api().collections.addFolder({ collectionId, name })
  await refreshCollections()
}

export async function deleteFolder(collection: Collection, folderId: string): Promise<Undo> {
  const { collectionId, version } = collection
  const branches = branchesOf(collection, await freshRequests(collectionId))
  const branch = branches.find(each => each.folderId === folderId)
  await api().collections.deleteFolder({ collectionId, folderId }, { ifMatch: version })
  await refreshCollections(collectionId)
  return async () => {
    const { name = t('folder'), requests = [] } = branch ?? {}
    await api().collections.addFolder({ collectionId, name, requests: requests.map(againOf) })
    await refreshCollections(collectionId)
  }
}

/** One place up or down among the folders. */
export async function moveFolder(collection: Collection, folderId: string, by: -1 | 1): Promise<void> {
  const folders = [...collection.folders]
  const at = folders.findIndex(folder => folder.folderId === folderId)
  const [moved] = folders.splice(at, 1)
  if (moved !== undefined) folders.splice(at + by, 0, moved)
  await changeCollection(collection, { folders })
}

type RequestChange = { name?: string; collectionId?: string; folderId?: string | null; position?: number }

export async function changeRequest(request: SavedRequest, change: RequestChange): Promise<SavedRequest> {
  const { requestId, version, collectionId } = request
  const saved = await api().savedRequests.update({ requestId, ...change }, { ifMatch: version })
  await refreshCollections(collectionId, saved.collectionId)
  return saved
}

/** One place up or down among those of its folder. */
export function moveRequest(
  request: SavedRequest,
  siblings: readonly SavedRequest[],
  by: -1 | 1,
): Promise<SavedRequest> {
  const others = siblings.filter(({ requestId }) => requestId !== request.requestId)
  const at = siblings.findIndex(({ requestId }) => requestId === request.requestId)
  return changeRequest(request, { position: positionAt(others, at + by) })
}

/** Behind the last one of another folder. */
export async function putRequest(
  request: SavedRequest,
  { collectionId, folderId }: { collectionId: string; folderId: string | null },
): Promise<SavedRequest> {
  const there = (await freshRequests(collectionId)).filter(each => each.folderId === folderId)
  const position = Math.max(0, ...there.map(each => each.position)) + 1
  return changeRequest(request, { collectionId, folderId, position })
}

/** Behind the one it is made of. */
export async function duplicateRequest(request: SavedRequest, siblings: readonly SavedRequest[]): Promise<void> {
  const { collectionId, folderId, name } = request
  const at = siblings.findIndex(({ requestId }) => requestId === request.requestId)
  const position = positionAt(siblings, at + 1)
  await api().savedRequests.create({
    ...{ collectionId, folderId, position, ...againOf(request) },
    name: `${name.slice(0, 112)} (copy)`,
  })
  await refreshCollections(collectionId)
}

export async function deleteRequest(request: SavedRequest): Promise<Undo> {
  const { requestId, collectionId, folderId, position, version } = request
  await api().savedRequests.delete({ requestId }, { ifMatch: version })
  await refreshCollections(collectionId)
  return async () => {
    await api().savedRequests.create({ collectionId, folderId, position, ...againOf(request) })
    await refreshCollections(collectionId)
  }
}
