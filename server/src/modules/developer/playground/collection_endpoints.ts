// Collections of requests over HTTP: made whole (an import, a copy, one that comes back), renamed, shared, deleted; and their folders.
import type { Static } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord, requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { type FieldFault, invalid, Problem } from '../../../kernel/values/problem.ts'
import { type CollectionRow, collections, removeRequestsOf } from './collection_store.ts'
import { addRequests } from './fill.ts'
import { credentialFaults, type Folder, limits, testFaults } from './rules.ts'
import {
  Collection,
  CollectionChange,
  CollectionParams,
  FolderBody,
  FolderParams,
  NewCollection,
  presentCollection,
  type RequestInput,
  sampleCollection,
  sampleInput,
} from './schemas.ts'
import { requireChange, requireShared, requireSharing } from './sharing.ts'

// Everybody who may read events sees them: of a private one they say no more than that there is one.
const eventOf = ({ id, name, owner_id, shared, folders }: CollectionRow) => ({
  collectionId: id,
  ...(shared && { name, folders }),
  ...{ ownerId: owner_id, shared },
})

const own = resource<CollectionRow, typeof Collection>({
  names: ['collection', 'collections'],
  id: ['collectionId', 'col'],
  category: 'Developer',
  path: '/playground/collections',
  permissions: { read: 'playground:read', manage: 'playground:write' },
  rows: collections,
  guarded: { shared: true },
  reply: Collection,
  sample: sampleCollection,
  present: (rows, { principal }) => rows.map(row => presentCollection(row, principal)),
  eventOf,
})

const faultsOf = (requests: readonly RequestInput[], at: string): FieldFault[] =>
  requests.flatMap((request, index) => [
    ...testFaults(request.tests ?? [], `${at}[${index}].tests`),
    ...credentialFaults(request, `${at}[${index}].`),
  ])

const create = own.create({
  description:
    'Makes a collection, private or shared with the organization (playground:share), with all the folders and requests that are sent along. What looks like a credential is refused.',
  body: NewCollection,
  bodyLimit: 4_194_304,
  problems: ['collection_limit_reached', 'collection_full', 'insufficient_role'],
  check: ({ requests = [], folders = [] }) => [
    ...faultsOf(requests, 'requests'),
    ...folders.flatMap((folder, index) => faultsOf(folder.requests ?? [], `folders[${index}].requests`)),
  ],
  sample: { body: { name: 'Smoke test', shared: true, folders: [{ name: 'Texts', requests: [sampleInput] }] } },
  async handle({ name, description = '', shared = false, folders = [], requests = [] }, { tx, principal, now }) {
    requireSharing(principal, shared)
    if ((await collections.count(tx, principal)) >= limits.collections) throw new Problem('collection_limit_reached')
    const { userId } = principal
    const made = folders.map(folder => ({ ...folder, folderId: newId('fld', now) }))
    const id = newId('col', now)
    await collections.insert(tx, principal, {
      ...{ id, name: name.trim(), description, shared, owner_id: userId, updated_by: userId, ...stampsOf(now) },
      folders: made.map(folder => ({ folderId: folder.folderId, name: folder.name.trim() })),
    })
    await addRequests(tx, principal, id, now, [
      ...requests.map(request => ({ folderId: null, request })),
      ...made.flatMap(({ folderId, requests = [] }) => requests.map(request => ({ folderId, request }))),
    ])
    return { row: requireRecord(await collections.find(tx, principal, id)) }
  },
})

/** The folders in the order of a request. @throws Problem `validation_failed` where it does not name each once */
function orderedFolders(old: readonly Folder[], given: readonly Folder[] | undefined): Folder[] | undefined {
  if (given === undefined) return undefined
  const ids = new Set(given.map(({ folderId }) => folderId))
  if (ids.size === given.length && given.length === old.length && old.every(({ folderId }) => ids.has(folderId)))
    return given.map(({ folderId, name }) => ({ folderId, name: name.trim() }))
  throw invalid({
    field: 'folders',
    code: 'not_allowed',
    message: 'must name each folder of the collection once; read it again, and add or delete folders one by one',
  })
}

const update = own.update({
  description:
    'Changes what is sent: name, description, who sees it, the names and order of its folders. A shared one is changed by those who hold playground:share, and made private again by its owner.',
  body: CollectionChange,
  problems: ['insufficient_role'],
  sample: { body: { name: 'Smoke test' } },
  async handle(old, { name, folders, ...body }, { tx, principal, now }) {
    requireChange(principal, old)
    requireShared(principal, old, body.shared)
    const ordered = orderedFolders(old.folders, folders)
    const values = {
      ...body,
      ...(name !== undefined && { name: name.trim() }),
      ...(ordered !== undefined && { folders: ordered }),
      updated_by: principal.userId,
    }
    return { row: await collections.change(tx, principal, old.id, values, now) }
  },
})

