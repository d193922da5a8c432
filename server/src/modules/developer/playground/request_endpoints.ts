// Requests of collections over HTTP: saved, changed, moved, deleted, with the tests of their answers.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { RecordId } from '../../../kernel/endpoint/schema.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { type CollectionRow, collections, type RequestRow, savedRequests } from './collection_store.ts'
import { addRequests, columnsOf, requireRoom } from './fill.ts'
import { credentialFaults, testFaults } from './rules.ts'
import {
  contentOf,
  NewRequest,
  presentRequest,
  RequestChange,
  SavedRequest,
  sampleInput,
  sampleRequest,
} from './schemas.ts'
import { requireChange } from './sharing.ts'

const own = resource<RequestRow, typeof SavedRequest>({
  names: ['saved_request', 'saved_requests'],
  id: ['requestId', 'srq'],
  category: 'Developer',
  path: '/playground/requests',
  permissions: { read: 'playground:read', manage: 'playground:write' },
  rows: savedRequests,
  guarded: { shared: true },
  reply: SavedRequest,
  sample: sampleRequest,
  present: rows => rows.map(presentRequest),
  // Everybody who may read events sees them, and the collection may be private.
  eventOf: ({ id, collection_id }) => ({ requestId: id, collectionId: collection_id }),
})

/** @throws Problem `validation_failed` for a collection or folder that there is not, `insufficient_role` */
async function requirePlace(
  tx: Tx,
  principal: Principal,
  collectionId: string,
  folderId: string | null,
): Promise<CollectionRow> {
  const collection = await collections.lock(tx, principal, collectionId)
  if (collection === undefined)
    throw invalid({ field: 'collectionId', code: 'not_found', message: 'is the id of no collection that you see' })
  requireChange(principal, collection)
  if (folderId !== null && !collection.folders.some(folder => folder.folderId === folderId))
    throw invalid({
      field: 'folderId',
      code: 'not_found',
      message: `is the id of no folder of ${collection.name}; null puts it into none`,
    })
  return collection
}

const faultsOf = (body: { tests?: Parameters<typeof testFaults>[0] } & Parameters<typeof credentialFaults>[0]) => [
  ...testFaults(body.tests ?? []),
  ...credentialFaults(body),
]

const create = own.create({
  name: 'Create a saved request',
  description:
    'Saves a request to a collection, with tests of its answer and the variables that a run takes from it. What looks like a credential is refused: put a variable in its place.',
  body: NewRequest,
  bodyLimit: 1_048_576,
  problems: ['collection_full', 'insufficient_role'],
  check: faultsOf,
  sample: { body: { collectionId: sampleRequest.collectionId, ...sampleInput } },
  async handle({ collectionId, folderId = null, position, ...request }, { tx, principal, now }) {
    await requirePlace(tx, principal, collectionId, folderId)
    const [row] = await addRequests(tx, principal, collectionId, now, [{ folderId, position, request }])
    return { row: row! }
  },
})

const update = own.update({
  description:
    'Changes what is sent; lists take the place of those before. collectionId, folderId and position move it. Requests of shared collections are changed by those who hold playground:share.',
  body: RequestChange,
  bodyLimit: 1_048_576,
  problems: ['collection_full', 'insufficient_role'],
  check: faultsOf,
  sample: { body: { tests: sampleRequest.tests } },
  async handle(old, { collectionId, folderId, position, ...change }, { tx, principal, now }) {
    await requirePlace(tx, principal, old.collection_id, null)
    const target = collectionId ?? old.collection_id
    const isMoved = target !== old.collection_id
    const folder = folderId === undefined ? (isMoved ? null : old.folder_id) : folderId
    if (isMoved || folderId !== undefined) await requirePlace(tx, principal, target, folder)
    const columns = columnsOf(contentOf({ ...presentRequest(old), ...change }))
    const grown = { requests: isMoved ? 1 : 0, characters: isMoved ? columns.size : columns.size - old.size }
    if (isMoved || grown.characters > 0) await requireRoom(tx, principal, target, grown)
    const place = { collection_id: target, folder_id: folder, position: position ?? old.position }
    const values = { ...place, ...columns, updated_by: principal.userId }
    return { row: await savedRequests.change(tx, principal, old.id, values, now) }
  },
})

export const requestEndpoints = [
  own.list({
    description:
      'Requests of the collections that you see, whole, the newest first. Within a folder position orders them.',
    filters: {
      collectionId: Type.Optional(RecordId('col', 'Only requests of this collection.')),
    },
  }),
  create,
  own.get({ description: 'One saved request, with its tests.' }),
  update,
  own.delete({
    description: 'Deletes a saved request. One of a shared collection is deleted by those who hold playground:share.',
    problems: ['insufficient_role'],
    async handle(row, { tx, principal }) {
      await requirePlace(tx, principal, row.collection_id, null)
    },
  }),
]
