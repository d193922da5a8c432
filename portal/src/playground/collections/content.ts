// Requests as collections keep them and as the Playground edits them: the same, but for the credential, which is never kept.
import type { Collection, CollectionsCreateParams, SavedRequest } from '@tandem/sdk'
import { scrubDraft } from '../kept/records.ts'
import type { Draft } from '../request/request.ts'
import type { AnswerTest, Capture } from '../tests/check.ts'

/** What is sent of a request to be kept. */
export type RequestInput = NonNullable<CollectionsCreateParams['requests']>[number]
export type FolderInput = NonNullable<CollectionsCreateParams['folders']>[number]
export type Checks = { tests: readonly AnswerTest[]; captures: readonly Capture[] }

/** A request of a collection on the screen; `checks` as they are written there. */
export type OpenRequest = { saved: SavedRequest; collection: Pick<Collection, 'name' | 'mayChange'>; checks: Checks }

/** What is to be run: a collection, or one of its folders. */
export type RunWish = { name: string; requests: readonly SavedRequest[] }

export const noChecks: Checks = { tests: [], captures: [] }
export const MAX_NAME = 120

/** A draft to be kept: without anything that looks like a credential. */
export function inputOf(
  name: string,
  draft: Draft,
  { tests, captures }: Checks,
  secrets: readonly string[],
): RequestInput {
  const { method, path, pathValues, query, headers, body } = scrubDraft(draft, secrets)
  return {
    name: name.trim().slice(0, MAX_NAME) || `${method} ${path}`.slice(0, MAX_NAME),
    ...{ method, path, body },
    pathValues: pathValues.map(value => ({ ...value })),
    query: query.map(row => ({ ...row })),
    headers: headers.map(row => ({ ...row })),
    tests: tests.map(test => ({ ...test })),
    captures: captures.map(capture => ({ ...capture })),
  }
}

/** A kept request to be written on. */
export function draftOfRequest(
  saved: Pick<SavedRequest, 'method' | 'path' | 'pathValues' | 'query' | 'headers' | 'body'>,
): Draft {
  const { method, path, pathValues, query, headers, body } = saved
  return { method, path, pathValues, query, headers, body, credential: { kind: 'none' } }
}

/** A kept request as it is sent to be kept once more. */
export function againOf(saved: SavedRequest): RequestInput {
  const { name, method, path, pathValues, query, headers, body, tests, captures } = saved
  return { name, method, path, pathValues, query, headers, body, tests, captures }
}

export type Branch = { folderId: string | null; name: string; requests: SavedRequest[] }

/** The requests of a collection in their order: those in no folder, then folder by folder. */
export function branchesOf({ folders }: Pick<Collection, 'folders'>, requests: readonly SavedRequest[]): Branch[] {
  const sorted = [...requests].sort((a, b) => a.position - b.position || (a.requestId < b.requestId ? -1 : 1))
  const known = new Set(folders.map(({ folderId }) => folderId))
  const loose = sorted.filter(({ folderId }) => folderId === null || !known.has(folderId))
  return [
    { folderId: null, name: '', requests: loose },
    ...folders.map(({ folderId, name }) => ({
      ...{ folderId, name },
      requests: sorted.filter(request => request.folderId === folderId),
    })),
  ]
}

/** A collection with all in it, to be made again: a copy, or one that comes back. */
export function wholeOf(collection: Collection, requests: readonly SavedRequest[]): CollectionsCreateParams {
  const [loose, ...folders] = branchesOf(collection, requests)
  return {
    name: collection.name,
    description: collection.description,
    shared: collection.shared,
    requests: (loose?.requests ?? []).map(againOf),
    folders: folders.map(({ name, requests }) => ({ name, requests: requests.map(againOf) })),
  }
}

/** The position that puts a request behind `index - 1` of the others of its folder. */
export function positionAt(others: readonly Pick<SavedRequest, 'position'>[], index: number): number {
  const before = others[index - 1]?.position
  const after = others[index]?.position
  if (before === undefined) return (after ?? 2) - 1
  return after === undefined ? before + 1 : (before + after) / 2
}