/** @throws Problem `not_found`, `version_mismatch`, `insufficient_role` */
async function lockForChange(tx: Tx, principal: Principal, id: string, ifMatch: number | undefined) {
  const row = requireVersion(requireRecord(await collections.lock(tx, principal, id)), ifMatch)
  requireChange(principal, row)
  return row
}

const folderCommon = {
  version: 'v2',
  category: 'Developer',
  permission: 'playground:write',
  shared: true,
  versioned: true,
  reply: Collection,
  envelope: 'data',
  audit: 'collection.updated',
} as const

/** Gives a collection these folders, and reports it. */
async function changeFolders(
  { tx, principal, now }: { tx: Tx; principal: Principal; now: number },
  before: CollectionRow,
  folders: Folder[],
  work: () => Promise<unknown>,
): Promise<CollectionRow> {
  await collections.change(tx, principal, before.id, { folders, updated_by: principal.userId }, now)
  await work()
  const row = requireRecord(await collections.find(tx, principal, before.id))
  const [record, old] = [eventOf(row), eventOf(before)]
  const change = { type: 'collection.updated', resourceId: row.id, record, before: old, change: { folders } } as const
  await emitChange(tx, principal, change)
  return row
}

const addFolder = endpoint({
  ...folderCommon,
  id: 'collections.add_folder',
  method: 'POST',
  path: '/playground/collections/{collectionId}/folders',
  name: 'Add a folder to a collection',
  description: 'Adds a folder behind the others, with the requests that are sent along.',
  status: 201,
  params: CollectionParams,
  body: FolderBody,
  bodyLimit: 4_194_304,
  problems: ['not_found', 'collection_full', 'insufficient_role'],
  sample: {
    params: { collectionId: sampleCollection.collectionId },
    body: { name: 'Texts', requests: [sampleInput] },
    reply: sampleCollection,
  },
  check: ({ body }) => faultsOf(body.requests ?? [], 'requests'),
  async handle({ tx, principal, params, body, now, ifMatch, setVersion }): Promise<Static<typeof Collection>> {
    const before = await lockForChange(tx, principal, params.collectionId, ifMatch)
    if (before.folders.length >= limits.folders) throw new Problem('collection_full')
    const folderId = newId('fld', now)
    const folders = [...before.folders, { folderId, name: body.name.trim() }]
    const requests = (body.requests ?? []).map(request => ({ folderId, request }))
    const row = await changeFolders({ tx, principal, now }, before, folders, () =>
      addRequests(tx, principal, before.id, now, requests),
    )
    setVersion(row.version)
    return presentCollection(row, principal)
  },
})

const deleteFolder = endpoint({
  ...folderCommon,
  id: 'collections.delete_folder',
  method: 'DELETE',
  path: '/playground/collections/{collectionId}/folders/{folderId}',
  name: 'Delete a folder of a collection',
  description: 'Deletes a folder with the requests in it.',
  params: FolderParams,
  problems: ['not_found', 'insufficient_role'],
  sample: {
    params: { collectionId: sampleCollection.collectionId, folderId: sampleCollection.folders[0]!.folderId },
    reply: { ...sampleCollection, folders: [], requestCount: 0 },
  },
  async handle({ tx, principal, params, now, ifMatch, setVersion }): Promise<Static<typeof Collection>> {
    const before = await lockForChange(tx, principal, params.collectionId, ifMatch)
    const folders = before.folders.filter(({ folderId }) => folderId !== params.folderId)
    if (folders.length === before.folders.length) throw new Problem('not_found')
    const row = await changeFolders({ tx, principal, now }, before, folders, () =>
      removeRequestsOf(tx, principal, before.id, params.folderId),
    )
    setVersion(row.version)
    return presentCollection(row, principal)
  },
})

export const collectionEndpoints = [
  own.list({
    description:
      'Own collections and shared ones with their folders, the newest first. Their requests are listed apart.',
  }),
  create,
  own.get({
    description: 'One collection with its folders. Its requests are listed with GET /v2/playground/requests.',
  }),
  update,
  addFolder,
  deleteFolder,
]

/** After the requests that are in one: who tries all endpoints in their order needs it until then. */
export const deleteCollection = own.delete({
  description:
    'Deletes a collection with all its requests. A shared one is deleted by those who hold playground:share.',
  problems: ['insufficient_role'],
  async handle(row, { principal }) {
    requireChange(principal, row)
  },
})
